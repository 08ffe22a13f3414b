import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import { smallestInput } from '../contract/inputs.ts'
import { eventually } from '../eventually.ts'
import { mailed } from '../mail/mailed.ts'
import { steward, type TestSteward } from '../steward.ts'
import { browser } from './console-client.ts'

type Id = keyof Operations

const s = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on', PUBLIC_URL: 'https://console.example.org' } })
/** A service that demands an authenticator app of every user. */
const strict = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on', SECOND_FACTOR: 'administrators' } })
const password = 'plum-orbit-candle-7'
const codeOf = (secret: string): string => TOTP.generate({ secret: Secret.fromBase32(secret) })
const forgetUsed = (on: TestSteward) => on.db.execute(sql`update second_factors set last_step = 0`)
const stepUp = (on: TestSteward, userId: number) =>
  on.db.execute(sql`update sessions set stepped_up_at = now() where user_id = ${userId} and ended_at is null`)

const code = /code is (\d{6})\./

const withApp = async (on: TestSteward, username: string) => {
  const person = await on.person(username, { password, roleIds: [2] })
  const { data } = await on.call('enrolTotp', { token: person.token, body: { password } })
  const confirmed = await on.call('confirmTotp', { token: person.token, body: { code: codeOf(data.secret) } })
  await forgetUsed(on)
  return { ...person, secret: data.secret, recoveryCodes: confirmed.data.recoveryCodes }
}

t.test('a user with an app is asked for a code, at the console and at the login', async (t) => {
  const { secret, recoveryCodes } = await withApp(s, 'factored')
  const asked = {
    code: 401,
    reason: 'auth.second_factor_required',
    data: { required: 'second_factor', methods: ['totp', 'recovery'] },
  }
  const { signIn, ask } = browser(s.call)
  const login = (more: object) =>
    browser(s.call).ask('login', '', { body: { username: 'factored', password, ...more } })
  for (let i = 0; i < 12; i += 1) t.match(await signIn('factored', password), asked, 'asking counts as no failure')
  t.match(await login({}), asked)
  t.match(await signIn('factored', 'wrong', { code: codeOf(secret) }), { code: 401, data: null })
  const wrong = codeOf(secret) === '000000' ? '111111' : '000000'
  t.match(await signIn('factored', password, { code: wrong }), {
    code: 400,
    reason: 'auth.wrong_factor_code',
    data: [{ field: 'code' }],
  })

  const right = codeOf(secret)
  const opened = await signIn('factored', password, { code: right })
  t.match(opened, { code: 200, data: { required: null } })
  t.match(await login({ code: right }), { code: 400 }, 'a code is used once')
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  t.match(await ask('getSecondFactor', cookie), { data: { steppedUpUntil: String } }, 'the sign-in is a step-up')
  t.match(await ask('getMe', cookie), { data: { secondFactor: true } })
  t.match(await login({ code: recoveryCodes[0] ?? '' }), { code: 0, data: { token: String } })
  t.match(await login({ code: recoveryCodes[0] ?? '' }), { code: 400 })
  t.match(await ask('sendSignInCode', '', { body: { username: 'factored', password } }), {
    code: 409,
    reason: 'auth.no_mailed_code',
  })
})

t.test('wrong codes lock the second factor and the account', async (t) => {
  const { secret } = await withApp(s, 'locked')
  const wrong = codeOf(secret) === '000000' ? '111111' : '000000'
  const replies = []
  for (let i = 0; i < 10; i += 1)
    replies.push((await browser(s.call).signIn('locked', password, { code: wrong })).status)
  t.same(replies, Array(10).fill(400))
  t.match(await browser(s.call).signIn('locked', password, { code: codeOf(secret) }), { status: 429 })
})

