import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type ContractDocument, entryPath, type Operation } from '../../src/contract/document.ts'
import { openDatabase } from '../../src/db/client.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import type { Reply } from '../contract/call.ts'
import { smallestInput, unknownId } from '../contract/inputs.ts'
import { countingDatabase } from '../counting-database.ts'
import { postgresMissing, silent, testDatabase, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { steward, type TestStewardOptions } from '../steward.ts'

type Id = keyof Operations

const jwtSecret = 'a secret of the tests, long enough to be one'
const refusal = 'none of your roles grants this operation'
/** What every signed-in user may do: read their own record and rights, and change their own password. */
const everybodys: readonly Id[] = ['getUserInfo', 'changeOwnPassword', 'getMe', 'getMyGrants']
/** A caller that fails at these was not signed in before. */
const signingIn: readonly Id[] = ['login', 'refreshToken', 'sendHeartbeat', 'openConsoleSession', 'sendSignInCode']

/** Operations that take a name and a password. */
const byPassword: readonly Id[] = ['login', 'openConsoleSession', 'sendSignInCode']

const operations = documents.flatMap((document: ContractDocument) =>
  document.operations.map((operation: Operation) => ({
    ...operation,
    id: operation.id as Id,
    entry: `${operation.method} ${entryPath(document, operation)}`,
    input: smallestInput(operation),
  })),
)
const secured = operations.filter((operation) => operation.secured)
const open = operations.filter((operation) => !operation.secured)

/** One value per operation, by id. */
const each = async <T>(list: typeof operations, ask: (operation: (typeof operations)[number]) => Promise<T>) => {
  const answers: Record<string, T> = {}
  for (const operation of list) answers[operation.id] = await ask(operation)
  return answers
}
const all = <T>(list: readonly { id: string }[], value: T): Record<string, T> =>
  Object.fromEntries(list.map(({ id }) => [id, value]))

/** Only a caller who may do the operation is asked for a second factor. */
const isChallenged = ({ headers }: Reply): boolean =>
  /insufficient_user_authentication/.test(headers['www-authenticate'] ?? '')

const isGranted = (reply: Reply): boolean =>
  isChallenged(reply) || (reply.code !== 401 && !(reply.code === 403 && reply.msg === refusal))

const done = <D>({ code, msg, data }: Reply<D>): D => {
  if (code !== 0) throw new Error(`${code} ${msg}`)
  return data
}

const openService = async (t: Test, options: TestStewardOptions = {}) => {
  const env = { JWT_SECRET: jwtSecret, TRUST_PROXY: 'on', ...options.env }
  const service = await steward(t, { directory: 'none', ...options, env })
  const { call, token: admin } = service
  let callers = 0
  /** An operation with the smallest input it takes; each caller has an address of their own, so no rate limit applies. */
  const ask = ({ id, input }: (typeof operations)[number], token?: string): Promise<Reply> => {
    callers += 1
    const headers = { 'x-forwarded-for': `10.1.${callers >> 8}.${callers & 255}` }
    // Several operations take a name and a password: the failures of one name would lock it.
    const isSignIn = byPassword.includes(id)
    const body = isSignIn ? { username: `unknown${callers}`, password: 'unknown' } : input.body
    return call(id, { ...input, ...(body !== undefined && { body }), token, headers })
  }
  const post = <I extends Id>(id: I, body: unknown, token = admin) => call(id, { body, token })
  const entries = new Map(
    done(await call('listApis', { token: admin })).apis.map(({ id, method, path }) => [`${method} ${path}`, id]),
  )
  const entryIds = (list: readonly { entry: string }[]): number[] =>
    list.map(({ entry }) => {
      const id = entries.get(entry)
      if (id === undefined) throw new Error(`There is no API entry for ${entry}`)
      return id
    })
  const grant = async (roleId: number, list: readonly { entry: string }[]): Promise<void> => {
    done(await post('updateRoleApis', { roleId, apiIds: entryIds(list) }))
  }
  const addRole = async (keyword: string, list: readonly { entry: string }[] = [], fields: object = {}) => {
    const { id } = done(await call('addRole', { body: { name: keyword, keyword, ...fields }, token: admin }))
    await grant(id, list)
    return id
  }
  return {
    ...service,
    admin,
    ask,
    post,
    entryIds,
    grant,
    addRole,
    administrators: done(await call('listRoles', { query: { keyword: 'admin' }, token: admin })).roles[0]?.id ?? 0,
    setRole: (id: number, keyword: string, fields: object) =>
      post('updateRole', { id, name: keyword, keyword, ...fields }),
    /** The operations that this caller is not refused for a missing grant. */
    rights: async (token: string): Promise<string[]> =>
      Object.entries(await each(secured, async (operation) => isGranted(await ask(operation, token))))
        .filter(([, granted]) => granted)
        .map(([id]) => id),
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const forged = (header: object, claims: object, secret: string): string => {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const s = await openService(t)

t.test('without a token of this service every secured operation answers 401', async (t) => {
  const { call, ask, admin, administrators } = s
  // All of them may do everything: it is the token that is refused.
  const another = (username: string) => s.person(username, { roleIds: [administrators] })
  const [ended, rotated, disabled, deleted, changed] = [
    await another('ended'),
    await another('rotated'),
    await another('disabled'),
    await another('deleted'),
    await another('changed'),
  ]
  done(await call('logout', { token: ended.token }))
  const exchanged = done(await call('refreshToken', { token: rotated.token }))
  done(await s.post('changeUserStatus', { id: disabled.id, status: 2 }))
  done(await s.post('deleteUsers', { userIds: [deleted.id] }))
  done(
    await s.post(
      'changeOwnPassword',
      { oldPassword: changed.password, newPassword: 'another-password-9' },
      changed.token,
    ),
  )

  const claims = claimsOf(admin)
  const hs256 = { alg: 'HS256', typ: 'JWT' }
  const [head, body] = admin.split('.')
  const invalidTokens: Record<string, string | undefined> = {
    'no token': undefined,
    garbage: 'garbage',
    'three parts of garbage': 'a.b.c',
    'alg none': `${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`,
    'no signature': `${head}.${body}.`,
    'another secret': forged(hs256, claims, 'another secret, also long enough to be one'),
    expired: forged(hs256, { ...claims, exp: Math.floor(Date.now() / 1000) - 1 }, jwtSecret),
    'of an ended session': ended.token,
    'exchanged for another': rotated.token,
    'of a disabled user': disabled.token,
    'of a deleted user': deleted.token,
    'from before a new password': changed.token,
  }
  for (const [what, token] of Object.entries(invalidTokens)) {
    const codes = await each(secured, async (operation) => (await ask(operation, token)).code)
    t.same(codes, all(secured, 401), what)
  }
  t.equal((await call('getUserInfo', { token: exchanged.token })).code, 0)
  t.equal(
    (await call('getUserInfo', { token: forged(hs256, claims, jwtSecret) })).code,
    0,
    'what was forged is the rest',
  )
})

t.test('a secured operation answers only callers whose enabled roles hold it', async (t) => {
  const [but, only] = [await s.addRole('all but one'), await s.addRole('only one')]
  const off = await s.addRole('off', secured, { status: 2 })
  const nobodys = await s.person('without-roles')
  const dormant = await s.person('disabled-role', { roleIds: [off] })
  const lacking = await s.person('all-but-one', { roleIds: [but] })
  const holder = await s.person('only-one', { roleIds: [only] })
  const table = await each(secured, async (operation) => {
    await s.grant(
      but,
      secured.filter(({ id }) => id !== operation.id),
    )
    await s.grant(only, [operation])
    const answers = {
      'without roles': await s.ask(operation, nobodys.token),
      'disabled role that holds it': await s.ask(operation, dormant.token),
      'role that holds all but it': await s.ask(operation, lacking.token),
      'role that holds it': await s.ask(operation, holder.token),
      administrator: await s.ask(operation, s.admin),
    }
    return Object.fromEntries(
      Object.entries(answers).map(([who, reply]) => [who, isGranted(reply) ? 'answered' : reply.code]),
    )
  })
  const refused = (id: Id) => (everybodys.includes(id) ? 'answered' : 403)
  t.same(
    table,
    Object.fromEntries(
      secured.map(({ id }) => [
        id,
        {
          'without roles': refused(id),
          'disabled role that holds it': refused(id),
          'role that holds all but it': refused(id),
          'role that holds it': 'answered',
          administrator: 'answered',
        },
      ]),
    ),
  )
})

t.test('a public operation needs no token and ignores one', async (t) => {
  const anonymous = await each(open, async (operation) => (await s.ask(operation)).code)
  for (const token of ['garbage', 'a.b.c', `${encoded({ alg: 'none' })}.${encoded(claimsOf(s.admin))}.`]) {
    t.same(await each(open, async (operation) => (await s.ask(operation, token)).code), anonymous)
  }
  for (const [id, code] of Object.entries(anonymous)) {
    t.ok(signingIn.includes(id as Id) ? code === 401 : code !== 401 && code !== 403, `${id}: ${code}`)
  }
})

t.test('every operation can be granted by its own entry', async (t) => {
  const ids = s.entryIds(operations)
  t.equal(new Set(ids).size, operations.length)
})

/** A role that may do nearly everything, below roles and people that may do more, and every means to rise. */
const openLadder = async () => {
  const unreachable = secured.filter(({ id }) => id === 'cleanOperationLogs' || id === 'addFieldRelation')
  const held = secured.filter((operation) => !unreachable.includes(operation))
  const [own, peers, higher] = [
    await s.addRole('climbers', held, { sort: 10 }),
    await s.addRole('peers', held, { sort: 10 }),
    await s.addRole('higher', secured, { sort: 5 }),
  ]
  const [wider, dormant] = [
    await s.addRole('wider', unreachable, { sort: 500 }),
    await s.addRole('dormant', unreachable, { sort: 500, status: 2 }),
  ]
  const guests = await s.addRole('guests', [], { sort: 501 })
  const climber = await s.person('climber', { roleIds: [own, dormant] })
  const peer = await s.person('peer', { roleIds: [peers] })
  const boss = await s.person('boss', { roleIds: [higher] })
  const group = done(await s.post('addGroup', { groupName: 'Ladder', groupType: 'cn', parentId: 0 })).id
  return { unreachable, held, own, higher, wider, dormant, guests, climber, peer, boss, group }
}

t.test('a caller cannot gain rights, by any operation', async (t) => {
  const { unreachable, held, own, higher, wider, dormant, guests, climber, peer, boss, group } = await openLadder()
  const as = (id: Id, body: unknown) => s.post(id, body, climber.token)
  const role = (id: number, keyword: string, fields: object) => ({ id, name: keyword, keyword, ...fields })
  const [clean = 0] = s.entryIds(unreachable)
  const [known = 0] = s.entryIds(held)
  const [method = '', path = ''] = unreachable[0]?.entry.split(' ') ?? []
  const made = done(await s.post('addApi', { category: 'x', method: 'GET', path: '/made/by/hand' }))
  const before = {
    rights: await s.rights(climber.token),
    roles: done(await s.call('listRoles', { token: s.admin })).roles,
  }
  t.same(
    before.rights,
    held.map(({ id }) => id),
  )

  const attempts: [Id, object, number][] = [
    // A new user, or the caller, with a role that is of higher rank, the caller's own, or grants more.
    ...[s.administrators, higher, own, wider, dormant].map((id): [Id, object, number] => [
      'addUser',
      person('puppet', { roleIds: [id] }),
      403,
    ]),
    ...[s.administrators, higher, wider].map((id): [Id, object, number] => [
      'updateUser',
      { id: climber.id, departmentId: [], roleIds: [own, dormant, id] },
      403,
    ]),
    ['updateUser', { id: climber.id, departmentId: [], roleIds: [own, dormant] }, 403],
    // A user of equal or higher rank loses their roles, is disabled or deleted.
    ...[1, boss.id, peer.id].flatMap((id): [Id, object, number][] => [
      ['updateUser', { id, departmentId: [], roleIds: [] }, 403],
      ['changeUserStatus', { id, status: 2 }, 403],
      ['deleteUsers', { userIds: [id] }, 403],
    ]),
    // A role of higher rank, or a wider one.
    ['addRole', { name: 'puppet', keyword: 'puppet', sort: 1 }, 403],
    ['addRole', { name: 'puppet', keyword: 'puppet', sort: 10 }, 403],
    ['updateRole', role(own, 'climbers', { sort: 1 }), 403],
    ['updateRole', role(own, 'climbers', { sort: 999 }), 403],
    ['updateRole', role(dormant, 'dormant', { status: 1 }), 403],
    ['updateRole', role(dormant, 'admin', {}), 403],
    ['updateRole', role(guests, 'user', {}), 403],
    ['addRole', { name: 'puppet', keyword: 'user' }, 403],
    ['updateRole', role(s.administrators, 'climbers', {}), 403],
    ['updateRoleApis', { roleId: own, apiIds: s.entryIds(secured) }, 403],
    ['updateRoleApis', { roleId: guests, apiIds: s.entryIds(secured) }, 403],
    ['updateRoleApis', { roleId: higher, apiIds: [] }, 403],
    ['updateRoleMenus', { roleId: own, menuIds: [1] }, 403],
    ['updateRoleMenus', { roleId: guests, menuIds: [1] }, 403],
    ['deleteRoles', { roleIds: [own] }, 403],
    // An entry that stands for what is not granted.
    ['addApi', { category: 'x', method, path }, 409],
    ['addApi', { category: 'x', method: method.toLowerCase(), path }, 409],
    ['updateApi', { id: made.id, method, path }, 409],
    ['updateApi', { id: known, method, path }, 409],
    ['deleteApis', { apiIds: [clean] }, 409],
    // A department whose members have more rights in other applications.
    ['addGroupUsers', { groupId: group, userIds: [climber.id] }, 403],
    ['addGroupUsers', { groupId: group, userIds: [boss.id] }, 403],
    ['removeGroupUsers', { groupId: group, userIds: [1] }, 403],
    // What the caller may do, and what gives them no rights.
    ['syncSqlUsers', { userIds: [climber.id] }, 502],
    ['syncSqlGroups', {}, 502],
  ]
  for (const [id, body, code] of attempts) {
    const reply = await as(id, body)
    t.equal(reply.code, code, `${id} ${JSON.stringify(body).slice(0, 100)}: ${reply.msg}`)
    t.not(reply.msg, refusal, 'the attempt is refused, not the operation')
  }
  t.same(await s.rights(climber.token), before.rights)
  t.same(done(await s.call('listRoles', { token: s.admin })).roles, before.roles)
  t.match(done(await s.call('getUserInfo', { token: climber.token })), {
    roleIds: [own, dormant],
    departmentId: { length: 0 },
  })
  t.match(done(await s.call('getUserInfo', { token: boss.token })), { status: 1, roleIds: [higher] })
})

t.test('the last user who may do everything stays, whatever operation is tried', async (t) => {
  const s = await openService(t)
  const roots = await s.addRole('roots', secured, { sort: 1 })
  const { id, token } = await s.person('root', { roleIds: [roots] })
  const as = (operation: Id, body: unknown) => s.post(operation, body, token)
  const admin = { id: 1, departmentId: [], roleIds: [] }
  t.equal((await as('changeUserStatus', { id: 1, status: 2 })).code, 0, 'of two, one may go')

  const attempts: [Id, object, number][] = [
    ['changeUserStatus', { id, status: 2 }, 403],
    ['deleteUsers', { userIds: [id] }, 403],
    ['updateUser', { id, departmentId: [], roleIds: [] }, 403],
    ['updateUser', { id, departmentId: [], roleIds: [unknownId] }, 404],
    ['updateRole', { id: roots, name: 'roots', keyword: 'roots', sort: 2 }, 403],
    ['updateRole', { id: roots, name: 'roots', keyword: 'roots', status: 2 }, 403],
    ['deleteRoles', { roleIds: [roots] }, 409],
  ]
  for (const [operation, body, code] of attempts) t.equal((await as(operation, body)).code, code, operation)
  t.match(done(await s.call('getUserInfo', { token })), { roles: [{ sort: 1, status: 1 }] })

  t.equal((await as('updateUser', admin)).code, 0, 'one who is disabled is not the last')
  done(await as('updateUser', { ...admin, roleIds: [s.administrators] }))
  done(await as('changeUserStatus', { id: 1, status: 1 }))
  t.equal((await as('updateRole', { id: roots, name: 'roots', keyword: 'roots', sort: 2 })).code, 0, 'nor one of two')
})

t.test('a refused caller, known or not, costs no query', async (t) => {
  const database = countingDatabase(await testDatabase(t))
  const s = await openService(t, { database })
  const guest = await s.person('guest')
  const { during } = database
  const every = (token?: string) => () => each(secured, (operation) => s.ask(operation, token))
  t.same(await during(every()), [], 'without a token')
  t.same(await during(every('garbage')), [])
  t.same(await during(every(forged({ alg: 'HS256' }, claimsOf(s.admin), 'another secret'))), [])

  const ask = () => s.call('listUsers', { token: guest.token })
  t.equal((await during(ask)).length, 1, 'a caller is read once from the database')
  t.same(await during(() => Promise.all(Array.from({ length: 50 }, ask))), [], 'and comes from the cache from then on')
  await s.grant(await s.addRole('unrelated'), [])
  t.same(await during(ask), [], "a change of other users' grants keeps the caller's in the cache")
})

t.test('a cached caller costs only the queries of the operation', async (t) => {
  const database = countingDatabase(await testDatabase(t))
  const s = await openService(t, { database })
  const roleId = await s.addRole('reader', secured)
  const { token } = await s.person('reader', { roleIds: [roleId] })
  const ask = () => s.call('getUserInfo', { token })
  const { during } = database
  await ask()
  const statements = await during(async () => {
    for (let i = 0; i < 50; i++) await ask()
  })
  t.equal(new Set(statements).size, 1, 'the record the caller asks for')
  t.equal(statements.length, 50)
  await s.grant(roleId, [])
  const again = (await during(ask)).length
  // On a server the notification of a change also reaches its sender, it may be while the caller is read, who is read anew then.
  t.ok(again >= 2 && again <= 4, `after a change of the caller's grants the caller is read again: ${again}`)
  await eventually(async () => (await during(ask)).length === 1, 'the caller is kept again')
})

t.test('a change on one instance applies on another at once', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const instance = async () => {
    const database = await openDatabase({ url, dataDir: '', log: silent })
    t.teardown(() => database.close())
    return openService(t, { database })
  }
  const here = await instance()
  const there = await instance()
  const lists = secured.filter(({ id }) => id === 'listUsers')
  const roleId = await here.addRole('listers', lists)
  const { id, token, password } = await here.person('lister', { roleIds: [roleId] })
  const codeThere = async (token: string) => (await there.call('listUsers', { token, query: { pageSize: 1 } })).code
  /** Milliseconds until the other instance answers so; null: not before it would read it anew anyway. */
  const becomes = async (code: number, as = token): Promise<number | null> => {
    const start = performance.now()
    while (performance.now() - start < 20_000) {
      if ((await codeThere(as)) === code) return performance.now() - start
      await delay(5)
    }
    return null
  }
  const steps: [what: string, change: () => Promise<unknown>, code: number][] = [
    ['a grant taken', () => here.grant(roleId, []), 403],
    ['a grant given', () => here.grant(roleId, lists), 0],
    ['a role disabled', () => here.setRole(roleId, 'listers', { status: 2 }), 403],
    ['a role enabled', () => here.setRole(roleId, 'listers', { status: 1 }), 0],
    ['a role taken', () => here.post('updateUser', { id, departmentId: [], roleIds: [] }), 403],
    ['a role given', () => here.post('updateUser', { id, departmentId: [], roleIds: [roleId] }), 0],
    ['a user disabled', () => here.post('changeUserStatus', { id, status: 2 }), 401],
  ]
  t.equal(await codeThere(token), 0)
  for (const [what, change, code] of steps) {
    await change()
    t.ok((await becomes(code)) !== null, what)
  }
  done(await here.post('changeUserStatus', { id, status: 1 }))
  const again = await here.signIn('lister', password)
  t.equal(await codeThere(again), 0)
  const next = 'another-password-9'
  done(await here.post('changeOwnPassword', { oldPassword: password, newPassword: next }, again))
  t.ok((await becomes(401, again)) !== null, 'a new password')
  const last = await here.signIn('lister', next)
  t.equal(await codeThere(last), 0)
  done(await here.post('deleteUsers', { userIds: [id] }))
  t.ok((await becomes(401, last)) !== null, 'a user deleted')
})
