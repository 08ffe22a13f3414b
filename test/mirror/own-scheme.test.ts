import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { readBackup } from '../../src/backups/file/read.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { mailed } from '../mail/mailed.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { hasModule } from '../slapd-installation.ts'
import { adminPassword, steward, type TestSteward, type TestStewardOptions } from '../steward.ts'

// A further directory with a scheme of its own (LDAP_2_PASSWORD_SCHEME): which passwords it accepts, and when none.

const settingsOf = (slapd: TestSlapd, scheme: string): Record<string, string> => ({
  LDAP_2_URL: slapd.url,
  LDAP_2_BASE_DN: slapd.baseDn,
  LDAP_2_BIND_DN: slapd.bindDn,
  LDAP_2_BIND_PASSWORD: slapd.bindPassword,
  LDAP_2_PASSWORD_SCHEME: scheme,
})

const ssha = (password: string): string => {
  const salt = Buffer.from('12345678')
  return `{SSHA}${Buffer.concat([createHash('sha1').update(password).update(salt).digest(), salt]).toString('base64')}`
}

/** What the second directory does with passwords. */
const secondOf = (slapd: TestSlapd) => {
  const tools = ldapTools(slapd)
  const dn = (uid: string): string => `uid=${uid},ou=people,${slapd.baseDn}`
  return {
    dn,
    tools,
    binds: async (uid: string, password: string): Promise<boolean> =>
      (await tools.as(dn(uid), password, 'ldapwhoami', [])).code === 0,
    hashIn: async (uid: string): Promise<string | null> => {
      const { stdout } = await tools.search('-b', slapd.baseDn, `(uid=${uid})`, 'userPassword')
      const [, value] = /^userPassword:: (.*)$/m.exec(stdout) ?? []
      return value === undefined ? null : Buffer.from(value, 'base64').toString()
    },
  }
}

const open = async (t: Test, scheme: string, options: TestStewardOptions = {}) => {
  const slapd = await testSlapd(t, { argon2: false })
  const s = await steward(t, { ...options, env: { ...settingsOf(slapd, scheme), ...options.env } })
  return { s, slapd, ...secondOf(slapd) }
}

/** The embedded main directory, as its administrator. */
const mainOf = async (s: TestSteward) => {
  const { url = '', baseDn = '', bindDn = '' } = s.mirror.address ?? {}
  const bindPassword = (await readFile(join(s.config.dataDir, 'secrets', 'directory-password'), 'utf8')).trim()
  const tools = ldapTools({ url, baseDn, bindDn, bindPassword })
  const dn = (uid: string): string => `uid=${uid},ou=people,${baseDn}`
  const write = async (uid: string, userPassword: string): Promise<void> => {
    const ldif = `dn: ${dn(uid)}\nchangetype: modify\nreplace: userPassword\nuserPassword: ${userPassword}\n`
    const { code, stderr } = await tools.run('ldapmodify', [], ldif)
    if (code !== 0) throw new Error(stderr)
    await s.mirror.reconciler.compareEverything()
  }
  return { tools, dn, write }
}

const stored = async ({ db }: Pick<TestSteward, 'db'>): Promise<Record<string, string>> => {
  const rows = await db.execute<{ username: string; scheme: string; sealed: string }>(
    sql`select u.username, n.scheme, n.sealed from scheme_hashes n join users u on u.id = n.user_id`,
  )
  return Object.fromEntries(rows.map(({ username, scheme, sealed }) => [`${username} ${scheme}`, sealed]))
}

const stepUp = ({ db }: TestSteward) => db.execute(sql`update sessions set stepped_up_at = now()`)

/** Waits until the second directory has all changes. */
const caughtUp = ({ db }: TestSteward): Promise<true> =>
  eventually(
    async () =>
      (await db.execute(sql`select from directory_entries where directory = 2 and version <> synced_version limit 1`))
        .length === 0,
    'the second directory has everything',
  )

const lacking = async (s: TestSteward): Promise<Record<string, string>> => {
  const { entries } = await s.take('listPendingEntries', { params: { directory: 2 }, query: { state: 'incomplete' } })
  return Object.fromEntries(entries.map(({ name, stated }) => [name ?? '', stated?.code ?? '']))
}

interface Way {
  /** Changes the password of this person. @returns the new one; null: one that they do not know */
  change: (person: { uid: string; id: number; password: string; token: string }) => Promise<string | null>
  /** Whether Steward has the new one in clear text, so that the directory has it at once. */
  known: boolean
}