t.test('a password that an administrator has seen must be changed at the next sign-in', async (t) => {
  const { id, token } = await s.person('reset', { password, roleIds: [2] })
  const ask = browser(s.call).ask
  const reset = (way: 'shown' | 'link') =>
    s.call('resetUserPassword', { token: s.token, params: { id }, body: { way } })
  t.match(await reset('shown'), { status: 401, reason: /access.step_up/ })
  await stepUp(s, 1)
  const { data } = await reset('shown')
  t.match(data, { password: /^[\w-]{20}$/, mail: null, expiresAt: null })
  const shown = data.password ?? ''
  t.match(await s.call('getMe', { token }), { status: 401 }, 'the sessions have ended')
  const { signIn } = browser(s.call)
  t.match(await signIn('reset', password), { status: 401, reason: 'auth.wrong_credentials' })
  const asked = { code: 401, reason: 'auth.new_password_required', data: { required: 'new_password', methods: [] } }
  t.match(await signIn('reset', shown), asked)
  t.match(await ask('login', '', { body: { username: 'reset', password: shown } }), asked)
  t.match(await signIn('reset', shown, { newPassword: shown }), { code: 400, reason: 'auth.same_password' })
  t.match(await signIn('reset', shown, { newPassword: 'password' }), { code: 400, data: [{ field: 'newPassword' }] })
  t.match(await signIn('reset', shown, { newPassword: 'another-password-9' }), { code: 200 })
  t.match(await signIn('reset', shown), { code: 401, reason: 'auth.wrong_credentials' })
  t.match(await signIn('reset', 'another-password-9'), { code: 200 }, 'once')
  t.match(await reset('link'), { code: 409, reason: 'people.user_without_mail' })
})

t.test('a mailed link sets a password, once', async (t) => {
  const { id } = await s.person('linked', { password, roleIds: [2] })
  await s.db.execute(sql`update users set mail = 'linked@example.org' where id = ${id}`)
  await stepUp(s, 1)
  const reset = () => s.call('resetUserPassword', { token: s.token, params: { id }, body: { way: 'link' } })
  t.match((await reset()).data, { password: null, mail: 'linked@example.org', expiresAt: String })
  const link = /https:\/\/console\.example\.org\/console\/password#([\w-]{43})/
  const replaced = await mailed(s, 'linked@example.org', link)
  await reset()
  const token = await mailed(s, 'linked@example.org', link)
  const { ask, signIn } = browser(s.call)
  const set = (token: string, newPassword: string) => ask('setPasswordByLink', '', { body: { token, newPassword } })
  t.match(await signIn('linked', password), { code: 401 }, 'the earlier password is gone at once')
  t.match(await set(replaced, 'another-password-9'), { code: 400, reason: 'auth.link_void' })
  t.match(await set(token, 'password'), { code: 400, data: [{ field: 'newPassword' }] }, 'which costs no link')
  t.match(await set(token, 'another-password-9'), { code: 200 })
  t.match(await set(token, 'another-password-8'), { code: 400, reason: 'auth.link_void' })
  t.match(await signIn('linked', 'another-password-9'), { code: 200, data: { required: null } })
})

t.test('rank holds for a reset and for an unlock, and a shown password needs what it opens', async (t) => {
  const entries = (await s.call('listApis', { token: s.token })).data.apis
  const idOf = (path: string) => entries.filter((entry) => entry.path === path).map(({ id }) => id)
  const role = async (name: string, sort: number, apiIds: number[]) => {
    const { data } = await s.call('addRole', { token: s.token, body: { name, keyword: name, sort } })
    await s.call('updateRoleApis', { token: s.token, body: { roleId: data.id, apiIds } })
    return data.id
  }
  const help = [...idOf('/v1/operations/users/{id}/password-reset'), ...idOf('/v1/operations/users/{id}/unlock')]
  const desk = await s.person('desk', { roleIds: [await role('desk', 20, help)] })
  const wide = await s.person('wide', { roleIds: [await role('wide', 30, idOf('/user/list'))] })
  const narrow = await s.person('narrow', {
    roleIds: [await role('narrow', 30, idOf('/v1/operations/users/{id}/unlock'))],
  })
  await stepUp(s, desk.id)
  const reset = (id: number) =>
    s.call('resetUserPassword', { token: desk.token, params: { id }, body: { way: 'shown' } })
  t.match(await reset(1), { code: 403, reason: 'access.user_too_strong' })
  t.match(await reset(desk.id), { code: 403 })
  t.match(await reset(wide.id), { code: 403, reason: 'access.password_signs_in' })
  t.match(await reset(narrow.id), { code: 200 })
  t.match(await reset(987_654), { code: 404 })
  t.match(await s.call('unlockUser', { token: desk.token, params: { id: 1 } }), { code: 403 })
})

