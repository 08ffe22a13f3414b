import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { checkDirectory } from '../../src/commands/doctor/servers.ts'
import { parseConfig } from '../../src/config/config.ts'
import { sentDn } from '../../src/ldap/active-directory.ts'
import { escapeRdnValue } from '../../src/ldap/dn.ts'
import { touch, touchSelected } from '../../src/mirror/touch.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { skipWithoutSamba, type TestSamba, testSamba } from '../samba.ts'
import { steward } from '../steward.ts'
import { caughtUp, compared, controllerSettings, nothing, officeWith } from './other-servers.ts'

// Active Directory as the directory, and as a source, with the domain controller of Samba.

const password = 'Soup of the 9th day'
const skip = skipWithoutSamba

const office = async (t: Test, server: TestSamba, env: Record<string, string> = {}) => {
  const s = await officeWith(t, server, { env: { ...controllerSettings(server), ...env }, password })
  const { tools } = s
  const values = async (rdn: string, attribute: string): Promise<string[]> => {
    const { stdout } = await tools.search('-b', `${rdn},${server.baseDn}`, '-s', 'base', '(objectClass=*)', attribute)
    const found = [...stdout.matchAll(new RegExp(`^${attribute}(;[^:]*)?:(:?) (.*)$`, 'gm'))]
    return found
      .map(([, , coded, value = '']) => (coded === '' ? value : Buffer.from(value, 'base64').toString()))
      .sort()
  }
  return {
    ...s,
    values,
    /** Whether the account signs in there with this password. */
    bind: async (rdn: string, secret = password) =>
      (await tools.as(sentDn(`${rdn},${server.baseDn}`), secret, 'ldapsearch', ['-b', '', '-s', 'base', '1.1'])).code,
    isDisabled: async (rdn: string) => (Number((await values(rdn, 'userAccountControl'))[0]) & 2) !== 0,
    state: async (username: string) => {
      const { users } = await s.take('listUsers', { query: { username, pageSize: 100 } })
      const user = users.find((each) => each.username === username)
      return { syncState: user?.syncState, syncError: user?.syncError, dn: user?.userDn }
    },
  }
}

