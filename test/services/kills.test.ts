import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import type { Call } from '../contract/call.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { type Gate, ldapGate } from '../mirror/gate.ts'
import { fileLimit, sampleOf } from '../nightly.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'

// Service accounts while instances die: processes of their own on one PostgreSQL and one slapd.

t.setTimeout(fileLimit(300_000))

const skip = skipWithoutSlapd || postgresMissing

/** Milliseconds until a living instance has taken over what a dead one had begun. */
const takenOver = 40_000

interface Made {
  id: number
  dn: string
  password: string
}

const office = async (t: Test) => {
  const [postgres, slapd] = [await testPostgres(t), await testSlapd(t)]
  const database = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const environment = {
    ...{ DATA_DIR: await dataFolder(t), DATABASE_URL: postgres.url, LDAP_TIMEOUT: '60s', DRIFT_INTERVAL: '1d' },
    ...directorySettings(slapd),
  }
  const start = (gate?: Gate): Promise<ServerProcess> =>
    startServer(t, {
      ...environment,
      ...(gate && { LDAP_URL: `${gate.url} ${slapd.url}`, LDAP_RETURN_INTERVAL: '1d' }),
    })
  const tools = (dn: string, password: string) =>
    ldapTools({ url: slapd.url, baseDn: slapd.baseDn, bindDn: dn, bindPassword: password })
  let token = ''
  const at = (server: ServerProcess) => {
    const call: Call = (id, input) => server.call(id, { token, ...input })
    const rotate = (id: number, body: object = {}) => call('rotateServicePassword', { params: { id }, body })
    return {
      call,
      rotate,
      create: async (body: { name: string } & Record<string, unknown>): Promise<Made> =>
        (await call('createServiceAccount', { body })).data,
      update: (id: number, body: object) => call('updateServiceAccount', { params: { id }, body }),
      remove: (id: number) => call('removeServiceAccount', { params: { id } }),
      find: async (which: { id: number } | { name: string }) => {
        const { accounts } = (await call('listServiceAccounts', {})).data
        const found = accounts.find((account) =>
          'id' in which ? account.id === which.id : account.name === which.name,
        )
        if (found === undefined) throw new Error('the account does not exist')
        return found
      },
    }
  }
  const root = tools(slapd.bindDn, slapd.bindPassword)
  return {
    slapd,
    start,
    at,
    gate: (t: Test) => ldapGate(t, slapd.url, 'ou=service-accounts'),
    /** Signs in on one of the instances; the session is good for all. */
    signIn: async (server: ServerProcess): Promise<void> => {
      token = await server.signIn()
      await database.db.execute(sql`update sessions set stepped_up_at = now() + interval '1 hour'`)
    },
    bind: async (dn: string, password: string) => (await tools(dn, password).run('ldapwhoami', [])).code,
    /** The names of the accounts with an entry. */
    names: async (): Promise<string[]> =>
      (await root.names('(objectClass=applicationProcess)')).map((dn) => /^cn=([^,]+)/.exec(dn)?.[1] ?? '').sort(),
    values: async (dn: string) =>
      (await root.search('-b', dn, '-s', 'base', 'userPassword', 'description')).stdout
        .split('\n')
        .filter((line) => /^(userPassword|description):/.test(line)),
    waiting: async () =>
      (
        await database.db.execute(sql`
          select from service_accounts a full join service_entries e on e.account_id = a.id
          where e.synced_version is distinct from a.version`)
      ).length,
  }
}

t.test('kill -9 while the directory follows', { skip }, async (suite) => {
  const s = await office(suite)
  const gate = await s.gate(suite)
  let server = await s.start(gate)
  await s.signIn(server)

  /** What is changed, how many writes it takes, and what the directory has after it. */
  const changes = {
    'a rotation': {
      writes: 1,
      change: (id: number) => s.at(server).rotate(id, { keepOld: false }),
      isDone: async ({ dn, password }: Made) => {
        if ((await s.values(dn)).length !== 1) throw new Error('one password is to be left')
        return (await s.bind(dn, password)) === 49
      },
    },
    'another name': {
      writes: 2,
      change: (id: number) => s.at(server).update(id, { name: `renamed-${id}` }),
      isDone: async ({ id, dn, password }: Made) =>
        (await s.bind(dn, password)) === 49 &&
        (await s.bind(dn.replace(/^cn=[^,]+/, `cn=renamed-${id}`), password)) === 0,
    },
    'a disabling': {
      writes: 1,
      change: (id: number) => s.at(server).update(id, { enabled: false }),
      isDone: async ({ dn, password }: Made) => (await s.bind(dn, password)) === 49,
    },
    'a deletion': {
      writes: 1,
      change: (id: number) => s.at(server).remove(id),
      isDone: async ({ dn, password }: Made) => (await s.bind(dn, password)) === 49,
    },
  }
  const moments = Object.entries(changes).flatMap(([what, { writes }]) =>
    Array.from({ length: writes + 1 }, (_, passed) => ({ what: what as keyof typeof changes, passed })),
  )
  for (const { what, passed } of sampleOf(suite, 'kills by changes and their writes', moments, 3)) {
    await suite.test(`${what}, after ${passed} of its writes`, async (t) => {
      const { writes, change, isDone } = changes[what]
      const name = `${what.replaceAll(' ', '-')}-${passed}`
      const account = await s.at(server).create({ name })
      t.equal(await s.bind(account.dn, account.password), 0)
      gate.letPass(passed)
      const answer = change(account.id).catch((error: unknown) => error)
      if (passed < writes) await eventually(() => gate.waiting() > 0, 'a write waits')
      else await eventually(() => isDone(account), 'the directory has all of it')
      t.match(await server.kill(), { signal: 'SIGKILL' })
      await answer
      t.equal(await isDone(account), passed === writes, 'it was as far as that')
      gate.letPass(Number.POSITIVE_INFINITY)
      server = await s.start(gate)
      await eventually(() => isDone(account), 'the directory follows')
      await eventually(async () => (await s.waiting()) === 0, 'nothing waits')
      t.same(errorsIn(server.output()), [])
    })
  }

  await suite.test('an account that is killed at its birth has one entry, and can be given a password', async (t) => {
    gate.letPass(0)
    const lost = s
      .at(server)
      .create({ name: 'newborn' })
      .catch(() => null)
    await eventually(() => gate.waiting() > 0, 'its entry waits')
    await server.kill()
    t.equal(await lost, null)
    gate.letPass(Number.POSITIVE_INFINITY)
    server = await s.start(gate)
    await eventually(async () => (await s.names()).includes('newborn'), 'its entry is there')
    const { id, dn } = await s.at(server).find({ name: 'newborn' })
    const { data } = await s.at(server).rotate(id, { keepOld: false })
    await eventually(async () => (await s.bind(dn, data.password)) === 0, 'the password that was shown is valid')
    t.equal((await s.values(dn)).length, 1, 'the one that was never shown is not')
  })
})

