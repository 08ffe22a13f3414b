import type { ReadBackup } from '../../backups/file/read.ts'
import { sizeText } from '../../backups/file/size-text.ts'
import { extentOf } from '../../backups/restore/restored-tables.ts'
import { table } from '../../terminal/table.ts'
import { displayTime } from '../../text/display.ts'

/** The content of a backup and the effect of a restore, line by line. */
export const contentLines = (
  { manifest: { steward, takenAt, schema, logHead, tables }, size, encrypted }: ReadBackup,
  timeZone: string,
): string[] => [
  `A backup of ${displayTime(new Date(takenAt), timeZone)} (${timeZone}), ${sizeText(size)}, made by Steward ${steward}.`,
  `Schema ${schema.tag}; ${logHead === null ? 'no entry in the operation log' : `head of the operation log: entry ${logHead.seq}, ${logHead.hash}`}.`,
  encrypted
    ? 'Every byte is as it was written with BACKUP_KEY. It holds:'
    : 'It is undamaged, but not encrypted: nothing proves who made it. It decides who may sign in, administrators included. It holds:',
  '',
  ...table(
    [{ title: 'table' }, { title: 'rows', align: 'right' }, { title: '' }],
    Object.entries(tables).map(([name, { rows }]) => [name, String(rows), outcomeOf(name)]),
  ),
]

const outcomeOf = (name: string): string => {
  const extent = extentOf(name)
  return extent === 'all' ? 'replaces what is there' : extent === 'nothing' ? 'stays as it is there' : 'in part'
}
