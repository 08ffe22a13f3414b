import { reasonsOf } from '../failures/reason-table.ts'

/** Why a backup cannot be made, used, downloaded or restored. */
export const reasons = reasonsOf('backups', {
  backup_not_found: { kind: 'not_found', text: 'backup {id} does not exist' },
  not_usable: { kind: 'conflict', text: 'backup {id} cannot be used: its status is {status}, not success' },
  file_removed: { kind: 'not_found', text: 'the file of backup {id} was removed at the end of its retention' },
  file_elsewhere: { kind: 'not_found', text: 'the file of backup {id} is not on this instance' },
  not_downloadable: { kind: 'conflict', text: 'backup {id} cannot be downloaded: {problem}' },
  not_removable: { kind: 'conflict', text: 'backup {id} cannot be removed: {problem}' },
  newest_kept: { kind: 'conflict', text: 'backup {id} is the newest proven one and is kept: make another one first' },
  in_progress: { kind: 'conflict', text: 'backup {id} is still in progress' },
  not_restorable: { kind: 'conflict', text: '{backup} cannot be restored: {problem}' },
  safety_failed: {
    kind: 'conflict',
    text: 'nothing was restored: the backup of the current data ({id}) failed',
  },
  tables_busy: {
    kind: 'unavailable',
    text: 'nothing was restored: other transactions locked the tables for 5 minutes; try again',
  },
  failed: { kind: 'upstream', text: 'backup {id} failed: see the log for the reason' },
  path_outside: { kind: 'conflict', text: 'the path in the record of the backup is outside BACKUP_DIR' },
})
