import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { type NsSlapdOptions, skipWithoutNsSlapd, type TestNsSlapd, testNsSlapd } from '../ns-slapd.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'
import { compared, nothing, officeWith } from './other-servers.ts'

// 389 Directory Server as the directory, and as a source.

const password = 'soup of the day'
const skip = skipWithoutNsSlapd || skipWithoutSlapd

const settingsOf = (server: TestNsSlapd): Record<string, string> => ({
  LDAP_URL: server.url,
  LDAP_BASE_DN: server.baseDn,
  LDAP_BIND_DN: server.bindDn,
  LDAP_BIND_PASSWORD: server.bindPassword,
  LDAP_TIMEOUT: '20s',
})

/** Waits until every record is in the directory, but for so many that it refuses. */
const caughtUp = (s: TestSteward, refused = 0): Promise<true> =>
  eventually(async () => {
    const [row] = await s.db.execute<{ waiting: string; refused: string }>(sql`
      select count(*) filter (where next_at is not null) as waiting, count(*) filter (where next_at is null) as refused
      from directory_entries where version <> synced_version`)
    return row?.waiting === '0' && row.refused === String(refused)
  }, 'the directory has everything')

const office = async (t: Test, env: Record<string, string>, options: NsSlapdOptions = {}) => {
  const server = await testNsSlapd(t, options)
  const s = await officeWith(t, server, { env: { ...settingsOf(server), ...env }, password })
  const { tools } = s
  return {
    ...s,
    /** The result of a bind: 0, or 49. */
    bind: async (rdn: string, secret = password) =>
      (await tools.as(`${rdn},${server.baseDn}`, secret, 'ldapwhoami', [])).code,
    /** Sorted values of an attribute. */
    values: async (rdn: string, attribute: string): Promise<string[]> => {
      const { stdout } = await tools.search('-b', `${rdn},${server.baseDn}`, '-s', 'base', '(objectClass=*)', attribute)
      return [...stdout.matchAll(new RegExp(`^${attribute}: (.*)$`, 'gm'))].map(([, value = '']) => value).sort()
    },
  }
}

