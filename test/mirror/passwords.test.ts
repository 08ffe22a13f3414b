import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { directoryEntries, users } from '../../src/db/schema.ts'
import {
  mergePassword,
  type PasswordSides,
  type PasswordTerms,
  passwordDigest,
  passwordFound,
  type SchemeProof,
} from '../../src/mirror/passwords/password-merge.ts'
import { openSchemeProofs, type SchemeProofs } from '../../src/mirror/passwords/password-scheme.ts'
import { adoptable, hashAs } from '../../src/mirror/passwords/password-values.ts'
import { statements } from '../../src/mirror/statements.ts'
import { touch } from '../../src/mirror/touch.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword, steward, type TestSteward } from '../steward.ts'
import { userOf } from './looks.ts'
import { password, stage } from './stage.ts'

// A password is changed at two places: in Steward, and in the directory.

const [first, second, third] = ['seven-quiet-lanterns', 'eight-quiet-lanterns', 'nine-quiet-lanterns'] as const

const alertsOf = async ({ call, token }: TestSteward) => (await call('listAlerts', { token })).data.alerts

t.test('on slapd', { skip: skipWithoutSlapd }, async (t) => {
  t.test('one that is changed in the directory becomes the record’s, and is never set back', async (t) => {
    const slapd = await testSlapd(t)
    const tools = ldapTools(slapd)
    const dnOf = (uid: string) => `uid=${uid},ou=people,${slapd.baseDn}`
    const bind = async (uid: string, password: string) => (await tools.as(dnOf(uid), password, 'ldapwhoami', [])).code
    const s = await steward(t, { directory: slapd, env: { DRIFT_INTERVAL: '1s' } })
    const { call, token } = s
    for (const username of ['maria', 'carl', 'crypt', 'two', 'late']) {
      const body = person(username, { password: first, mail: `${username}@example.org` })
      t.match(await call('addUser', { token, body }), { code: 0 })
    }
    await becomesEqual(t, s, slapd)
    await call('syncSqlUsers', { token, body: { userIds: [(await userOf(s, 'maria')).id] } })
    const session = await s.signIn('maria', first)

    // As the person does it (ldappasswd, which slapd hashes as {SSHA}).
    const changed = await tools.as(dnOf('maria'), first, 'ldappasswd', ['-a', first, '-s', second, dnOf('maria')])
    t.equal(changed.code, 0, changed.stderr)
    await eventually(async () => {
      const { code } = await call('login', { body: { username: 'maria', password: second } })
      return code === 0
    }, 'the new one signs in here')
    t.match(await call('login', { body: { username: 'maria', password: first } }), { code: 401 })
    t.match(await call('getUserInfo', { token: session }), { code: 401 }, 'the sessions have ended')
    t.equal(await bind('maria', second), 0)
    // The sign-in has hashed it anew, and the directory follows.
    const [kept] = await s.db.select().from(users).where(eq(users.username, 'maria'))
    t.match(kept?.passwordHash, /^\$argon2id\$/)
    t.equal(kept?.directoryPassword, null)
    const shown = async (uid: string): Promise<string> => {
      const { stdout } = await tools.search('-b', dnOf(uid), '-s', 'base', 'userPassword')
      return Buffer.from(/^userPassword:: (.*)$/m.exec(stdout)?.[1] ?? '', 'base64').toString()
    }
    await eventually(async () => (await shown('maria')) === `{ARGON2}${kept?.passwordHash}`, 'ours is there')
    t.equal(await bind('maria', second), 0)
    t.match(await userOf(s, 'maria'), { syncState: 1, syncError: '' })
    const log = await call('listOperationLogs', { token, query: { pageNum: 1, pageSize: 100 } })
    t.equal(log.data.logs.filter(({ method, username }) => method === 'LDAP' && username === 'maria').length, 1)
    t.equal(
      s.logs.filter((line) => line.includes('was taken over')).length,
      1,
      'our own hash on its way is not taken for another change',
    )

    // In clear text: it is hashed.
    const replace = (uid: string, ...values: string[]) =>
      tools.run(
        'ldapmodify',
        [],
        [
          `dn: ${dnOf(uid)}`,
          'changetype: modify',
          'replace: userPassword',
          ...values.map((v) => `userPassword: ${v}`),
          '',
        ].join('\n'),
      )
    await replace('carl', third)
    await eventually(async () => /^\{ARGON2\}/.test(await shown('carl')), 'the clear one is hashed')
    t.equal(await bind('carl', third), 0)
    t.match(await call('login', { body: { username: 'carl', password: third } }), { code: 0 })

    // A value that cannot be verified, or several values, are left as they are and reported.
    await replace('crypt', '{CRYPT}$6$salt$notahash')
    await eventually(async () => /\bCRYPT\b.*left there/.test((await userOf(s, 'crypt')).syncError), 'it is told')
    t.equal(await shown('crypt'), '{CRYPT}$6$salt$notahash')
    t.match(await call('login', { body: { username: 'crypt', password: first } }), { code: 0 }, 'here it is as it was')
    await replace('two', '{CRYPT}x', '{CRYPT}y')
    await eventually(async () => /holds 2 passwords/.test((await userOf(s, 'two')).syncError), 'it is told')

    // A change here wins over one there that was not seen yet, and replaces what was left.
    const crypt = await s.signIn('crypt', first)
    await call('changeOwnPassword', { token: crypt, body: { oldPassword: first, newPassword: second } })
    await eventually(async () => (await bind('crypt', second)) === 0, 'ours is there')
    t.match(await userOf(s, 'crypt'), { syncState: 1, syncError: '' })

    // A user who may do everything: there is also an alert.
    t.notOk((await alertsOf(s)).some(({ title }) => /Administrator password/.test(title)))
    const taken = (): number => s.logs.filter((line) => line.includes('was taken over')).length
    const before = taken()
    const sorted = await hashAs('SSHA', 'quite another one', async () => '')
    await replace('admin', sorted ?? '')
    // Without a sign-in: ten that come too early lock the account.
    await eventually(async () => taken() > before, 'the administrator’s')
    const again = await s.signIn('admin', 'quite another one')
    t.match(await call('login', { body: { username: 'admin', password: adminPassword } }), { code: 401 })
    const { data } = await call('listAlerts', { token: again })
    t.match(
      data.alerts.find(({ title }) => /Administrator password/.test(title)),
      { level: 'danger', description: /admin/ },
    )
  })

  t.test('no hash is written that the server cannot verify; those of before are taken away', async (t) => {
    const slapd = await testSlapd(t, { argon2: false })
    const tools = ldapTools(slapd)
    const database = await testDatabase(t)
    const dataDir = t.testdir()
    const dn = `uid=ada,ou=people,${slapd.baseDn}`
    const shown = async () => (await tools.search('-b', dn, '-s', 'base', 'userPassword')).stdout
    const before = await steward(t, { directory: slapd, database, dataDir })
    t.match(await before.call('addUser', { token: before.token, body: person('ada', { password: first }) }), {
      code: 0,
    })
    await eventually(async () => {
      const { syncState, syncError } = await userOf(before, 'ada')
      return syncState === 1 && /the password is not in the directory: .*load its argon2 module/.test(syncError)
    }, 'the record says why')
    t.notMatch(await shown(), /userPassword/)
    // As an earlier release left it.
    const [row] = await before.db.select().from(users).where(eq(users.username, 'ada'))
    const ldif = `dn: ${dn}\nchangetype: modify\nreplace: userPassword\nuserPassword: {ARGON2}${row?.passwordHash}\n`
    await tools.run('ldapmodify', [], ldif)
    // What is written at this moment may set the digest again.
    await eventually(async () => {
      await before.db.update(directoryEntries).set({ passwordDigest: null, entryCsn: null })
      await before.call('syncSqlUsers', { token: before.token, body: { userIds: [row?.id ?? 0] } })
      return !/userPassword/.test(await shown())
    }, 'it is taken away')

    // Set in the directory meanwhile, in a scheme that it knows: taken over, and kept where it works.
    const set = await tools.run('ldappasswd', ['-s', second, dn])
    t.equal(set.code, 0, set.stderr)
    await before.call('syncSqlUsers', { token: before.token, body: { userIds: [row?.id ?? 0] } })
    t.ok(await before.signIn('ada', second))
    await before.call('syncSqlUsers', { token: before.token, body: { userIds: [row?.id ?? 0] } })
    t.equal((await tools.as(dn, second, 'ldapwhoami', [])).code, 0, 'the directory keeps what it verifies')
    const ada = await before.signIn('ada', second)
    const body = { oldPassword: second, newPassword: third }
    await before.call('changeOwnPassword', { token: ada, body })
    t.equal(
      (await tools.as(dn, second, 'ldapwhoami', [])).code,
      49,
      'an old password ends, though the new one is not there',
    )
    await before.close()

    const env = { LDAP_PASSWORD_SCHEME: 'ssha512' }
    const after = await steward(t, { directory: slapd, database, dataDir, env })
    t.equal((await tools.as(dn, third, 'ldapwhoami', [])).code, 49)
    t.ok(await after.signIn('ada', third))
    await eventually(async () => (await tools.as(dn, third, 'ldapwhoami', [])).code === 0, 'the sign-in brings it')
    await eventually(async () => {
      const { syncState, syncError } = await userOf(after, 'ada')
      return syncState === 1 && syncError === ''
    }, 'the record is in sync')
  })
})

