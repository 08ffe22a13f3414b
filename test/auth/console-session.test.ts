import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { setConsoleCookie } from '../../src/contract/console-cookie.ts'
import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { sessions } from '../../src/db/schema.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import { smallestInput } from '../contract/inputs.ts'
import { eventually } from '../eventually.ts'
import { steward } from '../steward.ts'
import { browser, claimsIn, cookieIn, freshAddress } from './console-client.ts'

type Id = keyof Operations

const s = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on' } })
/** A service whose tokens expire after a second. */
const short = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on', TOKEN_TTL: '1s' } })

const secured = documents.flatMap((document: ContractDocument) =>
  document.operations
    .filter((operation: Operation) => operation.secured)
    .map((operation: Operation) => ({
      id: operation.id as Id,
      method: operation.method,
      input: smallestInput(operation),
    })),
)

const password = 'plum-orbit-candle-7'
const person = (username: string) => s.person(username, { password, roleIds: [2] })

/** The service with short tokens cannot add people by the administrator's. They get the administrator's password. */
const shortPassword = short.config.adminPassword ?? ''
const shortPerson = (username: string) =>
  short.db.execute(sql`
    insert into users (username, username_key, nickname, password_hash)
    select ${username}, ${username}, ${username}, password_hash from users where id = 1`)

/** Waits until the token of a cookie has expired: its time is a second of the clock, which no test can move. */
const expired = async (cookie: string): Promise<void> => {
  const end = Number(claimsIn(cookie).exp) * 1000
  while (Date.now() < end) await delay(end - Date.now())
}

/** The row of a cookie's session. */
const endOf = async (cookie: string) => {
  const id = String(claimsIn(cookie).sid)
  const [row] = await short.db.select().from(sessions).where(eq(sessions.id, id))
  return row
}

t.test('a sign-in sets a cookie that no script reads and no other site sends, and answers no token', async (t) => {
  const { id } = await person('plain')
  const plain = await browser(s.call).signIn('plain', password)
  t.match(plain, {
    code: 200,
    data: { user: { id, username: 'plain', name: 'plain' }, secure: false, required: null },
    headers: { 'set-cookie': /^steward=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/ },
  })
  t.notMatch(plain.body, /eyJ/)
  t.notOk(
    s.logs.some((line) => line.includes(cookieIn(plain).slice('steward='.length))),
    'nor does a log have it',
  )
  const hours = (Date.parse(plain.data.endsAt) - Date.now()) / 3_600_000
  t.ok(hours > 11.9 && hours < 12.001, `${hours} hours`)

  const https = browser(s.call, { https: true })
  const secure = await https.signIn('plain', password)
  t.match(secure, {
    data: { secure: true },
    headers: { 'set-cookie': /^__Host-steward=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/ },
  })
  t.match(await https.ask('getMe', cookieIn(secure)), { data: { session: { kind: 'cookie', secure: true } } })
  t.match(await https.ask('getMe', cookieIn(plain)), { status: 401 }, 'a cookie of http does not count over https')
  t.match(await browser(s.call).ask('getMe', cookieIn(secure)), { status: 401 })
})

t.test('under a base path the cookie of plain http goes to this service only', async (t) => {
  const plain = { headers: {}, protocol: 'http' } as const
  t.equal(setConsoleCookie(plain, '/steward', 'x'), 'steward=x; Path=/steward; HttpOnly; SameSite=Strict')
  const secure = { headers: {}, protocol: 'https' } as const
  t.match(setConsoleCookie(secure, '/steward', 'x'), /; Path=\/;/, 'which __Host- demands')
})