t.test('389 Directory Server as the directory', { skip, timeout: 240_000 }, async (t) => {
  const s = await office(t, { LDAP_PASSWORD_SCHEME: 'pbkdf2-sha512', LDAP_MEMBER_OF: 'on', POSIX_ACCOUNTS: 'all' })
  const { server, tools } = s
  const company = await s.addGroup('Company', 'ou')
  const team = await s.addGroup('Team', 'cn', company)
  const ann = await s.addUser('ann', [team])
  const bob = await s.addUser('bob', [team])

  await t.test('people sign in with their passwords, and not with the text of a hash', async (t) => {
    await caughtUp(s)
    t.equal(await s.bind('uid=ann,ou=people'), 0)
    t.equal(await s.bind('uid=ann,ou=people', 'soup of yesterday'), 49)
    const { stdout } = await tools.search('-b', server.baseDn, '(uid=ann)', 'userPassword', 'entryUUID')
    const value = Buffer.from(/^userPassword:: (.*)$/m.exec(stdout)?.[1] ?? '', 'base64').toString()
    t.match(value, /^\{PBKDF2-SHA512\}/)
    t.equal(await s.bind('uid=ann,ou=people', value), 49)
    const [row] = await s.db.execute<{ id: string }>(sql`
      select entry_uuid as id from directory_entries where kind = 'user' and record_id = ${ann}`)
    t.equal(row?.id, /^entryUUID: (.*)$/m.exec(stdout)?.[1], 'an entry is recognized by its entryUUID')
  })

  await t.test('groups, memberOf and POSIX accounts', async (t) => {
    t.strictSame(await s.values('cn=Team,ou=Company', 'member'), [
      `uid=ann,ou=people,${server.baseDn}`,
      `uid=bob,ou=people,${server.baseDn}`,
    ])
    t.strictSame(await s.values('uid=ann,ou=people', 'memberOf'), [`cn=Team,ou=Company,${server.baseDn}`])
    t.match(await s.values('uid=ann,ou=people', 'uidNumber'), [/^\d+$/])
    t.match(await s.values('cn=Team,ou=Company', 'gidNumber'), [/^\d+$/])
  })

  await t.test('names that it writes in another way are no differences', async (t) => {
    for (const name of ['spa  ce', 'a,b+c="d"', 'x#y', '<tag>', "o'neill"]) await s.addUser(name, [team])
    await caughtUp(s)
    await compared(s)
    t.strictSame(await compared(s), nothing)
    for (const rdn of ['uid=spa ce', 'uid=x#y', 'uid=\\3Ctag\\3E']) t.equal(await s.bind(`${rdn},ou=people`), 0, rdn)
  })

  await t.test('a change of the tree, and of a person, arrives', async (t) => {
    await s.take('updateGroup', { body: { id: company, groupName: 'Firm & Sons' } })
    await s.take('updateUser', { body: { ...person('anna', { departmentId: [team] }), id: ann } })
    await s.take('changeUserStatus', { body: { id: bob, status: 2 } })
    await caughtUp(s)
    t.strictSame(
      (await s.values('cn=Team,ou=Firm & Sons', 'member')).filter((dn) => /^uid=(ann|bob)/.test(dn)),
      [`uid=anna,ou=people,${server.baseDn}`],
    )
    t.strictSame(await s.values('uid=anna,ou=people', 'memberOf'), [`cn=Team,ou=Firm & Sons,${server.baseDn}`])
    t.equal(await s.bind('uid=anna,ou=people'), 0)
    t.equal(await s.bind('uid=bob,ou=disabled'), 49, 'a disabled person cannot sign in')
    await s.take('changeUserStatus', { body: { id: bob, status: 1 } })
    await caughtUp(s)
    t.equal(await s.bind('uid=bob,ou=people'), 0)
  })

  await t.test('what others change is put back, and what they add stays', async (t) => {
    const anna = `uid=anna,ou=people,${server.baseDn}`
    const change = (...lines: string[]) => tools.run('ldapmodify', [], `${lines.join('\n')}\n`)
    await change(
      `dn: ${anna}`,
      'changetype: modify',
      'replace: sn',
      'sn: Wrong',
      '-',
      'add: carLicense',
      'carLicense: B 1',
    )
    await tools.run('ldapdelete', [`uid=bob,ou=people,${server.baseDn}`])
    // A name with two spaces is moved once more after each change of its record; then the server's spelling is accepted.
    t.match(await compared(s), { added: 1, updated: 1, failed: 0 })
    t.strictSame(await s.values('uid=anna,ou=people', 'sn'), ['anna'])
    t.strictSame(await s.values('uid=anna,ou=people', 'carLicense'), ['B 1'])
    t.equal(await s.bind('uid=bob,ou=people'), 0)
    t.strictSame(await compared(s), nothing)
  })

  await t.test('a name that its 7-bit check refuses is said, and goes in without the check', async (t) => {
    const id = await s.addUser('王小明', [team])
    await caughtUp(s, 1)
    const found = (await s.take('listUsers', { query: { username: '王小明' } })).users[0]
    t.match(found, { syncState: 2, syncError: /constraintViolation \(19\): The value is not 7-bit clean/ })
    const plugin = 'dn: cn=7-bit check,cn=plugins,cn=config'
    await tools.run(
      'ldapmodify',
      [],
      `${plugin}\nchangetype: modify\nreplace: nsslapd-pluginEnabled\nnsslapd-pluginEnabled: off\n`,
    )
    await server.stop()
    await s.addUser('late', [team])
    await server.start()
    await s.take('retryPerson', { params: { id } })
    await caughtUp(s)
    t.equal(await s.bind('uid=王小明,ou=people'), 0)
    t.equal(await s.bind('uid=late,ou=people'), 0, 'who was added while it was away')
  })

  await t.test('a crash loses nothing', async (t) => {
    const names = Array.from({ length: 40 }, (_, n) => `w${n}`)
    const adding = names.map((name) => s.addUser(name, [team]))
    await adding[10]
    await server.stop('SIGKILL')
    await Promise.all(adding)
    await server.start()
    await caughtUp(s)
    await compared(s)
    t.strictSame(await compared(s), nothing)
    for (const name of ['w0', 'w39']) t.equal(await s.bind(`uid=${name},ou=people`), 0)
    await s.take('deleteUsers', { body: { userIds: [bob] } })
    await caughtUp(s)
    t.equal(await s.bind('uid=bob,ou=people'), 49)
  })
})

