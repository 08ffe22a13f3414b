import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { SearchOptions } from '../../src/ldap/directory.ts'
import { anyOf, equals } from '../../src/ldap/filter.ts'
import { flatNamesFor } from '../../src/mirror/entry/flat-names.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestStewardOptions } from '../steward.ts'
import { openOffice } from './office.ts'

// Entries of groups below each other (LDAP_GROUP_LAYOUT=nested), or all below ou=groups, and the change between the two.

/** Milliseconds; a tree that does not come is shown by the comparison after it. */
const timeout = 60_000

type Tree = Record<string, string>

const office = async (t: Test, options: TestStewardOptions & { slapd?: TestSlapd | undefined }) => {
  const s = await openOffice(t, options)
  const { directory, baseDn } = s
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)

  /** Every group below the base, with the people that it lists. */
  const tree = async (): Promise<Tree> => {
    const found: Tree = {}
    const search: SearchOptions = { scope: 'sub', filter: groupFilter, attributes: ['member'] }
    for await (const page of directory.search(baseDn, search)) {
      for (const { dn, attributes } of page) {
        const place = dn.slice(0, -baseDn.length - 1)
        if (place === '' || /^ou=(people|disabled|groups)$/.test(place)) continue
        const names = (attributes.member ?? []).flatMap((member) => /^uid=(\w+),ou=people,/.exec(member)?.[1] ?? [])
        found[place] = names.sort().join(' ')
      }
    }
    return found
  }
  const holds = async (wanted: Tree, what: string): Promise<void> => {
    await eventually(async () => isDeepStrictEqual(await tree(), wanted), what, timeout).catch(() => {})
    t.strictSame(await tree(), wanted, what)
  }
  const params = { directory: 1 }
  const plan = () => s.take('getGroupLayout', { params, query: { pageSize: 1000 } })
  const change = (planHash: string, confirmed = true) =>
    s.ask('changeGroupLayout', { params, body: { planHash, confirmed } })
  return { ...s, tree, holds, plan, change }
}

const groupFilter = anyOf(equals('objectClass', 'groupOfNames'), equals('objectClass', 'organizationalUnit'))

type Office = Awaited<ReturnType<typeof office>>

const flat = { LDAP_GROUP_LAYOUT: 'flat' }

/** Three groups of one name, in a tree of four levels. */
const organisation = async (s: Office) => {
  const company = await s.addGroup('Company', 0, 'ou')
  const kitchen = await s.addGroup('Kitchen', company)
  const bakery = await s.addGroup('Bakery', kitchen)
  const sales = await s.addGroup('Sales', bakery)
  const other = await s.addGroup('Other', 0, 'ou')
  const second = await s.addGroup('SALES', other)
  const ada = await s.addUser('ada', [kitchen, sales])
  await s.addUser('ben', [second, bakery])
  await s.settled()
  return { company, kitchen, bakery, sales, other, second, ada }
}

const asNested: Tree = {
  'ou=Company': '',
  'cn=Kitchen,ou=Company': 'ada',
  'cn=Bakery,cn=Kitchen,ou=Company': 'ben',
  'cn=Sales,cn=Bakery,cn=Kitchen,ou=Company': 'ada',
  'ou=Other': '',
  'cn=SALES,ou=Other': 'ben',
}
const asFlat: Tree = {
  'ou=Company,ou=groups': '',
  'cn=Kitchen,ou=groups': 'ada',
  'cn=Bakery,ou=groups': 'ben',
  'cn=Sales,ou=groups': 'ada',
  'ou=Other,ou=groups': '',
  'cn=SALES2,ou=groups': 'ben',
}