t.test('a hash is taken over only if it can be read, at a bearable cost', async (t) => {
  const salt = 'A'.repeat(22)
  const hash = 'A'.repeat(43)
  const argon2 = (cost: string, more = `${salt}$${hash}`) => `{ARGON2}$argon2id$v=19$${cost}$${more}`
  t.equal(adoptable(argon2('m=19456,t=2,p=1')), 'hash')
  t.equal(adoptable(argon2('m=65536,t=4,p=4')), 'hash')
  for (const value of [
    argon2('m=65537,t=2,p=1'),
    argon2('m=19456,t=5,p=1'),
    argon2('m=19456,t=2,p=5'),
    argon2('m=19456,t=0,p=1'),
    argon2('m=19456,t=2,p=0'),
    argon2('m=8,t=2,p=4'),
    argon2('m=19456,t=2,p=1', 'AAAA$BBBB'),
    argon2('m=19456,t=2,p=1', salt),
    argon2('m=19456,t=2,p=1', 'xx'),
    argon2('m=19456,t=2,p=1').replace('v=19', 'v=99'),
  ]) {
    t.equal(adoptable(value), null, value)
  }
})

t.test('a password that one process leaves alone is adopted by the next', { skip: skipWithoutSlapd }, async (t) => {
  const { reconciler, directory, slapd, addUsers } = await stage(t, { started: false })
  await addUsers('ada')
  t.match(await reconciler.synchronize('user', 'all'), { added: 1 })
  const theirs = '{SSHA}MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
  const changes = [{ operation: 'replace' as const, attribute: 'userPassword', values: [theirs] }]
  await directory.write({ kind: 'modify', dn: `uid=ada,ou=people,${slapd.baseDn}`, changes })
  t.match(await reconciler.synchronize('user', 'all'), { unchanged: 1 })
  const adopted: string[] = []
  const service = await stage(t, { slapd, started: false, adopt: async (_, value) => void adopted.push(value) })
  t.match(await service.reconciler.synchronize('user', 'all'), { unchanged: 1 })
  t.same(adopted, [theirs])
})

