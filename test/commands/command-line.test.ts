import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readCommandLine } from '../../src/terminal/command-line.ts'
import { UsageError } from '../../src/terminal/usage-error.ts'
import { built } from '../built.ts'
import { postgresMissing, testPostgres } from '../database.ts'
import { startServer } from '../server-process.ts'
import { runCommand } from './run-command.ts'

// What all commands have in common: their arguments, and an output without a reader.

t.setTimeout(300_000)

const folder = await mkdtemp(join(tmpdir(), 'steward-command-line-'))
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

const commands = ['serve', 'doctor', 'sync', 'backup', 'restore', 'move', 'verify-log']
const steward = (...args: string[]) => runCommand('steward', args, { env: {}, folder })

t.test('wrong arguments are refused before anything is done, and are not repeated', async (t) => {
  const url = 'postgres://someone:not-to-be-printed@127.0.0.1/somewhere'
  for (const command of commands) {
    const ran = await steward(command, 'one', 'users', url)
    t.match(ran, {
      status: 2,
      stdout: '',
      stderr: new RegExp(`^An argument is too many\\.\n\nUsage: steward ${command}\\b`),
    })
    t.notMatch(ran.stderr, /not-to-be-printed/)
    const help = await steward(command, '--help')
    t.match(help, { status: 0, stdout: new RegExp(`^Usage: steward ${command}\\b`), stderr: '' }, `${command} --help`)
  }
  const form = {
    usage: 'Usage: x',
    options: { to: { type: 'string' }, yes: { type: 'boolean', short: 'y' } },
    max: 1,
  } as const
  for (const args of [
    ['a', url],
    [`--to-url=${url}`],
    ['-to', url],
    [`--yes=${url}`],
    ['--to', url, '--to', url],
    ['--to', '--yes'],
    ['-y', '-y'],
    ['--no-yes'],
    ['--help=yes'],
  ]) {
    const refused = t.throws(() => readCommandLine(args, form), UsageError, args.join(' ')) as unknown as Error
    t.match(refused.message, /^([^\n]+\n)+\nUsage: x$/)
    t.notMatch(refused.message, /not-to-be-printed/)
  }
  t.match(readCommandLine(['a', '-y'], form), { values: { yes: true }, positionals: ['a'] })
  t.equal(readCommandLine(['-h'], form), null)
  for (const [args, said] of [
    [[], /^Which command\?/],
    [['serv'], /^There is no command "serv"/],
    [['postgres://steward:hidden@db/steward'], /^There is no command of that name\./],
    [['sync', 'postgres://steward:hidden@db/steward'], /^There is no source of that name\./],
    [['--version', 'more'], /^There is no command "more"/],
    [['--versions'], /^Unknown option '--versions'\.\n/],
    [['move'], /^Where to\? Give --to or --to-file\./],
    [['move', '--to', 'embedded', '--to-file', 'url'], /^Give --to or --to-file, not both\./],
  ] as const) {
    t.match(await steward(...args), { status: 2, stdout: '', stderr: said })
  }
  t.match(await steward('--version'), { status: 0, stdout: /^\d+\.\d+\.\d+\S*\n$/, stderr: '' })
  t.match(await steward('--help'), { status: 0, stdout: /^Usage: steward <command>[\s\S]*--version/, stderr: '' })
  const plain = await runCommand('../main/server', ['more'], { env: {}, folder })
  t.match(plain, { status: 2, stdout: '', stderr: /^An argument is too many\.\n\nUsage: npm start\n/ })
  t.strictSame(readdirSync(folder), [], 'nothing was made')
})

t.test('where the system allows too few files, that is said', async (t) => {
  const script = 'unset NODE_OPTIONS; ulimit -n 128; exec "$@"'
  const words = ['-c', script, 'sh', process.execPath, ...built('commands/steward'), 'serve']
  const run = promisify(execFile)('sh', words, { cwd: folder })
  await t.rejects(run, { code: 1, stderr: /^This process may open 128 files, which are too few\./ })
})

/** Runs a command whose output and errors have no reader, or which finds no space for them. */
const unread = async (to: '| true' | '>/dev/full', env: Record<string, string>, ...args: string[]): Promise<string> => {
  const status = join(folder, 'status')
  await rm(status, { force: true })
  const script = `{ "$@" 2>&1; echo $? >"$STATUS"; } ${to}`
  const words = ['-c', script, 'sh', process.execPath, ...built('commands/steward'), ...args]
  await promisify(execFile)('sh', words, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      TIME_ZONE: 'UTC',
      PORT: '0',
      EMBEDDED_LDAP_PORT: 'off',
      ...env,
      STATUS: status,
    },
  })
  return readFileSync(status, 'utf8').trim()
}

t.test('what looks like a setting and is ignored is told by every command', async (t) => {
  const env = { DATA_DIR: join(folder, 'never-started'), EMBEDDED_LDAP_PORT: 'off', BACKUP_KEYS: 'not-to-be-printed' }
  const wanted: Readonly<Record<string, readonly string[]>> = {
    ...{ sync: ['exta'], backup: [], 'verify-log': [], restore: ['--yes', 'a-file'] },
    move: ['--to', 'postgres://127.0.0.1:1/nowhere'],
  }
  // A start and the doctor have their own way: doctor.test.ts.
  t.same(Object.keys(wanted).sort(), commands.filter((command) => !['serve', 'doctor'].includes(command)).sort())
  for (const [command, args] of Object.entries(wanted)) {
    const { stdout, stderr } = await runCommand('steward', [command, ...args], { env, folder })
    t.match(stderr, /^BACKUP_KEYS: unknown, and ignored; did you mean BACKUP_KEY\?$/m, command)
    t.notMatch(stdout + stderr, env.BACKUP_KEYS, command)
  }
})

t.test('a command whose output has no reader does its work to the end', { skip: postgresMissing }, async (t) => {
  const env = { DATA_DIR: join(folder, 'data') }
  const service = await startServer(t, env)
  await service.stop()
  for (const to of ['| true', '>/dev/full'] as const) {
    const server = await testPostgres(t)
    for (const command of ['--help', 'doctor', 'verify-log', 'backup']) {
      t.equal(await unread(to, env, command), '0', `${command} ${to}`)
    }
    const [file = ''] = readdirSync(join(env.DATA_DIR, 'backups'))
    t.equal(await unread(to, env, 'restore', '--yes', file), '0', `restore ${to}`)
    t.equal(await unread(to, env, 'move', '--to', server.url), '0', `move ${to}`)
    t.ok(existsSync(join(env.DATA_DIR, 'moved-to-a-server')), 'the move is noted where it came from')
    await rm(join(env.DATA_DIR, 'moved-to-a-server'))
  }
})
