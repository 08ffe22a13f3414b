import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** The reason to skip a test; with REQUIRE_SERVERS=1 nothing is skipped. Mounting needs root, in a container a privileged one. */
export const mountMissing: string | false =
  process.getuid?.() === 0 || process.env.REQUIRE_SERVERS === '1' ? false : 'a disk is mounted by root only'

export interface SmallDisk {
  folder: string
  resize(megabytes: number): void
  /** Takes all space that is free. */
  fill(): void
  /** Gives back what `fill` took. */
  empty(): void
}

/** A file system of its own (tmpfs) with so many megabytes, gone after the test. */
export const smallDisk = async (t: Pick<Test, 'teardown'>, megabytes: number): Promise<SmallDisk> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  t.teardown(async () => {
    // Lazily: a process that was killed may still have a file open.
    execFileSync('umount', ['--lazy', folder])
    await rm(folder, { recursive: true, force: true })
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    resize: (size) => void execFileSync('mount', ['-o', `remount,size=${size}m`, folder]),
    fill() {
      const file = openSync(filler, 'w')
      const page = Buffer.alloc(4096)
      try {
        for (;;) writeSync(file, page)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
  }
}