t.test('a test of a scheme that was refused is made again', { skip: skipWithoutSlapd }, async (t) => {
  let time = 0
  let proofs: SchemeProofs | null = null
  const { slapd, reconciler, db, addUsers } = await stage(t, {
    started: false,
    proofs: (slapd) => {
      proofs = openSchemeProofs({ ...slapd, ca: null, startTls: false, timeout: 6000 }, 1, () => time)
      return proofs
    },
  })
  const verdict = () => proofs?.of('ARGON2')?.verdict
  const bind = async (word: string) =>
    (await ldapTools(slapd).as(`uid=ada,ou=people,${slapd.baseDn}`, word, 'ldapwhoami', [])).code
  const another = (word: string | null, set = sql`password_hash = ${word}`) =>
    db.transaction(async (tx) => {
      const [row] = await tx.execute<{ id: string }>(sql`update users set ${set} where username = 'ada' returning id`)
      await touch(tx, 'user', [Number(row?.id)])
    })
  // Every hash has one.
  await slapd.refuse('userPassword', '$')
  await addUsers('ada')
  reconciler.start()
  const operations = async () => (await slapd.operations()).Add
  await eventually(
    async () => /ada/.test(await slapd.ldapsearch('-b', slapd.baseDn, 'uid=ada', 'uid')),
    'there without a password',
  )
  t.equal(verdict(), 'unknown')
  t.not(await bind(password), 0)
  await slapd.accept()
  const before = await operations()
  time = 59_000
  await delay(1500)
  t.equal(await operations(), before, 'once a minute at most')
  time = 61_000
  await eventually(async () => (await bind(password)) === 0, 'without a change or a synchronization')
  t.equal(verdict(), 'proved')
  const tested = await operations()
  time = 200_000
  await delay(1500)
  t.equal(await operations(), tested, 'what is known is not tested again')
  // On a connection on which it is refused again, a new password takes the former one away at once.
  await slapd.refuse('userPassword', '$')
  await slapd.stop()
  await slapd.start()
  await eventually(() => verdict() === 'unknown', 'it is asked again after a reconnect')
  const renewed = sql`password_hash = ${await hash(password)}, password_renews = password_hash`
  await another(null, renewed)
  reconciler.wake()
  await delay(1500)
  t.equal(await bind(password), 0, 'another hash of the same one leaves it')
  const waits = async () => (await db.execute(sql`select from directory_entries where stated is not null`)).length
  t.equal(await waits(), 1, 'and waits')
  await slapd.accept()
  time = 300_000
  await eventually(async () => (await waits()) === 0, 'it follows, too')
  t.equal(await bind(password), 0)
  await slapd.refuse('userPassword', '$')
  await slapd.stop()
  await slapd.start()
  await eventually(() => verdict() === 'unknown', 'refused once more')
  const other = 'eight-quiet-lanterns'
  await another(await hash(other))
  reconciler.wake()
  await eventually(async () => (await bind(password)) !== 0, 'the former one is gone')
  await slapd.accept()
  time = 400_000
  await eventually(async () => (await bind(other)) === 0, 'the new one follows')
})

