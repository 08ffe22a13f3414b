import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Tx } from '../../src/db/client.ts'
import { lastInOrder } from '../../src/db/in-order.ts'
import { groupMembers, users } from '../../src/db/schema.ts'
import { ConnectionLostError } from '../../src/db/transaction-scope.ts'
import { DirectoryError } from '../../src/ldap/directory.ts'
import type { Ahead } from '../../src/mirror/ahead.ts'
import { openClaims } from '../../src/mirror/claims.ts'
import { settler } from '../../src/mirror/settle.ts'
import { type Touched, touch, touchLists } from '../../src/mirror/touch.ts'
import { silent } from '../database.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { entryOf, idOf, type Stage, stage } from './stage.ts'

// A request that is alone claims its records in the transaction that changes them.

const inTransaction = async (s: Stage, ahead: Ahead, change: (tx: Tx) => Promise<Touched[]>): Promise<Touched[]> =>
  s.db.transaction(async (tx) => {
    const touched = await change(tx)
    await lastInOrder(tx, () => ahead.claim(tx, touched))
    return touched
  })

const renaming =
  (id: number, nickname: string) =>
  async (tx: Tx): Promise<Touched[]> => {
    await tx.execute(sql`update ${users} set nickname = ${nickname} where id = ${id}`)
    return touch(tx, 'user', [id])
  }

