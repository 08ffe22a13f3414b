import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { groupMembers, groups } from '../../src/db/schema.ts'
import type { SearchOptions, Write } from '../../src/ldap/directory.ts'
import { equals } from '../../src/ldap/filter.ts'
import { adoptDirectory } from '../../src/mirror/directory/identity.ts'
import { touchLists, touchRearranged } from '../../src/mirror/touch.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import type { TestStewardOptions } from '../steward.ts'
import { openOffice } from './office.ts'
import { idOf, membersOf, type StageOptions, stage } from './stage.ts'

// Groups whose `member` includes the people of the groups below them (LDAP_NESTED_GROUPS).

const nestedSetting = { LDAP_NESTED_GROUPS: 'members' }

/** A service, and the usernames that the groups in its directory list. */
const office = async (t: Test, options: TestStewardOptions & { slapd?: TestSlapd | undefined }) => {
  const s = await openOffice(t, options)
  const { directory, baseDn } = s

  const lists = async (): Promise<Record<string, string>> => {
    const found: Record<string, string> = {}
    const search: SearchOptions = {
      scope: 'sub',
      filter: equals('objectClass', 'groupOfNames'),
      attributes: ['member'],
    }
    for await (const page of directory.search(baseDn, search)) {
      for (const { dn, attributes } of page) {
        const names = (attributes.member ?? []).flatMap((member) => /^uid=(\w+),ou=people,/.exec(member)?.[1] ?? [])
        found[/^cn=(\w+)/.exec(dn)?.[1] ?? dn] = names.sort().join(' ')
      }
    }
    return found
  }
  /** Waits until the groups list exactly these people. */
  const list = async (wanted: Record<string, string>, what: string): Promise<void> => {
    const isThere = async () => isDeepStrictEqual(await lists(), wanted)
    await eventually(isThere, what).catch(() => {})
    t.strictSame(await lists(), wanted, what)
  }
  return { ...s, list }
}

for (const kind of ['slapd', 'the embedded directory'] as const) {
  t.test(`on ${kind}`, { skip: kind === 'slapd' && skipWithoutSlapd }, async (t) => {
    const slapd = kind === 'slapd' ? await testSlapd(t) : undefined
    const s = await office(t, { slapd, env: nestedSetting })
    const company = await s.addGroup('Company')
    const kitchen = await s.addGroup('Kitchen', company, 'ou')
    const bakery = await s.addGroup('Bakery', kitchen)
    const other = await s.addGroup('Other')
    const ada = await s.addUser('ada', [bakery])
    await s.addUser('ben', [kitchen])
    const cleo = await s.addUser('cleo', [bakery, company])
    await s.list({ Company: 'ada ben cleo', Bakery: 'ada cleo', Other: '' }, 'three levels, one of them an ou')

    await s.take('changeUserStatus', { body: { id: cleo, status: 2 } })
    await s.list({ Company: 'ada ben', Bakery: 'ada', Other: '' }, 'a disabled person is in no list')
    await s.take('changeUserStatus', { body: { id: cleo, status: 1 } })
    await s.list({ Company: 'ada ben cleo', Bakery: 'ada cleo', Other: '' }, 'an enabled person is back')

    await s.take('updateUser', { body: { ...person('adele'), id: ada, departmentId: [bakery] } })
    await s.list({ Company: 'adele ben cleo', Bakery: 'adele cleo', Other: '' }, 'a new username')

    await s.take('moveDepartment', { params: { id: kitchen }, body: { parent: other } })
    await s.list({ Company: 'cleo', Bakery: 'adele cleo', Other: 'adele ben cleo' }, 'a moved subtree')

    await s.take('removeGroupUsers', { body: { groupId: bakery, userIds: [ada] } })
    await s.list({ Company: 'cleo', Bakery: 'cleo', Other: 'ben cleo' }, 'a person who left a group')

    await s.take('deleteGroups', { body: { groupIds: [bakery] } })
    await s.list({ Company: 'cleo', Other: 'ben' }, 'a deleted group')
    await s.take('deleteUsers', { body: { userIds: [cleo] } })
    await s.list({ Company: '', Other: 'ben' }, 'a deleted person')

    t.match(await s.ask('syncSqlGroups', { body: {} }), { code: 0, data: { updated: 0, added: 0, failed: 0 } })
    t.match(await s.ask('listGroups'), { data: { total: 3 } })
  })
}

t.test('a switched setting writes only the lists that differ', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const database = await testDatabase(t)
  const dataDir = t.testdir()
  const options = { slapd, database, dataDir }
  const before = await office(t, options)
  const company = await before.addGroup('Company')
  const bakery = await before.addGroup('Bakery', company)
  await before.addUser('ada', [bakery])
  await before.addUser('ben', [company])
  const [apart, nested] = [
    { Company: 'ben', Bakery: 'ada' },
    { Company: 'ada ben', Bakery: 'ada' },
  ]
  await before.list(apart, 'each group lists its own members')
  const modified = async () => (await slapd.operations()).Modify

  const first = await modified()
  const after = await office(t, { ...options, env: nestedSetting })
  await after.list(nested, 'the group above lists them after a restart')
  await eventually(async () => (await after.take('listGroups', { query: { syncState: 2 } })).total === 0, 'all written')
  t.equal((await modified()) - first, 1, 'only the group that differs is written')

  await before.addUser('cleo', [bakery])
  await after.list(
    { Company: 'ada ben cleo', Bakery: 'ada cleo' },
    'an instance that was started with the former setting writes the same lists',
  )
  await before.close()
  await after.close()
  const last = await office(t, options)
  await last.list({ Company: 'ben', Bakery: 'ada cleo' }, 'switched off, each lists its own members again')
})

