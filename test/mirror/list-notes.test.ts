import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { idList } from '../../src/db/id-list.ts'
import { groupMembers, users } from '../../src/db/schema.ts'
import type { Directory, Write } from '../../src/ldap/directory.ts'
import { touch, touchDeleted, touchLists } from '../../src/mirror/touch.ts'
import { postgresMissing } from '../database.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { type Stage, stage } from './stage.ts'

// A group of thousands is not read and compared as a whole because one person joins or leaves it: list-notes.ts.

t.setTimeout(240_000)

/** A stage, and what the directory was asked about groups since the last look. */
const watched = async (t: Test, options: Parameters<typeof stage>[1] = {}) => {
  const asked: string[] = []
  const isGroup = (dn: string): boolean => dn.startsWith('cn=All')
  const written = ({ kind, ...more }: Write): string =>
    'changes' in more
      ? more.changes.map(({ operation, attribute, values }) => `${operation} ${attribute} ${values.length}`).join()
      : kind
  const faults = (real: Directory): Partial<Directory> => ({
    read: (dn, attributes) => {
      if (isGroup(dn)) asked.push(attributes.includes('member') ? 'read whole' : 'read')
      return real.read(dn, attributes)
    },
    write: (change, ...rest) => {
      if (isGroup(change.dn)) asked.push(written(change))
      return real.write(change, ...rest)
    },
  })
  const s = await stage(t, { ...options, faults })
  const look = (): string[] => asked.splice(0)
  return { s, look }
}

const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, n) => `p${from + n}`)

const groupOf = async (s: Stage, count: number) => {
  const members = (await s.addUsers(...names(count))).map(({ id }) => id)
  const touched = await s.addGroup('All', { members })
  await s.reconciler.settle(touched)
  await s.quiet()
  return { group: touched.find(({ kind }) => kind === 'group')?.id ?? 0, members }
}

/** The people join as a request lets them. */
const join = (s: Stage, group: number, ids: readonly number[]) =>
  s.db.transaction(async (tx) => {
    await tx.insert(groupMembers).values(ids.map((userId) => ({ groupId: group, userId })))
    const people = await touch(tx, 'user', ids)
    return [...people, ...(await touchLists(tx, idList([group]), { joined: ids }))]
  })

const leave = (s: Stage, group: number, id: number) =>
  s.db.transaction(async (tx) => {
    await tx.delete(groupMembers).where(sql`group_id = ${group} and user_id = ${id}`)
    const people = await touch(tx, 'user', [id])
    return [...people, ...(await touchLists(tx, idList([group]), { withdraws: true }))]
  })

const listed = async (s: Stage): Promise<number> =>
  ((await s.find('(cn=All)', 'member')).match(/^member:/gm) ?? []).length

const isInStep = async (t: Test, s: Stage, count: number): Promise<void> => {
  await s.quiet()
  t.equal(await listed(s), count)
  t.match(await s.reconciler.synchronize('group', 'all'), { total: 1, unchanged: 1, failed: 0 })
}

const skip = skipWithoutSlapd || postgresMissing

t.test('who joins a long list is added by value, and the list is not read', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group } = await groupOf(s, 30)
  const [ann, bob, eve] = (await s.addUsers('ann', 'bob', 'eve')).map(({ id }) => id) as [number, number, number]
  await s.quiet()
  look()
  t.equal(await s.reconciler.settle(await join(s, group, [ann])), true)
  t.same(look(), ['read', 'add member 1'])
  t.equal(await s.reconciler.settle(await join(s, group, [bob, eve])), true)
  t.same(look(), ['read', 'add member 2'])
  await isInStep(t, s, 33)

  await t.test('also who has no entry yet', async (t) => {
    look()
    const touched = await s.db.transaction(async (tx) => {
      const [row] = await tx
        .insert(users)
        .values({ username: 'new', usernameKey: 'new', nickname: 'n', mail: '' })
        .returning()
      const id = row?.id ?? 0
      await tx.insert(groupMembers).values({ groupId: group, userId: id })
      const itself = await touch(tx, 'user', [id])
      return [...itself, ...(await touchLists(tx, idList([group]), { joined: [id] }))]
    })
    t.equal(await s.reconciler.settle(touched), true)
    t.same(
      look().filter((each) => each !== 'read'),
      ['add member 1'],
    )
    await isInStep(t, s, 34)
  })

  await t.test('the whole list is compared after anything else', async (t) => {
    for (const [what, change, count] of [
      ['a member left', async () => leave(s, group, bob), 34],
      [
        'a member was disabled',
        async () => {
          await s.db.update(users).set({ status: 2 }).where(eq(users.id, eve))
          return [...(await touch(s.db, 'user', [eve])), ...(await touchLists(s.db, idList([group])))]
        },
        34,
      ],
      ['the group was changed', () => s.change('group', group), 35],
    ] as const) {
      const [id = 0] = (await s.addUsers(`after ${what}`)).map((each) => each.id)
      await s.quiet()
      look()
      const touched = [...(await change()), ...(await join(s, group, [id]))]
      t.equal(await s.reconciler.settle(touched), true, what)
      t.equal(look()[0], 'read whole', what)
      await isInStep(t, s, count)
    }
  })
})