for (const kind of ['slapd', 'slapd with the memberof overlay', 'the embedded directory'] as const) {
  t.test(`changed on ${kind}, and back`, { skip: kind !== 'the embedded directory' && skipWithoutSlapd }, async (t) => {
    const slapd = kind === 'the embedded directory' ? undefined : await testSlapd(t, { memberof: kind !== 'slapd' })
    const database = await testDatabase(t)
    const dataDir = t.testdir()
    const options = { slapd, database, dataDir }
    const first = await office(t, options)
    await organisation(first)
    await first.holds(asNested, 'nested')
    t.match(await first.plan(), {
      layout: 'nested',
      wanted: 'nested',
      total: 0,
      heldBecause: { length: 0 },
      waiting: 0,
    })
    const same = await first.change((await first.plan()).planHash)
    t.match(same, { code: 409, reason: 'mirror.layout_in_effect' })
    await first.close()

    const s = await office(t, { ...options, env: flat })
    await s.settled()
    await s.holds(asNested, 'the setting alone moves nothing')
    t.match(await s.take('listDirectories'), { directories: [{ layout: 'nested', wanted: 'flat' }] })
    const plan = await s.plan()
    t.match(plan, { layout: 'nested', wanted: 'flat', total: 6, waiting: 0 })
    t.strictSame(
      plan.moves.filter(({ renamed }) => renamed).map(({ groupName, to }) => [groupName, to]),
      [['SALES', `cn=SALES2,ou=groups,${s.baseDn}`]],
    )
    t.strictSame(
      plan.heldBecause.map(({ code }) => code),
      ['mirror.layout_held_renamed'],
    )
    t.match(await s.change('0'.repeat(64)), { code: 409, reason: 'mirror.layout_outdated' })
    t.match(await s.change(plan.planHash, false), { code: 409, reason: 'mirror.layout_held' })
    t.match((await s.change(plan.planHash)).data, { state: 'done', total: 6, moved: 6, failed: 0 })
    await s.holds(asFlat, 'all are below one entry, with their members')
    t.match(await s.plan(), { layout: 'flat', wanted: 'flat', total: 0 })
    t.match(await s.ask('syncSqlGroups', { body: {} }), { data: { updated: 0, moved: 0, added: 0, failed: 0 } })
    t.match(await s.take('listOrphans', {}), { total: 0 }, 'ou=groups is no orphan entry')
    const { groups } = await s.take('listGroups', { query: { groupName: 'SALES' } })
    t.same(groups.map(({ groupName }) => groupName).sort(), ['SALES', 'Sales'], 'records keep their names')
    await s.close()

    const back = await office(t, options)
    await back.settled()
    const plan2 = await back.plan()
    t.match(plan2, { layout: 'flat', wanted: 'nested', total: 6, heldBecause: { length: 0 } })
    t.match((await back.change(plan2.planHash, false)).data, { state: 'done', moved: 6, failed: 0 })
    await back.holds(asNested, 'and back')
    t.match(await back.ask('syncSqlGroups', { body: {} }), { data: { updated: 0, moved: 0, added: 0, failed: 0 } })
  })
}

t.test('a directory that is flat from the start', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const s = await office(t, { slapd, env: { ...flat, LDAP_NESTED_GROUPS: 'members' } })
  const id = await organisation(s)
  const lists: Tree = { ...asFlat, 'cn=Kitchen,ou=groups': 'ada ben', 'cn=Bakery,ou=groups': 'ada ben' }
  await s.holds(lists, 'flat, with the people of groups below')
  t.match(await s.plan(), { layout: 'flat', wanted: 'flat', total: 0 })

  await s.take('moveDepartment', { params: { id: id.kitchen }, body: { parent: id.other } })
  await s.settled()
  await s.holds(lists, 'a group that moves keeps its DN')
  await s.take('updateGroup', { body: { id: id.kitchen, groupName: 'Bakery' } })
  const { 'cn=Kitchen,ou=groups': kitchen = '', ...others } = lists
  await s.holds({ ...others, 'cn=Bakery2,ou=groups': kitchen }, 'a group that is renamed gets the next number')
  await s.take('removeGroupUsers', { body: { groupId: id.sales, userIds: [id.ada] } })
  await s.take('deleteGroups', { body: { groupIds: [id.sales] } })
  await s.settled()
  await s.addGroup('sales', id.company)
  const { 'cn=Sales,ou=groups': _, ...left } = others
  await s.holds(
    { ...left, 'cn=Bakery,ou=groups': 'ben', 'cn=Bakery2,ou=groups': 'ada ben', 'cn=sales,ou=groups': '' },
    'the name that became free is given again, and the others stay',
  )
  await s.addGroup('groups', 0, 'ou')
  await s.settled()
  t.ok('ou=groups,ou=groups' in (await s.tree()), 'a group of the name of the unit')

  const dryRun = () => s.take('compareDirectory', { body: { kind: 'groups', dryRun: true } })
  t.match(await dryRun(), { dryRun: true, added: 0, updated: 0, moved: 0, disabled: 0, failed: 0 })
  const [dn, newDn] = ['Bakery2', 'Away'].map((name) => `cn=${name},ou=groups,${slapd.baseDn}`)
  await s.directory.write({ kind: 'rename', dn: dn ?? '', newDn: newDn ?? '' })
  t.match(await dryRun(), { moved: 1, added: 0, failed: 0 }, 'it finds the entry where it was put')
  t.ok('cn=Away,ou=groups' in (await s.tree()), 'and leaves it there')
})