/** A tree of groups four deep with a person in the deepest, as `members` says. */
const tree = async (t: Test, options: StageOptions = {}) => {
  const s = await stage(t, options)
  const { baseDn } = s.slapd
  const identity = { server: 'slapd', baseDn, groupClass: 'groupOfNames', nestedGroups: 'members' } as const
  await adoptDirectory(s.db, identity)
  const add = async (name: string, parent?: number, members: number[] = []): Promise<number> =>
    idOf(await s.addGroup(name, { members, ...(parent === undefined ? {} : { parent }) }), 'group')
  return { ...s, add }
}

t.test('who leaves a group is late while the lists above show them', { skip: skipWithoutSlapd }, async (t) => {
  const s = await tree(t)
  const [ada = 0] = (await s.addUsers('ada')).map(({ id }) => id)
  const company = await s.add('Company')
  const other = await s.add('Other')
  const bakery = await s.add('Bakery', company, [ada])
  await touchLists(s.db, sql`select ${bakery}::bigint as id`)
  await s.quiet()
  t.match(await membersOf(s, 'Company'), [`uid=ada,ou=people,${s.slapd.baseDn}`])
  await s.slapd.readOnly(true)
  const waiting = async (): Promise<number[]> => {
    const rows = await s.db.execute<{ id: string }>(sql`
      select record_id as id from directory_entries where kind = 'group' and withdraws_at is not null order by record_id`)
    return rows.map(({ id }) => Number(id))
  }

  await s.db.delete(groupMembers).where(eq(groupMembers.groupId, bakery))
  await touchLists(s.db, sql`select ${bakery}::bigint as id`, { withdraws: [bakery] })
  t.strictSame(await waiting(), [company, bakery], 'a membership is withdrawn from both')

  await s.db.execute(sql`update directory_entries set withdraws_at = null`)
  await s.db.update(groups).set({ parentId: other }).where(eq(groups.id, bakery))
  await touchRearranged(s.db, { subtrees: sql`select ${bakery}::bigint as id`, formerParents: [company] })
  t.strictSame(await waiting(), [company], 'a group that leaves takes its people with it')
  await s.slapd.readOnly(false)
  await s.quiet()
  t.strictSame(await membersOf(s, 'Company'), [`cn=nobody,${s.slapd.baseDn}`])
})

t.test('large lists change by value', { skip: skipWithoutSlapd }, async (t) => {
  const writes: Write[] = []
  const s = await tree(t, {
    transactions: false,
    faults: (real) => ({
      write: async (write, before) => {
        writes.push(write)
        await real.write(write, before)
      },
    }),
  })
  const people = (await s.addUsers(...Array.from({ length: 2500 }, (_, index) => `p${index}`))).map(({ id }) => id)
  const company = await s.add('Company')
  const bakery = await s.add('Bakery', company, people)
  await touchLists(s.db, sql`select ${bakery}::bigint as id`)
  await s.quiet()
  t.equal((await membersOf(s, 'Company'))?.length, 2500)

  writes.splice(0)
  await s.db.execute(sql`delete from group_members where user_id = ${people[7]}`)
  await touchLists(s.db, sql`select ${bakery}::bigint as id`, { withdraws: true })
  await s.quiet()
  const gone = [`uid=p7,ou=people,${s.slapd.baseDn}`]
  // The comparison after the start may find meanwhile that the person has one department fewer.
  const ofGroups = writes.filter(({ dn }) => dn.startsWith('cn='))
  t.strictSame(
    ofGroups.map((write) => write.kind === 'modify' && write.changes),
    [
      [{ operation: 'delete', attribute: 'member', values: gone }],
      [{ operation: 'delete', attribute: 'member', values: gone }],
    ],
  )
})

t.test('a person joins a group while a group above it is moved', { skip: skipWithoutSlapd }, async (t) => {
  // The embedded database has one connection: there are never two transactions at once.
  if (process.env.TEST_DATABASE === 'embedded') return t.pass('one connection')
  const s = await tree(t)
  const [ada = 0] = (await s.addUsers('ada')).map(({ id }) => id)
  const company = await s.add('Company')
  const kitchen = await s.add('Kitchen', company)
  const bakery = await s.add('Bakery', kitchen)
  const other = await s.add('Other')
  await s.quiet()

  let hasMoved = (): void => {}
  let end = (): void => {}
  const moved = new Promise<void>((resolve) => (hasMoved = resolve))
  const waited = new Promise<void>((resolve) => (end = resolve))
  const moves = s.db.transaction(async (tx) => {
    await tx.update(groups).set({ parentId: other }).where(eq(groups.id, kitchen))
    const subtrees = sql`select id from groups where id in (${kitchen}, ${bakery})`
    await touchRearranged(tx, { subtrees, formerParents: [company] })
    hasMoved()
    await waited
  })
  await moved
  const joins = s.db.transaction(async (tx) => {
    await tx.insert(groupMembers).values({ groupId: bakery, userId: ada })
    return (await touchLists(tx, sql`select ${bakery}::bigint as id`)).map(({ id }) => id)
  })
  const isWaiting = async () => (await s.db.execute(sql`select pid from pg_locks where not granted`)).length > 0
  await eventually(isWaiting, 'the other transaction waits')
  end()
  await moves
  t.ok((await joins).includes(other), 'the group that is above it by now is marked')
  await s.quiet()
  t.match(await membersOf(s, 'Other'), [`uid=ada,ou=people,${s.slapd.baseDn}`])
  t.match(await membersOf(s, 'Company'), [`cn=nobody,${s.slapd.baseDn}`])
})