t.test(
  'every operation takes the cookie where it takes a token, and nothing is changed without the header',
  async (t) => {
    await s.person('roleless', { password })
    const { ask, session, address } = browser(s.call)
    const cookie = await session('roleless', password)
    const open: readonly Id[] = ['getUserInfo', 'changeOwnPassword', 'getMe', 'getMyGrants']
    for (const { id, method, input } of secured) {
      const reasons = async (headers: Record<string, string>) =>
        (await s.call(id, { ...input, headers: { 'x-forwarded-for': freshAddress(), ...headers } })).reason
      t.equal(await reasons({}), 'access.not_signed_in', id)
      const bare = await reasons({ cookie })
      if (method !== 'GET') t.equal(bare, 'contract.console_header', id)
      const whole = (await ask(id, cookie, input)).reason
      if (open.includes(id)) t.not(whole, 'access.not_granted', id)
      else t.equal(whole, 'access.not_granted', id)
      if (method === 'GET') t.equal(bare, whole, id)
    }
    t.ok(secured.length > 100)
    t.ok(address)
  },
)

t.test('a cookie is no bearer token, a bearer token no cookie, and of both the token counts', async (t) => {
  const { token } = await person('both')
  const other = await person('other')
  const { ask, session } = browser(s.call)
  const cookie = await session('both', password)
  const value = cookie.slice('steward='.length)
  t.match(await s.call('getMe', { token: value }), { status: 401 })
  t.match(await s.call('refreshToken', { headers: { authorization: `Bearer ${value}` } }), { code: 401 })
  t.match(await ask('getMe', `steward=${token}`), { status: 401 })
  const asOther = { headers: { authorization: `Bearer ${other.token}` } }
  t.match(await ask('getMe', cookie, asOther), { data: { username: 'other', session: { kind: 'bearer' } } })
  const wrong = { headers: { authorization: 'Bearer garbage' } }
  t.match(await ask('getMe', cookie, wrong), { status: 401 })
  const proxy = { headers: { authorization: 'Basic dXNlcjpwYXNz' } }
  t.match(await ask('getMe', cookie, proxy), { data: { username: 'both' } }, 'that of a proxy in front')
  t.match(await ask('getMe', `a=b; ${cookie}; c=d`), { data: { username: 'both' } })
})

t.test('signing out ends the session, clears the cookie, and is no error twice', async (t) => {
  await person('leaver')
  const { ask, session } = browser(s.call)
  const cookie = await session('leaver', password)
  t.match(await s.call('closeConsoleSession', { headers: { cookie } }), {
    status: 403,
    reason: 'contract.console_header',
  })
  t.match(await ask('getMe', cookie), { status: 200 }, 'a form of another site ends nothing')
  for (let i = 0; i < 2; i += 1) {
    const closed = await ask('closeConsoleSession', cookie)
    t.match(closed, { status: 200, data: null })
    t.match(closed.headers['set-cookie'], /^steward=; .*Max-Age=0$/)
  }
  t.match(await ask('getMe', cookie), { status: 401, reason: 'auth.session_signed_out' })
})

t.test('the password is changed by the session of the console, which ends like all others', async (t) => {
  const { token } = await person('changer')
  const { ask, session } = browser(s.call)
  const cookie = await session('changer', password)
  const body = { oldPassword: password, newPassword: 'another-password-9' }
  t.match(await ask('changeOwnPassword', cookie, { body }), { code: 0 })
  t.match(await ask('getMe', cookie), { status: 401, reason: 'auth.session_ended_password' })
  t.match(await s.call('getMe', { token }), { status: 401 })
  t.ok(await session('changer', 'another-password-9'))
})

t.test('an expired token is exchanged, and two tabs get the same successor', async (t) => {
  await shortPerson('tabs')
  const { ask, session } = browser(short.call)
  let cookie = await session('tabs', shortPassword)
  for (let round = 0; round < 2; round += 1) {
    await expired(cookie)
    const tabs = await Promise.all(Array.from({ length: 6 }, () => ask('getMe', cookie)))
    t.same(new Set(tabs.map(({ status }) => status)), new Set([200]))
    const next = new Set(tabs.map((reply) => claimsIn(cookieIn(reply)).jti))
    t.equal(next.size, 1, 'one successor')
    t.notOk(next.has(claimsIn(cookie).jti))
    cookie = cookieIn(tabs[0] ?? { headers: {} })
  }
  t.match(await endOf(cookie), { endedAt: null })
})

