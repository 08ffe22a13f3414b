import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { touch } from '../../src/mirror/touch.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { type SlapdOptions, skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

// A directory that refuses a new password must not go on taking the former one. One that refuses another hash of the same
// password must.

const stepUp = (s: TestSteward, userId: number) =>
  s.db.execute(sql`update sessions set stepped_up_at = now() where user_id = ${userId} and ended_at is null`)

const [first, second] = ['seven-quiet-lanterns', 'eight-quiet-lanterns'] as const

const service = async (t: Test, slapd: TestSlapd, env: Record<string, string> = {}) => {
  const s = await steward(t, { directory: slapd, env: { DRIFT_INTERVAL: '1h', ...env } })
  await stepUp(s, 1)
  const maria = (await s.take('addUser', { body: person('maria', { password: first }) })).id
  const state = async () => (await s.take('listUsers', { query: { username: 'maria' } })).users[0]
  // The administrator too, who would be refused with them.
  const waiting = sql`select from directory_entries where version <> synced_version`
  await eventually(async () => (await s.db.execute(waiting)).length === 0, 'all are in the directory')
  return {
    ...s,
    maria,
    state,
    bind: async (password: string, base = slapd.baseDn, rdn = 'uid=maria,ou=people') =>
      (await ldapTools(slapd).as(`${rdn},${base}`, password, 'ldapwhoami', [])).code,
    /** An administrator resets the password of the person, who gets it. */
    reset: async (): Promise<string> =>
      (await s.take('resetUserPassword', { params: { id: maria }, body: { way: 'shown' } })).password ?? '',
    /** Signs the person in, who has a hash from elsewhere: it is renewed. */
    renew: async (): Promise<void> => {
      const hash = sql`select password_hash from users where id = ${maria}`
      const before = await s.db.execute(hash)
      await s.signIn('maria', first)
      t.notSame(await s.db.execute(hash), before)
    },
    again: () => s.take('syncSqlUsers', { body: { userIds: [maria] } }),
  }
}

const office = async (t: Test, options: SlapdOptions = {}, env: Record<string, string> = {}) => {
  const slapd = await testSlapd(t, options)
  return { slapd, ...(await service(t, slapd, env)) }
}

/** The user whose changes have to follow the policy. @returns the settings to write as it */
const addWriter = async (slapd: TestSlapd): Promise<Record<string, string>> => {
  const dn = `cn=steward,${slapd.baseDn}`
  const entry = `dn: ${dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: steward
userPassword: secret
`
  t.equal((await ldapTools(slapd).run('ldapadd', [], entry)).code, 0)
  return { LDAP_BIND_DN: dn, LDAP_BIND_PASSWORD: 'secret' }
}

/** As an import leaves it: a hash that another program has made, and that the next sign-in replaces. */
const hashedElsewhere = async ({ slapd, ...s }: Awaited<ReturnType<typeof office>>): Promise<void> => {
  const dn = `uid=maria,ou=people,${slapd.baseDn}`
  await ldapTools(slapd).run('ldappasswd', ['-s', first, dn])
  await s.again()
  await eventually(async () => {
    const [row] = await s.db.execute(sql`select from users where id = ${s.maria} and directory_password like '{SSHA}%'`)
    return row !== undefined
  }, 'the record adopts it')
  await becomesEqual(t, s, slapd)
}

t.test('a reset, and a change of their own, that it refuses', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria } = s
  // Every hash has one.
  await slapd.refuse('userPassword', '$')
  const reset = await s.reset()
  t.equal(await s.bind(first), 49)
  const said = /userPassword.*the former one was removed; set another one/
  await eventually(async () => (await s.state())?.syncState === 2, 'it is told')
  t.match(await s.state(), { syncError: said })
  await slapd.accept()
  await s.again()
  await becomesEqual(t, s, slapd)
  t.equal(await s.bind(reset), 0)
  // Also together with a value that is refused too, and again.
  await slapd.refuse('userPassword', '$')
  await slapd.refuse('title', '#')
  const { data } = await s.call('login', { body: { username: 'maria', password: reset, newPassword: second } })
  t.type(data.token, 'string')
  await eventually(async () => (await s.bind(reset)) === 49, 'the former password is gone')
  await s.ask('updateUser', { body: { ...person('maria', { position: '#1' }), id: maria } })
  await eventually(async () => /title/.test((await s.state())?.syncError ?? ''), 'it is told')
  for (const password of [first, reset, second]) t.equal(await s.bind(password), 49)
  await slapd.accept()
  await s.again()
  await becomesEqual(t, s, slapd)
  t.equal(await s.bind(second), 0)
})

