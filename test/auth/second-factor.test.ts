import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { type TotpFactors, totpFactors } from '../../src/auth/second-factor/totp-factors.ts'
import type { Operations } from '../../src/generated/documents.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { type CallInput, dataOf } from '../contract/call.ts'
import { eventually } from '../eventually.ts'
import { adminPassword, steward } from '../steward.ts'

const s = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on' } })

const userRole = 2
const period = 30_000

/** Every call comes from an address of its own, so that the guesses of one test do not lock out another. */
let addresses = 0
const ask = <Id extends keyof Operations>(id: Id, token: string, input: CallInput = {}) => {
  addresses += 1
  return s.call(id, { token, ...input, headers: { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses & 255}` } })
}
const take = async <Id extends keyof Operations>(id: Id, token: string, input: CallInput = {}) =>
  dataOf(await ask(id, token, input))

/** What an authenticator app shows, so many time steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * period })

const wrongCode = (secret: string): string => {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? ''
}

/** Waits out the end of a time step, so that what is asked next falls into one: time itself is what codes are made of. */
const withinOneStep = async (): Promise<void> => {
  const left = TOTP.remaining({ period: period / 1000 })
  if (left < 5000) await sleep(left)
}

const stepUp = (token: string, method: string, code: string) => ask('stepUp', token, { body: { method, code } })

/** Makes the app's codes of now count, whatever was used before. */
const forgetUsed = () => s.db.execute(sql`update second_factors set last_step = 0`)

/** Sets the step-up of the caller's session back by so many seconds. */
const agedStepUp = async (token: string, seconds: number): Promise<void> => {
  const current = (await take('listOwnSessions', token)).find((session) => session.current)
  await s.db.execute(
    sql`update sessions set stepped_up_at = now() - make_interval(secs => ${seconds}) where id = ${current?.id}`,
  )
}

/** A user with a confirmed app, and two sessions from before it, which are not stepped up. */
const withApp = async (username: string, roleIds = [userRole]) => {
  const person = await s.person(username, { roleIds })
  const other = await s.signIn(username, person.password)
  const { secret } = await take('enrolTotp', person.token, { body: { password: person.password } })
  const { recoveryCodes } = await take('confirmTotp', person.token, { body: { code: codeOf(secret) } })
  await forgetUsed()
  return { ...person, other, secret, recoveryCodes }
}

const mailFolder = join(s.config.dataDir, 'mail')

/** The code in the next mail to this address, which is then deleted. A file may exist before all of its text does. */
const mailedCode = (to: string): Promise<string> =>
  eventually(() => {
    for (const name of existsSync(mailFolder) ? readdirSync(mailFolder).sort() : []) {
      const text = readFileSync(join(mailFolder, name), 'utf8')
      const code = text.includes(`To: ${to}`) && /code is (\d{6})\./.exec(text)?.[1]
      if (!code) continue
      rmSync(join(mailFolder, name))
      return code
    }
    return null
  }, `a mail to ${to}`)

t.test('a user enrols an app, steps up with it, and removes it', async (t) => {
  const { token, password } = await s.person('erin', { roleIds: [userRole] })
  const state = () => take('getSecondFactor', token)
  t.same(await state(), { totp: 'none', confirmedAt: null, recoveryCodesLeft: 0, methods: [], steppedUpUntil: null })

  t.match(await ask('disableSecondFactor', token), {
    status: 401,
    msg: /enrol an authenticator app first/,
    headers: { 'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age=300' },
    data: { required: 'second_factor', methods: { length: 0 }, maxAge: 300 },
  })
  t.match(await ask('enrolTotp', token, { body: { password: 'another password' } }), {
    status: 400,
    data: [{ field: 'password', message: 'is not your current password' }],
  })
  t.match(await ask('confirmTotp', token, { body: { code: '123456' } }), {
    status: 409,
    msg: /no authenticator app waits for confirmation/,
  })

  const forgotten = await take('enrolTotp', token, { body: { password } })
  const { secret, uri, qr } = await take('enrolTotp', token, { body: { password } })
  t.not(secret, forgotten.secret)
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.match(Object.fromEntries(new URL(uri).searchParams), {
    ...{ issuer: 'Steward', secret, algorithm: 'SHA1', digits: '6', period: '30' },
  })
  t.match(uri, /^otpauth:\/\/totp\/Steward:erin\?/)
  const [kind, picture = ''] = qr.split(',')
  t.equal(kind, 'data:image/svg+xml;base64')
  t.match(Buffer.from(picture, 'base64').toString(), /^<svg .*<path d="M.*<\/svg>$/)
  t.match(await state(), { totp: 'pending', methods: { length: 0 } })

  t.match(await ask('confirmTotp', token, { body: { code: wrongCode(secret) } }), {
    status: 400,
    data: [{ field: 'code', message: 'is wrong, expired or already used' }],
  })
  const { recoveryCodes } = await take('confirmTotp', token, { body: { code: codeOf(secret) } })
  t.equal(new Set(recoveryCodes).size, 10)
  t.ok(recoveryCodes.every((code) => /^([a-z2-7]{4}-){5}[a-z2-7]{4}$/.test(code)))
  t.match(await state(), {
    ...{ totp: 'confirmed', confirmedAt: String, recoveryCodesLeft: 10, methods: ['totp', 'recovery'] },
    steppedUpUntil: null,
  })
  const needed = { status: 401, data: { required: 'second_factor', methods: ['totp', 'recovery'] } }
  t.match(await ask('enrolTotp', token, { body: { password } }), needed, 'an app is there: its code comes first')
  t.match(await ask('confirmTotp', token, { body: { code: codeOf(secret, 1) } }), needed)
  t.match(await ask('disableSecondFactor', token), {
    status: 401,
    headers: { 'www-authenticate': /insufficient_user_authentication/ },
    data: { required: 'second_factor', methods: ['totp', 'recovery'], maxAge: 300 },
  })
  await forgetUsed()
  const before = Date.now()
  const { steppedUpUntil } = await take('stepUp', token, { body: { method: 'totp', code: codeOf(secret) } })
  t.ok(Math.abs(Date.parse(steppedUpUntil) - before - 300_000) < 5000)
  t.match(await ask('enrolTotp', token, { body: { password } }), { status: 409, msg: /already enrolled/ })
  t.match(await ask('confirmTotp', token, { body: { code: codeOf(secret, 1) } }), { status: 409 })
  t.equal(await take('disableSecondFactor', token), null)
  t.match(await state(), { totp: 'none', recoveryCodesLeft: 0, methods: { length: 0 }, steppedUpUntil })
  t.match(await ask('disableSecondFactor', token), { status: 404 })
  t.match(await ask('renewRecoveryCodes', token), { status: 404 })
})

t.test('a code counts once, and no earlier one after it', async (t) => {
  const { token, secret } = await withApp('replay')
  const [now, next] = [codeOf(secret), codeOf(secret, 1)]
  t.match(await stepUp(token, 'totp', next), { status: 200 })
  t.match(await stepUp(token, 'totp', next), { status: 400, data: [{ field: 'code' }] })
  t.match(await stepUp(token, 'totp', now), { status: 400 }, 'the app shows it still')
})

t.test('a new JWT_SECRET leaves apps working where the former one is named, and seals them anew', async (t) => {
  const { id, secret } = await withApp('rhea')
  const { factorKey } = loadSecrets(s.config.dataDir, s.config)
  const next = loadSecrets(s.config.dataDir, { jwtSecret: 'x'.repeat(40), previousJwtSecrets: ['y'.repeat(40)] })
  const code = (steps: number) => codeOf(secret, steps)
  const take = (factors: TotpFactors, steps: number) => s.db.transaction((tx) => factors.take(tx, id, code(steps)))
  await withinOneStep()
  await t.rejects(take(totpFactors(next.factorKey, next.previousFactorKeys), -1), /encrypted with another key/)
  t.equal(await take(totpFactors(next.factorKey, [factorKey]), 0), true)
  t.equal(await take(totpFactors(next.factorKey), 1), true, 'the former key is needed once')
})

t.test('of two requests with one code at once, one succeeds', async (t) => {
  const { token, other, secret, recoveryCodes } = await withApp('twice')
  const both = async (method: string, code: string): Promise<number[]> => {
    const replies = await Promise.all([stepUp(token, method, code), stepUp(other, method, code)])
    return replies.map(({ status }) => status).sort()
  }
  t.same(await both('totp', codeOf(secret)), [200, 400])
  t.same(await both('recovery', recoveryCodes[3] ?? ''), [200, 400])
})

t.test('a clock may be off by one step, and not by two', async (t) => {
  const { token, secret } = await withApp('drift')
  for (const [steps, status] of [[-2, 400], [-1, 200], [1, 200], [2, 400]] as const) {
    await forgetUsed()
    await withinOneStep()
    t.match(await stepUp(token, 'totp', codeOf(secret, steps)), { status }, `${steps} steps`)
  } // biome-ignore format: a table
})

t.test('a user who guesses is locked out, also with the right code, and a sign-in does not help', async (t) => {
  const { token, other, secret, recoveryCodes, password } = await withApp('guessed')
  const wrong = wrongCode(secret)
  const codes: number[] = []
  for (let i = 0; i < 9; i += 1) codes.push((await stepUp(token, i % 2 ? 'totp' : 'recovery', wrong)).status)
  // Digits, of which the six take eighteen bytes.
  codes.push((await stepUp(other, 'totp', '１２３４５６')).status)
  t.same(codes, Array(10).fill(400))
  t.match(await stepUp(token, 'totp', codeOf(secret)), { status: 429, headers: { 'retry-after': /^\d+$/ } })
  t.match(await stepUp(other, 'recovery', recoveryCodes[0] ?? ''), { status: 429 })
  t.match(await take('getSecondFactor', token), { steppedUpUntil: null, recoveryCodesLeft: 10 })
  const signIn = (code?: string) =>
    s.call('login', { body: { username: 'guessed', password, ...(code !== undefined && { code }) } })
  t.match(await signIn(codeOf(secret)), { code: 429 })
  t.match(await signIn(), { code: 401, reason: 'auth.second_factor_required' }, 'passwords are counted separately')
})

t.test('a recovery code counts once, until there are new ones', async (t) => {
  const { token, recoveryCodes, secret } = await withApp('recovers')
  const [first = '', second = ''] = recoveryCodes
  t.match(await stepUp(token, 'recovery', ` ${first.toUpperCase().replaceAll('-', ' ')}`), { status: 200 })
  t.match(await stepUp(token, 'recovery', first), { status: 400 })
  t.match(await take('getSecondFactor', token), { recoveryCodesLeft: 9 })
  const renewed = await take('renewRecoveryCodes', token)
  t.equal(renewed.recoveryCodes.length, 10)
  t.match(await stepUp(token, 'recovery', second), { status: 400 })
  t.match(await stepUp(token, 'recovery', renewed.recoveryCodes[0] ?? ''), { status: 200 })
  await agedStepUp(token, 301)
  t.match(await ask('renewRecoveryCodes', token), { status: 401, data: { required: 'second_factor' } })

  await s.db.execute(sql`update recovery_codes set used_at = now()`)
  t.match(await take('getSecondFactor', token), { recoveryCodesLeft: 0, methods: ['totp'] })
  t.match(await stepUp(token, 'recovery', renewed.recoveryCodes[1] ?? ''), { status: 409, msg: /step up by totp/ })
  t.match(await stepUp(token, 'totp', codeOf(secret)), { status: 200 })
})

t.test("one user's recovery code does not work for another", async (t) => {
  const [one, two] = [await withApp('one'), await withApp('two')]
  t.match(await stepUp(two.token, 'recovery', one.recoveryCodes[0] ?? ''), { status: 400 })
  t.match(await stepUp(one.token, 'recovery', one.recoveryCodes[0] ?? ''), { status: 200 })
})

t.test('without an app a code is mailed, for this session, once', async (t) => {
  const { id, token, password } = await s.person('mailed', { roleIds: [userRole] })
  t.match(await ask('sendStepUpCode', token), { status: 409, msg: /enrol an authenticator app first/ })
  const mail = 'mailed@example.org'
  await s.db.execute(sql`update users set mail = ${mail} where id = ${id}`)
  t.match(await take('getSecondFactor', token), { totp: 'none', methods: ['mail'] })
  t.match(await ask('disableSecondFactor', token), { status: 401, data: { methods: ['mail'] } })

  t.equal(await take('sendStepUpCode', token), null)
  const replaced = await mailedCode(mail)
  await take('sendStepUpCode', token)
  const code = await mailedCode(mail)
  t.match(code, /^\d{6}$/)
  if (replaced !== code) t.match(await stepUp(token, 'mail', replaced), { status: 400 }, 'a newer code replaced it')
  const other = await s.signIn('mailed', password)
  t.match(await stepUp(other, 'mail', code), { status: 400 }, 'the code belongs to another session')
  const replies = await Promise.all([stepUp(token, 'mail', code), stepUp(token, 'mail', code)])
  t.same(replies.map(({ status }) => status).sort(), [200, 400], 'it counts once')
  t.match(await take('getSecondFactor', token), { steppedUpUntil: String })
  t.match(await take('getSecondFactor', other), { steppedUpUntil: null })

  await take('sendStepUpCode', other)
  const guessed = await mailedCode(mail)
  for (let i = 0; i < 5; i += 1)
    t.equal((await stepUp(other, 'mail', guessed === '000000' ? '1' : '000000')).status, 400)
  t.match(await stepUp(other, 'mail', guessed), { status: 400 }, 'there are five tries, not more')
  await s.db.execute(sql`delete from throttles`)
  await take('sendStepUpCode', other)
  const late = await mailedCode(mail)
  await s.db.execute(sql`update step_up_codes set expires_at = now() - interval '1 second'`)
  t.match(await stepUp(other, 'mail', late), { status: 400 }, 'ten minutes are over')

  t.match(await take('getSecondFactor', token), { steppedUpUntil: String })
  const { secret } = await take('enrolTotp', token, { body: { password } })
  await take('sendStepUpCode', other)
  const outdone = await mailedCode(mail)
  await take('confirmTotp', token, { body: { code: codeOf(secret) } })
  t.same(await s.db.execute(sql`select from step_up_codes`), [], 'mailed codes are not valid any more')
  t.match(await stepUp(other, 'mail', outdone), { status: 409, msg: /step up by totp or recovery/ })
  t.match(await ask('sendStepUpCode', other), { status: 409 })
  t.match(await stepUp(other, 'sms', outdone), { status: 400, data: [{ field: 'method' }] })
})

t.test('a user with a mail address gets a mail about every change of their second factor', async (t) => {
  const { id, token, password } = await s.person('noticed', { roleIds: [userRole] })
  const mail = 'noticed@example.org'
  await s.db.execute(sql`update users set mail = ${mail} where id = ${id}`)
  const notices = async () => {
    const rows = await s.db.execute<{ subject: string; text: string }>(sql`
      select content->>'subject' as subject, content->>'text' as text from notifications
      where content->>'to' = ${mail} order by id`)
    return rows.map(({ subject, text }) => ({ subject, text }))
  }
  await take('sendStepUpCode', token)
  await take('stepUp', token, { body: { method: 'mail', code: await mailedCode(mail) } })
  const { secret } = await take('enrolTotp', token, { body: { password } })
  await ask('confirmTotp', token, { body: { code: wrongCode(secret) } })
  t.same(await notices(), [], 'nothing has changed yet')
  const { recoveryCodes } = await take('confirmTotp', token, { body: { code: codeOf(secret) } })
  await stepUp(token, 'recovery', recoveryCodes[0] ?? '')
  await stepUp(token, 'recovery', recoveryCodes[0] ?? '')
  await s.db.execute(sql`update recovery_codes set used_at = now() where user_id = ${id} and code_hash <> (
    select max(code_hash) from recovery_codes where user_id = ${id} and used_at is null)`)
  for (const code of recoveryCodes.slice(1)) await stepUp(token, 'recovery', code)
  const renewed = await take('renewRecoveryCodes', token)
  await take('disableSecondFactor', token)
  const enrolledAgain = await take('enrolTotp', token, { body: { password } })
  await take('confirmTotp', token, { body: { code: codeOf(enrolledAgain.secret) } })
  await s.db.execute(sql`update sessions set stepped_up_at = now() where user_id = 1`)
  await take('resetSecondFactor', s.token, { params: { id } })
  await s.db.execute(sql`update sessions set stepped_up_at = null where user_id = 1`)

  const told = await notices()
  t.match(told, [
    {
      subject: 'An authenticator app was enrolled',
      text: /^User "noticed", at \S+ \S+ \(UTC\), from 10\.9\.\d+\.\d+\.$/m,
    },
    { subject: 'A recovery code was used', text: /9 are left/ },
    { subject: 'Your last recovery code was used', text: /None is left/ },
    { subject: 'Your recovery codes were renewed' },
    { subject: 'Your authenticator app was disabled' },
    { subject: 'An authenticator app was enrolled' },
    { subject: 'Your authenticator app was taken away', text: /^admin has taken/ },
  ])
  t.equal(told.length, 7)
  const texts = JSON.stringify(told)
  for (const hidden of [secret, ...recoveryCodes, ...renewed.recoveryCodes]) t.notOk(texts.includes(hidden))

  const delivered = async () => {
    const [row] = await s.db.execute<{ left: number }>(sql`
      select count(*)::int as left from notifications where content->>'to' = ${mail} and delivered_at is null`)
    return row?.left === 0
  }
  await eventually(delivered, 'all mails are delivered')
  const mails = readdirSync(mailFolder).map((name) => readFileSync(join(mailFolder, name), 'utf8'))
  t.equal(mails.filter((text) => text.includes(`To: ${mail}`)).length, 7)
  const [{ unaddressed } = { unaddressed: 0 }] = await s.db.execute<{ unaddressed: number }>(
    sql`select count(*)::int as unaddressed from notifications where coalesce(content->>'to', '') = ''`,
  )
  t.equal(unaddressed, 0, 'a user without an address gets no mail')
})

t.test('a stolen password does not get past the mailed code', async (t) => {
  const { id, token: owner, password } = await s.person('robbed', { roleIds: [1] })
  const mail = 'robbed@example.org'
  const own = { departmentId: [], roleIds: [1] }
  t.match(await ask('updateUser', owner, { body: { id, mail, ...own } }), { code: 0 }, 'the first is taken as it comes')
  await take('sendStepUpCode', owner)
  const code = await mailedCode(mail)

  const thief = await s.signIn('robbed', password)
  const needed = { required: 'second_factor', methods: ['mail'], maxAge: 300 }
  t.match(await ask('enrolTotp', thief, { body: { password } }), { status: 401, data: needed })
  t.match(await ask('confirmTotp', thief, { body: { code: '123456' } }), { status: 401, data: needed })
  t.match(await ask('downloadBackup', thief, { params: { id: 1 } }), { status: 401, data: needed })
  for (const other of ['thief@example.org', '']) {
    t.match(await ask('updateUser', thief, { body: { id, mail: other, ...own } }), { code: 401, data: needed }, other)
  }
  t.match(await ask('updateUser', thief, { body: { id, mail: 'Robbed@Example.org', ...own } }), { code: 0 })
  t.match(await take('getSecondFactor', owner), { totp: 'none', methods: ['mail'] })
  t.match(await stepUp(owner, 'mail', code), { status: 200 }, "the owner's code still counts")
  t.match(await ask('updateUser', owner, { body: { id, mail: 'new@example.org', ...own } }), { code: 0 })

  // An app that was begun while there was no address is not confirmed past it.
  const early = await s.person('early', { roleIds: [userRole] })
  const { secret } = await take('enrolTotp', early.token, { body: { password: early.password } })
  await s.db.execute(sql`update users set mail = 'early@example.org' where id = ${early.id}`)
  t.match(await ask('confirmTotp', early.token, { body: { code: codeOf(secret) } }), { status: 401, data: needed })
  t.match(await take('getSecondFactor', early.token), { totp: 'pending' })

  // From before addresses were checked: nothing can be mailed there, so it is no factor that could be asked for.
  await s.db.execute(sql`update users set mail = 'nonsense' where id = ${early.id}`)
  t.match(await take('getSecondFactor', early.token), { methods: { length: 0 } })
  t.match(await ask('sendStepUpCode', early.token), { status: 409 })
  t.match(await ask('confirmTotp', early.token, { body: { code: codeOf(secret) } }), { status: 200 })
})

t.test('a code mailed for a step-up ends with the address it was sent to', async (t) => {
  const { id, token } = await s.person('moving', { roleIds: [userRole] })
  const user = { id, departmentId: [], roleIds: [userRole] }
  const sendTo = async (mail: string): Promise<string> => {
    await s.db.execute(sql`update users set mail = ${mail} where id = ${id}`)
    await take('sendStepUpCode', token)
    return mailedCode(mail)
  }
  const first = await sendTo('moving@example.org')
  await take('updateUser', s.token, { body: { ...user, mail: 'moved@example.org' } })
  t.match(await stepUp(token, 'mail', first), { status: 400 })
  await take('updateUser', s.token, { body: { ...user, mail: 'moving@example.org' } })
  t.match(await stepUp(token, 'mail', first), { status: 400 }, 'also when the address comes back')

  const second = await sendTo('moving@example.org')
  await s.db.execute(sql`update users set mail = 'elsewhere@example.org' where id = ${id}`)
  t.match(await stepUp(token, 'mail', second), { status: 400 }, 'whatever changed the address')
  await s.db.execute(sql`update users set mail = 'MOVING@example.org' where id = ${id}`)
  t.match(await stepUp(token, 'mail', second), { status: 200 }, 'another spelling is the same address')
})

t.test('a mailbox cannot be flooded with step-up codes', async (t) => {
  const { id, token } = await s.person('flooded', { roleIds: [userRole] })
  await s.db.execute(sql`update users set mail = 'flooded@example.org' where id = ${id}`)
  const statuses: number[] = []
  for (let i = 0; i < 11; i += 1) statuses.push((await ask('sendStepUpCode', token)).status)
  t.same(statuses, [...Array<number>(10).fill(200), 429])
  for (let i = 0; i < 10; i += 1) await mailedCode('flooded@example.org')
})

t.test('a step-up belongs to its session, lasts 5 minutes, and ends with it', async (t) => {
  const { token, other, secret, password } = await withApp('stepper')
  t.match(await stepUp(token, 'totp', codeOf(secret)), { status: 200 })
  t.match(await ask('renewRecoveryCodes', other), { status: 401 })
  await agedStepUp(token, 290)
  t.match(await ask('renewRecoveryCodes', token), { status: 200 })

  const { token: refreshed } = await take('refreshToken', token)
  t.match(await ask('renewRecoveryCodes', refreshed), { status: 200 }, 'the session goes on')
  await agedStepUp(refreshed, 301)
  t.match(await ask('renewRecoveryCodes', refreshed), { status: 401 })
  const { token: again } = await take('refreshToken', refreshed)
  t.match(await ask('renewRecoveryCodes', again), { status: 401 }, 'a refresh is not a step-up')

  await forgetUsed()
  t.match(await stepUp(again, 'totp', codeOf(secret)), { status: 200 })
  await s.call('logout', { token: again })
  t.match(await ask('renewRecoveryCodes', again), { status: 401, data: null })
  await forgetUsed()
  const anew = await s.call('login', { body: { username: 'stepper', password, code: codeOf(secret) } })
  t.match(
    await take('getSecondFactor', anew.data.token),
    { steppedUpUntil: String },
    'a sign-in by both factors is one',
  )
})

t.test('a user lists and ends their own sessions, and not those of others', async (t) => {
  const { token, password } = await s.person('sessions', { roleIds: [userRole] })
  const stranger = await s.person('stranger', { roleIds: [userRole] })
  const other = await s.signIn('sessions', password)
  const listed = await take('listOwnSessions', token)
  t.equal(listed.length, 2)
  t.match(
    listed.find(({ current }) => current),
    { address: String, steppedUpUntil: null, createdAt: String },
  )
  const otherId = listed.find(({ current }) => !current)?.id ?? ''
  t.equal((await take('listOwnSessions', other)).find(({ current }) => current)?.id, otherId)

  const end = (as: string, sessionId: string) => ask('endOwnSession', as, { params: { sessionId } })
  t.match(await end(stranger.token, otherId), { status: 404, data: [{ field: 'sessionId' }] })
  for (const none of ['x', `urn:uuid:${otherId}`, otherId.slice(1)]) {
    t.match(await end(token, none), { status: 400, data: [{ field: 'sessionId' }] }, none)
  }
  t.match(await ask('listOwnSessions', other), { status: 200 })
  t.match(await end(token, otherId), { status: 200, data: null })
  t.match(await ask('listOwnSessions', other), { status: 401 })
  t.match(await end(token, otherId), { status: 404 })
  t.equal((await take('listOwnSessions', token)).length, 1)
  t.match(await end(token, listed.find(({ current }) => current)?.id ?? ''), { status: 200 }, 'also the current one')
  t.match(await ask('listOwnSessions', token), { status: 401 })
})

t.test('a user of higher rank ends sessions and removes lost apps', async (t) => {
  const api = async (path: string): Promise<number[]> =>
    (await take('listApis', s.token, { query: { path } })).apis.map(({ id }) => id)
  const apiIds = [
    ...(await api('/v1/operations/users/{id}/')),
    ...(await api('/v1/operations/second-factor')),
    ...(await api('/v1/operations/step-up')),
    ...(await api('/v1/operations/sessions')),
  ]
  const role = { name: 'Desk', keyword: 'desk', sort: 2 }
  const { id: roleId } = await take('addRole', s.token, { body: role })
  await take('updateRoleApis', s.token, { body: { roleId, apiIds } })
  const desk = await withApp('desk', [roleId])
  const lost = await withApp('lost')
  const plain = { params: { id: lost.id } }
  const administrators = { params: { id: 1 } }

  t.match(await ask('listUserSessions', lost.token, { params: { id: desk.id } }), { status: 403 })
  t.match(await ask('listUserSessions', desk.token, administrators), { status: 403, data: [{ field: 'id' }] })
  t.match(await ask('listUserSessions', desk.token, { params: { id: 987_654 } }), { status: 404 })
  const [session] = await take('listUserSessions', desk.token, plain)
  t.match(session, { current: false })
  const [strong] = await take('listUserSessions', s.token, administrators)
  const end = (id: number, sessionId = '') => ask('endUserSession', desk.token, { params: { id, sessionId } })
  t.match(await end(1, strong?.id), { status: 403 })
  t.match(await end(lost.id, strong?.id), { status: 404 }, 'the session belongs to another user')
  t.match(await end(lost.id, session?.id), { status: 200 })
  t.match(await ask('getSecondFactor', lost.other), { status: 401 })

  t.match(await ask('resetSecondFactor', desk.token, plain), { status: 401, data: { methods: ['totp', 'recovery'] } })
  t.match(await stepUp(desk.token, 'totp', codeOf(desk.secret)), { status: 200 })
  t.match(await ask('resetSecondFactor', desk.token, administrators), { status: 403 })
  t.match(await ask('resetSecondFactor', desk.token, plain), { status: 200, data: null })
  t.match(await ask('resetSecondFactor', desk.token, plain), { status: 404 })
  const back = await s.signIn('lost', lost.password)
  t.match(await take('getSecondFactor', back), { totp: 'none', recoveryCodesLeft: 0 })
})

t.test('no secret and no code is kept in clear, logged, or answered again', async (t) => {
  const { token, secret, recoveryCodes } = await withApp('secretive')
  const code = codeOf(secret)
  await stepUp(token, 'totp', code)
  await stepUp(token, 'recovery', recoveryCodes[0] ?? '')
  const state = await ask('getSecondFactor', token)
  const rows = await s.db.execute(sql`
    select to_json(f) as row from second_factors f union all select to_json(c) from recovery_codes c
    union all select to_json(l) from operation_logs l`)
  const places = { answer: state.body, log: s.logs.join(''), rows: JSON.stringify(rows) }
  for (const [place, text] of Object.entries(places)) {
    for (const hidden of [secret, ...recoveryCodes]) t.notOk(text.includes(hidden), `${hidden} in the ${place}`)
  }
  t.notMatch(places.log, new RegExp(`"${code}"`))
  t.ok(rows.length > 10)

  await s.db.execute(sql`
    update second_factors f set secret = other.secret from second_factors other
    where f.user_id = (select id from users where username = 'secretive')
      and other.user_id = (select id from users where username = 'drift')`)
  t.match(
    await stepUp(token, 'totp', codeOf(secret)),
    { status: 409, msg: /use a recovery code/ },
    'it is sealed for its user',
  )
})

t.test('an administrator steps up before they confirm anything', async (t) => {
  const { secret } = await take('enrolTotp', s.token, { body: { password: adminPassword } })
  const confirm = () => ask('confirmRun', s.token, { params: { id: 1 }, body: { planHash: '0'.repeat(64) } })
  t.match(await confirm(), { status: 401, data: { required: 'second_factor' } })
  await take('confirmTotp', s.token, { body: { code: codeOf(secret) } })
  t.match(
    await confirm(),
    { status: 401, data: { methods: ['totp', 'recovery'] } },
    'enrolling an app is not a step-up',
  )
  await forgetUsed()
  t.match(await stepUp(s.token, 'totp', codeOf(secret)), { status: 200 })
  t.match(await confirm(), { status: 404 })
})

t.test('a restore takes no second factor back in time', async (t) => {
  const asAdmin = async <Id extends keyof Operations>(id: Id, input: CallInput = {}) => {
    await s.db.execute(sql`update sessions set stepped_up_at = now() where user_id = 1 and ended_at is null`)
    return take(id, s.token, input)
  }
  const apps = { same: await withApp('same'), other: await withApp('other'), renewing: await withApp('renewing') }
  const [gone, without] = [await withApp('gone'), await withApp('without')]
  const { id: backup } = await asAdmin('createBackup', { body: { type: 'manual' } })
  const late = await withApp('late')

  const accepted = codeOf(apps.same.secret, 1)
  t.match(await stepUp(apps.same.token, 'totp', accepted), { status: 200 })
  t.match(await stepUp(apps.same.token, 'recovery', apps.same.recoveryCodes[0] ?? ''), { status: 200 })
  t.match(await stepUp(apps.other.token, 'recovery', apps.other.recoveryCodes[0] ?? ''), { status: 200 })
  await take('disableSecondFactor', apps.other.token)
  const enrolled = await take('enrolTotp', apps.other.token, { body: { password: apps.other.password } })
  await take('confirmTotp', apps.other.token, { body: { code: codeOf(enrolled.secret) } })
  t.match(await stepUp(apps.renewing.token, 'recovery', apps.renewing.recoveryCodes[0] ?? ''), { status: 200 })
  const { recoveryCodes: renewed } = await take('renewRecoveryCodes', apps.renewing.token)
  t.match(await stepUp(without.token, 'recovery', without.recoveryCodes[0] ?? ''), { status: 200 })
  await take('disableSecondFactor', without.token)
  const shown = codeOf(gone.secret, 1)
  await asAdmin('deleteUsers', { body: { userIds: [gone.id] } })

  await asAdmin('restoreBackup', { params: { id: backup } })
  let tried = 0
  const signIn = (username: string, { password }: { password: string }, code = '') => {
    tried += 1
    const headers = { 'x-forwarded-for': `10.8.0.${tried}` }
    return s.call('login', { body: { username, password, code }, headers })
  }
  const { same, other, renewing } = apps
  t.match(await signIn('same', same, accepted), { code: 400 }, 'accepted before')
  t.match(await signIn('same', same, same.recoveryCodes[0]), { code: 400 }, 'used before')
  t.match(await signIn('same', same, same.recoveryCodes[1]), { code: 0 })

  t.match(await signIn('other', other, codeOf(other.secret)), { code: 400 }, 'given up')
  t.match(await signIn('other', other, other.recoveryCodes[1]), { code: 400 }, 'given up')
  t.match(await signIn('other', other, codeOf(enrolled.secret, 1)), { code: 0 })

  t.match(await signIn('renewing', renewing, renewing.recoveryCodes[1]), { code: 400 }, 'renewed')
  t.match(await signIn('renewing', renewing, renewed[0]), { code: 0 })
  const { token: open } = (await signIn('without', without)).data
  t.match(await take('getSecondFactor', open), { totp: 'none', recoveryCodesLeft: 0 })

  t.match(await signIn('gone', gone, shown), { code: 400 }, 'it may have been used before the user was deleted')
  t.match(await signIn('gone', gone), { code: 401, data: { required: 'second_factor', methods: ['totp'] } })
  const [left] = await s.db.execute(sql`
    select (select count(*)::int from second_factors where user_id = ${late.id}) as apps,
      (select count(*)::int from recovery_codes where user_id = ${late.id}) as codes`)
  t.same(left, { apps: 0, codes: 0 }, 'a user who is not in the backup is gone')
})