/** The changes of one person as requests make them: what is done before the people and their lists are marked. */
const changes = {
  leave: (s: Stage, group: number, id: number) =>
    s.db.execute(sql`delete from group_members where group_id = ${group} and user_id = ${id}`),
  disable: (s: Stage, _: number, id: number) => s.db.update(users).set({ status: 2 }).where(eq(users.id, id)),
  enable: (s: Stage, _: number, id: number) => s.db.update(users).set({ status: 1 }).where(eq(users.id, id)),
  remove: (s: Stage, _: number, id: number) => s.db.delete(users).where(eq(users.id, id)),
} as const

const changed = (s: Stage, what: keyof typeof changes, group: number, id: number) =>
  s.db.transaction(async (tx) => {
    const on = { ...s, db: tx } as unknown as Stage
    const people = what === 'remove' ? await touchDeleted(tx, 'user', [id]) : await touch(tx, 'user', [id])
    const lists = await touchLists(tx, idList([group]), { withdraws: what === 'leave', about: [id] })
    await changes[what](on, group, id)
    return [...people, ...lists]
  })

t.test('who leaves a long list is removed by value, and the list is not read', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group, members } = await groupOf(s, 40)
  const [one = 0, two = 0, three = 0, four = 0] = members
  const asked = () => look().filter((each) => each !== 'read')
  for (const [what, id, count, expected] of [
    ['leave', one, 39, ['delete member 1']],
    ['disable', two, 38, ['delete member 1']],
    ['enable', two, 39, ['add member 1']],
    ['remove', three, 38, ['delete member 1']],
  ] as const) {
    look()
    t.equal(await s.reconciler.settle(await changed(s, what, group, id)), true, what)
    t.same(asked(), expected, what)
    await isInStep(t, s, count)
  }

  await t.test('together with others who join', async (t) => {
    const [ann = 0] = (await s.addUsers('ann')).map(({ id }) => id)
    await s.quiet()
    look()
    const touched = [...(await changed(s, 'leave', group, four)), ...(await join(s, group, [ann]))]
    t.equal(await s.reconciler.settle(touched), true)
    t.same(asked(), ['add member 1', 'delete member 1'])
    await isInStep(t, s, 38)
  })

  await t.test('who left and came back stays', async (t) => {
    look()
    const [five = 0] = members.slice(5)
    await changed(s, 'leave', group, five)
    const touched = await join(s, group, [five])
    t.equal(await s.reconciler.settle(touched), true)
    await isInStep(t, s, 38)
    t.match(await s.find('(cn=All)', 'member'), 'uid=p5,')
  })
})

t.test('a value that the list has lost already holds nothing up', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group, members } = await groupOf(s, 30)
  const values = [`uid=p3,ou=people,${s.slapd.baseDn}`]
  const dn = `cn=All,${s.slapd.baseDn}`
  await s.directory.write({ kind: 'modify', dn, changes: [{ operation: 'delete', attribute: 'member', values }] })
  look()
  t.equal(await s.reconciler.settle(await changed(s, 'disable', group, members[3] ?? 0)), true)
  t.ok(look().includes('delete member 1'))
  await isInStep(t, s, 29)
})

t.test('a list that has lost all others is compared as a whole', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group, members } = await groupOf(s, 30)
  const values = [`uid=p3,ou=people,${s.slapd.baseDn}`]
  const dn = `cn=All,${s.slapd.baseDn}`
  await s.directory.write({ kind: 'modify', dn, changes: [{ operation: 'replace', attribute: 'member', values }] })
  look()
  await s.reconciler.settle(await changed(s, 'leave', group, members[3] ?? 0))
  await s.quiet()
  t.ok(look().includes('read whole'))
  await isInStep(t, s, 29)
})

