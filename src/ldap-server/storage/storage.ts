import { randomUUID } from 'node:crypto'
import { chmod, rename } from 'node:fs/promises'
import { makeFolder } from '../../files/make-folder.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import { clientRules, storedRules } from '../entries/admission-rules.ts'
import { changeSequence } from '../entries/change-sequence.ts'
import type { StoredEntry } from '../entries/entry.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import type { Change, Stamp } from '../protocol/change.ts'
import { LdapError } from '../result.ts'
import { applyChange } from './apply.ts'
import { generationFiles } from './generations.ts'
import { openJournal } from './journal.ts'
import { completeLines, syncFolder, writeLines } from './line-file.ts'
import { decodeRecord, encodeChange, encodeEntry, restoreEntry, type StoredRecord } from './record.ts'

export interface StorageOptions {
  /** The fewest journal lines that trigger a snapshot; a larger tree needs as many lines as it has entries. */
  snapshotAfter?: number
}

function* encodeAll(entries: readonly StoredEntry[]): Generator<string> {
  for (const entry of entries) yield encodeEntry(entry)
}

/**
 * Stores a tree in a folder: a snapshot of all entries and a journal of the changes since. A write is on disk before
 * its response is sent. Only one process may have the folder open.
 */
export const openStorage = async (
  folder: string,
  tree: DirectoryTree,
  log: Logger,
  { snapshotAfter = 20_000 }: StorageOptions = {},
) => {
  await makeFolder(folder)
  // The folder holds password hashes, whatever its mode was before.
  await chmod(folder, 0o700)
  const files = generationFiles(folder)
  const sequence = changeSequence()

  const restore = (record: StoredRecord): void => {
    if ('entry' in record) {
      tree.put(restoreEntry(tree.nextId, record.entry))
      sequence.observe(record.entry.created)
      sequence.observe(record.entry.csn)
    } else {
      // The change was admitted when it was made, perhaps before there was a schema.
      applyChange(tree, record.change, record.stamp, storedRules)
      sequence.observe(record.stamp.csn)
    }
  }

  /** @returns the number of lines read, and whether the file was complete */
  const load = async (file: string): Promise<{ lines: number; whole: boolean }> => {
    let lines = 0
    for await (const line of completeLines(file)) {
      lines += 1
      try {
        restore(decodeRecord(line))
      } catch (error) {
        const reason = error instanceof LdapError ? `change refused with ${error.code}` : 'not readable'
        log.warn({ file, line: lines, reason }, 'The embedded directory is damaged: it starts from what stands before')
        return { lines, whole: false }
      }
    }
    return { lines, whole: true }
  }

  const found = await files.list()
  let generation = found.last
  let changes = 0
  let whole = found.snapshot === 0 || (await load(files.snapshot(found.snapshot))).whole
  for (const journal of found.journals) {
    if (!whole) break
    const loaded = await load(files.journal(journal))
    changes += loaded.lines
    whole = loaded.whole
  }

  const journal = openJournal(files.journal(generation))
  let compacting: Promise<void> | null = null

  const compact = async (): Promise<void> => {
    generation += 1
    const next = generation
    // Entries are immutable, so this is the tree of this moment. Later changes go to the new journal.
    const entries = [...tree.entries()]
    journal.switchTo(files.journal(next))
    changes = 0
    const part = `${files.snapshot(next)}.part`
    await writeLines(part, encodeAll(entries))
    await rename(part, files.snapshot(next))
    await syncFolder(folder)
    journal.mended(files.journal(next))
    await files.removeBefore(next)
  }
  const compactOnce = (): Promise<void> => {
    compacting ??= compact().finally(() => {
      compacting = null
    })
    return compacting
  }

  /** After a failed write the files are written again from memory; if that fails too, every operation fails. */
  const ready = async (): Promise<void> => {
    if (!journal.broken) return
    await compactOnce().catch((error: unknown) =>
      log.error({ error: errorRecord(error) }, 'The embedded directory cannot write'),
    )
    if (journal.broken) throw new LdapError(resultCodes.unavailable, 'the directory cannot write to its disk')
  }

  // An incomplete line after a crash or damage must not be followed by new lines.
  if (!whole || found.snapshot === 0 || found.journals.length > 0) await compact()

  return {
    /** Whether the last write failed: memory may be ahead of the disk until `ready`. */
    get broken(): boolean {
      return journal.broken
    },
    ready,
    /**
     * Does one change and resolves when it is on disk.
     * @throws LdapError where it is refused, or unavailable where the disk fails
     */
    async write(change: Change): Promise<void> {
      if (journal.broken) await ready()
      const stamp: Stamp = { csn: sequence.next(), uuid: randomUUID() }
      applyChange(tree, change, stamp, clientRules)
      const written = journal.append(encodeChange(change, stamp))
      changes += 1
      if (changes >= Math.max(snapshotAfter, tree.size)) {
        compactOnce().catch((error: unknown) =>
          log.error({ error: errorRecord(error) }, 'The embedded directory cannot be compacted'),
        )
      }
      await written.catch((error: unknown) => {
        log.error({ error: errorRecord(error) }, 'The embedded directory cannot write')
        throw new LdapError(resultCodes.unavailable, 'the directory cannot write to its disk')
      })
    },
    async close(): Promise<void> {
      await compacting?.catch(() => {})
      await journal.close()
    },
  }
}

export type Storage = Awaited<ReturnType<typeof openStorage>>