/** How many rows of the ledger have a holder. */
const leases = async ({ db }: Stage): Promise<number> => {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from directory_entries where lease_owner is not null`,
  )
  return row?.count ?? -1
}

t.test('with a directory', { skip: skipWithoutSlapd }, async (t) => {
  t.test('a person and their groups are written with what was claimed', async (t) => {
    const s = await stage(t, { started: false })
    const group = await s.addGroup('Crew')
    await s.reconciler.settle(group)
    const groupId = idOf(group, 'group')
    const ahead = s.reconciler.ahead()
    const touched = await inTransaction(s, ahead, async (tx) => {
      const [row] = await tx
        .insert(users)
        .values({ username: 'ada', usernameKey: 'ada', nickname: 'Ada', mail: '' })
        .returning({ id: users.id })
      const id = row?.id ?? 0
      await tx.insert(groupMembers).values({ groupId, userId: id })
      const itself = await touch(tx, 'user', [id])
      return [...itself, ...(await touchLists(tx, sql`select ${groupId}::bigint as id`, { joined: [id] }))]
    })
    t.equal(await leases(s), 1, 'the person is claimed with the commit; the list depends on their entry')
    t.equal(await s.reconciler.settle(touched, undefined, ahead), true)
    t.equal(await leases(s), 0)
    t.match(await s.find('(cn=Crew)', 'member'), `uid=ada,ou=people,${s.slapd.baseDn}`)
    t.match(await entryOf(s, 'group', groupId), { error: '', leaseOwner: null })
  })

  t.test('only one request at a time claims ahead, and the next one when it has ended', async (t) => {
    const s = await stage(t, { started: false })
    const people = await s.addUsers('bea', 'cem')
    await s.reconciler.settle(people)
    const [first = 0, second = 0] = people.map(({ id }) => id)
    const ahead = s.reconciler.ahead()
    const touched = await inTransaction(s, ahead, renaming(first, 'Bea'))
    const other = s.reconciler.ahead()
    const also = await inTransaction(s, other, renaming(second, 'Cem'))
    t.equal(other.take(), null)
    t.equal(await leases(s), 1)
    t.same(
      await Promise.all([s.reconciler.settle(touched, undefined, ahead), s.reconciler.settle(also, undefined, other)]),
      [true, true],
    )
    t.match(await s.people('displayName'), /: Bea\n[\s\S]*: Cem\n/)
    const third = s.reconciler.ahead()
    await inTransaction(s, third, renaming(first, 'Beatrice'))
    const held = third.take()
    t.not(held, null)
    await held?.giveBack()
    third.end()
    t.equal(await leases(s), 0)
  })

  t.test('what is claimed is left to no other, and given back where it is not written', async (t) => {
    const s = await stage(t, { started: false })
    const other = await stage(t, { started: false, slapd: s.slapd })
    const id = idOf(await s.addUsers('dan'))
    const ahead = s.reconciler.ahead()
    const touched = await inTransaction(s, ahead, renaming(id, 'Dan'))
    t.equal(await other.reconciler.settle(touched, 300), false)
    t.notMatch(await s.people('uid'), 'uid=dan')
    await s.reconciler.stop()
    t.equal(await s.reconciler.settle(touched, undefined, ahead), false, 'the service stops')
    t.equal(await leases(s), 0)
    t.equal(await other.reconciler.settle(touched), true)
    t.match(await s.people('uid'), 'uid=dan')
  })

  t.test('a transaction that fails leaves nothing claimed, and the next request claims', async (t) => {
    const s = await stage(t, { started: false })
    const id = idOf(await s.addUsers('eva'))
    const ahead = s.reconciler.ahead()
    const fails = s.db.transaction(async (tx) => {
      const touched = await touch(tx, 'user', [id])
      await ahead.claim(tx, touched)
      throw new Error('changed its mind')
    })
    await t.rejects(fails, { message: 'changed its mind' })
    ahead.failed(new Error('changed its mind'))
    t.equal(await leases(s), 0)
    const next = s.reconciler.ahead()
    const touched = await inTransaction(s, next, renaming(id, 'Eva'))
    t.equal(await leases(s), 1)
    t.equal(await s.reconciler.settle(touched, undefined, next), true)
  })

  t.test('groups that were claimed are given back if they cannot be written', async (t) => {
    let isAway = false
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        read: async (dn, attributes) => {
          if (isAway && dn.startsWith('cn=')) throw new DirectoryError('unavailable', 'connection refused')
          return real.read(dn, attributes)
        },
      }),
    })
    const group = await s.addGroup('Crew', { members: [idOf(await s.addUsers('fay'))] })
    await s.reconciler.settle(group)
    isAway = true
    const ahead = s.reconciler.ahead()
    const [{ id } = { id: 0 }] = await s.addUsers('gus')
    const touched = await inTransaction(s, ahead, async (tx) => {
      await tx.insert(groupMembers).values({ groupId: idOf(group, 'group'), userId: id })
      const itself = await touch(tx, 'user', [id])
      return [...itself, ...(await touchLists(tx, sql`select ${idOf(group, 'group')}::bigint as id`, { joined: [id] }))]
    })
    t.equal(await s.reconciler.settle(touched, undefined, ahead), false)
    t.equal(await leases(s), 0)
    t.match(await s.people('uid'), /uid=fay[\s\S]*uid=gus/)
  })
})

t.test('a claim whose commit was not confirmed is released later, by its holder alone', async (t) => {
  const released: unknown[] = []
  const claims = openClaims({
    ledger: {
      claim: async () => t.fail('nothing is claimed at once') as never,
      claimWith: async (_, claim) => ({ ...claim, kind: 'user', rows: null }),
      renew: async () => 'renewed',
      record: async () => t.fail('nothing is written') as never,
      release: async ({ owner, ids }) => void released.push([owner.length, ids]),
    },
    makeEqual: () => t.fail('nothing is written') as never,
    recorded: async () => {},
  })
  const tx = {} as Tx
  const refused = claims.late('user', [7])
  await refused.send(tx)
  refused.failed(new Error('a conflict'))
  await claims.giveBackLate()
  t.same(released, [])
  const unknown = claims.late('user', [7])
  await unknown.send(tx)
  unknown.failed(new ConnectionLostError())
  await claims.giveBackLate()
  t.same(released, [[36, []]])
  const unsent = claims.late('user', [7])
  unsent.failed(new ConnectionLostError())
  await claims.giveBackLate()
  t.same(released, [[36, []]], 'one that was never sent is not looked for')
})

t.test('a claim that got nothing is neither written nor looked for', async (t) => {
  const released: unknown[] = []
  const there = { reached: new Map(), equal: new Set<number>(), groupsDue: [] }
  const claims = openClaims({
    ledger: {
      claim: async () => t.fail('nothing is claimed at once') as never,
      claimWith: async (_, claim) => ({ ...claim, kind: 'user', rows: null }),
      renew: async () => 'renewed',
      record: async (_, __, next) => ({
        ...there,
        next: { owner: next?.owner ?? '', kind: 'group', ids: [], rows: [] },
      }),
      release: async ({ ids }) => void released.push(ids),
    },
    makeEqual: async function* () {
      yield []
    },
    recorded: async () => {},
  })
  const late = claims.late('user', [7])
  await late.send({} as Tx)
  t.same(await late.held()?.write(() => {}, [3]), { outcomes: [], next: null })
  t.same(released, [])
})

t.test('a request whose second attempt changes nothing is in the way of no other', async (t) => {
  let claims = 0
  const late = () => {
    claims += 1
    return { send: async () => {}, held: () => null, failed: () => {} }
  }
  const nothing = () => t.fail('nothing is written') as never
  const batches = { late, step: nothing, leave: nothing, write: nothing }
  const { settle, ahead } = settler({
    ...{ patience: 100, batches, ledger: { behind: nothing, groupsOnTheirWay: nothing }, log: silent },
    ...{ stopped: () => false, paused: () => false, track: (work) => work },
    ...{ wake: nothing, explain: nothing, explainSilence: nothing, lost: nothing },
  })
  const tx = {} as Tx
  const touched: Touched[] = [{ kind: 'user', id: 1, version: 1 }]
  const first = ahead()
  await first.claim(tx, touched)
  await first.claim(tx, [])
  t.equal(await settle([], undefined, first), true)
  const second = ahead()
  await second.claim(tx, touched)
  t.equal(claims, 2)
  const third = ahead()
  await third.claim(tx, touched)
  t.equal(claims, 2, 'while the second is under way')
  second.failed(new Error('a conflict'))
  await third.claim(tx, touched)
  t.equal(claims, 3)
})
