import t from 'tap'
import { postgresMissing, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { fileLimit, sampleOf } from '../nightly.ts'
import { person } from '../people/console.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { type Asked, becomesEqual, usersAndGroups } from './entries.ts'
import { brokenPromises, keepWriting, openWriter, type Writer } from './writers.ts'

// Processes of their own on one PostgreSQL and one slapd, which die, and whose database stops while they run.

/** Milliseconds within which a request is answered whatever happens to the database. */
const timeout = 10_000
/** A killed instance's records are taken over when its leases ran out, milliseconds. */
const takenOver = 40_000

t.setTimeout(fileLimit(600_000))

t.test('instances of one installation', { skip: skipWithoutSlapd || postgresMissing }, async (suite) => {
  const t = suite
  const postgres = await testPostgres(t)
  const slapd = await testSlapd(t)
  const environment = {
    DATA_DIR: await dataFolder(t),
    DATABASE_URL: postgres.url,
    ...directorySettings(slapd),
    // A request each, so that they can be counted.
    LDAP_TRANSACTIONS: 'off',
    // Only the process that makes the password knows it.
    ADMIN_PASSWORD: '',
  }
  const instances: ServerProcess[] = []
  let token = ''
  const at = (n: number): Asked => {
    const server = instances[n]
    if (server === undefined) throw new Error(`there is no instance ${n}`)
    return { call: server.call, token }
  }
  const send = (n: number, id: Parameters<Asked['call']>[0], body: object) => at(n).call(id, { token, body })
  const add = async (n: number, username: string, fields: object = {}): Promise<number> => {
    const added = await at(n).call('addUser', { token, body: person(username, fields) })
    if (added.code !== 0) throw new Error(`${username}: ${added.code} ${added.msg}`)
    return added.data.id
  }
  const groupIds: number[] = []
  const userIds: number[] = []

  await t.test('three start at once on an empty database: one puts things in place, all serve', async (t) => {
    instances.push(...(await Promise.all([1, 2, 3].map(() => startServer(suite, environment)))))
    const passwords = instances.flatMap((server) => /with the password (\S+)/.exec(server.output())?.[1] ?? [])
    t.equal(passwords.length, 1, 'one of them made the administrator')
    token = (await instances[0]?.signIn('admin', passwords[0])) ?? ''
    for (const [n, server] of instances.entries()) {
      const { users } = await usersAndGroups(at(n))
      t.match(users, [{ username: 'admin', roles: [{ keyword: 'admin' }] }], 'a token of one is good at all')
      t.equal(users.length, 1)
      t.equal((await server.call('listRoles', { token })).data.total, 3)
      t.strictSame(errorsIn(server.output()), [])
    }
    await becomesEqual(t, at(1), slapd)
    t.match(await instances.pop()?.stop(), { code: 0, signal: null })
  })

  await t.test('records changed through both are written once each', async (t) => {
    const before = await slapd.operations()
    const names = Array.from({ length: 100 }, (_, n) => `person${n}`)
    userIds.push(...(await Promise.all(names.map((name, n) => add(n % 2, name)))))
    await becomesEqual(t, at(0), slapd)
    const added = await slapd.operations()
    t.strictSame(added, { ...before, Add: before.Add + names.length })

    const few = userIds.slice(0, 10)
    const changes = Array.from({ length: 120 }, (_, n) =>
      send(n % 2, 'updateUser', { id: few[n % few.length], position: `${n}`, departmentId: [], roleIds: [] }),
    )
    t.strictSame([...new Set((await Promise.all(changes)).map(({ code }) => code))], [0])
    await becomesEqual(t, at(1), slapd)
    const changed = await slapd.operations()
    t.ok(
      changed.Modify - added.Modify <= changes.length,
      `${changed.Modify - added.Modify} writes for ${changes.length}`,
    )
    await Promise.all([0, 1].map((n) => send(n, 'syncSqlUsers', { userIds })))
    t.strictSame(await slapd.operations(), { ...added, Modify: changed.Modify }, 'looking again writes nothing')
  })

  await t.test('nothing that one changes is undone by the other', async (t) => {
    for (const groupName of ['North', 'South', 'East', 'West']) {
      const body = { groupName, groupType: 'cn', parentId: 0 }
      groupIds.push((await at(0).call('addGroup', { token, body })).data.id)
    }
    const [north, south, east, west] = groupIds
    const few = userIds.slice(0, 8)
    const sequence = async (n: number, fields: (step: number) => object): Promise<void> => {
      for (let step = 1; step <= 8; step++) {
        const replies = await Promise.all(few.map((id) => send(n, 'updateUser', { id, roleIds: [], ...fields(step) })))
        for (const { code, msg } of replies) if (code !== 0) t.fail(`${code} ${msg}`)
      }
    }
    const odd = few.filter((id) => id % 2 === 1)
    const even = few.filter((id) => id % 2 === 0)
    await send(0, 'addGroupUsers', { groupId: east, userIds: odd })
    await Promise.all([
      sequence(0, (step) => ({ position: `position ${step}`, departmentId: [north, east] })),
      sequence(1, (step) => ({ introduction: `introduction ${step}`, departmentId: [south, east] })),
    ])
    const twins = await Promise.all([0, 1, 0, 1].map((n) => send(n, 'addUser', person('twin'))))
    t.strictSame(twins.map(({ code }) => code).sort(), [0, 409, 409, 409])
    await Promise.all([
      send(0, 'addGroupUsers', { groupId: west, userIds: few }),
      send(1, 'updateGroup', { id: west, groupName: 'Far West' }),
      send(0, 'removeGroupUsers', { groupId: east, userIds: odd }),
      send(1, 'removeGroupUsers', { groupId: east, userIds: odd }),
      send(1, 'changeUserStatus', { id: few[0], status: 2 }),
    ])
    await becomesEqual(t, at(0), slapd)
    for (const user of (await usersAndGroups(at(1))).users.filter(({ id }) => few.includes(id))) {
      t.match(user, { position: 'position 8', introduction: 'introduction 8' }, 'fields of both are there')
      const sides = user.departmentId.filter((id) => id === north || id === south)
      t.equal(sides.length, 1, 'sets do not mix')
      t.equal(user.departmentId.includes(east ?? 0), even.includes(user.id))
      t.ok(user.departmentId.includes(west ?? 0))
    }
  })

  const writers: Writer[] = []

  await t.test('one is killed, again and again: what it acknowledged stays, and the other takes over', async (t) => {
    for (let n = 0; n < 12; n++) {
      writers.push(await openWriter({ username: `writer${n}`, groupIds, asked: () => at(n % 2) }))
    }
    for (const after of sampleOf(t, 'an instance killed after so many answers', [30, 75], 1)) {
      const writing = keepWriting(writers)
      await eventually(() => writing.answers.length >= after, `${after} answers`)
      t.match(await instances[0]?.kill(), { signal: 'SIGKILL' })
      // The writers of the other instance go on.
      const seen = writing.answers.length
      await eventually(() => writing.answers.length >= seen + 10, 'answers of the other instance')
      await writing.stop()
      t.strictSame([...new Set(writing.answers.map(({ code }) => code))], [0])
      instances[0] = await startServer(suite, environment)
    }

    // Between commit and LDAP write: slapd never reads the request.
    slapd.freeze()
    const orphan = { position: 'orphan', departmentId: groupIds, roleIds: [] }
    t.match(await send(1, 'updateUser', { id: userIds[20], ...orphan }), { code: 0, msg: /follows/ })
    await instances[1]?.kill()
    await slapd.stop('SIGKILL')
    await slapd.start()
    await becomesEqual(t, at(0), slapd, takenOver)
    t.strictSame(await brokenPromises(at(0), writers), [])
    const found = (await usersAndGroups(at(0))).users.find(({ id }) => id === userIds[20])
    t.match(found, { position: 'orphan', syncState: 1 })
    instances[1] = await startServer(suite, environment)
  })

  for (const mode of ['fast', 'immediate'] as const) {
    await t.test(`PostgreSQL restarts (${mode}) while all writers run`, async (t) => {
      const writing = keepWriting(writers)
      const answered = async (code: number, count: number): Promise<void> => {
        const from = writing.answers.length
        const told = () => writing.answers.slice(from).filter((answer) => answer.code === code).length
        await eventually(() => told() >= count, `${count} answers with ${code}`)
      }
      await answered(0, 10)
      await postgres.stop(mode)
      // Requests are answered that the database is away.
      await answered(503, 10)
      await postgres.start()
      // It goes on by itself.
      await answered(0, 2 * writers.length)
      await writing.stop()
      const told = ['the database is not available', 'the operation log cannot be written now']
      const others = writing.answers.filter(({ code, msg }) => code !== 0 && !(code === 503 && told.includes(msg)))
      t.strictSame(others, [], 'and nothing else is said')
      const longest = Math.max(...writing.answers.map(({ took }) => took))
      t.ok(longest < timeout, `the longest answer took ${longest} ms`)
      t.strictSame(await brokenPromises(at(0), writers), [], 'the session is still good, and nothing was lost')
      await becomesEqual(t, at(0), slapd)
      for (const server of instances) t.ok(server.running(), 'the process is the same')
    })
  }

  await t.test('after that they still tell each other of changed rights', async (t) => {
    const password = 'seven-quiet-lanterns'
    const id = await add(0, 'guest', { password })
    const session = await instances[1]?.signIn('guest', password)
    const info = async () => (await at(1).call('getUserInfo', { token: session })).code
    t.equal(await info(), 0)
    t.equal((await send(0, 'changeUserStatus', { id, status: 2 })).code, 0)
    await eventually(async () => (await info()) === 401, 'the other instance refuses the session')
  })
})
