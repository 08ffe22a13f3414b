import { addressOf, call } from '../../app/api.ts'
import { withSecondFactor } from '../../app/step-up.ts'

/**
 * Downloads the file of a backup, after the second factor where that is asked for. The browser saves it by itself: a large
 * file never passes through the page.
 * @throws Failure
 */
export const downloadBackup = async (id: number, name: string): Promise<void> => {
  const input = { path: { id } }
  const address = addressOf('downloadBackup', input)
  await withSecondFactor(async () => {
    const controller = new AbortController()
    const { ok } = await fetch(address, { credentials: 'same-origin', signal: controller.signal })
    // Asked only whether it may be: the file itself comes next.
    controller.abort()
    // A link that is refused would leave the page.
    if (!ok) await call('downloadBackup', input)
  })
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
