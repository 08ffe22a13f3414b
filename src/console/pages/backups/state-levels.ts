import type { Data } from '../../app/api.ts'
import type { Level } from '../../ui/Meaning.tsx'

export type Backup = Data<'listBackupFiles'>['backups'][number]

/** How the state of a backup is shown. */
export const stateLevels: Readonly<Record<Backup['status'], Level>> = {
  running: 'none',
  success: 'safe',
  failed: 'danger',
}