t.test('people who were not marked by the same transaction leave a gap', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group, members } = await groupOf(s, 30)
  const [one = 0] = members
  const touched = await touch(s.db, 'user', [one])
  look()
  const lists = await s.db.transaction(async (tx) => {
    await tx.delete(groupMembers).where(sql`group_id = ${group} and user_id = ${one}`)
    return touchLists(tx, idList([group]), { withdraws: true, about: [one] })
  })
  t.equal(await s.reconciler.settle([...touched, ...lists]), true)
  t.equal(look()[0], 'read whole')
  await isInStep(t, s, 29)
})

t.test('a comparison reads the whole list, also of a group that people have only joined', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group } = await groupOf(s, 30)
  const [ann = 0, bob = 0] = (await s.addUsers('ann', 'bob')).map(({ id }) => id)
  await s.quiet()
  const dn = `cn=All,${s.slapd.baseDn}`
  const edit = async (operation: 'add' | 'delete', name: string): Promise<void> => {
    const values = [`uid=${name},ou=people,${s.slapd.baseDn}`]
    await s.directory.write({ kind: 'modify', dn, changes: [{ operation, attribute: 'member', values }] })
  }
  for (const [id, count] of [[ann, 31] as const, [bob, 32] as const]) {
    look()
    t.equal(await s.reconciler.settle(await join(s, group, [id])), true)
    t.same(look(), ['read', 'add member 1'])
    await edit('delete', 'p7')
    await edit('add', 'ghost')
    look()
    const compared = id === ann ? s.reconciler.synchronize('group', 'all') : s.reconciler.synchronize('group', [group])
    t.match(await compared, { total: 1, updated: 1, failed: 0 })
    t.same(look(), ['read whole', 'add member 1,delete member 1'])
    t.notMatch(await s.find('(cn=All)', 'member'), 'uid=ghost')
    await isInStep(t, s, count)
  }
})

t.test('a short list is compared as a whole', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group } = await groupOf(s, 20)
  const [ann = 0, bob = 0] = (await s.addUsers('ann', 'bob')).map(({ id }) => id)
  await s.quiet()
  look()
  t.equal(await s.reconciler.settle(await join(s, group, [ann])), true)
  t.same(look(), ['read whole', 'add member 1'])
  t.equal(await s.reconciler.settle(await join(s, group, [bob])), true)
  t.same(look(), ['read', 'add member 1'])
  await isInStep(t, s, 22)
})

t.test('an entry that is not as the ledger knows it is compared as a whole', { skip }, async (t) => {
  const { s, look } = await watched(t)
  const { group } = await groupOf(s, 30)
  const [ann, bob, eve] = (await s.addUsers('ann', 'bob', 'eve')).map(({ id }) => id) as [number, number, number]
  await s.quiet()
  const dn = `cn=All,${s.slapd.baseDn}`

  await t.test('it is gone', async (t) => {
    await s.directory.write({ kind: 'delete', dn })
    look()
    t.equal(await s.reconciler.settle(await join(s, group, [ann])), true)
    t.ok(look().includes('add'))
    await isInStep(t, s, 31)
  })

  await t.test('it was renamed', async (t) => {
    await s.directory.write({ kind: 'rename', dn, newDn: `cn=Elsewhere,${s.slapd.baseDn}` })
    t.equal(await s.reconciler.settle(await join(s, group, [bob])), true)
    await isInStep(t, s, 32)
  })

  await t.test('it has the member, as after an answer that was lost, and lacks another one', async (t) => {
    const member = (name: string) => [`uid=${name},ou=people,${s.slapd.baseDn}`]
    // The one that the rename has caused would find this.
    await s.reconciler.compareEverything()
    await s.directory.write({
      kind: 'modify',
      dn,
      changes: [
        { operation: 'add', attribute: 'member', values: member('eve') },
        { operation: 'delete', attribute: 'member', values: member('p7') },
      ],
    })
    look()
    await s.reconciler.settle(await join(s, group, [eve]))
    await isInStep(t, s, 33)
    // A comparison of what surprised may read it too.
    const asked = look()
    t.equal(asked[0], 'read')
    t.ok(asked.indexOf('add member 1') < asked.lastIndexOf('read whole'), asked.join(', '))
  })
})

