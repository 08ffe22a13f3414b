import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { openFolder } from '../../src/backups/folder/folder.ts'
import { openDatabase } from '../../src/db/client.ts'
import { makeFolder, makeFolderSync } from '../../src/files/make-folder.ts'
import { webhookSecret } from '../../src/secrets/secrets.ts'
import { silent } from '../database.ts'

const makers = { makeFolder, makeFolderSync: async (folder: string) => makeFolderSync(folder) }

for (const [name, make] of Object.entries(makers)) {
  t.test(name, async (t) => {
    const base = await mkdtemp(join(tmpdir(), 'steward-folders-'))
    t.teardown(() => rm(base, { recursive: true, force: true }))
    const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777

    await make(join(base, 'a', 'b', 'c'))
    for (const each of ['a', 'a/b', 'a/b/c']) t.equal(await modeOf(join(base, each)), 0o700, each)
    await t.resolves(make(join(base, 'a', 'b')), 'one that exists')
    await t.resolves(make('/'), 'the root')
    const atOnce = Array.from({ length: 20 }, () => make(join(base, 'at', 'once', 'here')))
    await t.resolves(Promise.all(atOnce), 'one that others make at the same time')

    await symlink(join(base, 'a'), join(base, 'link'))
    await make(join(base, 'link', 'd'))
    t.ok((await stat(join(base, 'a', 'd'))).isDirectory(), 'through a link')

    await symlink(join(base, 'nowhere'), join(base, 'dangling'))
    await writeFile(join(base, 'file'), '')
    const refused = {
      dangling: 'EEXIST',
      'dangling/x': 'EEXIST',
      'dangling/x/y': 'EEXIST',
      file: 'EEXIST',
      'file/x': 'ENOTDIR',
    }
    for (const [path, code] of Object.entries(refused)) await t.rejects(make(join(base, path)), { code }, path)
    for (const path of process.platform === 'linux' ? ['/proc/nowhere', '/proc/nowhere/x/y'] : []) {
      await t.rejects(make(path), { code: 'ENOENT' }, `${path}: the file system refuses new folders`)
    }
  })
}

t.test('no folder of the service is made in another way', async (t) => {
  const source = fileURLToPath(new URL('../../src', import.meta.url))
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'))
  t.ok(files.length > 100)
  const others = files.filter((name) => /mkdir(Sync)?\([^)]*recursive/.test(readFileSync(join(source, name), 'utf8')))
  t.strictSame(others, [])
})

t.test('a backup says which folder cannot be created', { skip: process.platform !== 'linux' }, async (t) => {
  const folder = openFolder('/proc/nowhere')
  await t.rejects(
    folder.add('a.backup', async () => {}),
    { message: /^BACKUP_DIR cannot be created/ },
  )
})

t.test('a start says that DATA_DIR cannot be used', { skip: process.platform !== 'linux' }, async (t) => {
  const base = await mkdtemp(join(tmpdir(), 'steward-folders-'))
  t.teardown(() => rm(base, { recursive: true, force: true }))
  await writeFile(join(base, 'file'), '')
  await symlink(join(base, 'nowhere'), join(base, 'dangling'))
  for (const dataDir of ['/proc/nowhere', join(base, 'file'), join(base, 'file', 'x'), join(base, 'dangling', 'x')]) {
    const said = { name: 'ConfigError', message: new RegExp(`DATA_DIR: ${dataDir}\\S* cannot be created`) }
    const opening = openDatabase({ url: null, dataDir, log: silent })
    await t.rejects(opening, said, `the embedded database in ${dataDir}`)
    t.throws(() => webhookSecret(dataDir, { alertWebhookSecret: null }), said, `secrets in ${dataDir}`)
  }
})
