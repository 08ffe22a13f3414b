import { createHmac, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { sweep } from '../../src/auth/sweep.ts'
import { openDatabase } from '../../src/db/client.ts'
import { contains } from '../../src/db/like.ts'
import { alerts, directoryEntries, mailCodes, sessions, users } from '../../src/db/schema.ts'
import { postgresMissing, silent, testDatabase, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { adminPassword, codeIn, jwtSecret, minute, type Service, startService, uniqueName } from './sign-in-service.ts'

const database = await testDatabase(t)
const service = await startService(t, database)
await service.bootstrap()
const { call, from, signIn, addUser, clock, db } = service

const day = 24 * 60 * minute

/** A token made by hand, as an attacker would make it. */
const forge = (header: object, claims: object, secret: string): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${part(header)}.${part(claims)}`
  return `${input}.${secret && createHmac('sha256', secret).update(input).digest('base64url')}`
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string | number>

/** Puts the clock back when the test ends. */
const moving = (t: { teardown(run: () => void): void }, ahead: number) => {
  clock.ahead += ahead
  t.teardown(() => {
    clock.ahead = 0
  })
}

const alertsAbout = (name: string) =>
  db
    .select({ title: alerts.title, level: alerts.level, description: alerts.description })
    .from(alerts)
    .where(contains(alerts.description, name))

t.test('ping answers pong', async (t) => {
  t.match(await call('ping'), { code: 0, data: 'pong' })
})

t.test('the dashboard counts the records of each kind', async (t) => {
  const { data } = await call('dashboard')
  t.match(
    data.map(({ dataType, path }) => [dataType, path]),
    [
      ['user', '/personnel/user'],
      ['group', '/personnel/group'],
      ['role', '/system/role'],
      ['menu', '/system/menu'],
      ['api', '/system/api'],
      ['log', '/log/operation-log'],
    ],
  )
  const before = data[0]?.dataCount ?? 0
  await addUser(uniqueName())
  // The figures are kept for a second.
  const peopleNow = async () => (await call('dashboard')).data[0]?.dataCount ?? 0
  await eventually(async () => (await peopleNow()) !== before, 'another figure')
  t.equal(await peopleNow(), before + 1)
  t.equal(data[2]?.dataCount, 3)
})

t.test('a sign-in answers a token that works until it expires', async (t) => {
  const { data, code } = await call('login', { body: { username: 'ADMIN', password: adminPassword } })
  t.equal(code, 0, 'the name is compared as the directory compares it')
  t.match(data.expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.equal(Date.parse(data.expires), Number(claimsOf(data.token).exp) * 1000)
  t.match(await call('getUserInfo', { token: data.token }), { code: 0, data: { username: 'admin' } })
  moving(t, 31 * minute)
  t.equal((await call('getUserInfo', { token: data.token })).code, 401)
})

t.test('an unknown user, a wrong password, a disabled user and one without a password get one answer', async (t) => {
  const [disabled, without, ordinary] = [uniqueName(), uniqueName(), uniqueName()]
  await addUser(disabled, { status: 2 })
  await addUser(ordinary)
  await db
    .update(users)
    .set({ passwordHash: null })
    .where(eq(users.id, await addUser(without)))
  const attempts = [
    { username: uniqueName(), password: adminPassword },
    { username: ordinary, password: 'not the password' },
    { username: disabled, password: adminPassword },
    { username: without, password: adminPassword },
    { username: ordinary, password: '' },
  ]
  for (const body of attempts) {
    const before = service.counts.verified
    const { code, msg, data } = await call('login', { body })
    t.same({ code, msg, data }, { code: 401, msg: 'the username or the password is wrong', data: null })
    t.equal(service.counts.verified, before + 1, 'each costs the check of one hash')
  }
})

t.test('only a token that the service issued is accepted', async (t) => {
  const token = await signIn('admin')
  const claims = claimsOf(token)
  const hs256 = { alg: 'HS256', typ: 'JWT' }
  const [head, body, signature] = token.split('.')
  const invalidTokens: Record<string, string | undefined> = {
    none: undefined,
    garbage: 'garbage',
    'three parts of garbage': 'a.b.c',
    'alg none': forge({ alg: 'none' }, claims, ''),
    'alg none with a signature': `${forge({ alg: 'none' }, claims, '')}${signature}`,
    'another secret': forge(hs256, claims, 'another secret, also long enough to be one'),
    'another algorithm': forge({ alg: 'HS512' }, claims, jwtSecret),
    'no signature': `${head}.${body}.`,
    'a changed body': forge(hs256, { ...claims, sub: '2' }, 'x').replace(/[^.]*$/, signature ?? ''),
    expired: forge(hs256, { ...claims, exp: Math.floor(Date.now() / 1000) - 1 }, jwtSecret),
    'no expiry': forge(hs256, { ...claims, exp: undefined }, jwtSecret),
    'an expiry that is not a time': forge(hs256, { ...claims, exp: 'never' }, jwtSecret),
    'another audience': forge(hs256, { ...claims, aud: 'another-api' }, jwtSecret),
    'no audience': forge(hs256, { ...claims, aud: undefined }, jwtSecret),
    'another issuer': forge(hs256, { ...claims, iss: 'another' }, jwtSecret),
    'no session': forge(hs256, { ...claims, sid: undefined }, jwtSecret),
    'a session that is not an id': forge(hs256, { ...claims, sid: "' or 1=1" }, jwtSecret),
    'an unknown session': forge(hs256, { ...claims, sid: randomUUID() }, jwtSecret),
    'another token of the session': forge(hs256, { ...claims, jti: randomUUID() }, jwtSecret),
  }
  const messages = new Set<string>()
  for (const [what, invalid] of Object.entries(invalidTokens)) {
    const { code, msg } = await call('getUserInfo', { token: invalid })
    t.equal(code, 401, what)
    messages.add(msg)
    if (invalid) t.match((await call('logout', { token: invalid })).code, 0, `${what}: logout`)
  }
  t.equal(messages.size, 1, 'all of them get one answer')
})

t.test('a session that signed out has ended, and signing out again is not an error', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const [token, other] = [await signIn(username), await signIn(username)]
  t.equal((await call('getUserInfo', { token })).code, 0)
  t.match(await call('logout', { token }), { code: 0, data: null })
  t.equal((await call('getUserInfo', { token })).code, 401)
  t.equal((await call('refreshToken', { token })).code, 401)
  t.equal((await call('getUserInfo', { token: other })).code, 0, 'the other session goes on')
  t.equal((await call('logout', { token })).code, 0)
  t.equal((await call('logout')).code, 0)
  moving(t, 31 * minute)
  t.equal((await call('logout', { token: other })).code, 0, 'with an expired token too')
  t.equal((await call('refreshToken', { token: other })).code, 401)
})

t.test('a refresh exchanges the token, also an expired one, within seven days of the last use', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const first = await signIn(username)
  const second = await call('refreshToken', { token: first })
  t.equal(second.code, 0)
  t.equal((await call('getUserInfo', { token: second.data.token })).code, 0)
  t.equal((await call('getUserInfo', { token: first })).code, 401, 'the old token is void')
  moving(t, 7 * day - minute)
  const third = await call('refreshToken', { token: second.data.token })
  t.equal(third.code, 0, 'an expired token still refreshes')
  moving(t, 2 * minute)
  t.equal((await call('getUserInfo', { token: third.data.token })).code, 0, 'this counts as a use')
  moving(t, 7 * day - 2 * minute)
  const fourth = await call('refreshToken', { token: third.data.token })
  t.equal(fourth.code, 0)
  moving(t, 7 * day)
  t.equal((await call('refreshToken', { token: fourth.data.token })).code, 401, 'too late')
  t.equal((await call('refreshToken', { headers: { authorization: 'Bearer garbage' } })).code, 401)
})

t.test('a session ends 30 days after its sign-in, however often it is used, and no token outlives it', async (t) => {
  const username = uniqueName()
  await addUser(username)
  let token = await signIn(username)
  for (const ahead of [6 * day, 6 * day, 6 * day, 6 * day, 6 * day - 10 * minute]) {
    moving(t, ahead)
    const refreshed = await call('refreshToken', { token })
    t.equal(refreshed.code, 0)
    token = refreshed.data.token
  }
  t.equal((await call('getUserInfo', { token })).code, 0)
  const { exp, iat } = claimsOf(token)
  t.ok(Number(exp) - Number(iat) <= 600, 'the last token is valid for the ten minutes that are left')
  moving(t, 11 * minute)
  t.equal((await call('getUserInfo', { token })).code, 401)
  t.equal((await call('refreshToken', { token })).code, 401)
})

t.test('two refreshes at once from one client get tokens of one session', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const headers = { 'user-agent': 'a program', authorization: `Bearer ${await signIn(username)}` }
  const client = from('198.51.100.77')
  const refresh = (shown: Record<string, string>) => client('refreshToken', { headers: { ...headers, ...shown } })
  const both = await Promise.all([refresh({}), refresh({})])
  t.same(
    both.map(({ code }) => code),
    [0, 0],
  )
  const [jti, again] = both.map(({ data }) => claimsOf(data.token).jti)
  t.equal(jti, again, 'one successor')
  t.equal((await refresh({ 'user-agent': 'a thief' })).code, 401, 'at once from another client it is theft')
  for (const { data } of both) t.equal((await call('getUserInfo', { token: data.token })).code, 401)

  const late = { authorization: `Bearer ${await signIn(username)}` }
  t.equal((await refresh(late)).code, 0)
  moving(t, 10_000)
  t.equal((await refresh(late)).code, 401, 'and after 10 seconds')
})

t.test('a rotated token that comes back ends its session', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const stolen = await signIn(username)
  const { data } = await call('refreshToken', { token: stolen })
  t.equal((await call('getUserInfo', { token: data.token })).code, 0)
  t.equal((await call('refreshToken', { token: stolen })).code, 401)
  t.equal((await call('getUserInfo', { token: data.token })).code, 401, 'the new token is not valid either')
  t.equal((await call('refreshToken', { token: data.token })).code, 401)
  await service.alerts.close()
  t.match(await alertsAbout(username), [{ level: 'warning', title: 'An exchanged token was used again' }])
})

t.test('of two clients that refresh one token at once exactly one succeeds, and the session ends', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const token = await signIn(username)
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('refreshToken', { token })))
  const winners = answers.filter(({ code }) => code === 0)
  t.equal(winners.length, 1)
  t.equal((await call('getUserInfo', { token: winners[0]?.data.token })).code, 401)
})

t.test('a disabled user, and one who changed their password, is signed out at once', async (t) => {
  const username = uniqueName()
  const id = await addUser(username)
  const admin = await signIn('admin')
  const token = await signIn(username)
  t.equal((await call('getUserInfo', { token })).code, 0)
  t.equal((await call('changeUserStatus', { token: admin, body: { id, status: 2 } })).code, 0)
  t.equal((await call('getUserInfo', { token })).code, 401)
  t.equal((await call('refreshToken', { token })).code, 401)
  t.equal((await call('changeUserStatus', { token: admin, body: { id, status: 1 } })).code, 0)
  t.equal((await call('getUserInfo', { token })).code, 401, 'the old session does not come back')

  const [here, there] = [await signIn(username), await signIn(username)]
  const body = { oldPassword: adminPassword, newPassword: 'another-password-9' }
  t.equal((await call('changeOwnPassword', { token: here, body })).code, 0)
  t.equal((await call('getUserInfo', { token: here })).code, 401)
  t.equal((await call('getUserInfo', { token: there })).code, 401)
  t.equal((await call('login', { body: { username, password: adminPassword } })).code, 401)
  await signIn(username, body.newPassword)
})

t.test('a user without a grant may read their own record and change their password, and nothing else', async (t) => {
  const [roleless, guest] = [uniqueName(), uniqueName()]
  await addUser(roleless)
  await addUser(guest, { role: 'guest' })
  for (const username of [roleless, guest]) {
    const token = await signIn(username)
    t.equal((await call('getUserInfo', { token })).code, 0)
    t.equal((await call('listUsers', { token })).code, 403)
  }
  t.equal((await call('listUsers', { token: await signIn('admin') })).code, 0)
})

t.test('a cached caller costs no query, and a drop makes the next request read again', async (t) => {
  const username = uniqueName()
  const id = await addUser(username, { role: 'guest' })
  const token = await signIn(username)
  const operation = { method: 'GET', path: '/user/info' }
  await service.callerOf(token, operation)
  await db.delete(sessions).where(eq(sessions.userId, id))
  t.equal((await service.callerOf(token, operation)).principal.userId, id, 'from memory')
  service.principals.drop({ userIds: [id] })
  await t.rejects(service.callerOf(token, operation), { message: /sign in first/ })
})

t.test('a value read before a drop is not cached after it', async (t) => {
  const username = uniqueName()
  const id = await addUser(username)
  const token = await signIn(username)
  const operation = { method: 'GET', path: '/user/info' }
  const reading = service.callerOf(token, operation)
  service.principals.drop({ userIds: [id] })
  await reading
  await db.update(sessions).set({ endedAt: new Date() }).where(eq(sessions.userId, id))
  await t.rejects(service.callerOf(token, operation), { message: /sign in first/ })
})

t.test('ten failures of an account lock it for fifteen minutes, whether it exists or not', async (t) => {
  const [real, unknown] = [uniqueName(), uniqueName()]
  await addUser(real)
  const answers = await Promise.all(
    [real, unknown].map(async (username) => {
      const codes: number[] = []
      const started = performance.now()
      for (let n = 0; n < 10; n += 1) {
        codes.push((await call('login', { body: { username, password: 'wrong password' } })).code)
      }
      const taken = performance.now() - started
      const locked = await call('login', { body: { username, password: adminPassword } })
      return { taken, codes, code: locked.code, msg: locked.msg, retryAfter: Number(locked.headers['retry-after']) }
    }),
  )
  for (const { taken, codes, code, msg, retryAfter } of answers) {
    t.same(codes, Array(10).fill(401))
    t.ok(taken > 125 + 250 + 500 + 1000 + 2000 - 50, 'from the fifth on each failure is answered later')
    t.equal(code, 429)
    t.match(msg, /try again in (89\d|900) s/)
    t.ok(retryAfter > 880 && retryAfter <= 900)
  }
  await service.alerts.close()
  t.match(await alertsAbout(real), [{ level: 'warning', description: /^10 failed sign-ins .* locked for 15 minutes$/ }])
  t.same(await alertsAbout(unknown), [], 'a text typed as a name may be a password')
  moving(t, 15 * minute + 1000)
  await signIn(real)
})

t.test('fifty wrong sign-ins at once get ten checks and no more', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const before = service.counts.verified
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call('login', { body: { username, password: 'wrong password' } })),
  )
  t.equal(service.counts.verified - before, 10)
  t.equal(answers.filter(({ code }) => code === 401).length, 10)
  t.equal(answers.filter(({ code }) => code === 429).length, 40)
})

t.test('a success clears the failures of the account, not those of the address', async (t) => {
  const [first, second] = [uniqueName(), uniqueName()]
  await addUser(first)
  await addUser(second)
  const office = from('192.0.2.7')
  const wrong = (username: string) => office('login', { body: { username, password: 'wrong password' } })
  for (let n = 0; n < 4; n += 1) await wrong(first)
  t.equal((await office('login', { body: { username: first, password: adminPassword } })).code, 0)
  for (let n = 0; n < 4; n += 1) t.equal((await wrong(first)).code, 401)
  await wrong(second)
  t.equal((await wrong(second)).code, 401, 'the tenth failure of the address')
  t.equal((await office('login', { body: { username: second, password: adminPassword } })).code, 429)
  await signIn(second)
})

t.test('many right sign-ins at once from one address all succeed', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const office = from('192.0.2.8')
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => office('login', { body: { username, password: adminPassword } })),
  )
  t.same(new Set(answers.map(({ code }) => code)), new Set([0]))
})

t.test('an encrypted password opens for ten minutes, and is accepted wherever a password is', async (t) => {
  const username = uniqueName()
  await addUser(username, { password: '长密码 with spaces ✓' })
  const { data: text } = await call('encryptPassword', { query: { passwd: '长密码 with spaces ✓' } })
  t.match(text, /^v1\./)
  t.notOk(text.includes('spaces'))
  t.not((await call('encryptPassword', { query: { passwd: '长密码 with spaces ✓' } })).data, text)
  t.match(await call('decryptPassword', { query: { passwd: text } }), { code: 0, data: '长密码 with spaces ✓' })
  await signIn(username, text)

  const middle = text.length - 10
  const altered = `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`
  const [version, expiry = '', body] = text.split('.')
  const later = `${version}.${(Number.parseInt(expiry, 36) + 1).toString(36)}.${body}`
  for (const bad of [altered, later, 'plain', 'v1.', '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA']) {
    t.match(await call('decryptPassword', { query: { passwd: bad } }), { code: 400, data: [{ field: 'passwd' }] }, bad)
  }
  t.match(await call('login', { body: { username, password: later } }), { code: 400, data: [{ field: 'password' }] })
  moving(t, 10 * minute)
  t.equal((await call('decryptPassword', { query: { passwd: text } })).code, 400)
  t.match(await call('login', { body: { username, password: text } }), { code: 400, data: [{ field: 'password' }] })
})

t.test('PASSWORD_TOOLS=off switches the pair off', async (t) => {
  const without = await startService(t, database, { passwordTools: false })
  t.equal((await without.call('encryptPassword', { query: { passwd: 'a' } })).code, 403)
  t.equal((await without.call('decryptPassword', { query: { passwd: 'a' } })).code, 403)
})

t.test('a known and an unknown address get the same answer to sendcode; only an enabled user gets mail', async (t) => {
  const [known, disabled] = [uniqueName(), uniqueName()]
  await addUser(known)
  await addUser(disabled, { status: 2 })
  await service.mails()
  const addresses = [`${known}@EXAMPLE.org`, `${disabled}@example.org`, 'unknown@example.org', '']
  const answers = await Promise.all(addresses.map((mail) => call('sendCode', { body: { mail } })))
  t.equal(new Set(answers.map(({ body }) => body)).size, 1)
  t.match(answers[0], { code: 0, data: null })
  const mails = await service.mails()
  t.equal(mails.length, 1)
  t.match(mails[0], `To: ${known}@example.org`)
  t.match(codeIn(mails), /^\d{6}$/)
})

const mailedCode = async (mail: string): Promise<string> => {
  await service.mails()
  await call('sendCode', { body: { mail } })
  return codeIn(await service.mails())
}

t.test('a mailed code sets a password once, and ends all sessions', async (t) => {
  const username = uniqueName()
  const id = await addUser(username)
  const mail = `${username}@example.org`
  const token = await signIn(username)
  t.equal((await call('getUserInfo', { token })).code, 0)
  const code = await mailedCode(mail)
  const [stored] = await db.select().from(mailCodes).where(eq(mailCodes.userId, id))
  t.notOk(JSON.stringify(stored).includes(code), 'it is not stored')

  const body = { mail, code, newPassword: 'chosen-by-myself-3' }
  t.match(await call('changePasswordByCode', { body: { ...body, newPassword: 'password123' } }), {
    code: 400,
    data: [{ field: 'newPassword' }],
  })
  t.match(await call('changePasswordByCode', { body }), { code: 0, data: null })
  t.equal((await call('getUserInfo', { token })).code, 401)
  t.equal((await call('login', { body: { username, password: adminPassword } })).code, 401)
  await signIn(username, 'chosen-by-myself-3')
  t.match(await call('changePasswordByCode', { body }), { code: 400, data: [{ field: 'code' }] }, 'used up')
  t.same(await service.mails(), [])
  const [entry] = await db.select().from(directoryEntries).where(eq(directoryEntries.recordId, id))
  t.ok(entry && entry.version > entry.syncedVersion, 'the directory is to follow')
})

t.test('without a new password a random one is set and mailed', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const mail = `${username}@example.org`
  const code = await mailedCode(mail)
  service.directory.settled = false
  t.match(await call('changePasswordByCode', { body: { mail, code } }), {
    code: 0,
    data: null,
    msg: 'saved; the directory follows',
  })
  service.directory.settled = true
  const [message = ''] = await service.mails()
  await signIn(username, /^([\w-]{20})\r?$/m.exec(message)?.[1])
  t.notOk(
    service.lines.some((line) => line.includes(code)),
    'no code in the log',
  )
})

t.test('of two uses of one code at the same time exactly one succeeds', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const mail = `${username}@example.org`
  const code = await mailedCode(mail)
  const answers = await Promise.all(
    ['first-password-1', 'second-password-2'].map((newPassword) =>
      call('changePasswordByCode', { body: { mail, code, newPassword } }),
    ),
  )
  t.same(answers.map(({ code }) => code).sort(), [0, 400])
})

t.test('a code has five tries, also at once, and ten minutes; a new one replaces it', async (t) => {
  const username = uniqueName()
  await addUser(username)
  const mail = `${username}@example.org`
  const use = (code: string) => call('changePasswordByCode', { body: { mail, code, newPassword: 'a-new-password-1' } })
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  const first = await mailedCode(mail)
  await Promise.all(Array.from({ length: 5 }, () => use(wrong(first))))
  const late = await use(first)
  t.equal(late.code, 400, 'a sixth try is refused')
  const unknown = await call('changePasswordByCode', { body: { mail: 'unknown@example.org', code: first } })
  t.equal(unknown.body, late.body, 'an unknown address gets the same answer')

  const second = await mailedCode(mail)
  const third = await mailedCode(mail)
  if (second !== third) t.equal((await use(second)).code, 400)
  moving(t, 10 * minute)
  t.equal((await use(third)).code, 400, 'expired')
  clock.ahead = 0
  t.equal((await use(third)).code, 0)
})

t.test('a mailed code ends with the address and the password it was asked for, and with its user', async (t) => {
  const root = uniqueName()
  await addUser(root, { role: 'admin' })
  const admin = await signIn(root)
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const asAdmin = async (id: 'updateUser' | 'changeUserStatus' | 'deleteUsers', body: unknown) =>
    t.equal((await call(id, { token: admin, body } as never)).code, 0, id)
  const none = { departmentId: [], roleIds: [] }
  const changes: Record<string, (id: number, username: string) => Promise<unknown>> = {
    'another address': (id) => asAdmin('updateUser', { id, mail: `new-${id}@example.org`, ...none }),
    'no address': (id) => asAdmin('updateUser', { id, mail: '', ...none }),
    async 'another password'(_id, username) {
      const body = { oldPassword: adminPassword, newPassword: 'my-own-choice-4' }
      t.equal((await call('changeOwnPassword', { token: await signIn(username), body })).code, 0)
    },
    'being disabled': (id) => asAdmin('changeUserStatus', { id, status: 2 }),
    async 'being disabled, and enabled again'(id) {
      for (const status of [2, 1]) await asAdmin('changeUserStatus', { id, status })
    },
    'an address written by whatever else': (id) =>
      db
        .update(users)
        .set({ mail: `other-${id}@example.org` })
        .where(eq(users.id, id)),
    'being deleted': (id) => asAdmin('deleteUsers', { userIds: [id] }),
  }
  for (const [what, change] of Object.entries(changes)) {
    const username = uniqueName()
    const id = await addUser(username)
    const sent = `${username}@example.org`
    const code = await mailedCode(sent)
    await change(id, username)
    const [now] = await db.select({ mail: users.mail }).from(users).where(eq(users.id, id))
    for (const mail of new Set([sent, now?.mail ?? ''])) {
      const body = { mail, code, newPassword: 'of-an-intruder-5' }
      t.match(
        await call('changePasswordByCode', { body }),
        { code: 400, data: [{ field: 'code' }] },
        `${what}: ${mail}`,
      )
    }
  }
})

t.test('however an address is spelled, its codes and tries are counted as one', async (t) => {
  const username = `mini.kiwi-${uniqueName()}`
  await addUser(username)
  const mail = `${username}@example.org`
  const spellings = [mail.toUpperCase(), mail.replace('mini', 'MiNi'), mail]
  const refused = [
    mail.replace('mini', 'm\u0130ni'),
    mail.replace('kiwi', '\u212aiwi'),
    mail.replace('mini', '\uff4dini'),
    mail.replace('mini', 'mi\u0307ni'),
    `${mail}.`,
    `${mail} `,
    ` ${mail}`,
    `${mail}\n`,
    `<${mail}>`,
    `x,${mail}`,
  ]
  let sent = 0
  for (let n = 0; n < 12; n += 1) {
    const spelling = spellings[n % spellings.length] ?? ''
    if ((await call('sendCode', { body: { mail: spelling } })).code === 0) sent += 1
  }
  t.equal(sent, 10)
  await service.mails()
  for (const spelling of refused) {
    const answer = await call('sendCode', { body: { mail: spelling } })
    t.ok(answer.code === 400 || answer.code === 0, spelling)
    t.same(await service.mails(), [], spelling)
  }
  const tries: number[] = []
  for (let n = 0; n < 12; n += 1) {
    const body = { mail: spellings[n % spellings.length] ?? '', code: 'wrong', newPassword: 'of-an-intruder-5' }
    tries.push((await call('changePasswordByCode', { body })).code)
  }
  t.same(tries, [...Array<number>(10).fill(400), 429, 429])
})

t.test('a mailbox cannot be flooded with codes', async (t) => {
  const mail = 'flooded@example.org'
  const answers = await Promise.all(Array.from({ length: 12 }, () => call('sendCode', { body: { mail } })))
  t.equal(answers.filter(({ code }) => code === 429).length, 2)
})

t.test('what has expired is deleted, and nothing else', async (t) => {
  const username = uniqueName()
  const id = await addUser(username)
  const token = await signIn(username)
  await call('sendCode', { body: { mail: `${username}@example.org` } })
  await service.mails()
  const left = async () => [
    (await db.select().from(sessions).where(eq(sessions.userId, id))).length,
    (await db.select().from(mailCodes).where(eq(mailCodes.userId, id))).length,
  ]
  await sweep(db)
  t.same(await left(), [1, 1])
  t.equal((await call('getUserInfo', { token })).code, 0)
  await sweep(db, new Date(Date.now() + 11 * minute))
  t.same(await left(), [1, 0])
  await sweep(db, new Date(Date.now() + 31 * day))
  t.same(await left(), [0, 0])
})

t.test('no password, hash, token or code is in the log', async (t) => {
  const log = service.lines.join('')
  for (const secret of [adminPassword, '$argon2', 'wrong password', 'eyJ']) t.notOk(log.includes(secret), secret)
})

t.test('a session that one instance ends is refused by another at once', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const instance = async (): Promise<Service> => {
    const database = await openDatabase({ url, dataDir: '', log: silent })
    t.teardown(() => database.close())
    const service = await startService(t, database)
    const unlisten = await service.principals.listen()
    t.teardown(unlisten)
    return service
  }
  const [here, there] = [await instance(), await instance()]
  const results = await Promise.all([here.bootstrap(), there.bootstrap()])
  t.equal(results.length, 2, 'both start on one empty database')
  const username = uniqueName()
  const id = await here.addUser(username)
  const codeThere = async (token: string) => (await there.call('getUserInfo', { token })).code
  const refusedThere = async (token: string): Promise<boolean> => {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; )
      if ((await codeThere(token)) === 401) return true
    return false
  }

  const first = await here.signIn(username)
  t.equal(await codeThere(first), 0)
  await here.call('logout', { token: first })
  t.ok(await refusedThere(first), 'a sign-out')

  const second = await here.signIn(username)
  t.equal(await codeThere(second), 0)
  const { data } = await here.call('refreshToken', { token: second })
  t.equal(await codeThere(data.token), 0, 'the new token of a refresh works at once')
  t.ok(await refusedThere(second), 'the old one does not')

  const token = await here.signIn('admin')
  await here.call('changeUserStatus', { token, body: { id, status: 2 } })
  t.ok(await refusedThere(data.token), 'a disabled user')

  const wrong = { body: { username: uniqueName(), password: 'wrong password' } }
  const verified = () => here.counts.verified + there.counts.verified
  const before = verified()
  const answers = await Promise.all(
    [here, there].flatMap(({ call }) => Array.from({ length: 15 }, () => call('login', wrong))),
  )
  t.equal(verified() - before, 10, 'failures are counted together')
  t.equal(answers.filter(({ code }) => code === 429).length, 20)
})
