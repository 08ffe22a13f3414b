import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

// People and groups that leave what a further directory gets, while it is down, and many at once.

const password = 'seven-quiet-lanterns'

const office = async (t: Test) => {
  const [first, second] = [await testSlapd(t), await testSlapd(t)]
  const database = await testDatabase(t)
  const tools = ldapTools(second)
  let s: TestSteward = await steward(t, { directory: first, database })
  const groupOf = async (groupName: string, parentId = 0) =>
    (await s.take('addGroup', { body: { groupName, groupType: 'cn', parentId } })).id
  const company = await groupOf('Company')
  const sales = await groupOf('Sales', company)
  const team = await groupOf('Team', sales)
  return {
    second,
    groups: { company, sales, team },
    service: () => s,
    groupOf,
    personIn: async (name: string, ...departmentId: number[]) =>
      (await s.take('addUser', { body: person(name, { departmentId, password }) })).id,
    move: (id: number, parent: number | null) => s.take('moveDepartment', { params: { id }, body: { parent } }),
    /** Starts again, with Sales in the second one. */
    restart: async (env: Record<string, string> = {}): Promise<void> => {
      await s.close()
      s = await steward(t, {
        directory: first,
        database,
        env: {
          ...{ LDAP_2_URL: second.url, LDAP_2_BASE_DN: second.baseDn, LDAP_2_BIND_DN: second.bindDn },
          ...{ LDAP_2_BIND_PASSWORD: second.bindPassword, LDAP_2_GROUPS: String(sales), ...env },
        },
      })
    },
    /** Whether the second one has all that it is to have. */
    followed: () =>
      eventually(async () => {
        const [row] = await s.db.execute<{ due: string }>(sql`
          select count(*) as due from directory_entries where version <> synced_version and next_at is not null`)
        return row?.due === '0'
      }, 'nothing is due'),
    /** The names of enabled people and groups in the second one. */
    held: async (): Promise<string[]> =>
      (await tools.names('(|(uid=*)(objectClass=groupOfNames))'))
        .flatMap((dn) => /^(?:uid|cn)=([^,]+),(?!ou=disabled)/.exec(dn)?.[1] ?? [])
        .sort(),
    bind: async (name: string, secret = password) =>
      (await tools.as(`uid=${name},ou=people,${second.baseDn}`, secret, 'ldapwhoami', [])).code,
    alert: async (title: string) => {
      const { alerts } = await s.take('listAlerts', { query: { handled: false } })
      return alerts.find((alert) => alert.title === title)
    },
  }
}

t.test(
  'who leaves while the directory is down is in the alert of late withdrawals',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await office(t)
    const { company, sales, team } = s.groups
    const [ann, bob, cid] = [
      await s.personIn('ann', team),
      await s.personIn('bob', sales, company),
      await s.personIn('cid', sales),
    ]
    await s.personIn('dee', sales)
    const club = await s.groupOf('Club', sales)
    await s.restart()
    await s.followed()
    t.same(await s.held(), ['Club', 'Sales', 'Team', 'ann', 'bob', 'cid', 'dee'])

    await s.second.stop()
    const { take, db } = s.service()
    await take('removeGroupUsers', { body: { groupId: sales, userIds: [bob] } })
    await take('updateUser', { body: { ...person('cid', { departmentId: [sales] }), id: cid, nickname: 'Cid' } })
    await s.move(team, company)
    await take('deleteGroups', { body: { groupIds: [club] } })
    const title = 'Withdrawals are not in the directory'
    t.equal(await s.alert(title), undefined, 'a minute is not over')
    await db.execute(sql`update directory_entries set withdraws_at = withdraws_at - interval '61 seconds'`)
    const { description } = await eventually(() => s.alert(title), 'the alert')
    for (const name of ['ann', 'bob', 'Team']) t.match(description, `${name} (not in LDAP_2_GROUPS any more)`)
    t.match(description, 'Club (group, deleted)')
    t.match(description, 'Sales (members of the group)')
    t.notMatch(description, /cid|dee|Company/, 'who stays is not in it')
    const [stored] = await db.execute<{ params: Record<string, string> }>(sql`
    select params from alerts where rule = 'lateWithdrawals'`)
    const stated = Object.values(stored?.params ?? {}).filter((value) => value.includes('mirror.late_outside'))
    t.match(
      JSON.parse(stated[0] ?? '{}'),
      { code: 'mirror.late_outside', params: { directory: /2/ } },
      'for translation',
    )
    // Who is away and comes back before the directory has missed nothing.
    await take('addGroupUsers', { body: { groupId: sales, userIds: [ann] } })

    await s.second.start()
    await s.followed()
    t.same(await s.held(), ['Sales', 'ann', 'cid', 'dee'])
    await eventually(async () => (await s.alert(title)) === undefined, 'the alert ends')
  },
)

