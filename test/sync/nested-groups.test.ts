import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDirectory, type Write } from '../../src/ldap/directory.ts'
import { testDatabase } from '../database.ts'
import { quiet } from '../mirror/quiet.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'

// An LDAP source whose groups list each other.

t.test(
  'people of listed groups count by the setting, and the report says so',
  { skip: skipWithoutSlapd },
  async (t) => {
    const source = await testSlapd(t)
    const base = source.baseDn
    const theirs = openDirectory({ ...source, startTls: false, timeout: 20_000, log: quiet })
    t.teardown(() => theirs.close())
    const person = (uid: string): Write => ({
      kind: 'add',
      dn: `uid=${uid},${base}`,
      attributes: { objectClass: ['inetOrgPerson'], uid: [uid], cn: [uid], sn: [uid] },
    })
    const group = (name: string, ...members: string[]): Write => ({
      kind: 'add',
      dn: `cn=${name},${base}`,
      attributes: { objectClass: ['groupOfNames'], cn: [name], member: members.map((rdn) => `${rdn},${base}`) },
    })
    for (const write of [
      ...[person('ann'), person('bob'), person('cyd')],
      ...[group('Bakers', 'uid=ann'), group('Kitchen', 'CN=bakers', 'uid=bob'), group('House', 'cn=Kitchen')],
      // Two that list each other, and one that lists itself.
      ...[group('Left', 'cn=Right', 'uid=cyd'), group('Right', 'cn=Left'), group('Self', 'cn=Self', 'uid=cyd')],
    ]) {
      await theirs.write(write)
    }
    const database = await testDatabase(t)
    const imported = async (setting: string) => {
      const s = await steward(t, {
        ...{ database, directory: 'none' },
        env: {
          ...{ EXTLDAP_URL: source.url, EXTLDAP_BASE_DN: base, EXTLDAP_NESTED_GROUPS: setting, SYNC_WAIT: '60s' },
          ...{ EXTLDAP_BIND_DN: source.bindDn, EXTLDAP_BIND_PASSWORD: source.bindPassword },
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
    t.same(direct.members, ['ann: Bakers', 'bob: Kitchen', 'cyd: Left Self'])
    t.match(direct.problems, [
      {
        ...{ step: 'reading', sourceId: '' },
        reason: 'groups that other groups list: 5; their people do not count as people of those others',
        advice: 'Set EXTLDAP_NESTED_GROUPS=on if they are meant to.',
      },
    ])
    const nested = await imported('on')
    t.same(nested.members, ['ann: Bakers House Kitchen', 'bob: House Kitchen', 'cyd: Left Right Self'])
    t.same(nested.problems, [])
    t.same((await imported('off')).members, direct.members, 'it can be switched off again')
  },
)
