import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { otherFile } from './file-error.ts'
import { openRegularFile } from './regular-file.ts'

/** What a record says about its file. */
export interface Proof {
  /** Bytes. */
  size: number
  /** In hex. */
  sha256: string
}

/**
 * Opens a file that is unchanged since its verification, and reads it twice: for its hash, and to be sent. The end is
 * held back until the second reading has the same hash, so that a file that is changed in between never arrives
 * complete.
 * @throws BackupFileError when the file has changed, and the error of the file system
 */
export const openProvenFile = async (file: string, { size, sha256 }: Proof): Promise<Readable> => {
  const handle = await openRegularFile(file)
  try {
    const stat = await handle.stat()
    if (stat.size !== size || (await hashOf(handle)) !== sha256) throw otherFile()
  } catch (error) {
    await handle.close()
    throw error
  }
  return pipeline(handle.createReadStream({ start: 0, highWaterMark }), holdingBack(sha256), () => {})
}

const highWaterMark = 256 * 1024

const hashOf = async (handle: FileHandle): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, highWaterMark })) hash.update(chunk)
  return hash.digest('hex')
}

/** Passes data on; the last chunk only once all of it has this hash. */
const holdingBack = (sha256: string): Transform => {
  const hash = createHash('sha256')
  let held: Buffer | null = null
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      hash.update(chunk)
      const earlier = held
      held = chunk
      done(null, earlier)
    },
    flush(done) {
      if (hash.digest('hex') === sha256) done(null, held)
      else done(otherFile())
    },
  })
}
