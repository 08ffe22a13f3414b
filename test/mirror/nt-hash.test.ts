import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Attribute, Change, Client } from 'ldapts'
import t, { type Test } from 'tap'
import { readBackup } from '../../src/backups/file/read.ts'
import { md4 } from '../../src/text/md4.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { adminPassword, steward, type TestSteward, type TestStewardOptions } from '../steward.ts'

// NT hashes (LDAP_NT_HASH): where they come from, and when they go.

t.test('MD4 is that of RFC 1320', async (t) => {
  const vectors: [string, string][] = [
    ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
    ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
    ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
    ['message digest', 'd9130a8164549fe818874806e1c7014b'],
    ['abcdefghijklmnopqrstuvwxyz', 'd79e1c308aa5bbcdeea8ed63df412da9'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', '043f8582f241db351ce627e153e7f0e4'],
    ['1234567890'.repeat(8), 'e33b4ddc9c38f2199c3e7b164fcc0536'],
  ]
  for (const [text, digest] of vectors) t.equal(md4(Buffer.from(text)).toString('hex'), digest, text)
  // Around the lengths at which a block more is needed.
  const sizes = [55, 56, 63, 64, 119, 120].map((size) => md4(Buffer.alloc(size, 120)).toString('hex'))
  t.equal(new Set(sizes).size, sizes.length)
})

const ntHashOf = (password: string): string => md4(Buffer.from(password, 'utf16le')).toString('hex').toUpperCase()

/** What the main directory shows of a person, as its administrator reads it. */
const shownBy = async (t: Test, s: TestSteward, slapd: TestSlapd | null) => {
  const { url = '', baseDn = '', bindDn = '' } = s.mirror.address ?? {}
  const kept = join(s.config.dataDir, 'secrets', 'directory-password')
  const password = slapd?.bindPassword ?? (await readFile(kept, 'utf8')).trim()
  const client = new Client({ url, timeout: 10_000 })
  t.teardown(() => client.unbind().catch(() => {}))
  await client.bind(bindDn, password)
  const entryOf = async (uid: string): Promise<Record<string, string[]>> => {
    const { searchEntries } = await client.search(baseDn, { filter: `(uid=${uid})`, attributes: ['*'] })
    return Object.fromEntries(
      Object.entries(searchEntries[0] ?? {}).map(([name, value]) => [name, [value].flat().map(String)]),
    )
  }
  return {
    client,
    baseDn,
    entryOf,
    hashOf: async (uid: string): Promise<string | null> => (await entryOf(uid)).stewardNtHash?.[0] ?? null,
  }
}

const isPending = async (s: TestSteward, userId: number): Promise<boolean> => {
  const [row] = await s.db.execute<{ pending: boolean }>(sql`
    select version <> synced_version as pending from directory_entries where kind = 'user' and record_id = ${userId}`)
  return row?.pending === true
}

type Directory = 'embedded' | 'slapd'

const open = async (t: Test, kind: Directory, options: TestStewardOptions = {}) => {
  const slapd = kind === 'slapd' ? await testSlapd(t, { ntHash: true }) : null
  const env = { LDAP_NT_HASH: 'on', ...options.env }
  const s = await steward(t, { ...options, ...(slapd && { directory: slapd }), env })
  return { s, slapd, ...(await shownBy(t, s, slapd)) }
}

const stored = async ({ db }: TestSteward): Promise<Record<string, string>> => {
  const rows = await db.execute<{ username: string; sealed: string }>(
    sql`select u.username, n.sealed from nt_hashes n join users u on u.id = n.user_id`,
  )
  return Object.fromEntries(rows.map(({ username, sealed }) => [username, sealed]))
}

for (const kind of ['embedded', 'slapd'] as const) {
  t.test(`${kind}: a hash follows the password`, { skip: kind === 'slapd' && skipWithoutSlapd }, async (t) => {
    const { s, hashOf, entryOf, client, baseDn } = await open(t, kind)
    const ann = await s.person('ann', { password: 'Füße: 王 🚀 at eight' })
    t.equal(await hashOf('ann'), ntHashOf('Füße: 王 🚀 at eight'))
    t.ok((await entryOf('ann')).objectClass?.includes('stewardNtAccount'))
    await eventually(async () => (await hashOf('admin')) === ntHashOf(adminPassword), 'a sign-in gives one')

    await t.test('it is changed, reset, and gone with the person', async (t) => {
      const next = 'soup of the day'
      await s.call('changeOwnPassword', {
        token: ann.token,
        body: { oldPassword: ann.password, newPassword: next },
      })
      t.equal(await hashOf('ann'), ntHashOf(next))
      const sealed = (await stored(s)).ann ?? ''
      t.notOk(sealed.includes(ntHashOf(next)) || Buffer.from(sealed, 'base64url').includes(ntHashOf(next)), 'sealed')

      await s.take('changeUserStatus', { body: { id: ann.id, status: 2 } })
      t.same(await hashOf('ann'), null)
      t.notMatch(JSON.stringify(await entryOf('ann')), /stewardNt/i, 'nor the class')
      t.notOk('ann' in (await stored(s)), 'nor in SQL')
      t.same(await s.db.execute(sql`select record_id from directory_entries where kept::text ilike '%steward%'`), [])
      await s.take('changeUserStatus', { body: { id: ann.id, status: 1 } })
      t.same(await hashOf('ann'), null, 'not before the person proves the password')
      await s.signIn('ann', next)
      await eventually(async () => (await hashOf('ann')) === ntHashOf(next), 'it comes back')

      await s.take('deleteUsers', { body: { userIds: [ann.id] } })
      t.same(await entryOf('ann'), {})
      t.notOk('ann' in (await stored(s)))
    })

    await t.test('a password that is not known in clear text takes it away', async (t) => {
      const bob = await s.person('bob')
      t.equal(await hashOf('bob'), ntHashOf(bob.password))
      const value = `{SSHA}${Buffer.concat([createHash('sha1').update('changed there').update('12345678').digest(), Buffer.from('12345678')]).toString('base64')}`
      const modification = (type: string, values: string[]) =>
        client.modify(`uid=bob,ou=people,${baseDn}`, [
          new Change({ operation: 'replace', modification: new Attribute({ type, values }) }),
        ])
      await modification('userPassword', [value])
      await s.mirror.reconciler.compareEverything()
      await eventually(async () => (await hashOf('bob')) === null, 'the adopted password has none')
      t.notOk('bob' in (await stored(s)))
      await s.signIn('bob', 'changed there')
      await eventually(async () => (await hashOf('bob')) === ntHashOf('changed there'), 'until the next sign-in')

      // A comparison leaves out what is still being written.
      await eventually(async () => !(await isPending(s, bob.id)), 'the ledger knows it')
      await modification('stewardNtHash', ['0'.repeat(32)])
      await s.mirror.reconciler.compareEverything()
      await eventually(
        async () => (await hashOf('bob')) === ntHashOf('changed there'),
        'a value of another program is replaced',
      )
      // Whatever statement changes the password.
      await s.db.execute(sql`update users set password_hash = '$argon2id$x' where username = 'bob'`)
      t.notOk('bob' in (await stored(s)))
    })

    await t.test('it is shown nowhere', async (t) => {
      const cid = await s.person('cid', { password: 'cid and the sea' })
      const secrets = [ntHashOf(cid.password), (await stored(s)).cid ?? '', 'F'.repeat(32)]
      const modification = new Attribute({ type: 'stewardNtHash', values: ['F'.repeat(32)] })
      await client.modify(`uid=cid,ou=people,${baseDn}`, [new Change({ operation: 'replace', modification })])
      const planned = await s.take('compareDirectory', { body: { kind: 'users', dryRun: true } })
      const plan = await s.take('listRunChanges', { params: { id: planned.runId } })
      t.match(
        plan.changes.find(({ name }) => name === 'cid'),
        { before: { stewardNtHash: '***' }, after: { stewardNtHash: '***' } },
      )
      const changes = await s.db.execute(sql`select * from run_changes`)
      const seen = [
        JSON.stringify(plan),
        JSON.stringify(changes),
        JSON.stringify(await s.db.execute(sql`select * from directory_entries`)),
        JSON.stringify(await s.take('getPerson', { params: { id: cid.id } })),
        JSON.stringify(await s.take('listUsers', { query: { username: 'cid' } })),
        s.logs.join('\n'),
      ].join('\n')
      for (const secret of secrets) t.notOk(seen.includes(secret))
    })
  })
}

for (const kind of ['embedded', 'slapd'] as const) {
  t.test(`${kind}: switched on and off`, { skip: kind === 'slapd' && skipWithoutSlapd }, async (t) => {
    const database = await testDatabase(t)
    const dataDir = await mkdtemp(join(tmpdir(), 'steward-nt-hash-'))
    t.teardown(() => rm(dataDir, { recursive: true, force: true }))
    const slapd = kind === 'slapd' ? await testSlapd(t, { ntHash: true }) : null
    const start = async (env: Record<string, string>) => {
      const s = await steward(t, { database, dataDir, ...(slapd && { directory: slapd }), env })
      return { s, ...(await shownBy(t, s, slapd)) }
    }
    const secret = 'a-first-secret-that-is-long-enough-1'
    const off = await start({ JWT_SECRET: secret })
    const ann = await off.s.person('ann')
    await off.s.person('bob')
    t.same(await off.hashOf('ann'), null)
    t.same(await stored(off.s), {}, 'nothing while it is off')
    await off.s.close()

    const on = await start({ JWT_SECRET: secret, LDAP_NT_HASH: 'on' })
    t.same(await on.hashOf('bob'), null)
    if (kind === 'embedded') {
      const bob = new Client({ url: on.s.mirror.address?.url ?? '' })
      await t.rejects(bob.bind(`uid=bob,ou=people,${on.baseDn}`, 'wrong'))
      await bob.bind(`uid=bob,ou=people,${on.baseDn}`, 'bob has a password')
      await bob.unbind()
      await eventually(async () => (await on.hashOf('bob')) === ntHashOf('bob has a password'), 'a bind gives one')
    }
    await on.s.signIn('ann', ann.password)
    await eventually(async () => (await on.hashOf('ann')) === ntHashOf(ann.password), 'a sign-in gives one')
    const before = await stored(on.s)
    await on.s.close()

    const next = 'another-secret-that-is-long-enough-2'
    const renewed = await start({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: secret, LDAP_NT_HASH: 'on' })
    await renewed.s.mirror.reconciler.compareEverything()
    t.equal(await renewed.hashOf('ann'), ntHashOf(ann.password), 'the former key opens it')
    await renewed.s.signIn('ann', ann.password)
    await eventually(async () => (await stored(renewed.s)).ann !== before.ann, 'it is sealed with the present key')
    await renewed.s.close()

    const gone = await start({ JWT_SECRET: next })
    await eventually(async () => (await gone.hashOf('ann')) === null, 'switched off, it goes without a sign-in')
    await eventually(async () => (await gone.hashOf('admin')) === null, 'for all')
    t.notMatch(JSON.stringify(await gone.entryOf('ann')), /stewardNt/i)
    t.same(await stored(gone.s), {})
    await gone.s.signIn('ann', ann.password)
    t.same(await stored(gone.s), {})
  })
}

t.test('a server without the class is refused at the start', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  await t.rejects(steward(t, { directory: slapd, env: { LDAP_NT_HASH: 'on' } }), {
    name: 'ConfigError',
    problems: [/^LDAP_NT_HASH: the directory's schema has no stewardNtHash .*docs\/schema\/nt-hash.ldif/],
  })
})

t.test('no backup has them, and a restore keeps those of unchanged passwords', async (t) => {
  const { s, hashOf } = await open(t, 'embedded')
  const [ann, bob, cid] = [await s.person('ann'), await s.person('bob'), await s.person('cid')]
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  const made = await s.take('createBackup', { body: { type: 'manual' } })
  const file = join(s.config.backupDir, made.path)
  const { manifest } = await readBackup({ file, secrets: [], allowUnencrypted: true })
  t.ok('users' in manifest.tables)
  t.notOk('nt_hashes' in manifest.tables)
  await s.call('changeOwnPassword', {
    token: ann.token,
    body: { oldPassword: ann.password, newPassword: 'a later one' },
  })
  t.equal(await hashOf('ann'), ntHashOf('a later one'))
  await s.db.execute(sql`delete from nt_hashes where user_id = ${cid.id}`)
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  await s.take('restoreBackup', { params: { id: made.id }, body: {} })
  await eventually(async () => (await hashOf('ann')) === null, 'that of the later password is gone')
  await eventually(async () => (await hashOf('cid')) === null, 'the backup has none')
  t.same(Object.keys(await stored(s)).sort(), ['admin', 'bob'])
  t.equal(await hashOf('bob'), ntHashOf(bob.password))
  await s.signIn('ann', ann.password)
  await eventually(async () => (await hashOf('ann')) === ntHashOf(ann.password), 'the restored password gets its own')
})