t.test('two instances', { skip }, async (suite) => {
  const s = await office(suite)
  const gate = await s.gate(suite)
  const [one, two] = [await s.start(gate), await s.start()]
  await s.signIn(two)
  const [first, second] = [s.at(one), s.at(two)]

  await suite.test('what one changes is in force for both', async (t) => {
    const { id, dn, password } = await first.create({ name: 'shared' })
    t.equal(await s.bind(dn, password), 0)
    const rotated = await second.rotate(id, { keepOld: false })
    t.match(rotated, { code: 200 })
    t.equal(await s.bind(dn, password), 49)
    t.equal(await s.bind(dn, rotated.data.password), 0)
    t.match((await first.find({ id })).sync, { state: 'synced' })
    t.match(await first.update(id, { enabled: false }), {
      code: 200,
      data: { enabled: false, sync: { state: 'synced' } },
    })
    t.equal(await s.bind(dn, rotated.data.password), 49)
    t.match(await second.update(id, { enabled: true }), { code: 200 })
    t.equal(await s.bind(dn, rotated.data.password), 0)
    t.match(await first.remove(id), { code: 200 })
    t.equal(await s.bind(dn, rotated.data.password), 49)
    t.match(await second.rotate(id), { code: 404 })
  })

  await suite.test('two rotations at once end in one state', async (t) => {
    const { id, dn, password } = await first.create({ name: 'turned' })
    for (let round = 0; round < 3; round++) {
      const turned = await Promise.all([first, second].map((each) => each.rotate(id, { keepOld: false })))
      t.same(
        turned.map(({ code }) => code),
        [200, 200],
      )
      await eventually(async () => (await s.waiting()) === 0, 'nothing waits')
      const valid = await Promise.all(turned.map(({ data }) => s.bind(dn, data.password)))
      t.same(valid.sort(), [0, 49], 'the one that was made last is valid, and no other')
      t.equal((await s.values(dn)).length, 1)
      t.equal((await second.find({ id })).passwords.length, 1)
    }
    t.equal(await s.bind(dn, password), 49)
    const kept = await Promise.all([first, second, first].map((each) => each.rotate(id)))
    t.same(kept.map(({ code }) => code).sort(), [200, 409, 409], 'and two are valid at most')
  })

  /** The first one stands still and dies when what it had begun to write arrives. */
  const dies = async (server: ServerProcess, arrived: () => Promise<boolean>): Promise<void> => {
    process.kill(server.pid, 'SIGSTOP')
    gate.letPass(Number.POSITIVE_INFINITY)
    await eventually(arrived, 'what it had begun to write arrives')
    await server.kill()
  }

  await suite.test('one that stands still and then dies brings no ended password back', async (t) => {
    const { id, dn, password } = await second.create({ name: 'late' })
    gate.letPass(0)
    const { data: ended } = await first.rotate(id)
    await eventually(() => gate.waiting() > 0, 'a second password is on its way')
    const { code, data } = await second.rotate(id, { keepOld: false })
    t.equal(code, 200)
    await dies(one, async () => (await s.bind(dn, ended.password)) === 0)
    await eventually(async () => (await s.waiting()) === 0, 'nothing waits', takenOver)
    t.equal(await s.bind(dn, data.password), 0)
    for (const old of [password, ended.password]) t.equal(await s.bind(dn, old), 49)
    t.same((await s.values(dn)).length, 1)
  })

  await suite.test('nor an account that was deleted', async (t) => {
    const third = await s.start(gate)
    await s.at(third).create({ name: 'before-it' })
    gate.letPass(0)
    const { id, dn, password } = await s.at(third).create({ name: 'short-lived' })
    await eventually(() => gate.waiting() > 0, 'its entry is on its way')
    t.equal((await second.remove(id)).code, 200)
    await dies(third, async () => (await s.bind(dn, password)) === 0)
    await eventually(async () => (await s.waiting()) === 0, 'nothing waits', takenOver)
    t.equal(await s.bind(dn, password), 49)
    t.same(errorsIn(two.output()), [])
  })
})
