/**
 * A rolling upgrade with the release before: builds it from git in a folder of its own, starts it, starts an instance of
 * this checkout beside it, which migrates the database, and lets both serve; then the old one is started again on the new
 * schema, as a process manager does, and ends. Needs PostgreSQL, slapd, and the history of git; `npm run build:server`
 * before. It says what it tried, and fails at the first thing that is not so.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { type Call, openDoor } from '../test/contract/call.ts'
import { differ } from '../test/faults/entries.ts'
import { brokenPromises, keepWriting, openWriter, type Writer } from '../test/faults/writers.ts'
import { person } from '../test/people/console.ts'
import { startPostgres } from '../test/postgres-server.ts'
import { directorySettings, testSlapd } from '../test/slapd.ts'
import { onStage, type Stage } from './bench/stage.ts'
import { startInstance } from './instances.ts'
import { previousRelease } from './release/previous.ts'

const { values } = parseArgs({ options: { ref: { type: 'string', default: previousRelease().ref } } })
const password = 'administrators have one'

const expect = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`not so: ${what}`)
  console.log(`ok    ${what}`)
}

/** The checkout of a commit, built, with packages of its own where its lock is another one. */
const built = (stage: Stage, ref: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-previous-'))
  stage.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const run = (command: string, ...args: string[]): void =>
    void execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = execFileSync('git', ['archive', ref], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: archive })
  const same = readFileSync('package-lock.json').equals(readFileSync(join(folder, 'package-lock.json')))
  if (same) symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  else run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
  run('npm', 'run', '--silent', 'build:server')
  return folder
}

/** Calls a service by the documents of its own release, which its replies are checked against. */
const callerOf = (folder: string, url: string): Call => {
  const documents = join(folder, 'openapi')
  const texts = readdirSync(documents)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(documents, name), 'utf8'))
  const door = openDoor(texts)
  return ((id: string, input?: object) => door.call(url, id, input)) as Call
}

const eventually = async (look: () => Promise<boolean>, what: string): Promise<void> => {
  for (const deadline = Date.now() + 90_000; !(await look()); await delay(200)) {
    if (Date.now() > deadline) throw new Error(`did not come: ${what}`)
  }
  console.log(`ok    ${what}`)
}

const signIn = async (call: Call): Promise<string> =>
  (await call('login', { body: { username: 'admin', password } })).data.token

const migrationsIn = async (url: string): Promise<number> => {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  const [row] = await client<{ count: number }[]>`select count(*)::int as count from drizzle.__drizzle_migrations`
  await client.end()
  return row?.count ?? 0
}

/**
 * The errors that were logged, by their causes, because the statement that failed is long. Not a deadlock with the
 * migration, after which the work is tried again.
 */
const errorsOf = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line) && !line.includes('"code":"40P01"'))
    .map((line) => {
      const { msg, error } = JSON.parse(line) as { msg: string; error?: { message: string; cause?: object } }
      return `${msg}: ${error?.cause === undefined ? error?.message : JSON.stringify(error.cause)}`.slice(0, 500)
    })