t.test('389 Directory Server with its memberOf plug-in', { skip, timeout: 120_000 }, async (t) => {
  const s = await office(t, { LDAP_PASSWORD_SCHEME: 'pbkdf2-sha512', LDAP_MEMBER_OF: 'on' }, { applications: true })
  const company = await s.addGroup('Company', 'ou')
  const team = await s.addGroup('Team', 'cn', company)
  const ann = await s.addUser('ann', [team])
  await caughtUp(s)
  const [directory] = await s.db.execute<{ written: string | null }>(sql`
    select member_of as written from directories where number = 1`)
  t.equal(directory?.written, null, 'Steward leaves the attribute alone')
  const memberOf = () => s.values('uid=ann,ou=people', 'memberOf')
  t.strictSame(await memberOf(), [`cn=Team,ou=Company,${s.server.baseDn}`])
  t.strictSame(await compared(s), nothing, 'what the plug-in writes is no difference, nor is its class')
  await s.take('updateGroup', { body: { id: company, groupName: 'Firm' } })
  await caughtUp(s)
  await eventually(async () => (await memberOf())[0] === `cn=Team,ou=Firm,${s.server.baseDn}`, 'it follows a move')
  await s.take('changeUserStatus', { body: { id: ann, status: 2 } })
  await caughtUp(s)
  t.strictSame(await s.values('uid=ann,ou=disabled', 'memberOf'), [])
  await s.take('changeUserStatus', { body: { id: ann, status: 1 } })
  await caughtUp(s)
  t.strictSame(await memberOf(), [`cn=Team,ou=Firm,${s.server.baseDn}`])
  await s.take('removeGroupUsers', { body: { groupId: team, userIds: [ann] } })
  await caughtUp(s)
  t.strictSame(await memberOf(), [])
  t.strictSame(await compared(s), nothing)
})

t.test('389 Directory Server over TLS, with an authority of its own', { skip, timeout: 120_000 }, async (t) => {
  const settings = (server: TestNsSlapd) => ({
    ...settingsOf(server),
    ...{ LDAP_CA_FILE: server.caFile ?? '', LDAP_PASSWORD_SCHEME: 'pbkdf2-sha512', DIRECTORY_WAIT: '1s' },
  })
  for (const what of ['LDAPS', 'StartTLS']) {
    const server = await testNsSlapd(t, { tls: true })
    const env = what === 'LDAPS' ? { LDAP_URL: server.ldapsUrl ?? '' } : { LDAP_STARTTLS: 'on' }
    const s = await officeWith(t, server, { env: { ...settings(server), ...env }, password })
    await s.addUser('ann', [])
    await caughtUp(s)
    const asAnn = (url: string, ...args: string[]) =>
      ldapTools({ ...server, url }).as(`uid=ann,ou=people,${server.baseDn}`, password, 'ldapwhoami', args)
    t.equal((await asAnn(server.ldapsUrl ?? '')).code, 0, `${what}: a person signs in over LDAPS`)
    t.equal((await asAnn(server.url, '-ZZ')).code, 0, 'and over StartTLS')
  }
  const server = await testNsSlapd(t, { tls: true })
  const { LDAP_CA_FILE: _, ...untrusting } = settings(server)
  const s = await officeWith(t, server, { env: { ...untrusting, LDAP_URL: server.ldapsUrl ?? '' }, password })
  await s.addUser('ann', [])
  const [user] = (await s.take('listUsers', { query: { username: 'ann' } })).users
  t.match(user?.syncError, /certificate/, 'without the authority nothing is sent')
  t.strictSame(await s.tools.names('(uid=ann)'), [])
})

