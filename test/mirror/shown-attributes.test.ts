import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

// LDAP_2_ATTRIBUTES: which attributes of people a directory gets.

const settingsOf = (slapd: TestSlapd, attributes: string): Record<string, string> => ({
  LDAP_2_URL: slapd.url,
  LDAP_2_BASE_DN: slapd.baseDn,
  LDAP_2_BIND_DN: slapd.bindDn,
  LDAP_2_BIND_PASSWORD: slapd.bindPassword,
  DRIFT_INTERVAL: '1h',
  ...(attributes !== '' && { LDAP_2_ATTRIBUTES: attributes }),
})

const caughtUp = ({ db }: TestSteward): Promise<true> =>
  eventually(async () => {
    const [row] = await db.execute<{ count: string }>(
      sql`select count(*) from directory_entries where version <> synced_version`,
    )
    return Number(row?.count) === 0
  }, 'both directories have everything')

t.test('a directory gets the attributes of its setting', { skip: skipWithoutSlapd }, async (t) => {
  const [first, second] = [await testSlapd(t, { opensshLpk: true }), await testSlapd(t, { opensshLpk: true })]
  const database = await testDatabase(t)
  const open = (attributes: string) => steward(t, { directory: first, database, env: settingsOf(second, attributes) })
  let s = await open('')
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  const labels = { en: 'x', 'zh-CN': 'x' }
  for (const [name, ldapAttribute, objectClass] of [
    ['room', 'roomNumber', ''],
    ['domain', 'associatedDomain', 'domainRelatedObject'],
  ]) {
    await s.take('declareAttribute', { body: { kind: 'user', name, labels, type: 'text', ldapAttribute, objectClass } })
  }
  const group = (await s.take('addGroup', { body: { groupName: 'Team', groupType: 'cn', parentId: 0 } })).id
  const password = 'soup of the day'
  const body = person('ann', { password, mail: 'ann@example.org', mobile: '+86 138 0013 8000', departmentId: [group] })
  const { id } = await s.take('addUser', { body: { ...body, position: 'Cook' } })
  await s.take('setPersonAttributes', { params: { id }, body: { values: { room: ['7'], domain: ['example.org'] } } })
  const [key = ''] = readFileSync(new URL('../fixtures/ssh-keys/keys.pub', import.meta.url), 'utf8').split('\n')
  await s.take('addPersonSshKey', { params: { id }, body: { name: 'Desk', key } })
  await caughtUp(s)

  const dn = `uid=ann,ou=people,${second.baseDn}`
  const namesIn = async (slapd: TestSlapd): Promise<string[]> => {
    const shown = await slapd.ldapsearch('-b', dn, '-s', 'base', '*')
    return [...new Set(Array.from(shown.matchAll(/^(\w+)::? /gm), ([, name = '']) => name))].sort()
  }
  const classes = async (slapd: TestSlapd) =>
    (await slapd.ldapsearch('-b', dn, '-s', 'base', 'objectClass')).match(/(?<=^objectClass: ).*$/gm)?.sort()
  const all = await namesIn(first)
  for (const name of ['mobile', 'title', 'departmentNumber', 'ou', 'roomNumber', 'associatedDomain', 'sshPublicKey']) {
    t.ok(all.includes(name), name)
  }
  t.same(await namesIn(second), all, 'without the setting each gets everything')

  await s.close()
  // What another tool wrote, that Steward knows nothing of.
  const theirs = `dn: ${dn}\nchangetype: modify\nadd: carLicense\ncarLicense: B-X 1\n`
  t.equal((await ldapTools(second).run('ldapmodify', [], theirs)).code, 0)
  s = await open('DISPLAYNAME, mail')
  await caughtUp(s)
  const kept = ['carLicense', 'cn', 'displayName', 'dn', 'mail', 'objectClass', 'sn', 'uid', 'userPassword']
  t.same(await namesIn(second), kept)
  t.same(await classes(second), ['inetOrgPerson', 'organizationalPerson', 'person', 'top'].sort())
  t.same(await namesIn(first), all, 'the main directory keeps everything')
  t.equal((await ldapTools(second).as(dn, password, 'ldapwhoami', [])).code, 0)

  await t.test('changes write no others, and a disabled person comes back with the same', async (t) => {
    await s.take('updateUser', {
      body: { id, ...body, mobile: '+86 138 0013 8001', mail: 'a@example.org', position: 'Chef' },
    })
    await s.take('changeUserStatus', { body: { id, status: 2 } })
    await s.take('changeUserStatus', { body: { id, status: 1 } })
    await caughtUp(s)
    t.same(await namesIn(second), kept)
    t.match(await second.ldapsearch('-b', dn, '-s', 'base', 'mail'), 'mail: a@example.org')
    t.match(await first.ldapsearch('-b', dn, '-s', 'base', 'title'), 'title: Chef')
  })

  await t.test('a name that is almost right takes nothing away', async (t) => {
    await s.close()
    const problems = [/^LDAP_2_ATTRIBUTES: entries have no attribute mial; did you mean mail, which they would lose\?$/]
    await t.rejects(open('displayName mial'), { name: 'ConfigError', problems })
    t.same(await namesIn(second), kept)
    s = await open('displayName mail eduPersonAffiliation')
    t.match(
      s.logs.find((line) => line.includes('attributes that entries do not have')),
      /"attributes":\["edupersonaffiliation"\].*LDAP_2_ATTRIBUTES names attributes/,
    )
    t.same(await namesIn(second), kept)
  })

  await t.test('a setting that was lost gives nothing away', async (t) => {
    await s.close()
    await t.rejects(open(''), { name: 'ConfigError', problems: [/^LDAP_2_ATTRIBUTES: is not set, and/] })
    t.same(await namesIn(second), kept)
    s = await open('all')
    await caughtUp(s)
    t.same(await namesIn(second), [...all, 'carLicense'].sort())
  })
})