t.test('another hash of the same password that it refuses', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd } = s
  await hashedElsewhere(s)
  await slapd.refuse('userPassword', '$')
  await s.renew()
  await eventually(async () => /userPassword/.test((await s.state())?.syncError ?? ''), 'it is told')
  t.notMatch(await s.state(), { syncError: /removed/ })
  t.equal(await s.bind(first), 0)
  // Nor later, when it is tried again.
  await s.again()
  t.equal(await s.bind(first), 0)
  await s.reset()
  t.equal(await s.bind(first), 49)
  // What is renewed now is the new one: the former does not come back.
  await s.db.execute(sql`
    update users set password_hash = password_hash || ' ', password_renews = password_hash where id = ${s.maria}`)
  await s.again()
  t.equal(await s.bind(first), 49)
})

t.test('another hash of a password that the previous release has written', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd } = s
  await hashedElsewhere(s)
  const [entry] = await s.db.execute<{ digest: string }>(
    sql`select password_digest as digest from directory_entries where record_id = ${s.maria} and kind = 'user'`,
  )
  // Before it wrote the password, the entry had another one. It does not know the column of its id.
  await s.db.execute(sql`
    update directory_entries set password_digest = 'held another', password_id = gen_random_uuid()
    where record_id = ${s.maria} and kind = 'user'`)
  await s.db.execute(sql`
    update directory_entries set synced_version = version, password_digest = ${entry?.digest}
    where record_id = ${s.maria} and kind = 'user'`)
  await slapd.refuse('userPassword', '$')
  await s.renew()
  await eventually(async () => /userPassword/.test((await s.state())?.syncError ?? ''), 'it is told')
  t.equal(await s.bind(first), 0, 'the entry keeps it')
})

t.test('a policy that takes no hashes any more', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { policy: true })
  const root = ldapTools(slapd)
  const quality = async (value: number) => {
    const change = `changetype: modify\nreplace: pwdCheckQuality\npwdCheckQuality: ${value}\n`
    t.equal((await root.run('ldapmodify', [], `dn: cn=policy,${slapd.baseDn}\n${change}`)).code, 0)
  }
  const policy = `dn: cn=policy,${slapd.baseDn}
objectClass: device
objectClass: pwdPolicy
cn: policy
pwdAttribute: userPassword
pwdCheckQuality: 0
pwdMinLength: 30
pwdInHistory: 5
`
  t.equal((await root.run('ldapadd', [], policy)).code, 0)
  const s = { slapd, ...(await service(t, slapd, await addWriter(slapd))) }
  await hashedElsewhere(s)
  await quality(2)
  await s.renew()
  await eventually(async () => (await s.state())?.syncState === 2, 'it is refused')
  t.equal(await s.bind(first), 0)
  const reset = await s.reset()
  await eventually(async () => (await s.bind(first)) === 49, 'the former password is gone')
  await eventually(async () => /removed/.test((await s.state())?.syncError ?? ''), 'it is told')
  await quality(0)
  await s.again()
  await eventually(async () => (await s.bind(reset)) === 0, 'the new one is there')
})

t.test('one of two directories, with a scheme of its own', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const names = ['main', 'further'] as const
  const [main, further] = names.map((name) => `ou=${name},${slapd.baseDn}`) as [string, string]
  for (const [at, dn] of [main, further].entries()) {
    const unit = `dn: ${dn}\nobjectClass: organizationalUnit\nou: ${names[at]}\n`
    t.equal((await ldapTools(slapd).run('ldapadd', [], unit)).code, 0)
  }
  const s = {
    slapd,
    ...(await service(t, slapd, {
      LDAP_BASE_DN: main,
      LDAP_2_URL: slapd.url,
      LDAP_2_BASE_DN: further,
      LDAP_2_BIND_DN: slapd.bindDn,
      LDAP_2_BIND_PASSWORD: slapd.bindPassword,
      LDAP_2_PASSWORD_SCHEME: 'ssha512',
    })),
  }
  await eventually(async () => (await s.bind(first, further)) === 0, 'both have the password')
  // The braces of its scheme are in none of the others.
  await slapd.refuse('userPassword', '5')
  const reset = await s.reset()
  await eventually(async () => (await s.bind(first, further)) === 49, 'the former password is gone')
  t.equal(await s.bind(first, main), 49)
  const refused = async () => (await s.take('listDirectories')).directories[1]?.refused
  await eventually(async () => (await refused()) === 1, 'it is told')
  await slapd.accept()
  await s.again()
  await eventually(async () => (await s.bind(reset, further)) === 0, 'the new one is there')
})

