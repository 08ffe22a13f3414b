import { type Concern, when } from './concern.ts'
import { counted, span } from './wording.ts'

const hour = 3_600_000
/** A backup is made every day; after a day and a half one was missed. */
const old = 36 * hour
const stale = 7 * 24 * hour
const call = 'POST /api/v1/security/backups {"type": "manual"}'

export const backupsConcern: Concern = {
  id: 6,
  area: 'backups',
  name: 'Backups',
  description: 'The age of the newest backup that was read back and checked',
  details({ at, backups: { newest, proven, failedSince, future } }) {
    if (newest === null && future !== null) {
      return `${counted(proven, 'proven backup')}, dated in the future; ${failedSince} failed`
    }
    if (newest === null) return `No proven backup; ${failedSince} failed`
    return `The newest of ${counted(proven, 'proven backup')} is ${span(newest.at, at)} old; ${failedSince} failed since`
  },
  figures: ({ backups: { proven, failedSince } }) => ({ proven, failedSince }),
  find({ at, backups: { newest, failedSince, future } }) {
    const age = newest === null ? 0 : at.getTime() - newest.at.getTime()
    const description = newest === null ? '' : `The newest proven backup is ${span(newest.at, at)} old.`
    const params = { days: Math.floor(age / (24 * hour)), hours: Math.floor(age / hour) }
    return [
      ...when(newest === null && future === null, () => ({
        kind: 'backupNone',
        description: 'There is no proven backup: data that is lost now cannot be restored.',
        suggestion: `Make one: ${call}.`,
      })),
      ...when(age > stale, () => ({
        kind: 'backupStale',
        description,
        suggestion: `Make one now (${call}), and find out why the scheduled ones are missing: check BACKUP_SCHEDULE and the log.`,
        params,
      })),
      ...when(age > old && age <= stale, () => ({
        kind: 'backupOld',
        description,
        suggestion: `Make one: ${call}. BACKUP_SCHEDULE sets when backups are made automatically.`,
        params,
      })),
      ...when(failedSince > 0, () => ({
        kind: 'backupFailed',
        description: `${counted(failedSince, 'backup')} failed since the newest proven one.`,
        suggestion:
          'The log says why each failed; most often the disk is full or the backup directory cannot be written.',
        params: { count: failedSince },
      })),
      ...when(future !== null, () => ({
        kind: 'backupFuture',
        description: `A proven backup is dated in the future (${future?.toISOString()}): the clock was ahead when it was made, or is behind now. It can be restored, but does not say how old the newest data in a backup is.`,
        suggestion: `Check the clock of the machine of the database, then make a backup: ${call}. Delete the one from the future, unless you need it.`,
        params: { at: future?.toISOString() ?? '' },
      })),
      ...when(newest?.encrypted === false, () => ({
        kind: 'backupClear',
        description: 'The newest proven backup is not encrypted: anyone who can read the file can read all data.',
        suggestion: `Set BACKUP_KEY, keep a copy of it elsewhere, then ${call}.`,
      })),
    ]
  },
}
