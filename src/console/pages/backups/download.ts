import { addressOf, fetchFile } from '../../app/api.ts'
import { withSecondFactor } from '../../app/step-up.ts'

/**
 * Downloads the file of a backup with one call, after the second factor where that is asked for. Only a whole file is saved.
 * @throws Failure
 */
export const downloadBackup = async (id: number, name: string): Promise<void> => {
  const file = await withSecondFactor(() => fetchFile(addressOf('downloadBackup', { path: { id } })))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