t.test('without PUBLIC_URL the address of a request does not lead to more than its caller holds', async (t) => {
  const s = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on' } })
  const entries = (await s.call('listApis', { token: s.token })).data.apis
  const role = async (name: string, sort: number, path: string) => {
    const { data } = await s.call('addRole', { token: s.token, body: { name, keyword: name, sort } })
    const apiIds = entries.filter((entry) => entry.path === path).map(({ id }) => id)
    await s.call('updateRoleApis', { token: s.token, body: { roleId: data.id, apiIds } })
    return data.id
  }
  const desk = await s.person('desk', { roleIds: [await role('desk', 20, '/v1/operations/users/{id}/password-reset')] })
  const wide = await s.person('wide', { roleIds: [await role('wide', 30, '/user/list')] })
  const none = await s.person('none', { roleIds: [] })
  await s.db.execute(sql`update users set mail = username || '@example.org' where id in (${wide.id}, ${none.id})`)
  await stepUp(s, desk.id)
  await stepUp(s, 1)
  const reset = (token: string, id: number) =>
    s.call('resetUserPassword', {
      ...{ token, params: { id }, body: { way: 'link' as const } },
      headers: { host: 'collector.example.net' },
    })
  t.match(await reset(desk.token, wide.id), { code: 403, reason: 'access.link_signs_in' })
  t.match(await s.call('getMe', { token: wide.token }), { code: 200 }, 'nothing was changed')
  t.match(await reset(desk.token, none.id), { code: 200 })
  t.match(await reset(s.token, wide.id), { code: 200 })
})

t.test('a locked account is unlocked, and its alert handled', async (t) => {
  const { id } = await s.person('shut', { password, roleIds: [2] })
  for (let i = 0; i < 11; i += 1) await browser(s.call).signIn('shut', 'wrong')
  t.match(await browser(s.call).signIn('shut', password), { code: 429 })
  const open = async () =>
    (await s.call('listAlerts', { token: s.token, query: { handled: false } })).data.alerts.filter(
      ({ title, description }) => /Locked/.test(title) && / shut,/.test(description),
    ).length
  await eventually(async () => (await open()) > 0, 'an alert')
  t.equal(await open(), 1)
  await s.db.execute(sql`update users set mail = 'admin@example.org' where id = 1`)
  await s.db.execute(sql`update sessions set stepped_up_at = null`)
  const challenge = { code: 401, data: { required: 'second_factor', methods: ['mail'] } }
  t.match(
    await s.call('unlockUser', { token: s.token, params: { id } }),
    challenge,
    'with the factor that the caller has',
  )
  await s.db.execute(sql`update users set mail = '' where id = 1`)
  t.match(await s.call('unlockUser', { token: s.token, params: { id } }), { code: 200, data: { wasLocked: true } })
  t.equal(await open(), 0)
  t.match(await browser(s.call).signIn('shut', password), { code: 200 })
  t.match(await s.call('unlockUser', { token: s.token, params: { id } }), { data: { wasLocked: false } })
})

t.test('a backup keeps that a password must be changed', async (t) => {
  const { id } = await s.person('kept', { password, roleIds: [2] })
  await stepUp(s, 1)
  const reset = await s.call('resetUserPassword', { token: s.token, params: { id }, body: { way: 'shown' } })
  const shown = reset.data.password ?? ''
  const backup = await s.call('createBackup', { token: s.token, body: { type: 'manual' } })
  const { signIn } = browser(s.call)
  t.match(await signIn('kept', shown, { newPassword: 'another-password-9' }), { code: 200 })
  await stepUp(s, 1)
  t.match(await s.call('restoreBackup', { token: s.token, params: { id: backup.data.id } }), { code: 200 })
  t.match(await signIn('kept', 'another-password-9'), { code: 401, reason: 'auth.wrong_credentials' })
  t.match(await signIn('kept', shown), { code: 401, reason: 'auth.new_password_required' })
})

