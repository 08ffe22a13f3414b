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

t.test('any other error stays what it is', async (t) => {
  t.throws(() => inDataFolder('/x', () => JSON.parse('{')), { name: 'SyntaxError' })
})