t.test('what is in the way', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const database = await testDatabase(t)
  const options = { slapd, database, dataDir: t.testdir() }
  const first = await office(t, options)
  const company = await first.addGroup('Company', 0, 'ou')
  const unit = await first.addGroup('Groups', 0, 'ou')
  await first.addGroup('Kitchen', company)
  await first.settled()
  await first.close()
  const s = await office(t, { ...options, env: flat })
  const blocked = await s.plan()
  t.match(
    blocked.moves.filter(({ obstacle }) => obstacle !== null),
    [{ groupName: 'Groups', obstacle: { code: 'mirror.layout_unit' } }],
  )
  t.match(await s.change(blocked.planHash), { code: 409, reason: 'mirror.layout_blocked' })
  await s.take('updateGroup', { body: { id: unit, groupName: 'Teams' } })
  await s.settled()
  const foreign = `cn=Kitchen,ou=groups,${s.baseDn}`
  const add = (dn: string, attributes: Record<string, string[]>) => s.directory.write({ kind: 'add', dn, attributes })
  await add(`ou=groups,${s.baseDn}`, { objectClass: ['organizationalUnit'], ou: ['groups'] })
  await add(foreign, { objectClass: ['groupOfNames'], cn: ['Kitchen'], member: [`cn=x,${s.baseDn}`] })
  const plan = await s.plan()
  t.match(
    plan.moves.filter(({ obstacle }) => obstacle !== null),
    [{ groupName: 'Kitchen', obstacle: { code: 'mirror.layout_occupied', params: { dn: foreign } } }],
  )
  t.match(plan.heldBecause, [{ code: 'mirror.layout_held_occupied' }])
  const changed = await s.change(plan.planHash)
  t.match(changed.data, { state: 'done', total: 3, moved: 2, failed: 1, problems: [{ name: 'Kitchen' }] })
  t.match((await s.plan()).moves, [{ groupName: 'Kitchen' }], 'it is left where it was')
  t.ok(await s.directory.read(`cn=Kitchen,ou=Company,ou=groups,${s.baseDn}`, []), 'below its moved parent')
  await s.directory.write({ kind: 'delete', dn: foreign })
  await s.take('syncSqlGroups', { body: {} })
  await s.holds(
    { 'ou=Company,ou=groups': '', 'cn=Kitchen,ou=groups': '', 'ou=Teams,ou=groups': '' },
    'it follows when the place is free',
  )
})

