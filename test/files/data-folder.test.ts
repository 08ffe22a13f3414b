import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { inDataFolder } from '../../src/files/data-folder.ts'
import { makeFolderSync } from '../../src/files/make-folder.ts'

t.test('a place that no folder can have is named by its setting', async (t) => {
  for (const folder of [join(tmpdir(), 'x'.repeat(5000)), join(tmpdir(), 'a\0b')]) {
    t.throws(() => inDataFolder(folder, () => makeFolderSync(folder)), {
      name: 'ConfigError',
      message: /DATA_DIR: .* cannot be created or written to/s,
    })
  }
})

t.test('what to do depends on what the file system says', async (t) => {
  const advice = {
    EACCES: /create it where it is missing, and let the user that Steward runs as read and write it, or set DATA_DIR$/,
    EROFS: /is on a file system that is read-only; mount it/,
    ENOSPC: /is on a disk that is full; free some space/,
    ENAMETOOLONG: /has too long a path; choose a shorter one for DATA_DIR$/,
    EMFILE: /too many files are open; allow more: LimitNOFILE/,
    ESTALE: /does not answer; look at the mount/,
    // One that is in no list, of a call that names a path.
    EXDEV: /is refused by the system; choose another folder for DATA_DIR$/,
  }
  for (const [code, message] of Object.entries(advice)) {
    const error = Object.assign(new Error('of the system'), { code, syscall: 'open', path: '/data/secrets/jwt' })
    const fail = (): never => {
      throw error
    }
    t.throws(() => inDataFolder('/data', fail), { name: 'ConfigError', message }, code)
    t.throws(
      () => inDataFolder('/data', fail),
      { message: /DATA_DIR: \/data\/secrets\/jwt cannot/ },
      `${code} of a file`,
    )
  }
})

t.test('any other error stays what it is', async (t) => {
  t.throws(() => inDataFolder('/x', () => JSON.parse('{')), { name: 'SyntaxError' })
})