t.test('which password is kept, by the state that both sides last agreed on', async (t) => {
  const digest = passwordDigest(Buffer.alloc(32))
  const ours = '{ARGON2}$argon2id$ours'
  const theirs = '{SSHA}MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
  const termsWith = (proof: Partial<SchemeProof>): PasswordTerms => ({
    of: () => ({ verdict: 'proved', shown: true, reason: statements.not_asked_yet(), ...proof }),
    shown: true,
    digest,
    adopts: true,
    adoptsClear: true,
  })
  const sides: PasswordSides = {
    ...{ wanted: ours, lacks: null },
    enabled: true,
    changed: false,
    present: [ours],
    settled: `held ${digest(ours)}`,
    ids: { record: 'present', settled: 'present' },
  }
  const merge = (more: Partial<PasswordSides>, proof: Partial<SchemeProof> = {}) =>
    mergePassword({ ...sides, ...more }, termsWith(proof))
  t.match(merge({}), { values: null, adopt: null, note: null })
  t.match(merge({ present: [theirs] }), { values: null, adopt: theirs })
  const changed = { wanted: '{ARGON2}new', ids: { record: 'new', settled: 'present' } }
  t.match(merge({ ...changed, present: [theirs] }), { values: ['{ARGON2}new'], adopt: null }, 'both changed')
  const renewed = { wanted: '{ARGON2}another hash' }
  t.match(merge({ ...renewed, present: [theirs] }), { values: null, adopt: theirs }, 'it was not changed here')
  t.match(merge(renewed), { values: [renewed.wanted], isRenewal: true, passwordId: 'present' })
  t.match(merge(changed), { values: [changed.wanted], isRenewal: false, passwordId: 'new' })
  t.match(merge({ ...renewed, present: [theirs, ours] }), { isRenewal: false })
  t.match(merge({ ...renewed, present: [] }, { shown: false }), { values: [renewed.wanted], isRenewal: true })
  const untested = { shown: false, verdict: 'unknown' } as const
  t.match(
    merge({ ...changed, present: [] }, untested),
    { values: { length: 0 }, settled: `withheld ${digest(changed.wanted)}`, passwordId: 'new', isRenewal: false },
    'the former one goes, also where none may follow',
  )
  const [old, now] = [digest(theirs), digest(changed.wanted)]
  for (const before of [sides.settled, `held ${old}`, `withheld ${old}`, `withheld ${now}`, passwordFound, null]) {
    const there = merge({ ...changed, changed: true, settled: before, present: [changed.wanted] }, untested)
    const known = { settled: `held ${now}`, passwordId: 'new', note: null, foreign: false, isUntested: false }
    t.match(there, { values: null, adopt: null, ...known }, `it has the new one; the ledger has ${before}`)
    // Nor is it a former one when it is changed there after that.
    const after = merge({ ...changed, ...there, ids: { record: 'new', settled: 'new' }, present: [theirs] }, untested)
    t.match(after, { values: null, adopt: null, settled: there.settled })
  }
  t.match(
    merge({ ...renewed, present: [] }, untested),
    { values: null, settled: sides.settled, passwordId: 'present', isUntested: true },
    'another hash of the same one waits',
  )
  t.match(merge({ settled: null, present: [] }, untested), { values: null, settled: null, isUntested: true })
  t.match(
    merge({ ids: { record: 'restored', settled: 'present' }, present: [] }, untested),
    { values: null, settled: sides.settled, passwordId: 'restored', note: null, isUntested: false },
    'the same hash under another id',
  )
  t.match(merge({ present: ['{SSHA}old'], settled: `held ${digest('{SSHA}old')}` }), { values: [ours], adopt: null })
  t.match(merge({ present: [] }), { values: [ours], adopt: null }, 'taken away there')
  t.match(
    merge({ present: [theirs], enabled: false }),
    { values: { length: 0 }, adopt: null, settled: null },
    'disabled',
  )
  t.match(mergePassword({ ...sides, settled: null, present: [theirs] }, termsWith({})), { values: [ours], adopt: null })
  const disproved = { verdict: 'disproved' } as const
  t.match(merge({}, disproved), {
    values: { length: 0 },
    note: { code: 'mirror.password_absent', text: /not asked yet/ },
  })
  t.match(
    merge({}, { ...disproved, shown: false }),
    { values: { length: 0 }, comparable: false },
    'hashed once more by the server',
  )
  const withheld = `withheld ${digest(ours)}`
  t.match(merge({ settled: withheld, present: [] }, disproved), { values: { length: 0 }, settled: withheld })
  t.match(merge({ settled: withheld, present: [theirs] }, disproved), { values: null, adopt: theirs })
  t.match(merge({ settled: withheld, present: [] }), { values: [ours], settled: `held ${digest(ours)}` }, 'now it can')
  const hidden = { shown: false }
  t.match(merge({ present: [] }, hidden), { values: null }, 'a hidden attribute is not written without need')
  t.match(merge({ present: [], wanted: '{ARGON2}new' }, hidden), { values: ['{ARGON2}new'], comparable: false })
  t.match(merge({}, { verdict: 'unknown', shown: false }), { values: null, settled: sides.settled, note: null })
  const none = { wanted: null, lacks: 'SSHA512' }
  const without = `withheld ${digest('')}`
  const unhashed = { code: 'mirror.password_unhashed', params: { scheme: '{SSHA512}' } }
  t.match(merge(none), { values: [], settled: without, note: unhashed }, 'no hash in the scheme of the directory')
  t.match(merge({ ...none, settled: without, present: [theirs] }), { values: [], adopt: null }, 'written by another')
  for (const proof of [hidden, { verdict: 'disproved', shown: false }, { verdict: 'unknown', shown: false }] as const) {
    t.match(merge(none, proof), { values: [], comparable: false, note: unhashed }, 'a former hash goes in any case')
    t.match(merge({ ...none, settled: null }, proof), { values: [], comparable: false })
    t.match(merge({ ...none, settled: without }, proof), { values: null, note: unhashed }, 'once')
    t.match(merge({ ...none, settled: without, changed: true }, proof), { values: [], comparable: false })
  }
  t.match(merge({ ...none, present: null }), { values: [], note: unhashed })
  t.match(merge({ ...none, enabled: false }, hidden), { values: [], comparable: false, note: null, settled: null })
  t.match(merge({ settled: without, present: [] }), { values: [ours], note: null }, 'then it has one')
  const further = { ...termsWith({}), adopts: false }
  for (const present of [[theirs], ['{CRYPT}x'], [ours, theirs]]) {
    t.match(
      mergePassword({ ...sides, present }, further),
      { values: [ours], adopt: null, foreign: false },
      'written again',
    )
  }
})

