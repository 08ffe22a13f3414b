import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { adoptDirectory } from '../../src/mirror/directory/identity.ts'
import { postgresMissing, testDatabase, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

// A further directory that gets some groups only: LDAP_2_GROUPS.

const settingsOf = (slapd: TestSlapd, groups: string, more: Record<string, string> = {}): Record<string, string> => ({
  LDAP_2_URL: slapd.url,
  LDAP_2_BASE_DN: slapd.baseDn,
  LDAP_2_BIND_DN: slapd.bindDn,
  LDAP_2_BIND_PASSWORD: slapd.bindPassword,
  LDAP_2_GROUPS: groups,
  ...more,
})

const refused = async (t: Test, starting: Promise<unknown>, problems: string[]): Promise<void> => {
  const error = await starting.then(
    () => null,
    (error: unknown) => error,
  )
  t.match(error, { problems })
}

t.test('a directory for a part of the organisation', { skip: skipWithoutSlapd }, async (t) => {
  const [first, second] = [await testSlapd(t), await testSlapd(t)]
  const database = await testDatabase(t)
  const groupOf = async (groupName: string, groupType: 'ou' | 'cn', parentId = 0) =>
    (await s.take('addGroup', { body: { groupName, groupType, parentId } })).id
  const personIn = async (name: string, ...departmentId: number[]) =>
    (await s.take('addUser', { body: person(name, { departmentId }) })).id
  const join = (groupId: number, ...userIds: number[]) => s.take('addGroupUsers', { body: { groupId, userIds } })
  const leave = (groupId: number, ...userIds: number[]) => s.take('removeGroupUsers', { body: { groupId, userIds } })
  /** All entries of the second one, without the units and the placeholder. */
  const held = async (): Promise<string[]> => {
    await eventually(async () => {
      const [row] = await s.db.execute<{ late: string }>(
        sql`select count(*) as late from directory_entries where version <> synced_version`,
      )
      return Number(row?.late) === 0
    }, 'both have everything')
    const found = await second.ldapsearch('-b', second.baseDn, '(|(uid=*)(cn=*)(ou=*))', 'dn')
    return [...found.matchAll(/^dn: (.*)$/gm)]
      .map(([, dn = '']) => dn.slice(0, -second.baseDn.length - 1))
      .filter((dn) => !['ou=people', 'ou=disabled', 'cn=nobody', ''].includes(dn) && !/^cn=admin$/.test(dn))
      .sort()
  }

  const start = (env: Record<string, string> = {}): Promise<TestSteward> =>
    steward(t, { directory: first, database, env })
  let s = await start()
  const company = await groupOf('Company', 'ou')
  const sales = await groupOf('Sales', 'ou', company)
  const team = await groupOf('Team', 'cn', sales)
  const office = await groupOf('Office', 'cn', company)
  const ann = await personIn('ann', team, office)
  const bob = await personIn('bob', office)
  const cid = await personIn('cid', sales)

  t.test('gets the groups of the setting, those below them and their people', async (t) => {
    await s.close()
    s = await start(settingsOf(second, `${sales}, 99999`))
    // Its group above is not there, so it is directly below the base.
    const all = ['cn=Team,ou=Sales', 'ou=Sales', 'uid=ann,ou=people', 'uid=cid,ou=people']
    t.same(await held(), all)
    const entry = await second.ldapsearch('-b', `uid=ann,ou=people,${second.baseDn}`)
    t.match(entry, /^(ou|departmentNumber): Team$/m)
    t.notMatch(entry, 'Office', 'not even the names of other groups')
    const members = await second.ldapsearch('-b', `cn=Team,ou=Sales,${second.baseDn}`, 'member')
    t.match(members, `member: uid=ann,ou=people,${second.baseDn}\n`)
    t.match(await first.ldapsearch('-b', first.baseDn, '(uid=bob)', 'dn'), 'dn: uid=bob', 'the main one gets all')
    for (const kind of ['users', 'groups'] as const) await s.take('compareDirectory', { body: { kind } })
    t.same(await held(), all)
  })

  t.test('says what it gets, and which records it lacks and why', async (t) => {
    const facts = async () => (await s.take('listDirectories')).directories[1]
    const pending = (query: { state?: 'waiting' | 'refused'; pageNum?: number; pageSize?: number } = {}) =>
      s.take('listPendingEntries', { params: { directory: 2 }, query })
    const roots = [
      { groupId: sales, groupName: 'Sales' },
      { groupId: 99999, groupName: null },
    ]
    const part = { roots, groups: 2, people: 2 }
    t.match(await facts(), { directory: 2, waiting: 0, refused: 0, oldestWaitingAt: null, part })
    t.match((await s.take('listDirectories')).directories[0], { directory: 1, part: null })
    t.same(await pending(), { total: 0, entries: [] })

    await second.refuse('title', '#')
    await s.take('updateUser', { body: { ...person('ann'), id: ann, departmentId: [team, office], position: '#1' } })
    await eventually(async () => (await facts())?.refused === 1, 'a refusal')
    t.match(await pending(), {
      total: 1,
      entries: [
        {
          ...{ kind: 'user', recordId: ann, name: 'ann', dn: `uid=ann,ou=people,${second.baseDn}` },
          ...{ state: 'refused', removal: false, nextTryAt: null, triedAt: String },
          ...{ reason: /constraint/i, stated: { code: 'ldap.refused' } },
        },
      ],
    })
    await second.stop()
    await leave(sales, cid)
    await s.take('deleteUsers', { body: { userIds: [await personIn('eve', sales)] } })
    await eventually(async () => ((await facts())?.waiting ?? 0) > 0, 'what waits')
    t.type((await facts())?.oldestWaitingAt, 'string')
    t.match((await pending({ state: 'refused' })).entries, [{ name: 'ann' }])
    const waiting = await pending({ state: 'waiting' })
    t.match(
      waiting.entries.find(({ recordId }) => recordId === cid),
      { name: 'cid', state: 'waiting', removal: true, dn: /^uid=cid,/, nextTryAt: String },
      'who left is to be removed there',
    )
    const all = await pending({ pageSize: 1000 })
    t.equal(all.entries[0]?.state, 'refused', 'what was refused comes first')
    const pages = [await pending({ pageNum: 1, pageSize: 1 }), await pending({ pageNum: 2, pageSize: 1 })]
    t.same(
      pages.flatMap(({ entries }) => entries.map(({ recordId }) => recordId)),
      all.entries.slice(0, 2).map(({ recordId }) => recordId),
    )
    t.same(await s.take('listPendingEntries', { params: { directory: 1 } }), { total: 0, entries: [] })
    t.match(await s.ask('listPendingEntries', { params: { directory: 3 } }), {
      code: 404,
      reason: 'mirror.no_such_directory',
    })

    await second.start()
    await second.accept()
    await s.take('updateUser', { body: { ...person('ann'), id: ann, departmentId: [team, office], position: '' } })
    await join(sales, cid)
    t.same(await held(), ['cn=Team,ou=Sales', 'ou=Sales', 'uid=ann,ou=people', 'uid=cid,ou=people'])
    t.same(await pending(), { total: 0, entries: [] })
  })

  t.test('follows who joins and leaves, also by the place of groups', async (t) => {
    await join(team, bob)
    await leave(sales, cid)
    t.same(await held(), ['cn=Team,ou=Sales', 'ou=Sales', 'uid=ann,ou=people', 'uid=bob,ou=people'])
    await s.take('updateUser', { body: { ...person('cid'), id: cid, departmentId: [company], nickname: 'Cid' } })
    t.notOk((await held()).includes('uid=cid,ou=people'), 'a change of another person makes no entry')
    await s.take('changeUserStatus', { body: { id: bob, status: 2 } })
    t.ok((await held()).includes('uid=bob,ou=disabled'))
    await s.take('changeUserStatus', { body: { id: bob, status: 1 } })
    await leave(team, bob)

    await s.take('moveDepartment', { params: { id: office }, body: { parent: sales } })
    t.same(await held(), [
      'cn=Office,ou=Sales',
      'cn=Team,ou=Sales',
      'ou=Sales',
      'uid=ann,ou=people',
      'uid=bob,ou=people',
    ])
    await s.take('moveDepartment', { params: { id: office }, body: { parent: company } })
    await s.take('moveDepartment', { params: { id: team }, body: { parent: null } })
    t.same(await held(), ['ou=Sales'], 'no person is left')
    await s.take('moveDepartment', { params: { id: team }, body: { parent: sales } })
    t.same(await held(), ['cn=Team,ou=Sales', 'ou=Sales', 'uid=ann,ou=people'])
  })

  t.test('with a group below it instead, what is above goes', async (t) => {
    await s.close()
    s = await start(settingsOf(second, `${team}`))
    t.same(await held(), ['cn=Team', 'uid=ann,ou=people'])
    await s.close()
    s = await start(settingsOf(second, `${sales}`))
    t.same(await held(), ['cn=Team,ou=Sales', 'ou=Sales', 'uid=ann,ou=people'])
  })

  t.test('with fewer groups it removes no more entries than the setting allows', async (t) => {
    await s.close()
    const starting = start(settingsOf(second, `${office}`, { LDAP_2_MAX_REMOVALS: '1' }))
    await refused(t, starting, [
      `LDAP_2_GROUPS: with ${office} 2 entries of the directory would be removed; if that is meant, set LDAP_2_MAX_REMOVALS to 2 or more`,
    ])
    s = await start(settingsOf(second, `${office}`))
    t.same(await held(), ['cn=Office', 'uid=ann,ou=people', 'uid=bob,ou=people'])
  })

  t.test('a group that is deleted takes its people along, and all come when the setting says so', async (t) => {
    await s.take('deleteGroups', { body: { groupIds: [office] } })
    t.same(await held(), [])
    await s.close()
    await refused(t, start(settingsOf(second, '')), [
      `LDAP_2_GROUPS: is not set, and the directory got the groups ${office} until now; set it to them, or to all`,
    ])
    const elsewhere = { ...settingsOf(second, 'all'), LDAP_2_BASE_DN: `ou=x,${second.baseDn}` }
    await refused(t, start(elsewhere), [
      'LDAP_2_GROUPS: cannot change together with LDAP_2_URL or LDAP_2_BASE_DN; change one, start, and then the other',
    ])
    s = await start(settingsOf(second, 'all'))
    t.same(await held(), [
      'cn=Team,ou=Sales,ou=Company',
      'ou=Company',
      'ou=Sales,ou=Company',
      'uid=admin,ou=people',
      'uid=ann,ou=people',
      'uid=bob,ou=people',
      'uid=cid,ou=people',
    ])
    await s.close()
  })
})

t.test(
  'of two instances that begin at once with different settings the later one decides',
  { skip: postgresMissing },
  async (t) => {
    const { db } = await testServerDatabase(t)
    const directory = { directory: 2, server: 'ldap://other', baseDn: 'dc=x', groupClass: 'groupOfNames' } as const
    const adopt = (groups: number[] | null, more = {}) =>
      adoptDirectory(db, { ...directory, nestedGroups: 'off', groups, maxRemovals: 20, ...more })
    const settingsIn = async () =>
      (
        await db.execute(sql`
      select shape->'groups' as groups, max_removals as removals, group_layout as layout from directories where number = 2`)
      )[0]
    let commit = (): void => {}
    let first: Promise<unknown> = Promise.resolve()
    await new Promise<void>((begun) => {
      first = db.transaction(async (tx) => {
        await tx.execute(sql`
        insert into directories (number, place, shape, max_removals)
        values (2, '{"server": "ldap://other", "baseDn": "dc=x"}', '{"groups": [7]}', 20)`)
        begun()
        await new Promise<void>((resolve) => {
          commit = resolve
        })
      })
    })
    const late = adopt([8], { maxRemovals: 5, groupLayout: 'flat' })
    const waits = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%into directories%'`
    await eventually(async () => (await db.execute(waits)).length > 0, 'the second one waits')
    commit()
    await Promise.all([first, late])
    t.same(await settingsIn(), { groups: [8], removals: 5, layout: 'flat' })
    const lost = 'LDAP_2_GROUPS: is not set, and the directory got the groups 8 until now; set it to them, or to all'
    await refused(t, adopt(null), [lost])
    await Promise.all([adopt([7]), adopt([8]), adopt([7])])
    t.match(await settingsIn(), { groups: [/7|8/] })
  },
)