t.test('where an app is demanded, a session may do nothing else before it is enrolled', async (t) => {
  const administrator = strict.config.adminPassword ?? ''
  const { signIn, ask, session } = browser(strict.call)
  t.match(await signIn('admin', administrator), { code: 200, data: { required: 'enrolment' } })
  const cookie = await session('admin', administrator)
  const allowed: readonly Id[] = [
    'getMe',
    'getMyGrants',
    'getSecondFactor',
    'enrolTotp',
    'confirmTotp',
    'stepUp',
    'sendStepUpCode',
  ]
  const secured = documents.flatMap((document: ContractDocument) =>
    document.operations.filter(({ secured }: Operation) => secured),
  )
  for (const operation of secured) {
    const id = operation.id as Id
    const { reason } = await ask(id, cookie, smallestInput(operation))
    const byToken = await strict.call(id, { ...smallestInput(operation), token: strict.token })
    for (const each of [reason, byToken.reason]) {
      if (allowed.includes(id)) t.not(each, 'auth.enrolment_required', id)
      else t.equal(each, 'auth.enrolment_required', id)
    }
  }
  t.match(await ask('getMe', cookie), { data: { required: 'enrolment', secondFactor: false, rank: 1 } })
  const granted = (await ask('getMyGrants', cookie)).data
  t.same(granted.menus, [])
  t.ok(granted.operations.includes('enrolTotp') && !granted.operations.includes('listUsers'))

  await strict.db.execute(sql`update sessions set created_at = created_at - interval '15 minutes'`)
  await strict.call('logout', { token: strict.token })
  const late = await session('admin', administrator)
  const { data } = await ask('enrolTotp', late, { body: { password: administrator } })
  t.match(await ask('confirmTotp', late, { body: { code: codeOf(data.secret) } }), { code: 200 })
  t.match(await ask('listUsers', late), { code: 0 }, 'the session is a whole one')
  t.match(await signIn('admin', administrator), { code: 401, data: { required: 'second_factor' } })
})

t.test('who has an address proves it before an app is enrolled', async (t) => {
  await strict.db.execute(sql`delete from second_factors`)
  await strict.db.execute(sql`update users set mail = 'admin@example.org' where id = 1`)
  const administrator = strict.config.adminPassword ?? ''
  const { signIn, ask } = browser(strict.call)
  t.match(await signIn('admin', administrator), { code: 401, data: { required: 'second_factor', methods: ['mail'] } })
  const send = (password: string) => ask('sendSignInCode', '', { body: { username: 'admin', password } })
  t.match(await send('wrong'), { code: 401, reason: 'auth.wrong_credentials' })
  t.match(await send(administrator), { code: 200, data: null })
  const sent = await mailed(strict, 'admin@example.org', code)
  const other = sent === '000000' ? '111111' : '000000'
  t.match(await signIn('admin', administrator, { code: other }), { code: 400, reason: 'auth.wrong_factor_code' })
  const opened = await signIn('admin', administrator, { code: sent })
  t.match(opened, { code: 200, data: { required: 'enrolment' } })
  t.match(await signIn('admin', administrator, { code: sent }), { code: 400 }, 'a code is used once')
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  t.match(
    await ask('enrolTotp', cookie, { body: { password: administrator } }),
    { code: 200 },
    'the code was a step-up',
  )
})

t.test('others sign in as before where only administrators have to enrol', async (t) => {
  const { session, ask } = browser(strict.call)
  await strict.db.execute(sql`insert into users (username, username_key, nickname, password_hash)
    select 'plain', 'plain', 'Plain', password_hash from users where id = 1`)
  const cookie = await session('plain', strict.config.adminPassword ?? '')
  t.match(await ask('getMe', cookie), { data: { required: null, rank: 1000, roles: { length: 0 } } })
  t.match(
    await ask('sendSignInCode', '', { body: { username: 'plain', password: strict.config.adminPassword ?? '' } }),
    { code: 409, reason: 'auth.no_code_asked' },
  )
})
