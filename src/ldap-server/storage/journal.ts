import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './line-file.ts'

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/** Lines for one file that are written and synced together. */
interface Batch {
  file: string
  lines: string[]
  waiters: Waiter[]
}

/**
 * Appends lines to files, in order. A promise resolves when its line is on disk. Lines that arrive while the disk is
 * busy share the next sync (group commit). After a failed write every further one fails, because the end of the file is
 * unknown. A new file whose content does not depend on that end, and a call of `mended`, end this state.
 */
export const openJournal = (firstFile: string) => {
  let file = firstFile
  let failure: { error: unknown; during: string } | null = null
  let handle: FileHandle | null = null
  let handleFile = ''
  let flushing: Promise<void> | null = null
  const batches: Batch[] = []

  const closeHandle = async (): Promise<void> => {
    const closing = handle
    handle = null
    handleFile = ''
    await closing?.close()
  }

  const write = async (batch: Batch): Promise<void> => {
    if (handle === null || handleFile !== batch.file) {
      await closeHandle()
      handle = await open(batch.file, 'a', 0o600)
      handleFile = batch.file
      await syncFolder(dirname(batch.file))
    }
    await handle.appendFile(batch.lines.join(''))
    await handle.datasync()
  }

  const flush = async (): Promise<void> => {
    // Lines of the same moment share the first sync as well.
    await null
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      try {
        if (failure) throw failure.error
        await write(batch)
        for (const waiter of batch.waiters) waiter.resolve()
      } catch (error) {
        failure ??= { error, during: file }
        for (const waiter of batch.waiters) waiter.reject(error)
      }
    }
    flushing = null
  }

  return {
    get broken(): boolean {
      return failure !== null
    },
    append(line: string): Promise<void> {
      return new Promise((resolve, reject) => {
        let last = batches.at(-1)
        if (last?.file !== file) {
          last = { file, lines: [], waiters: [] }
          batches.push(last)
        }
        last.lines.push(line)
        last.waiters.push({ resolve, reject })
        flushing ??= flush()
      })
    },
    /** Directs all later lines to another file. */
    switchTo(next: string): void {
      file = next
    },
    /** The file before `current` is no longer needed: clears a failure that happened before the switch. */
    mended(current: string): void {
      if (failure?.during !== current) failure = null
    },
    /** Waits for the writes in progress. */
    async close(): Promise<void> {
      await flushing
      await closeHandle()
    },
  }
}