t.test('389 Directory Server does not know argon2', { skip, timeout: 120_000 }, async (t) => {
  const s = await office(t, {})
  await s.addUser('ann', [])
  await eventually(() => s.logs.some((line) => line.includes('people cannot sign in to the directory')), 'it is logged')
  await eventually(async () => (await s.values('uid=ann,ou=people', 'sn')).length > 0, 'the entry is there')
  const { stdout } = await s.tools.search('-b', s.server.baseDn, '(uid=ann)', 'userPassword')
  t.notMatch(stdout, /userPassword/, 'no text of a hash that would be a password')
  const [user] = (await s.take('listUsers', { query: { username: 'ann' } })).users
  t.match(user, { syncState: 1, syncError: /^the password is not in the directory: .*LDAP_PASSWORD_SCHEME=ssha512/ })
})

t.test('389 Directory Server as a source', { skip, timeout: 240_000 }, async (t) => {
  const source = await testNsSlapd(t)
  const tools = ldapTools(source)
  const base = source.baseDn
  const entry = (dn: string, ...lines: string[]): string => `dn: ${dn},${base}\n${lines.join('\n')}\n`
  const people = Array.from({ length: 30 }, (_, n) => `p${n}`)
  const added = await tools.run(
    'ldapadd',
    [],
    [
      entry('ou=Sales', 'objectClass: organizationalUnit', 'ou: Sales'),
      ...people.map((uid) =>
        entry(
          `uid=${uid},ou=Sales`,
          'objectClass: inetOrgPerson',
          `uid: ${uid}`,
          `cn: Name of ${uid}`,
          `sn: ${uid}`,
          `mail: ${uid}@example.org`,
        ),
      ),
      entry('cn=Club', 'objectClass: groupOfNames', 'cn: Club', `member: uid=p1,ou=Sales,${base}`),
    ].join('\n'),
  )
  t.equal(added.code, 0, added.stderr)
  const s = await steward(t, {
    directory: await testSlapd(t),
    env: {
      EXTLDAP_URL: source.url,
      EXTLDAP_BASE_DN: base,
      EXTLDAP_BIND_DN: source.bindDn,
      EXTLDAP_BIND_PASSWORD: source.bindPassword,
      SYNC_WAIT: '60s',
    },
  })
  t.match(await s.ask('syncExtLdapDepts'), { code: 0, data: { failed: 0 } })
  const names = (await s.take('listGroups', { query: { pageSize: 100 } })).groups.map(({ groupName }) => groupName)
  t.strictSame(names.sort(), ['Club', 'Sales', 'extldap'], 'those of the source are below one group')
  t.match(await s.ask('syncExtLdapUsers'), { code: 0, data: { added: people.length, failed: 0 } })
  const found = await s.take('listPeople', { query: { q: 'p1', limit: 50 } })
  t.match(
    found.people.find(({ username }) => username === 'p1'),
    { name: 'Name of p1', mail: 'p1@example.org' },
  )

  await tools.run('ldapmodrdn', ['-r', `uid=p2,ou=Sales,${base}`, 'uid=renamed'])
  await tools.run('ldapdelete', [`uid=p3,ou=Sales,${base}`])
  t.match(
    await s.ask('syncExtLdapUsers'),
    { code: 0, data: { added: 0, updated: 1, disabled: 1, failed: 0 } },
    'a renamed person stays the same one',
  )
  t.match(await s.ask('syncExtLdapUsers'), { code: 0, data: { added: 0, updated: 0, disabled: 0, failed: 0 } })
})