t.test(
  'a plan for many groups is held, and one that is older than they are refused',
  { skip: skipWithoutSlapd },
  async (t) => {
    const slapd = await testSlapd(t)
    const database = await testDatabase(t)
    const options = { slapd, database, dataDir: t.testdir() }
    const first = await office(t, options)
    const groups: number[] = []
    for (let count = 0; count < 20; count += 1) groups.push(await first.addGroup(`g${count}`))
    await first.settled()
    await first.close()
    const s = await office(t, { ...options, env: { ...flat, DIRECTORY_WAIT: '1s' } })
    await s.settled()
    const reasonsOf = ({ heldBecause }: Awaited<ReturnType<Office['plan']>>) => heldBecause.map(({ code }) => code)
    const few = await s.plan()
    t.equal(few.total, 20)
    t.strictSame(reasonsOf(few), [], 'so many need no confirmation')
    await s.take('updateGroup', { body: { id: groups[3] ?? 0, groupName: 'renamed' } })
    await s.settled()
    t.match(await s.change(few.planHash), { code: 409, reason: 'mirror.layout_outdated' }, 'a group has another name')
    await s.addGroup('one more')
    await s.settled()
    const many = await s.plan()
    t.strictSame(reasonsOf(many), ['mirror.layout_held_many'])
    t.match(await s.change(many.planHash, false), { code: 409, reason: 'mirror.layout_held' })
    await slapd.readOnly(true)
    await s.ask('addGroup', { body: { groupName: 'late', groupType: 'cn', parentId: 0 } })
    t.strictSame(reasonsOf(await s.plan()), ['mirror.layout_held_many', 'mirror.layout_held_waiting'])
    t.match(await s.take('listDirectories'), { directories: [{ layout: 'nested' }] }, 'nothing has begun')
    await slapd.readOnly(false)
    await s.settled()
    t.match((await s.change((await s.plan()).planHash)).data, { state: 'done', moved: 22, failed: 0 })
  },
)

t.test('the layout is changed after a step-up, of a directory that there is', async (t) => {
  const without = await steward(t, { directory: 'none' })
  t.same(await without.take('listDirectories'), { directories: [] })
  const s = await office(t, {})
  const inStep = { waiting: 0, refused: 0, incomplete: 0, oldestWaitingAt: null, part: null }
  const nested = { directory: 1, baseDn: s.baseDn, layout: 'nested', wanted: 'nested', ...inStep }
  await s.settled()
  t.same(await s.take('listDirectories'), { directories: [nested] })
  const params = { directory: 1 }
  const body = { planHash: '0'.repeat(64) }
  t.match(await s.ask('getGroupLayout', { params: { directory: 2 } }), {
    code: 404,
    reason: 'mirror.no_such_directory',
  })
  t.match(await s.ask('changeGroupLayout', { params: { directory: 2 }, body }), { code: 404 })
  await s.db.execute(sql`update sessions set stepped_up_at = null`)
  t.match(await s.ask('changeGroupLayout', { params, body }), { code: 401 }, 'a step-up is needed')
})

t.test('in the flat layout each group gets a name that no other one has', async (t) => {
  const group = (id: number, name: string, type = 'cn') => ({ id, type, name, key: name.toLowerCase() })
  const names = (groups: ReturnType<typeof group>[], taken: { type: string; key: string }[] = []) =>
    Object.fromEntries(flatNamesFor(groups, taken).map(({ id, flatName }) => [id, flatName]))
  t.same(names([group(3, 'Sales'), group(1, 'sales'), group(2, 'SALES', 'ou')]), {
    1: 'sales',
    2: 'SALES',
    3: 'Sales2',
  })
  t.same(names([group(1, 'A'), group(2, 'A'), group(3, 'A2')]), { 1: 'A', 2: 'A3', 3: 'A2' }, 'not the name of another')
  t.same(names([group(1, 'Floor 1'), group(2, 'Floor 1')]), { 1: 'Floor 1', 2: 'Floor 1-2' }, 'not glued to a digit')
  t.same(
    names(
      [group(9, 'A')],
      [
        { type: 'cn', key: 'a' },
        { type: 'cn', key: 'a2' },
      ],
    ),
    { 9: 'A3' },
  )
  const long = 'x'.repeat(128)
  t.ok([...(names([group(1, long), group(2, long)])[2] ?? '')].length <= 128)
})