await onStage(async (stage) => {
  if (!existsSync('dist/main/server.js')) throw new Error('run npm run build:server first')
  const previous = built(stage, values.ref)
  console.log(`ok    ${values.ref} is built`)
  const server = await startPostgres()
  stage.teardown(() => server.dispose())
  const slapd = await testSlapd(stage)
  const data = mkdtempSync(join(tmpdir(), 'steward-upgrade-'))
  stage.teardown(() => rmSync(data, { recursive: true, force: true }))
  const environment = {
    ...directorySettings(slapd),
    ...{ DATABASE_URL: server.url, DATA_DIR: data, ADMIN_PASSWORD: password, PORT: '0', EMBEDDED_LDAP_PORT: '0' },
  }
  const start = async (folder: string) => {
    const instance = await startInstance(stage, folder, environment)
    return { ...instance, call: callerOf(folder, instance.url) }
  }
  let old = await start(previous)
  const token = await signIn(old.call)
  const groupIds: number[] = []
  for (const groupName of ['North', 'South']) {
    const body = { groupName, groupType: 'cn', parentId: 0 }
    groupIds.push((await old.call('addGroup', { token, body })).data.id)
  }
  const writers: Writer[] = []
  const asOld = { call: ((id, input) => old.call(id, input)) as Call, token }
  for (let n = 0; n < 6; n++) writers.push(await openWriter({ username: `old${n}`, groupIds, asked: () => asOld }))
  const writing = keepWriting(writers)
  const before = await migrationsIn(server.url)

  const fresh = await start(resolve('.'))
  const after = await migrationsIn(server.url)
  console.log(`ok    the new instance applied ${after - before} migrations while the old one was writing`)
  const asNew = { call: fresh.call, token }
  const newWriters: Writer[] = []
  for (let n = 0; n < 6; n++) newWriters.push(await openWriter({ username: `new${n}`, groupIds, asked: () => asNew }))
  const more = keepWriting(newWriters)
  const count = (): number => Math.min(writing.answers.length, more.answers.length)
  const answers = count()
  await eventually(async () => count() >= answers + 100, 'both of them answer a hundred changes')
  await Promise.all([writing.stop(), more.stop()])
  const told = [...writing.answers, ...more.answers].filter(({ code }) => code !== 0)
  expect(told.length === 0, `every change was made ${JSON.stringify(told.slice(0, 3))}`)

  for (const [name, { call }] of [['old', asOld] as const, ['new', asNew] as const]) {
    const ready = await call('getReadiness')
    expect(ready.status === 200, `the ${name} one is ready`)
    expect((await signIn(call)) !== '', `one can sign in to the ${name} one`)
    const other = name === 'old' ? asNew : asOld
    const session = await signIn(call)
    expect(
      (await other.call('getUserInfo', { token: session })).code === 0,
      `a session of the ${name} one is good at both`,
    )
    const username = `by-the-${name}-one`
    const added = await call('addUser', { token, body: person(username, { departmentId: groupIds }) })
    const { users } = (await other.call('listUsers', { token, query: { username } })).data
    expect(added.code === 0 && users.length === 1, `the other one shows who the ${name} one added`)
    const status = await other.call('changeUserStatus', { token, body: { id: added.data.id, status: 2 } })
    expect(status.code === 0, 'and disables them')
    for (const list of [
      'listRoles',
      'listGroups',
      'listOperationLogs',
      'listBackups',
      'listRuns',
      'listAlerts',
    ] as const) {
      expect((await call(list, { token })).code % 200 === 0, `${list} of the ${name} one`)
    }
  }
  await eventually(async () => (await differ(asNew, slapd)).length === 0, 'the directory equals SQL, says the new one')
  await eventually(async () => (await differ(asOld, slapd)).length === 0, 'and the old one')
  const broken = await brokenPromises(asNew, [...writers, ...newWriters])
  expect(broken.length === 0, `nothing that was answered is lost ${broken.join(', ')}`)

  expect((await old.stop()) === 0, 'the old one stops')
  expect(errorsOf(old.output()).length === 0, `it logged no error ${errorsOf(old.output()).slice(0, 3).join('\n')}`)
  old = await start(previous)
  expect((await old.call('getReadiness')).status === 200, 'the old one starts again on the new schema')
  const body = person('after-all', { departmentId: groupIds })
  expect((await old.call('addUser', { token, body })).code === 0, 'and adds a person')
  await eventually(async () => (await differ(asNew, slapd)).length === 0, 'who is in the directory')
  expect((await old.stop()) === 0 && errorsOf(old.output()).length === 0, 'it stops without an error')
  await fresh.call('verifyLog', { token })
  await eventually(
    async () => (await fresh.call('getLogChain', { token })).data.verification?.failure === '',
    'the operation log of both is intact',
  )
  expect((await fresh.stop()) === 0, 'the new one stops')
  expect(errorsOf(fresh.output()).length === 0, `it logged no error ${errorsOf(fresh.output()).slice(0, 3).join('\n')}`)
})