t.test(
  'a change that takes many out is made, and their entries stay until it is decided',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await office(t)
    const { company, sales, team } = s.groups
    const ids: Record<string, number> = {}
    for (const name of ['ann', 'bob', 'cid', 'dee']) ids[name] = await s.personIn(name, team)
    const eve = await s.personIn('eve', sales)
    const limit = { LDAP_2_MAX_REMOVALS: '4' }
    await s.restart(limit)
    await s.followed()
    const all = ['Sales', 'Team', 'ann', 'bob', 'cid', 'dee', 'eve']
    t.same(await s.held(), all)
    const title = 'Removals from a directory are held'

    await t.test('it is held, and an alert says how to go on', async (t) => {
      await s.move(team, company)
      await s.followed()
      t.same(await s.held(), all)
      const { level, description } = await eventually(() => s.alert(title), 'the alert')
      t.equal(level, 'warning')
      t.match(description, 'Team, ann, bob, cid, dee.')
      t.match(description, 'set LDAP_2_MAX_REMOVALS=5 and start Steward again')
      await s.service().mirror.reconciler.compareEverything()
      await s.followed()
      await s.restart(limit)
      await s.followed()
      t.same(await s.held(), all, 'also after a comparison and a start')
      t.equal(await s.bind('ann'), 0)
    })

    await t.test('what is withdrawn from one of them is withdrawn there too', async (t) => {
      const { take, call, signIn } = s.service()
      await take('changeUserStatus', { body: { id: ids.ann ?? 0, status: 2 } })
      const token = await signIn('bob', password)
      const body = { oldPassword: password, newPassword: 'eight-quiet-lanterns' }
      t.match(await call('changeOwnPassword', { token, body }), { code: 0 })
      await s.followed()
      t.equal(await s.bind('bob'), 49, 'nor anyone with a password that was replaced')
      t.equal(await s.bind('ann'), 49, 'a disabled person cannot sign in')
      t.notOk((await s.held()).includes('ann'))
      await take('deleteUsers', { body: { userIds: [ids.dee ?? 0] } })
      await s.followed()
      t.equal(await s.bind('dee'), 49)
      t.same(await s.held(), ['Sales', 'Team', 'cid', 'eve'])
      await take('updateUser', {
        body: { ...person('cid', { departmentId: [team] }), id: ids.cid ?? 0, nickname: 'Cid' },
      })
      await s.followed()
      t.ok((await s.held()).includes('cid'), 'another change decides nothing')
    })

    await t.test('a change that is undone leaves all as it was', async (t) => {
      await s.move(team, sales)
      await s.followed()
      t.same(await s.held(), ['Sales', 'Team', 'bob', 'cid', 'eve'])
      await eventually(async () => (await s.alert(title)) === undefined, 'the alert ends')
      t.equal(await s.bind('cid'), 0)
    })

    await t.test('few at a time are removed at once, and many when the setting allows it', async (t) => {
      const { take } = s.service()
      await take('removeGroupUsers', { body: { groupId: sales, userIds: [eve] } })
      await s.followed()
      t.same(await s.held(), ['Sales', 'Team', 'bob', 'cid'])
      for (const name of ['fay', 'gus', 'hal']) ids[name] = await s.personIn(name, team)
      await s.followed()
      // People alone, and through a deletion.
      await take('removeGroupUsers', {
        body: { groupId: team, userIds: ['bob', 'cid', 'fay', 'gus', 'hal'].map((name) => ids[name] ?? 0) },
      })
      await s.followed()
      t.same(await s.held(), ['Sales', 'Team', 'bob', 'cid', 'fay', 'gus', 'hal'])
      t.match((await eventually(() => s.alert(title), 'the alert')).description, 'bob, cid, fay, gus, hal.')
      await s.restart({ LDAP_2_MAX_REMOVALS: '5' })
      await s.followed()
      t.same(await s.held(), ['Sales', 'Team'])
      await eventually(async () => (await s.alert(title)) === undefined, 'the alert ends')
    })
  },
)