t.test('Active Directory as the directory', { skip, timeout: 400_000 }, async (t) => {
  const server = await testSamba(t)
  const s = await office(t, server, { LDAP_NESTED_GROUPS: 'members' })
  const { tools } = s
  const company = await s.addGroup('Company', 'ou')
  const team = await s.addGroup('Team', 'cn', company)
  const ann = await s.addUser('ann', [team])
  const bob = (
    await s.take('addUser', { body: person('bob', { departmentId: [team], password, mail: 'bob@example.org' }) })
  ).id

  await t.test('people are accounts that sign in with the passwords of their records', async (t) => {
    await caughtUp(s)
    t.equal(await s.bind('cn=ann,ou=people'), 0)
    t.equal(await s.bind('cn=ann,ou=people', 'Soup of the 8th day'), 49)
    t.strictSame(await s.values('cn=ann,ou=people', 'sAMAccountName'), ['ann'])
    t.strictSame(await s.values('cn=ann,ou=people', 'userPrincipalName'), ['ann@example.org'])
    t.strictSame(await s.values('cn=ann,ou=people', 'userAccountControl'), ['512'])
    t.match(await s.state('ann'), { syncState: 1, syncError: '' })
    t.strictSame(
      (await s.values('cn=Team,ou=groups', 'member')).map((dn) => dn.toLowerCase()),
      ['ann', 'bob'].map((name) => `cn=${name},ou=people,${server.baseDn}`.toLowerCase()),
    )
    t.strictSame(await compared(s), nothing)
  })
  await t.test('names of all kinds', async (t) => {
    const names = [
      'a,b+c="d"',
      '<tag>',
      'x#y',
      '王小明',
      'sp ace',
      'a@b',
      "o'neill",
      '12345',
      'ends.with.dot.',
      '🚀rocket',
    ]
    const long = 'someone-with-a-long-name-that-fits-nowhere'
    for (const name of [...names, long]) await s.addUser(name, [team])
    await caughtUp(s)
    t.strictSame(await compared(s), nothing)
    for (const name of names) t.equal(await s.bind(`cn=${escapeRdnValue(name)},ou=people`), 0, name)
    const [account = ''] = await s.values(`cn=${long},ou=people`, 'sAMAccountName')
    t.match(account, /^someone-wit-[0-9a-f]{8}$/)
    t.equal(account.length, 20)
    t.strictSame(await s.values(`cn=${long},ou=people`, 'userPrincipalName'), [`${long}@example.org`])
    t.strictSame(await s.values('cn=a@b,ou=people', 'userPrincipalName'), ['a-b@example.org'])
    const tooLong = await s.addGroup('n'.repeat(65), 'cn')
    await caughtUp(s, 1)
    const [group] = (await s.take('listGroups', { query: { groupName: 'n'.repeat(65) } })).groups
    t.match(group, { syncState: 2, syncError: /\((19|21)\): .*'cn'/ })
    await s.take('deleteGroups', { body: { groupIds: [tooLong] } })
    await caughtUp(s)
  })

  await t.test('a person who is renamed, disabled and enabled', async (t) => {
    await s.take('updateUser', { body: { ...person('anna', { departmentId: [team] }), id: ann } })
    await s.take('changeUserStatus', { body: { id: bob, status: 2 } })
    await caughtUp(s)
    t.strictSame(await s.values('cn=anna,ou=people', 'sAMAccountName'), ['anna'])
    t.equal(await s.bind('cn=anna,ou=people'), 0)
    t.ok(await s.isDisabled('cn=bob,ou=disabled'))
    t.equal(await s.bind('cn=bob,ou=disabled'), 49)
    t.notMatch((await s.values('cn=Team,ou=groups', 'member')).join(' '), /cn=bob/i)
    t.strictSame(await s.values('cn=bob,ou=disabled', 'mail'), [])
    await s.take('changeUserStatus', { body: { id: bob, status: 1 } })
    await caughtUp(s)
    t.equal(await s.bind('cn=bob,ou=people'), 0, 'with the password that the account had')
    t.match(await s.values('cn=bob,ou=people', 'mail'), [/bob/])
  })

  await t.test('two people who change their names while it is away', async (t) => {
    await server.stop()
    const named = (id: number, name: string) =>
      s.db.execute(sql`update users set username = ${name}, username_key = ${name} where id = ${id}`)
    await s.db.transaction(async (tx) => {
      for (const [id, name] of [
        [ann, 'x'],
        [bob, 'anna'],
        [ann, 'bob'],
      ] as const)
        await tx.execute(sql`update users set username = ${name}, username_key = ${name} where id = ${id}`)
      await touch(tx, 'user', [ann, bob])
    })
    await server.start()
    await caughtUp(s)
    t.strictSame(await s.values('cn=bob,ou=people', 'sAMAccountName'), ['bob'])
    t.match((await s.state('bob')).dn, /^cn=bob,/)
    t.strictSame(await s.values('cn=anna,ou=people', 'userPrincipalName'), ['anna@example.org'])
    await named(ann, 'x')
    await named(bob, 'bob')
    await named(ann, 'anna')
    await s.db.transaction((tx) => touch(tx, 'user', [ann, bob]))
    s.mirror.reconciler.wake()
    await caughtUp(s)
    t.strictSame(await compared(s), nothing)
  })

  await t.test('a person and a group that exchange their names', async (t) => {
    const cook = await s.addUser('cook', [])
    const chef = await s.addGroup('chef', 'cn')
    await caughtUp(s)
    await s.db.transaction(async (tx) => {
      await tx.execute(sql`update users set username = 'chef', username_key = 'chef' where id = ${cook}`)
      await tx.execute(sql`update groups set group_name = 'cook', group_name_key = 'cook' where id = ${chef}`)
      await touch(tx, 'user', [cook])
      await touch(tx, 'group', [chef])
    })
    s.mirror.reconciler.wake()
    await caughtUp(s)
    t.strictSame(await s.values('cn=chef,ou=people', 'sAMAccountName'), ['chef'])
    t.strictSame(await s.values('cn=chef,ou=people', 'userPrincipalName'), ['chef@example.org'])
    t.strictSame(await s.values('cn=cook,ou=groups', 'sAMAccountName'), ['cook'])
    await s.take('deleteUsers', { body: { userIds: [cook] } })
    await s.take('deleteGroups', { body: { groupIds: [chef] } })
    await caughtUp(s)
  })

  await t.test('a name that another account has delays no password', async (t) => {
    const [known, unknown] = [await s.addUser('lea', []), await s.addUser('leo', [])]
    await caughtUp(s)
    const rename = (id: number, to: string) => s.ask('updateUser', { body: { ...person(to, {}), id } })
    await rename(known, 'krbtgt')
    await rename(unknown, 'guest')
    const token = await s.signIn('krbtgt', password)
    const other = 'Soup of the 11th day'
    await s.call('changeOwnPassword', { token, body: { oldPassword: password, newPassword: other } })
    await s.db.execute(sql`update users set password_hash = ${await hash('not known here')} where id = ${unknown}`)
    await touch(s.db, 'user', [unknown])
    s.mirror.reconciler.wake()
    await eventually(async () => (await s.bind('cn=krbtgt,ou=people', other)) === 0, 'the password is there')
    t.equal(await s.bind('cn=krbtgt,ou=people'), 49, 'the former one does not work any more')
    await eventually(() => s.isDisabled('cn=guest,ou=people'), 'the account is disabled')
    t.match(await s.state('krbtgt'), { syncState: 2, syncError: /has the name krbtgt/ })
    t.strictSame(await s.values('cn=krbtgt,ou=people', 'sAMAccountName'), ['lea'])
    await rename(known, 'lea')
    await s.take('deleteUsers', { body: { userIds: [unknown] } })
    await caughtUp(s)
    t.equal(await s.bind('cn=lea,ou=people', other), 0)
    t.strictSame(await compared(s), nothing)
    await s.take('deleteUsers', { body: { userIds: [known] } })
    await caughtUp(s)
  })

  await t.test('groups list the people of the groups below them, and may be empty', async (t) => {
    const bakery = await s.addGroup('Bakery', 'cn', team)
    const empty = await s.addGroup('R&D, "Core" #1', 'cn')
    const baker = await s.addUser('baker', [bakery])
    await caughtUp(s)
    const team1 = (await s.values('cn=Team,ou=groups', 'member')).join('\n')
    t.match(team1, /cn=baker,ou=people/i)
    t.strictSame(await s.values('cn=Bakery,ou=groups', 'groupType'), ['-2147483646'], 'a global security group')
    t.strictSame(await s.values('cn=R&D\\2c \\"Core\\" #1,ou=groups', 'member'), [])
    t.match(await s.values('cn=R&D\\2c \\"Core\\" #1,ou=groups', 'sAMAccountName'), [/^R&D Core #1-[0-9a-f]{8}$/])
    t.equal((await s.values('cn=baker,ou=people', 'memberOf')).length, 2, 'memberOf is that of the server')
    await s.take('deleteUsers', { body: { userIds: [baker] } })
    await s.take('deleteGroups', { body: { groupIds: [empty, bakery] } })
    await caughtUp(s)
    t.strictSame(await s.values('cn=baker,ou=people', 'cn'), [])
    t.strictSame(await compared(s), nothing)
  })

  await t.test('a password that is changed, and one that the policy of the directory refuses', async (t) => {
    const token = await s.signIn('bob', password)
    const other = 'Soup of the 10th day'
    await s.call('changeOwnPassword', { token, body: { oldPassword: password, newPassword: other } })
    await caughtUp(s)
    t.equal(await s.bind('cn=bob,ou=people', other), 0)
    t.equal(await s.bind('cn=bob,ou=people'), 49)

    const plain = 'all in small letters'
    const again = await s.signIn('bob', other)
    t.match(await s.call('changeOwnPassword', { token: again, body: { oldPassword: other, newPassword: plain } }), {
      code: 0,
    })
    await caughtUp(s)
    t.match(await s.state('bob'), {
      syncState: 1,
      syncError: /refused the password, so the account is disabled there: .*complexity/,
    })
    t.ok(await s.isDisabled('cn=bob,ou=people'))
    for (const each of [plain, other, password]) t.equal(await s.bind('cn=bob,ou=people', each), 49, 'none works')
    const changed = await s.values('cn=bob,ou=people', 'uSNChanged')
    await compared(s)
    t.strictSame(await s.values('cn=bob,ou=people', 'uSNChanged'), changed, 'it is not tried again by itself')
    t.match((await s.state('bob')).syncError, /refused the password/)
    const third = await s.signIn('bob', plain)
    await s.call('changeOwnPassword', { token: third, body: { oldPassword: plain, newPassword: password } })
    await caughtUp(s)
    t.equal(await s.bind('cn=bob,ou=people'), 0)
    t.match(await s.state('bob'), { syncState: 1, syncError: '' })
  })

  await t.test('a password whose clear text is not known waits for the next sign-in', async (t) => {
    // As after a restored backup, or a change while the directory was away for long.
    await s.db.execute(sql`update users set password_hash = ${await hash(password)} where id = ${bob}`)
    await s.db.transaction((tx) => touch(tx, 'user', [bob]))
    s.mirror.reconciler.wake()
    await eventually(() => s.isDisabled('cn=bob,ou=people'), 'the account is disabled')
    await caughtUp(s)
    t.match(await s.state('bob'), { syncState: 1, syncError: /has not got the password.*at the next sign-in/ })
    t.equal(await s.bind('cn=bob,ou=people'), 49)
    await s.signIn('bob', password)
    await caughtUp(s)
    t.equal(await s.bind('cn=bob,ou=people'), 0)
    t.match(await s.state('bob'), { syncState: 1, syncError: '' })
  })

  await t.test('no password is in the log or in the database', async (t) => {
    const tables = await s.db.execute<{ name: string }>(sql`
      select quote_ident(table_name) as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`)
    const secrets = [password, 'Soup of the 10th day', 'all in small letters']
    for (const secret of secrets) {
      t.notOk(s.logs.some((line) => line.includes(secret)))
      for (const { name } of tables) {
        const [row] = await s.db.execute<{ count: string }>(sql`
          select count(*) from ${sql.raw(name)} x where strpos(x::text, ${secret}) > 0`)
        if (row?.count !== '0') t.fail(`${name} has a password`)
      }
    }
  })

  await t.test('what others change is put back, and what they add stays', async (t) => {
    const anna = `cn=anna,ou=people,${server.baseDn}`
    const change = async (...lines: string[]) => {
      const { code, stderr } = await tools.run('ldapmodify', [], `${lines.join('\n')}\n`)
      t.equal(code, 0, stderr)
    }
    await change(
      `dn: ${anna}`,
      'changetype: modify',
      'replace: sn',
      'sn: Wrong',
      '-',
      'add: info',
      'info: kept',
      '-',
      'replace: userAccountControl',
      'userAccountControl: 66050',
    )
    // Of the present one the clear text is still known.
    await s.db.execute(sql`update users set password_hash = ${await hash('another one')} where username = 'x#y'`)
    await tools.run('ldapdelete', [`cn=x#y,ou=people,${server.baseDn}`])
    t.match(await compared(s), { added: 1, updated: 2, failed: 0 }, 'two people, and the group of one')
    t.strictSame(await s.values('cn=anna,ou=people', 'sn'), ['anna'])
    t.strictSame(await s.values('cn=anna,ou=people', 'info'), ['kept'])
    t.strictSame(await s.values('cn=anna,ou=people', 'userAccountControl'), ['66048'], 'the other bits stay')
    t.equal(await s.bind('cn=anna,ou=people'), 0)
    t.match(await s.state('x#y'), { syncError: /has not got the password/ }, 'a new account has none')
    await tools.run('ldapmodrdn', ['-r', '-s', `ou=groups,${server.baseDn}`, anna, 'cn=elsewhere'])
    await compared(s)
    t.equal(await s.bind('cn=anna,ou=people'), 0, 'it is found by its objectGUID: a new account would have no password')
    t.strictSame(await compared(s), nothing)
  })

  await t.test('what Steward did not write is never touched', async (t) => {
    const add = (dn: string, ...lines: string[]) =>
      tools.run('ldapadd', [], `dn: ${dn},${server.baseDn}\n${lines.join('\n')}\n`)
    await add('cn=theirs,ou=people', 'objectClass: user', 'sAMAccountName: theirs', 'userAccountControl: 514')
    const moved = await tools.run('ldapmodrdn', [
      ...['-r', '-s', `ou=groups,${server.baseDn}`, `CN=Domain Guests,CN=Users,${server.domain}`, 'CN=Domain Guests'],
    ])
    t.equal(moved.code, 0, moved.stderr)
    const theirs = await s.addUser('theirs', [])
    const guests = await s.addGroup('Domain Guests', 'cn')
    const builtIn = await s.addUser('krbtgt', [])
    await eventually(async () => (await s.state('krbtgt')).syncError?.includes('sAMAccountName') === true, 'it waits')
    t.match(await s.state('theirs'), { syncState: 2, syncError: /is not Steward's/ })
    t.match(await s.state('krbtgt'), {
      syncState: 2,
      syncError: /another account or group of the domain has the name krbtgt/,
    })
    const [group] = (await s.take('listGroups', { query: { groupName: 'Domain Guests' } })).groups
    t.match(group, { syncState: 2, syncError: /cannot do without this entry/ })
    const { orphans } = await s.take('listOrphans', { query: { state: 'all', limit: 50 } })
    t.match(
      orphans.find(({ dn }) => /^CN=Domain Guests/.test(dn)),
      { obstacle: /cannot do without this entry/ },
    )
    t.match(await s.ask('adoptOrphans', { body: { dns: [`cn=theirs,ou=people,${server.baseDn}`] } }), { status: 200 })
    await eventually(async () => (await s.state('theirs')).syncState === 1, 'it is adopted')
    await s.take('deleteUsers', { body: { userIds: [theirs, builtIn] } })
    await s.take('deleteGroups', { body: { groupIds: [guests] } })
    await caughtUp(s)
    for (const dn of [`CN=krbtgt,CN=Users,${server.domain}`, `CN=Domain Guests,ou=groups,${server.baseDn}`])
      t.equal((await tools.search('-b', dn, '-s', 'base', '1.1')).code, 0, dn)
    await tools.run('ldapmodrdn', [
      '-r',
      '-s',
      `CN=Users,${server.domain}`,
      `CN=Domain Guests,ou=groups,${server.baseDn}`,
      'CN=Domain Guests',
    ])
  })

  await t.test('a crash loses nothing', async (t) => {
    const names = Array.from({ length: 40 }, (_, n) => `w${n}`)
    const adding = names.map((name) => s.addUser(name, [team]))
    await adding[10]
    await server.stop('SIGKILL')
    await Promise.all(adding)
    await server.start()
    await caughtUp(s)
    // Where all had arrived before the crash, nothing has waited for the server until now.
    await eventually(async () => (await compared(s).catch(() => null)) !== null, 'the directory is reached again')
    t.strictSame(await compared(s), nothing)
    for (const name of names) {
      const { syncError } = await s.state(name)
      if (syncError !== '') await s.signIn(name, password)
    }
    await caughtUp(s)
    for (const name of names) t.equal(await s.bind(`cn=${name},ou=people`), 0, name)
  })

  await t.test('a group of more people than the server returns at once', async (t) => {
    const big = await s.addGroup('Everyone', 'cn')
    await s.db.execute(sql`
      insert into users (username, username_key, nickname) select 'm' || n, 'm' || n, 'Member ' || n from generate_series(1, 1700) n`)
    await s.db.execute(sql`
      insert into group_members (group_id, user_id) select ${big}, id from users where nickname like 'Member %'`)
    await s.db.transaction(async (tx) => {
      await touchSelected(tx, 'user', sql`select id from users where nickname like 'Member %'`)
      await touch(tx, 'group', [big])
    })
    s.mirror.reconciler.wake()
    await caughtUp(s, 0, 150_000)
    t.equal((await s.values('cn=Everyone,ou=groups', 'member')).length, 1700)
    t.strictSame(await compared(s), nothing, 'all of them are read')
    await s.db.execute(sql`delete from group_members where group_id = ${big}
      and user_id in (select id from users where nickname like 'Member %' order by id limit 1200)`)
    await s.db.transaction((tx) => touch(tx, 'group', [big]))
    s.mirror.reconciler.wake()
    await caughtUp(s)
    t.equal((await s.values('cn=Everyone,ou=groups', 'member')).length, 500)
  })
  await t.test('a server that cannot serve is refused at the start', async (t) => {
    const database = await testDatabase(t)
    const opens = (env: Record<string, string>) =>
      steward(t, { directory: 'none', database, env: { ...controllerSettings(server), ...env } })
    const looks = (env: Record<string, string> = {}) =>
      checkDirectory(parseConfig({ ...controllerSettings(server), ...env }))
    t.match(await looks(), [{ state: 'ok' }, { state: 'ok', text: /is an Active Directory/ }], 'steward doctor')
    t.match(await looks({ LDAP_KIND: 'generic' }), [
      { state: 'ok' },
      { state: 'problem', text: /^LDAP_KIND: the server is an/ },
    ])
    const said = (env: Record<string, string>, expected: RegExp) => t.rejects(opens(env), expected)
    await said({ LDAP_KIND: 'generic' }, /LDAP_KIND: the server is an Active Directory; set LDAP_KIND=active-directory/)
    await said(
      { LDAP_BASE_DN: `ou=Domain Controllers,${server.domain}` },
      /LDAP_BASE_DN: .* belongs to the directory itself/,
    )
    await said(
      { LDAP_BASE_DN: 'ou=x,dc=other,dc=org' },
      /LDAP_BASE_DN: expected an organizational unit within the domain/,
    )
    const bind = { LDAP_BIND_DN: `cn=anna,ou=people,${server.baseDn}`, LDAP_BIND_PASSWORD: password }
    await said(bind, /LDAP_BIND_DN: may not add organizationalUnit, user, group below/)
  })

  await t.test('an Active Directory as a source', async (t) => {
    const base = `ou=Source,${server.domain}`
    const entry = (dn: string, ...lines: string[]): string => `dn: ${dn}\n${lines.join('\n')}\n`
    const user = (name: string, control: number) =>
      entry(
        `cn=${name},ou=Sales,${base}`,
        'objectClass: user',
        `sAMAccountName: ${name}`,
        `displayName: Name of ${name}`,
        `mail: ${name}@example.org`,
        `userAccountControl: ${control}`,
      )
    const people = Array.from({ length: 20 }, (_, n) => `p${n}`)
    const added = await tools.run(
      'ldapadd',
      [],
      [
        entry(base, 'objectClass: organizationalUnit'),
        entry(`ou=Sales,${base}`, 'objectClass: organizationalUnit'),
        ...people.map((name) => user(name, 512)),
        user('gone', 514),
        entry(`cn=Club,${base}`, 'objectClass: group', 'sAMAccountName: Club', `member: cn=p1,ou=Sales,${base}`),
      ].join('\n'),
    )
    t.equal(added.code, 0, added.stderr)
    const other = await steward(t, {
      env: {
        EXTLDAP_URL: server.url,
        EXTLDAP_CA_FILE: server.caFile,
        EXTLDAP_BASE_DN: base,
        EXTLDAP_BIND_DN: server.bindDn,
        EXTLDAP_BIND_PASSWORD: server.bindPassword,
        EXTLDAP_PRESET: 'ad',
        SYNC_WAIT: '60s',
      },
    })
    t.match(await other.ask('syncExtLdapDepts'), { code: 0, data: { failed: 0 } })
    t.match(await other.ask('syncExtLdapUsers'), { code: 0, data: { added: people.length, failed: 0 } })
    await tools.run('ldapmodrdn', ['-r', `cn=p2,ou=Sales,${base}`, 'cn=renamed'])
    await tools.run('ldapdelete', [`cn=p3,ou=Sales,${base}`])
    t.match(await other.ask('syncExtLdapUsers'), { code: 0, data: { added: 0, disabled: 1, failed: 0 } })
    t.match(await other.ask('syncExtLdapUsers'), { code: 0, data: { added: 0, updated: 0, disabled: 0, failed: 0 } })
  })

  await t.test('groups within groups of an Active Directory as a source', async (t) => {
    const base = `ou=Nested,${server.domain}`
    const [sales, kitchen, closed] = [`ou=Sales,${base}`, `ou=Kitchen,${base}`, `ou=Closed,${base}`]
    const entry = (dn: string, ...lines: string[]): string => `dn: ${dn}\n${lines.join('\n')}\n`
    const unit = (dn: string): string => entry(dn, 'objectClass: organizationalUnit')
    const user = (name: string, parent: string, control = 512): string =>
      entry(
        `cn=${name},${parent}`,
        ...['objectClass: user', `sAMAccountName: ${name}`, `displayName: ${name}`, `mail: ${name}@example.org`],
        `userAccountControl: ${control}`,
      )
    const group = (name: string, parent: string, ...members: string[]): string =>
      entry(
        `cn=${name},${parent}`,
        ...['objectClass: group', `sAMAccountName: ${name}`],
        ...members.map((member) => `member: ${member}`),
      )
    const lists = (name: string, parent: string, member: string): string =>
      entry(`cn=${name},${parent}`, 'changetype: modify', 'add: member', `member: ${member}`)
    const added = await tools.run(
      'ldapadd',
      [],
      [
        ...[base, sales, kitchen, closed].map(unit),
        ...[user('amy', sales), user('ben', kitchen), user('cal', kitchen), user('dan', sales, 514)],
        ...[user('eve', closed), user('fay', sales), user('gus', `cn=Users,${server.domain}`)],
        // Three levels, over units; of one name in another case and with the components of Active Directory in capitals.
        group('Bakers', kitchen, `CN=amy,${sales}`, `CN=dan,${sales}`),
        group('Cooks', sales, `CN=BAKERS,${kitchen}`, `CN=ben,${kitchen}`),
        group('House', closed, `CN=Cooks,${sales}`, `CN=eve,${closed}`, `CN=gus,CN=Users,${server.domain}`),
        // Listed twice: by two groups, and by one of them through the other.
        group('Diners', base, `CN=Bakers,${kitchen}`, `CN=Cooks,${sales}`),
        // A cycle of three, with a way in.
        ...[
          group('One', base),
          group('Two', base, `CN=One,${base}`),
          group('Three', base, `CN=Two,${base}`, `CN=cal,${kitchen}`),
        ],
        group('Staff', base),
        group('Firm', base, `CN=Staff,${base}`, `CN=Domain Users,CN=Users,${server.domain}`),
      ].join('\n'),
    )
    t.equal(added.code, 0, added.stderr)
    const cycle = await tools.run('ldapmodify', [], lists('One', base, `CN=Three,${base}`))
    t.equal(cycle.code, 0, cycle.stderr)
    // Active Directory takes a primary group out of the members of that group.
    const { stdout } = await tools.search(
      '-b',
      `cn=Staff,${base}`,
      '-s',
      'base',
      '(objectClass=*)',
      'primaryGroupToken',
    )
    const token = /^primaryGroupToken: (\d+)$/m.exec(stdout)?.[1]
    const primary = await tools.run(
      'ldapmodify',
      [],
      [
        lists('Staff', base, `cn=fay,${sales}`),
        entry(`cn=fay,${sales}`, 'changetype: modify', 'replace: primaryGroupID', `primaryGroupID: ${token}`),
      ].join('\n'),
    )
    t.equal(primary.code, 0, primary.stderr)
    t.notMatch((await tools.search('-b', `cn=Staff,${base}`, '-s', 'base', '(objectClass=*)', 'member')).stdout, /fay/i)

    const database = await testDatabase(t)
    const imported = async (setting: string) => {
      const s = await steward(t, {
        ...{ database, directory: 'none' },
        env: {
          ...{ EXTLDAP_URL: server.url, EXTLDAP_CA_FILE: server.caFile, EXTLDAP_BASE_DN: base, EXTLDAP_PRESET: 'ad' },
          ...{ EXTLDAP_BIND_DN: server.bindDn, EXTLDAP_BIND_PASSWORD: server.bindPassword },
          ...{ EXTLDAP_NESTED_GROUPS: setting, SYNC_WAIT: '60s' },
        },
      })
      await s.take('syncExtLdapDepts')
      const { problems } = await s.take('syncExtLdapUsers')
      const rows = await s.db.execute<{ line: string }>(sql`
        select u.username || ': ' || string_agg(g.group_name, ' ' order by g.group_name) as line
        from users u join group_members m on m.user_id = u.id join groups g on g.id = m.group_id
        where g.group_name <> 'extldap' group by u.username order by u.username`)
      await s.close()
      return { problems, members: rows.map(({ line }) => line) }
    }
    const direct = await imported('off')
    t.same(direct.members, [
      ...['amy: Bakers Sales', 'ben: Cooks Kitchen', 'cal: Kitchen Three', 'eve: Closed House', 'fay: Sales Staff'],
    ])
    t.match(direct.problems, [
      { step: 'reading', reason: /^groups that other groups list: 6;/, advice: /EXTLDAP_NESTED_GROUPS=on/ },
    ])
    const nested = await imported('on')
    const inside = [
      'amy: Bakers Cooks Diners House Sales',
      'ben: Cooks Diners House Kitchen',
      'cal: Kitchen One Three Two',
    ]
    t.same(nested.members, [...inside, 'eve: Closed House', 'fay: Firm Sales Staff'])
    t.same(nested.problems, [])
    const enabled = entry(
      `cn=dan,${sales}`,
      'changetype: modify',
      'replace: userAccountControl',
      'userAccountControl: 512',
    )
    t.equal((await tools.run('ldapmodify', [], enabled)).code, 0)
    t.same(
      (await imported('on')).members.filter((line) => line.startsWith('dan')),
      ['dan: Bakers Cooks Diners House Sales'],
    )
  })
})