t.test('every way to change a password', { skip: skipWithoutSlapd }, async (t) => {
  const env = { PUBLIC_URL: 'https://console.example.org', LOG_LEVEL: 'trace' }
  const { s, binds, hashIn } = await open(t, 'ssha512', { env })
  const main = await mainOf(s)
  const next = (uid: string): string => `${uid} has another one`
  const mailOf = async (uid: string, id: number): Promise<string> => {
    await s.db.execute(sql`update users set mail = ${`${uid}@example.org`} where id = ${id}`)
    return `${uid}@example.org`
  }
  const shownOf = async (id: number): Promise<string> => {
    await stepUp(s)
    const { people } = await s.take('resetUserPasswords', { body: { way: 'shown', ids: [id] } })
    return people[0]?.password ?? ''
  }
  const ways: Record<string, Way> = {
    own: {
      known: true,
      change: async ({ uid, token, password }) => {
        await s.call('changeOwnPassword', { token, body: { oldPassword: password, newPassword: next(uid) } })
        return next(uid)
      },
    },
    'by-admin': { known: true, change: ({ id }) => shownOf(id) },
    'after-admin': {
      known: true,
      change: async ({ uid, id }) => {
        const body = { username: uid, password: await shownOf(id), newPassword: next(uid) }
        t.equal((await s.call('login', { body })).code, 0)
        await caughtUp(s)
        t.notOk(await binds(uid, body.password), 'the one of the administrator does not stay')
        return next(uid)
      },
    },
    link: {
      known: true,
      change: async ({ uid, id, password }) => {
        const to = await mailOf(uid, id)
        await stepUp(s)
        await s.take('resetUserPasswords', { body: { way: 'link', ids: [id] } })
        await caughtUp(s)
        t.notOk(await binds(uid, password), 'from the reset on')
        const token = await mailed(s, to, /https:\/\/console\.example\.org\/console\/password#([\w-]{43})/)
        const headers = { 'x-steward-console': '1' }
        t.match(await s.call('setPasswordByLink', { headers, body: { token, newPassword: next(uid) } }), { code: 200 })
        return next(uid)
      },
    },
    mail: {
      known: true,
      change: async ({ uid, id }) => {
        const mail = await mailOf(uid, id)
        await s.call('sendCode', { body: { mail } })
        const code = await mailed(s, mail, /The code is (\d+)/)
        t.equal((await s.call('changePasswordByCode', { body: { mail, code, newPassword: next(uid) } })).code, 0)
        return next(uid)
      },
    },
    'ldap-own': {
      known: true,
      change: async ({ uid, password }) => {
        const { code } = await main.tools.as(main.dn(uid), password, 'ldappasswd', ['-s', next(uid)])
        t.equal(code, 0)
        return next(uid)
      },
    },
    'ldap-admin': {
      known: true,
      change: async ({ uid }) => {
        t.equal((await main.tools.run('ldappasswd', ['-s', next(uid), main.dn(uid)])).code, 0)
        return next(uid)
      },
    },
    'adopted-hash': {
      known: false,
      change: async ({ uid }) => {
        await main.write(uid, ssha(next(uid)))
        return next(uid)
      },
    },
    'adopted-clear': {
      known: true,
      change: async ({ uid }) => {
        await main.write(uid, next(uid))
        return next(uid)
      },
    },
    statement: {
      known: false,
      change: async ({ id }) => {
        const changes = [sql`password_hash = '$argon2id$x'`, sql`directory_password = '{SSHA}x'`, sql`status = 2`]
        for (const change of changes) {
          const left = await s.db
            .transaction(async (tx) => {
              await tx.execute(sql`update users set ${change} where id = ${id}`)
              const rows = await tx.execute(sql`select from scheme_hashes where user_id = ${id}`)
              throw new Error(`${rows.length} left`)
            })
            .catch(String)
          t.match(left, /0 left/, 'in the same transaction')
        }
        await s.db.execute(sql`update users set password_hash = '$argon2id$x' where id = ${id}`)
        await s.mirror.reconciler.compareEverything()
        await s.take('syncSqlUsers', { body: { userIds: [id] } })
        return null
      },
    },
    disabled: {
      known: false,
      change: async ({ id, password }) => {
        await s.take('changeUserStatus', { body: { id, status: 2 } })
        await caughtUp(s)
        t.notOk(await binds('disabled', password))
        t.same(await hashIn('disabled'), null)
        await s.take('changeUserStatus', { body: { id, status: 1 } })
        return password
      },
    },
    deleted: {
      known: false,
      change: async ({ id }) => {
        await s.take('deleteUsers', { body: { userIds: [id] } })
        return null
      },
    },
  }
  for (const [uid, { change, known }] of Object.entries(ways)) {
    await t.test(uid, async (t) => {
      const person = { uid, ...(await s.person(uid)) }
      await caughtUp(s)
      t.ok(await binds(uid, person.password))
      t.match(await hashIn(uid), /^\{SSHA512\}/)
      const before = (await stored(s))[`${uid} ssha512`] ?? ''
      t.ok(before)
      const now = await change(person)
      // What an instance would store that has made it before the change.
      t.not((await stored(s))[`${uid} ssha512`], before)
      if (now !== person.password) {
        await s.db.execute(sql`
          insert into scheme_hashes select id, 'ssha512', ${before} from users where username = ${uid} and status = 1
          on conflict do nothing`)
      }
      await s.take('compareDirectory', { body: { kind: 'users' } })
      await caughtUp(s)
      if (now !== person.password) t.notOk(await binds(uid, person.password), 'the former one')
      if (known) t.ok(await binds(uid, now ?? ''))
      else t.same(await hashIn(uid), null, 'none until it is known')
      t.equal((await lacking(s))[uid], known || uid === 'deleted' ? undefined : 'mirror.password_unhashed')
      if (known || now === null) return
      await s.signIn(uid, now)
      await eventually(() => binds(uid, now), 'the next sign-in gives it')
      t.notOk(await binds(uid, `${now}.`))
      await eventually(async () => !(uid in (await lacking(s))), 'nothing is lacking')
    })
  }

  t.test('it is shown nowhere', async (t) => {
    const cid = await s.person('cid', { password: 'cid and the sea' })
    await caughtUp(s)
    const value = (await hashIn('cid')) ?? ''
    const sealed = (await stored(s))['cid ssha512'] ?? ''
    t.notOk(sealed.includes(value) || Buffer.from(sealed, 'base64url').includes(value), 'sealed')
    await stepUp(s)
    const made = await s.take('createBackup', { body: { type: 'manual' } })
    const file = join(s.config.backupDir, made.path)
    const { manifest } = await readBackup({ file, secrets: [], allowUnencrypted: true })
    t.ok('users' in manifest.tables)
    t.notOk('scheme_hashes' in manifest.tables, 'in no backup')
    const planned = await s.take('compareDirectory', { body: { kind: 'users', dryRun: true } })
    const seen = [
      JSON.stringify(await s.take('listRunChanges', { params: { id: planned.runId } })),
      JSON.stringify(await s.take('getPerson', { params: { id: cid.id } })),
      JSON.stringify(await s.take('listUsers', { query: { username: 'cid' } })),
      JSON.stringify(await s.take('listLogEntries', { query: { limit: 50 } })),
      JSON.stringify(await s.db.execute(sql`select * from directory_entries`)),
      JSON.stringify(await s.db.execute(sql`select * from run_changes`)),
      s.logs.join('\n'),
    ].join('\n')
    for (const secret of [value, value.slice('{SSHA512}'.length), sealed]) t.notOk(seen.includes(secret))
  })

  t.test('one that is changed in the second directory is replaced', async (t) => {
    const dee = await s.person('dee')
    await caughtUp(s)
    const second = s.config.furtherDirectories[0]?.ldap
    const tools = ldapTools({ ...second, url: second?.url ?? '' } as TestSlapd)
    const dn = `uid=dee,ou=people,${second?.baseDn}`
    for (const without of [false, true]) {
      if (without) await s.db.execute(sql`delete from scheme_hashes where user_id = ${dee.id}`)
      t.equal((await tools.run('ldappasswd', ['-s', 'foreign to us', dn])).code, 0)
      t.ok(await binds('dee', 'foreign to us'))
      await s.take('compareDirectory', { body: { kind: 'users' } })
      await s.take('syncSqlUsers', { body: { userIds: [dee.id] } })
      await eventually(async () => !(await binds('dee', 'foreign to us')), 'it is gone')
      t.equal(await binds('dee', dee.password), !without, 'that of the record, or none')
    }
    t.ok(await s.signIn('dee', dee.password))
  })
})

t.test('a restore keeps the hashes of unchanged passwords alone', { skip: skipWithoutSlapd }, async (t) => {
  const { s, binds, hashIn } = await open(t, 'ssha512')
  const [ann, bob] = [await s.person('ann'), await s.person('bob')]
  await stepUp(s)
  const made = await s.take('createBackup', { body: { type: 'manual' } })
  const body = { oldPassword: ann.password, newPassword: 'a later one' }
  await s.call('changeOwnPassword', { token: ann.token, body })
  await caughtUp(s)
  t.ok(await binds('ann', 'a later one'))
  await stepUp(s)
  await s.take('restoreBackup', { params: { id: made.id }, body: {} })
  await caughtUp(s)
  t.same(await hashIn('ann'), null, 'neither the later one nor the restored one')
  t.ok(await binds('bob', bob.password))
  await s.signIn('ann', ann.password)
  await eventually(() => binds('ann', ann.password), 'the restored password')
  t.notOk(await binds('ann', 'a later one'))
})

const pairs = [
  ['argon2', 'ssha512', 'SSHA512'],
  ['ssha512', 'argon2', 'ARGON2'],
  ['ssha512', 'pbkdf2-sha512', 'PBKDF2-SHA512'],
  ['pbkdf2-sha512', 'ssha512', 'SSHA512'],
] as const
for (const [first, second, name] of pairs) {
  const skip =
    skipWithoutSlapd || ([first, second].includes('pbkdf2-sha512') && !hasModule('pw-pbkdf2') && 'without pw-pbkdf2')
  t.test(`two servers: ${first} and ${second}`, { skip }, async (t) => {
    const [main, further] = [await testSlapd(t), await testSlapd(t)]
    const env = { ...settingsOf(further, second), LDAP_PASSWORD_SCHEME: first }
    const s = await steward(t, { directory: main, env })
    const ann = await s.person('ann', { password: 'Füße: 王 🚀 at eight' })
    await caughtUp(s)
    t.ok((await secondOf(further).hashIn('ann'))?.startsWith(`{${name}}`))
    t.notOk((await secondOf(main).hashIn('ann'))?.startsWith(`{${name}}`))
    for (const slapd of [main, further]) {
      t.ok(await secondOf(slapd).binds('ann', ann.password))
      t.notOk(await secondOf(slapd).binds('ann', 'Füße: 王 🚀 at nine'))
    }
    t.same(
      s.logs.filter((line) => line.includes('cannot sign in')),
      [],
    )
  })
}

t.test('the setting is changed', { skip: skipWithoutSlapd }, async (t) => {
  const database = await testDatabase(t)
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-own-scheme-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const slapd = await testSlapd(t)
  const { binds, hashIn } = secondOf(slapd)
  const { LDAP_2_PASSWORD_SCHEME: _, ...without } = settingsOf(slapd, '')
  const secret = 'a-first-secret-that-is-long-enough-1'
  const start = async (env: Record<string, string>) => {
    const s = await steward(t, { database, dataDir, env: { JWT_SECRET: secret, ...without, ...env } })
    await caughtUp(s)
    return s
  }
  let s = await start({})
  const [ann, bob] = [await s.person('ann'), await s.person('bob')]
  await caughtUp(s)
  t.match(await hashIn('ann'), /^\{ARGON2\}/, 'without it, what the record holds')
  t.same(await stored(s), {})
  await s.close()

  s = await start({ LDAP_2_PASSWORD_SCHEME: 'ssha512' })
  t.same(await hashIn('ann'), null, 'no hash in another scheme stays')
  const unhashed = 'mirror.password_unhashed'
  await eventually(async () => !('admin' in (await lacking(s))), 'the administrator has signed in')
  t.same(await lacking(s), { ann: unhashed, bob: unhashed })
  const second = async () => (await s.take('listDirectories', {})).directories[1]
  await eventually(async () => (await second())?.waiting === 0, 'nothing waits')
  t.match(await second(), { directory: 2, refused: 0, incomplete: 2 })
  const main = await mainOf(s)
  t.equal((await main.tools.as(main.dn('bob'), bob.password, 'ldapwhoami', [])).code, 0)
  await eventually(() => binds('bob', bob.password), 'a bind to the embedded directory gives one')
  await s.signIn('ann', ann.password)
  await eventually(() => binds('ann', ann.password), 'a sign-in gives one')
  const before = await stored(s)
  await s.close()

  const renewed = { JWT_SECRET: 'another-secret-that-is-long-enough-2', LDAP_2_PASSWORD_SCHEME: 'ssha512' }
  s = await start({ ...renewed, JWT_SECRET_PREVIOUS: secret })
  t.ok(await binds('ann', ann.password), 'the former key opens it')
  await s.signIn('ann', ann.password)
  await eventually(
    async () => (await stored(s))['ann ssha512'] !== before['ann ssha512'],
    'sealed with the present key',
  )
  await s.close()

  s = await start({ ...renewed, LDAP_PASSWORD_SCHEME: 'ssha512' })
  t.ok(await binds('ann', ann.password), 'it stays when the main directory gets the same scheme')
  await s.signIn('ann', ann.password)
  await eventually(async () => !('ann ssha512' in (await stored(s))), 'then the record itself holds one')
  await caughtUp(s)
  t.ok(await binds('ann', ann.password))
  await s.close()

  s = await start({ ...renewed, LDAP_2_PASSWORD_SCHEME: 'argon2', LDAP_PASSWORD_SCHEME: 'ssha512' })
  t.same(await hashIn('ann'), null)
  t.same(Object.keys(await stored(s)), ['admin argon2'])
  await s.signIn('ann', ann.password)
  await eventually(() => binds('ann', ann.password), 'in the other scheme')
  t.match(await hashIn('ann'), /^\{ARGON2\}/)
  await s.close()

  s = await start({ JWT_SECRET: renewed.JWT_SECRET, LDAP_PASSWORD_SCHEME: 'ssha512' })
  t.match(await hashIn('ann'), /^\{SSHA512\}/, 'without it again what the record holds')
  t.same(await stored(s), {})
  t.ok(await binds('admin', adminPassword))
})

t.test('a server that cannot verify the scheme gets no hash in it', { skip: skipWithoutSlapd }, async (t) => {
  const { s, hashIn } = await open(t, 'argon2', { env: { LDAP_PASSWORD_SCHEME: 'ssha512' } })
  await s.person('ann')
  await caughtUp(s)
  t.same(await hashIn('ann'), null)
  const { entries } = await s.take('listPendingEntries', { params: { directory: 2 }, query: { state: 'incomplete' } })
  const entry = entries.find(({ name }) => name === 'ann')
  t.match(entry, { state: 'incomplete', waitingSince: null, nextTryAt: null })
  t.match(entry?.reason, /load its argon2 module, or set LDAP_2_PASSWORD_SCHEME=ssha512/)
  const { entries: others } = await s.take('listPendingEntries', { params: { directory: 2 } })
  t.same(others, [], 'it waits for nothing')
  t.match(s.logs.join('\n'), /people cannot sign in to the directory: .*LDAP_2_PASSWORD_SCHEME=ssha512/)
})

t.test('service accounts have hashes in it too', { skip: skipWithoutSlapd }, async (t) => {
  const database = await testDatabase(t)
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-own-scheme-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const slapd = await testSlapd(t, { argon2: false })
  const { LDAP_2_PASSWORD_SCHEME: _, ...without } = settingsOf(slapd, '')
  const tools = ldapTools(slapd)
  const binds = async (dn: string, password: string) => (await tools.as(dn, password, 'ldapwhoami', [])).code === 0
  const dnOf = (name: string) => `cn=${name},ou=service-accounts,${slapd.baseDn}`
  const problemOf = async ({ db }: TestSteward) =>
    (
      await db.execute<{ code: string }>(sql`select stated->>'code' as code from service_entries where directory = 2`)
    )[0]

  const before = await steward(t, { database, dataDir, env: without })
  await stepUp(before)
  const old = await before.take('createServiceAccount', { body: { name: 'old' } })
  await eventually(async () => (await problemOf(before))?.code === 'mirror.scheme_unverified', 'argon2 is of no use')
  await before.close()

  const s = await steward(t, { database, dataDir, env: settingsOf(slapd, 'ssha512') })
  await eventually(async () => (await problemOf(s))?.code === 'mirror.service_password_unhashed', 'nor is the old one')
  await stepUp(s)
  const { password } = await s.take('rotateServicePassword', { params: { id: old.id }, body: { keepOld: true } })
  await eventually(() => binds(dnOf('old'), password), 'a new password')
  t.notOk(await binds(dnOf('old'), old.password))
  const made = await s.take('createServiceAccount', { body: { name: 'new' } })
  await eventually(() => binds(dnOf('new'), made.password), 'a new account')
  const sealed = await s.db.execute<{ hashes: object }>(sql`select scheme_hashes as hashes from service_passwords`)
  t.notMatch(JSON.stringify([...sealed]), /SSHA512\}/)
  t.notMatch(JSON.stringify(await s.take('listServiceAccounts', {})), /SSHA512|sealed|schemeHashes/)
})
