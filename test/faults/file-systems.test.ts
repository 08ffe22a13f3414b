import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runCommand } from '../commands/run-command.ts'
import { fileLimit } from '../nightly.ts'
import { dataFolder, runServer, startServer } from '../server-process.ts'
import { mountMissing, smallDisk } from '../small-disk.ts'

// Folders that the service cannot use, at its start and while it runs: each is named, with what to do.

t.setTimeout(fileLimit(600_000))

/** A disk of its own for an installation, which is made on it. */
const installation = async (t: Test) => {
  const disk = await smallDisk(t, 200)
  const dataDir = join(disk.folder, 'data')
  const server = await startServer(t, { DATA_DIR: dataDir })
  await server.stop()
  return { disk, dataDir }
}

t.test('a read-only file system is no question of rights', { skip: mountMissing }, async (t) => {
  const { disk, dataDir } = await installation(t)
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const { code, output } = await runServer(t, { DATA_DIR: dataDir })
  t.equal(code, 1)
  t.match(output, /DATA_DIR: .* \(EROFS\): it is on a file system that is read-only; mount it/)
  const env = { DATA_DIR: dataDir, PORT: '0', EMBEDDED_LDAP_PORT: '0' }
  const { stdout } = await runCommand('steward', ['doctor'], { env, folder: tmpdir() })
  t.match(stdout, /DATA_DIR: .* cannot be created or written to \(EROFS.*\n +Mount it so that it can be written to/)
  t.notMatch(stdout, /chown|write access/)
})

t.test('a file of the embedded directory that another user has', { skip: mountMissing }, async (t) => {
  const { dataDir } = await installation(t)
  execFileSync('chown', ['-R', '65534:65534', dataDir])
  const [entries = ''] = readdirSync(join(dataDir, 'directory')).filter((name) => name.startsWith('entries'))
  chownSync(join(dataDir, 'directory', entries), 0, 0)
  const env = { DATA_DIR: dataDir, PORT: '0', EMBEDDED_LDAP_PORT: '0' }
  const { status, stderr } = await runCommand('steward', ['serve'], { env, folder: tmpdir(), uid: 65_534 })
  t.equal(status, 1)
  t.match(stderr, new RegExp(`DATA_DIR: ${join(dataDir, 'directory', entries)} cannot be .*EACCES.*: it may not be`))
  t.notMatch(stderr, /EMBEDDED_LDAP_PORT/)
})

t.test('a folder of others is not to be given away', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const others = mkdtempSync(join(tmpdir(), 'steward-others-'))
  t.teardown(() => rmSync(others, { recursive: true, force: true }))
  const env = { DATA_DIR: join(others, 'steward'), PORT: '0', EMBEDDED_LDAP_PORT: '0' }
  const advice =
    /reate it where it is missing, and let the user that Steward runs as read and write it, or set DATA_DIR/
  const { stdout } = await runCommand('steward', ['doctor'], { env, folder: tmpdir(), uid: 65_534 })
  t.match(stdout, /DATA_DIR: .*steward cannot be created or written to \(EACCES/)
  t.match(stdout, advice)
  const { stderr } = await runCommand('steward', ['serve'], { env, folder: tmpdir(), uid: 65_534 })
  t.match(stderr, advice)
})

t.test('a umask that takes the rights of the user itself away', async (t) => {
  const dataDir = await dataFolder(t)
  rmSync(dataDir, { recursive: true })
  const before = process.umask(0o777)
  t.teardown(() => process.umask(before))
  const starting = startServer(t, { DATA_DIR: dataDir })
  process.umask(before)
  const server = await starting
  const backup = await server.call('createBackup', { token: await server.signIn(), body: { type: 'manual' } })
  t.match(backup, { code: 200, data: { status: 'success' } })
  t.equal((await server.stop()).code, 0)
})

t.test('BACKUP_DIR: full, read-only, too long', { skip: mountMissing }, async (t) => {
  const disk = await smallDisk(t, 1)
  const dataDir = await dataFolder(t)
  const backups = join(disk.folder, 'backups')
  mkdirSync(backups, { mode: 0o700 })
  const server = await startServer(t, { DATA_DIR: dataDir, BACKUP_DIR: backups })
  const token = await server.signIn()
  const newest = async (): Promise<string | undefined> => {
    const made = await server.call('createBackup', { token, body: { type: 'manual' } })
    t.match(made, { code: 200, data: { status: 'failed' } })
    const { data } = await server.call('listAlerts', { token, query: { handled: 'false' } })
    return (data as { alerts: { description: string }[] }).alerts[0]?.description
  }
  disk.fill()
  t.match(await newest(), /failed: BACKUP_DIR is on a disk that is full: free some space/)
  t.strictSame(readdirSync(backups), [], 'nothing is left of it')
  disk.empty()
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  t.match(await newest(), /failed: BACKUP_DIR is on a file system that is read-only: mount it/)
  await server.stop()

  const base = mkdtempSync(join(tmpdir(), 'steward-long-'))
  t.teardown(() => rmSync(base, { recursive: true, force: true }))
  // The folder itself can be made, and the files in it cannot.
  const parts = Array.from({ length: 21 }, () => 'x'.repeat(200))
  const folder = join(base, ...parts).slice(0, 4080)
  const long = await startServer(t, { DATA_DIR: dataDir, BACKUP_DIR: folder })
  const made = await long.call('createBackup', { token: await long.signIn(), body: { type: 'manual' } })
  t.match(made, { code: 200, data: { status: 'failed' } })
  t.match(long.output(), /a backup failed: BACKUP_DIR has too long a path/)
  t.equal((await long.stop()).code, 0)
})
