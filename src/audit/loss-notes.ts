import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolderSync } from '../files/make-folder.ts'
import { currentTime } from '../runtime/clock.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Lost } from './writer.ts'

/** Written to DATA_DIR by a stop that lost entries, for the next start: the database was unreachable. */
export interface LossNote {
  /** The id of the writer; also the file's name. */
  id: string
  /** null: the file does not say. */
  entries: number | null
  refused: number
  /** ISO 8601; empty where the file does not say. */
  since: string
  at: string
}

const folderOf = (dataDir: string): string => join(dataDir, 'operation-log')
const fileOf = (dataDir: string, id: string): string => join(folderOf(dataDir), `lost-${id}.json`)
const pattern = /^lost-([\da-f-]{36})\.json$/

/** Synced to the disk when it returns. Errors are only logged, so that the stop goes on. */
export const writeLossNote = (
  dataDir: string,
  { id, entries, refused, since }: Lost & { id: string },
  log: Logger,
): void => {
  try {
    makeFolderSync(folderOf(dataDir))
    const file = openSync(fileOf(dataDir, id), 'w', 0o600)
    writeSync(file, JSON.stringify({ entries, refused, since, at: new Date(currentTime()) }))
    fsyncSync(file)
    closeSync(file)
  } catch (error) {
    log.error({ error: errorRecord(error), entries }, 'Operation log: the loss could not be noted in DATA_DIR')
  }
}

/** A file that cannot be parsed still counts as a loss. */
export const readLossNotes = (dataDir: string): LossNote[] =>
  namesIn(folderOf(dataDir)).flatMap((name) => {
    const id = pattern.exec(name)?.[1]
    return id === undefined ? [] : [{ id, ...contentOf(fileOf(dataDir, id)) }]
  })

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

const contentOf = (file: string): Omit<LossNote, 'id'> => {
  const { entries, refused, since, at } = fieldsOf(file)
  const instant = (value: unknown): string => (/^[\d:.TZ-]{20,30}$/.test(String(value)) ? String(value) : '')
  const count = (value: unknown): number | null => (Number.isSafeInteger(value) ? Number(value) : null)
  return { entries: count(entries), refused: count(refused) ?? 0, since: instant(since), at: instant(at) }
}

const fieldsOf = (file: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

export const removeLossNote = (dataDir: string, { id }: LossNote, log: Logger): void => {
  try {
    rmSync(fileOf(dataDir, id), { force: true })
  } catch (error) {
    log.error(
      { error: errorRecord(error) },
      'Operation log: the note of a loss that was told cannot be removed from DATA_DIR',
    )
  }
}