t.test('many at once, with and without transactions', { skip: skipWithoutSlapd }, async (t) => {
  for (const transactions of ['on', 'off']) {
    const s = await office(t, {}, { LDAP_TRANSACTIONS: transactions })
    const { slapd } = s
    const ids = [s.maria]
    for (let at = 0; at < 119; at++)
      ids.push((await s.take('addUser', { body: person(`p${at}`, { password: first }) })).id)
    await becomesEqual(t, s, slapd)
    await slapd.refuse('userPassword', '$')
    await s.db.transaction(async (tx) => {
      await tx.execute(
        sql`update users set password_hash = (select password_hash from users where id = 1) where id > 1`,
      )
      await touch(tx, 'user', ids, { withdraws: true })
    })
    s.mirror.reconciler.wake()
    const withOne = () => slapd.ldapsearch('-b', `ou=people,${slapd.baseDn}`, '(userPassword=*)', 'uid')
    await eventually(async () => !/uid: (p\d|maria)/.test(await withOne()), 'no former password is left', 60_000)
    await s.close()
  }
})

t.test('together with a name that it refuses too, and an NT hash', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t, { ntHash: true }, { LDAP_NT_HASH: 'on' })
  const { slapd, maria } = s
  const at = `uid=maria,ou=people,${slapd.baseDn}`
  const ntHash = async () => /stewardNtHash: (\w+)/.exec(await slapd.ldapsearch('-b', at, 'stewardNtHash'))?.[1]
  const before = await ntHash()
  t.type(before, 'string')
  await slapd.refuse('userPassword', '$')
  await slapd.refuse('uid', '~')
  await slapd.refuse('stewardNtHash', '0-9A-F')
  await s.db.transaction(async (tx) => {
    await tx.execute(sql`
      update users set username = '~', username_key = '~', password_hash = (select password_hash from users where id = 1)
      where id = ${maria}`)
    await touch(tx, 'user', [maria], { withdraws: true })
  })
  s.mirror.reconciler.wake()
  await eventually(async () => (await s.bind(first)) === 49, 'the former password is gone')
  await eventually(async () => (await ntHash()) === undefined, 'and its hash')
})

t.test('a former password that it does not let go is told of', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { policy: true })
  const s = await service(t, slapd, await addWriter(slapd))
  await slapd.keepPasswords()
  await s.reset()
  await eventually(async () => /former password goes on/.test((await s.state())?.syncError ?? ''), 'it is told')
  t.equal(await s.bind(first), 0)
})

t.test('a restored one, where the previous release has written a later one', { skip: skipWithoutSlapd }, async (t) => {
  for (const had of ['an id', 'none']) {
    const s = await office(t)
    const { slapd, maria } = s
    if (had === 'none') {
      await s.db.execute(sql`update users set password_id = null`)
      await s.db.execute(sql`update directory_entries set password_id = null`)
    }
    const [before] = await s.db.execute<{ id: string | null }>(
      sql`select password_id as id from users where id = ${maria}`,
    )
    const backup = await s.take('createBackup', { body: { type: 'manual' } })
    const reset = await s.reset()
    t.equal(await s.bind(reset), 0)
    // It stores the digest of the later one, and leaves the id as it was.
    await s.db.execute(sql`
      update directory_entries set password_id = ${before?.id ?? null} where kind = 'user' and record_id = ${maria}`)
    await slapd.refuse('userPassword', '$')
    await s.ask('restoreBackup', { params: { id: backup.id } })
    await eventually(async () => (await s.bind(reset)) === 49, 'the later one is gone', 20_000)
    await s.close()
  }
})

t.test('another hash of the same password, restored', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria } = s
  const ids = sql`
    select u.password_id = e.password_id as same from users u join directory_entries e on e.kind = 'user' and e.record_id = u.id
    where u.id in (1, ${maria}) order by u.id`
  await hashedElsewhere(s)
  const backup = await s.take('createBackup', { body: { type: 'manual' } })
  await s.renew()
  await becomesEqual(t, s, slapd)
  // Every hash in a scheme has one.
  await slapd.refuse('userPassword', '{')
  await s.ask('restoreBackup', { params: { id: backup.id } })
  // The restore has ended the sessions.
  const stated = async () =>
    JSON.stringify(
      await s.db.execute(sql`select stated from directory_entries where kind = 'user' and record_id = ${maria}`),
    )
  await eventually(async () => /userPassword/.test(await stated()), 'it is told', 20_000)
  t.notMatch(await stated(), /taken_away/)
  t.equal(await s.bind(first), 0)
  t.strictSame([...(await s.db.execute(ids))], [{ same: true }, { same: true }])
})

t.test('people who are disabled, and enabled again', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria } = s
  const status = (value: 1 | 2) => s.ask('changeUserStatus', { body: { id: maria, status: value } })
  await slapd.refuse('userPassword', '$')
  await status(2)
  await eventually(async () => (await s.bind(first)) === 49, 'the password is gone')
  await status(1)
  await eventually(async () => (await s.state())?.syncState === 2, 'it is refused')
  await slapd.accept()
  await s.again()
  await becomesEqual(t, s, slapd)
  t.equal(await s.bind(first), 0)
})