t.test('what stays in the directory without being known here is marked, whatever is said of it', async (t) => {
  const digest = passwordDigest(Buffer.alloc(32))
  const ours = '{ARGON2}$argon2id$ours'
  const theirs = '{SSHA}MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
  const ids = { record: null, settled: null }
  const held = { wanted: ours, lacks: null, enabled: true, changed: false, settled: `held ${digest(ours)}`, ids }
  const foreign = (
    sides: Partial<PasswordSides>,
    { adoptsClear = true, ...proof }: Partial<SchemeProof> & { adoptsClear?: boolean } = {},
  ) =>
    mergePassword(
      { ...held, present: [ours], ...sides },
      {
        of: () => ({ verdict: 'proved', shown: true, reason: statements.not_asked_yet(), ...proof }),
        ...{ shown: true, digest, adopts: true, adoptsClear },
      },
    ).foreign
  t.equal(foreign({}), false)
  t.equal(foreign({ present: [ours, theirs] }), true, 'a second one')
  t.equal(foreign({ present: ['{CRYPT}x'] }), true, 'a hash of another form')
  t.equal(foreign({ present: ['short'] }), true, 'one that cannot be set here')
  t.equal(foreign({ present: [first] }, { adoptsClear: false }), true, 'one in clear text that has to stay')
  t.equal(foreign({ present: [first] }), false, 'one that is taken over')
  t.equal(foreign({ present: [theirs] }), false)
  const another = { ids: { record: 'new', settled: null } }
  t.equal(foreign({ present: ['{CRYPT}x'], wanted: '{ARGON2}new', ...another }), false, 'one that is replaced')
  t.equal(foreign({ present: ['{CRYPT}x'], enabled: false }), false, 'one that is taken away')
  const withheld = { settled: `withheld ${digest(ours)}`, present: ['{CRYPT}x'] }
  t.equal(foreign(withheld, { verdict: 'disproved' }), true, 'also where it is said that ours is withheld')
  const adopted = { wanted: null, settled: passwordFound }
  t.equal(foreign({ ...adopted, present: ['{CRYPT}x'] }), false, 'the one that an adopted entry came with')
  t.equal(foreign({ ...adopted, present: ['{CRYPT}x', '{CRYPT}y'] }), true)
  t.equal(foreign({}, { shown: false }), null, 'what is not shown is not known')
  t.equal(foreign({ wanted: '{ARGON2}new' }, { shown: false }), false, 'unless it is written')
})

t.test('what is found in the directory is a password, a hash of one, or neither', async (t) => {
  for (const value of ['{SSHA}MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', '{ssha}MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz']) {
    t.equal(adoptable(value), 'hash', value)
  }
  t.equal(adoptable(first), 'clear')
  const locked = ['!{SSHA}MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', '{SSHA}!MDEyMzQ1', '*', '!', 'x', '*LOCKED*:seven-quiet']
  const unfit = [
    '',
    ' ',
    'short',
    'password1',
    'a'.repeat(129),
    'seven-quiet-\ufffd',
    'seven\nquiet-lanterns',
    '{}seven-quiet',
  ]
  const foreign = ['{CRYPT}$6$salt$hash', '{SASL}ada@example.org', '{CLEARTEXT}seven-quiet', '{SSHA}']
  const costly = ['{ARGON2}$argon2id$v=19$m=4194304,t=3,p=1$AAAA$AAAA', '{PBKDF2-SHA512}99999999$AAAA$AAAA']
  for (const value of [...locked, ...unfit, ...foreign, ...costly]) t.equal(adoptable(value), null, value)
})