t.test('the cookie is renewed also with a refusal', async (t) => {
  await shortPerson('refused')
  const { ask, session } = browser(short.call)
  const cookie = await session('refused', shortPassword)
  await expired(cookie)
  const refused = await ask('listUsers', cookie)
  t.match(refused, { code: 403, headers: { 'set-cookie': /^steward=/ } })
  t.not(claimsIn(cookieIn(refused)).jti, claimsIn(cookie).jti)
})

t.test('an old cookie is theft after 10 seconds, and at once from another client', async (t) => {
  await shortPerson('stolen')
  const owner = browser(short.call)
  const thieves = [
    { who: owner, late: true },
    { who: browser(short.call, { agent: 'a thief', address: owner.address }), late: false },
    { who: browser(short.call, { agent: 'a browser' }), late: false },
  ]
  for (const { who, late } of thieves) {
    const old = await owner.session('stolen', shortPassword)
    await expired(old)
    const fresh = cookieIn(await owner.ask('getMe', old))
    const aged = sql`update sessions set rotated_at = rotated_at - interval '10 s' where id = ${String(claimsIn(old).sid)}`
    if (late) await short.db.execute(aged)
    t.match(await who.ask('getMe', old), { status: 401, reason: 'auth.session_ended_theft' })
    t.match(await owner.ask('getMe', fresh), { status: 401, reason: 'auth.session_ended_theft' })
    t.match(await endOf(old), { endReason: 'reuse' })
  }
  const raised = async (): Promise<string[]> => {
    const asked = await short.call('listAlerts', {
      token: await short.signIn('admin', short.config.adminPassword ?? ''),
    })
    return asked.data.alerts.map(({ title }) => title).filter((title) => title === 'An exchanged token was used again')
  }
  await eventually(async () => (await raised()).length > 0, 'an alert')
  t.same(await raised(), ['An exchanged token was used again'])
})

t.test('a session that has ended says why', async (t) => {
  await shortPerson('ended')
  const { ask, session } = browser(short.call)
  const ends = {
    revoked: 'auth.session_ended_elsewhere',
    restore: 'auth.session_ended_restore',
    disabled: 'auth.session_ended_disabled',
  }
  for (const [end, reason] of Object.entries(ends)) {
    const cookie = await session('ended', shortPassword)
    const id = String(claimsIn(cookie).sid)
    await short.db.update(sessions).set({ endedAt: new Date(), endReason: end }).where(eq(sessions.id, id))
    await expired(cookie)
    t.match(await ask('getMe', cookie), { status: 401, reason })
  }
  const cookie = await session('ended', shortPassword)
  const id = String(claimsIn(cookie).sid)
  await short.db.execute(sql`update sessions set created_at = created_at - interval '12 hours' where id = ${id}`)
  await expired(cookie)
  t.match(await ask('getMe', cookie), { status: 401, reason: 'auth.session_too_old' })
  t.match(await ask('getMe', 'steward=garbage'), { status: 401, reason: 'access.not_signed_in' })
})

t.test('a wrong password, an unknown user and a lock say the same as a login', async (t) => {
  await person('guessed')
  const { signIn } = browser(s.call)
  for (const username of ['guessed', 'nowhere']) {
    t.match(await signIn(username, 'wrong'), { status: 401, reason: 'auth.wrong_credentials', data: null })
  }
  const guesses = await Promise.all(Array.from({ length: 12 }, () => browser(s.call).signIn('guessed', 'wrong')))
  t.ok(guesses.some(({ status }) => status === 429))
  const locked = await browser(s.call).signIn('guessed', password)
  t.match(locked, { status: 429, reason: 'auth.too_many_attempts', headers: { 'retry-after': /^\d+$/ } })
})