for (const count of [60, 130]) {
  t.test(`after ${count} joins while the directory was not written, all are there`, { skip }, async (t) => {
    const { s } = await watched(t, { started: false })
    s.reconciler.start()
    const { group } = await groupOf(s, 30)
    const ids = (await s.addUsers(...names(count, 1000))).map(({ id }) => id)
    await s.quiet()
    await s.reconciler.stop()
    for (const id of ids) await join(s, group, [id])
    const later = await stage(t, { slapd: s.slapd })
    await isInStep(t, later, 30 + count)
  })
}

// Whatever requests do in whatever order, the directory has it. The lists are long, so that both ways are taken.
const walk = async (t: Test, overlays: { refint?: boolean; memberof?: boolean }, start: number): Promise<void> => {
  const slapd = await testSlapd(t, { rfc2307bis: true, ...overlays })
  const service = await steward(t, {
    directory: slapd,
    env: { POSIX_ACCOUNTS: 'all', POSIX_MEMBER_UID: 'true', LDAP_GROUP_CLASS: 'groupOfNames posixGroup' },
  })
  const group = async (groupName: string): Promise<number> =>
    (await service.take('addGroup', { body: { groupName, groupType: 'cn', parentId: 0, remark: '' } })).id
  const groups = [await group('One'), await group('Two')]
  const ids: number[] = []
  for (let n = 0; n < 60; n++) {
    ids.push((await service.take('addUser', { body: person(`w${n}`, { departmentId: groups }) })).id)
  }
  let seed = start
  const any = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const [first = 0, second = 0] = groups
  const steps = [
    (id: number) => service.ask('addGroupUsers', { body: { groupId: groups[any(2)] ?? first, userIds: [id] } }),
    (id: number) => service.ask('addGroupUsers', { body: { groupId: second, userIds: [id, ids[any(60)] ?? id] } }),
    (id: number) => service.ask('removeGroupUsers', { body: { groupId: groups[any(2)] ?? first, userIds: [id] } }),
    (id: number) => service.ask('changeUserStatus', { body: { id, status: any(3) === 0 ? 2 : 1 } }),
    (id: number) =>
      service.ask('updateUser', {
        body: { id, ...person(`w${id}${any(3) === 0 ? 'x' : ''}`, { departmentId: [groups[any(2)] ?? first] }) },
      }),
    (id: number) => service.ask('changePeople', { body: { action: any(2) === 0 ? 'disable' : 'enable', ids: [id] } }),
    (id: number) =>
      service.ask('changePeople', { body: { action: 'move', from: first, to: second, ids: [id, ids[any(60)] ?? id] } }),
    (id: number) => service.ask('deleteUsers', { body: { userIds: [any(4) === 0 ? id : 0] } }),
  ]
  const codes = new Set<number>()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 50; n++) codes.add((await steps[any(steps.length)]?.(ids[any(60)] ?? 0))?.code ?? -1)
    }),
  )
  t.ok(codes.has(0))
  await service.mirror.reconciler.synchronize('user', 'pending')
  for (const [name, id] of [
    ['One', first],
    ['Two', second],
  ] as const) {
    const rows = await service.db.execute<{ dn: string; username: string }>(sql`
      select e.dn, u.username from group_members m join users u on u.id = m.user_id and u.status = 1
      join directory_entries e on e.kind = 'user' and e.record_id = u.id where m.group_id = ${id}`)
    const shown = await slapd.ldapsearch('-o', 'ldif-wrap=no', '-b', `cn=${name},${slapd.baseDn}`, '-s', 'base')
    const values = (attribute: string): string[] =>
      [...shown.matchAll(new RegExp(`^${attribute}: (.*)$`, 'gm'))].map(([, value = '']) => value).sort()
    t.same(values('member'), rows.map(({ dn }) => dn).sort(), name)
    t.same(values('memberUid'), rows.map(({ username }) => username).sort(), name)
  }
  t.match(await service.mirror.reconciler.synchronize('group', 'all'), { unchanged: 2, failed: 0 })
}

t.test('a walk of changes by several callers', { skip }, (t) => walk(t, {}, 42))

t.test('the same where the server lets lists follow their members', { skip }, (t) =>
  walk(t, { refint: true, memberof: true }, 4711),
)
