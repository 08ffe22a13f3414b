import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { Tx } from '../../src/db/client.ts'
import { inOrder, lastInOrder } from '../../src/db/in-order.ts'
import { takeLock } from '../../src/db/locks.ts'
import { groupMembers, users } from '../../src/db/schema.ts'
import { ConnectionLostError } from '../../src/db/transaction-scope.ts'
import { type Change, DirectoryError } from '../../src/ldap/directory.ts'
import { openLedger } from '../../src/mirror/ledger/ledger.ts'
import type { Claimed } from '../../src/mirror/ledger/record-rows.ts'
import { withListChanges } from '../../src/mirror/plan/list-changes.ts'
import type { Outcome } from '../../src/mirror/plan/outcome.ts'
import {
  type ListsHow,
  type RecordKind,
  type Touched,
  touch,
  touchDeleted,
  touchLists,
} from '../../src/mirror/touch.ts'
import { openClaims } from '../../src/mirror/writing/claims.ts'
import type { EarlyClaim } from '../../src/mirror/writing/early-claim.ts'
import { settler } from '../../src/mirror/writing/settle.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { heldOpen } from '../held-open.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { entryOf, idOf, type Stage, stage } from './stage.ts'

// A request that is alone claims its records in the transaction that changes them.

const inTransaction = async (
  s: Stage,
  earlyClaim: EarlyClaim,
  change: (tx: Tx) => Promise<Touched[]>,
): Promise<Touched[]> =>
  s.db.transaction(async (tx) => {
    const touched = await change(tx)
    await lastInOrder(tx, await earlyClaim.complete(tx, touched))
    return touched
  })

const renaming =
  (id: number, nickname: string) =>
  async (tx: Tx): Promise<Touched[]> => {
    await tx.execute(sql`update ${users} set nickname = ${nickname} where id = ${id}`)
    return touch(tx, 'user', [id])
  }

/** Disables a person in a transaction that claims them. `noted`: where the ledger says that their entry is moved. */
const disabling = async (s: Stage, id = 0) => {
  const earlyClaim = s.reconciler.earlyClaim()
  const touched = await s.db.transaction(async (tx) => {
    await tx.execute(sql`update ${users} set status = 2 where id = ${id}`)
    const [marked] = await inOrder(
      () => touch(tx, 'user', [id]),
      () => earlyClaim.begin(tx, { user: [id], group: [], locksNoMore: true }),
    )
    await lastInOrder(tx, await earlyClaim.complete(tx, marked))
    return marked
  })
  return { touched, earlyClaim, noted: (await entryOf(s, 'user', id))?.targetDn }
}

/** Locks something in a transaction of its own. @returns ends it */
const locking = async ({ db }: Stage, lock: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> =>
  (await heldOpen(db, lock)).end

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
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, async (tx) => {
      const [row] = await tx
        .insert(users)
        .values({ username: 'ada', usernameKey: 'ada', nickname: 'Ada', mail: '' })
        .returning({ id: users.id })
      const id = row?.id ?? 0
      await tx.insert(groupMembers).values({ groupId, userId: id })
      const itself = await touch(tx, 'user', [id])
      return [...itself, ...(await touchLists(tx, sql`select ${groupId}::bigint as id`, { joined: [id] }))]
    })
    t.equal(await leases(s), 2, 'both are claimed with the commit')
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    t.equal(await leases(s), 0)
    t.match(await s.find('(cn=Crew)', 'member'), `uid=ada,ou=people,${s.slapd.baseDn}`)
    t.match(await entryOf(s, 'group', groupId), { error: '', leaseOwner: null })
  })

  t.test('records are claimed before the statements that change them are answered', async (t) => {
    const reads: string[] = []
    let isOpen = false
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        async read(dn, attributes) {
          reads.push(`${dn.split(',')[0]} ${isOpen ? 'during' : 'after'} the transaction`)
          return real.read(dn, attributes)
        },
      }),
    })
    const [group, other] = [await s.addGroup('Crew'), await s.addGroup('Other')]
    const [one] = await s.addUsers('amy')
    const everyone = [...group, ...other, ...(one ? [one] : [])]
    t.equal(await s.reconciler.settle(everyone), true)
    reads.splice(0)
    const [groupId, otherId, id] = [idOf(group, 'group'), idOf(other, 'group'), one?.id ?? 0]
    const earlyClaim = s.reconciler.earlyClaim()
    let early = 0
    isOpen = true
    const touched = await s.db.transaction(async (tx) => {
      const marked = await inOrder(
        () =>
          tx.insert(groupMembers).values([
            { groupId, userId: id },
            { groupId: otherId, userId: id },
          ]),
        () => touch(tx, 'user', [id]),
        () => touchLists(tx, sql`select unnest(array[${groupId}, ${otherId}]::bigint[]) as id`, { joined: [id] }),
        () => earlyClaim.begin(tx, { user: [id], group: [groupId] }),
      )
      const [row] = await tx.execute<{ count: number }>(
        sql`select count(*)::int as count from directory_entries where lease_owner is not null`,
      )
      early = row?.count ?? 0
      const all = [...marked[1], ...marked[2]]
      await eventually(async () => reads.length === 2, 'the entries are read')
      await lastInOrder(tx, await earlyClaim.complete(tx, all))
      return all
    })
    isOpen = false
    t.equal(early, 2, 'within the transaction')
    t.equal(await leases(s), 2, 'the other group is written by itself')
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    t.same(reads.splice(0, 2).sort(), ['cn=Crew during the transaction', 'uid=amy during the transaction'])
    t.same(
      reads.filter((one) => !one.startsWith('cn=Other')),
      [],
      'they are not read again',
    )
    for (const name of ['Crew', 'Other']) t.match(await s.find(`(cn=${name})`, 'member'), 'uid=amy')
    t.equal(await leases(s), 0)
  })

  t.test('what a transaction that failed had claimed is free, and a second attempt claims anew', async (t) => {
    const s = await stage(t, { started: false })
    const people = await s.addUsers('abe')
    t.equal(await s.reconciler.settle(people), true)
    const id = idOf(people)
    const earlyClaim = s.reconciler.earlyClaim()
    const attempt = (fails: boolean) =>
      s.db.transaction(async (tx) => {
        const [, touched] = await inOrder(
          () => tx.execute(sql`update ${users} set nickname = 'Abraham' where id = ${id}`),
          () => touch(tx, 'user', [id]),
          () => earlyClaim.begin(tx, { user: [id], group: [] }),
        )
        if (fails) throw new Error('a deadlock')
        await lastInOrder(tx, await earlyClaim.complete(tx, touched))
        return touched
      })
    await t.rejects(attempt(true), { message: 'a deadlock' })
    t.equal(await leases(s), 0)
    const touched = await attempt(false)
    t.equal(await leases(s), 1)
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    t.match(await s.people('displayName'), 'Abraham')
  })

  t.test('a directory that keeps the lists itself has changed them when they are written', async (t) => {
    const refused: unknown[] = []
    let crew = ''
    const s = await stage(t, {
      started: false,
      // As Active Directory does, and others where they are set up so.
      faults: (real) => ({
        async write(change, beforeWrite, added) {
          await real.write(change, beforeWrite, added).catch((error: unknown) => {
            refused.push(error)
            throw error
          })
          if (change.kind !== 'delete' && change.kind !== 'rename') return
          const drop: Change = { operation: 'delete', attribute: 'member', values: [change.dn] }
          const put = change.kind === 'rename' ? [change.newDn] : []
          const follow: Change = { operation: 'add', attribute: 'member', values: put }
          await real.write({ kind: 'modify', dn: crew, changes: put.length > 0 ? [follow, drop] : [drop] })
        },
      }),
    })
    crew = `cn=Crew,${s.slapd.baseDn}`
    const people = await s.addUsers('eva', 'fay', 'gil', 'hal')
    const ids = people.map(({ id }) => id)
    const [eva = 0, fay = 0, gil = 0] = ids
    const group = await s.addGroup('Crew', { members: ids })
    t.equal(await s.reconciler.settle([...people, ...group]), true)
    const groupId = idOf(group, 'group')
    const changes = {
      disabled: [eva, sql`update ${users} set status = 2 where id = ${eva}`],
      renamed: [fay, sql`update ${users} set username = 'joy', username_key = 'joy' where id = ${fay}`],
      deleted: [gil, sql`delete from ${users} where id = ${gil}`],
    } as const
    for (const [what, [id, statement]] of Object.entries(changes)) {
      const earlyClaim = s.reconciler.earlyClaim()
      const touched = await s.db.transaction(async (tx) => {
        const [, itself, lists] = await inOrder(
          () => tx.execute(statement),
          () => (what === 'deleted' ? touchDeleted : touch)(tx, 'user', [id]),
          () => touchLists(tx, [groupId]),
          () => earlyClaim.begin(tx, { user: [id], group: [groupId] }),
        )
        await lastInOrder(tx, await earlyClaim.complete(tx, [...itself, ...lists]))
        return [...itself, ...lists]
      })
      t.equal(await leases(s), 2, what)
      t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true, what)
      t.same(refused.splice(0), [], what)
    }
    const listed = (await s.find('(cn=Crew)', 'member')).match(/uid=\w+,ou=\w+/g)
    t.same(listed?.sort(), ['uid=hal,ou=people', 'uid=joy,ou=people'])
  })

  t.test('a claim lasts from when it is taken, also where its transaction has waited before', async (t) => {
    const s = await stage(t, { started: false })
    const people = await s.addUsers('ivy')
    t.equal(await s.reconciler.settle(people), true)
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, async (tx) => {
      await tx.execute(sql`select pg_sleep(3)`)
      return renaming(idOf(people), 'Ivy')(tx)
    })
    const [row] = await s.db.execute<{ left: number }>(sql`
      select extract(epoch from lease_until - clock_timestamp())::float8 as left from directory_entries
      where lease_owner is not null`)
    t.ok(Number(row?.left) > 13, `${row?.left} seconds are left`)
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
  })

  t.test('an entry that was read long ago is read again', async (t) => {
    const s = await stage(t, { started: false })
    const people = await s.addUsers('lea')
    t.equal(await s.reconciler.settle(people), true)
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, renaming(idOf(people), 'Lea'))
    await delay(1100)
    const dn = `uid=lea,ou=people,${s.slapd.baseDn}`
    const changes: Change[] = [{ operation: 'replace', attribute: 'mail', values: ['other@example.org'] }]
    await s.directory.write({ kind: 'modify', dn, changes })
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    const shown = await s.people('displayName', 'mail')
    t.match(shown, 'displayName: Lea')
    t.match(shown, 'mail: lea@example.org')
  })

  t.test('what was claimed early is given back where nothing has changed', async (t) => {
    const s = await stage(t, { started: false })
    const people = await s.addUsers('aja')
    const early = async (mark: (tx: Tx) => Promise<unknown>) => {
      const earlyClaim = s.reconciler.earlyClaim()
      await s.db.transaction(async (tx) => {
        await inOrder(
          () => mark(tx),
          () => earlyClaim.begin(tx, { user: [idOf(people)], group: [] }),
        )
        await lastInOrder(tx, await earlyClaim.complete(tx, []))
      })
      return earlyClaim
    }
    const earlyClaim = await early((tx) => touch(tx, 'user', [idOf(people)]))
    t.equal(await leases(s), 1)
    t.equal(await s.reconciler.settle([], undefined, earlyClaim), true)
    t.equal(await leases(s), 0)
    const unchanged = await early(async () => {})
    t.equal(await leases(s), 0, 'what this transaction has not marked is not claimed')
    t.equal(await s.reconciler.settle([], undefined, unchanged), true)
  })

  t.test('an entry that cannot be read ahead is read again', async (t) => {
    let isBusy = true
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        async read(dn, attributes) {
          if (!isBusy || !dn.startsWith('uid=')) return real.read(dn, attributes)
          isBusy = false
          throw new DirectoryError('refused', 'busy', { code: 51 })
        },
      }),
    })
    const people = await s.addUsers('ann')
    t.equal(await s.reconciler.settle(people), true)
    isBusy = true
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, renaming(idOf(people), 'Annie'))
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    t.notOk(isBusy)
    t.match(await s.people('displayName'), 'Annie')
  })

  t.test('outcomes of people and groups are stored together, or each by itself', async (t) => {
    for (const lost of ['nothing', 'the person', 'the group'] as const) {
      for (const how of ['added', 'removed', 'updated'] as const) {
        const removed = how === 'removed'
        const s = await stage(t, { started: false })
        const group = idOf(await s.addGroup('Crew'), 'group')
        const [one] = await s.addUsers('kim')
        const id = one?.id ?? 0
        await s.db.insert(groupMembers).values({ groupId: group, userId: id })
        const ledger = openLedger({ db: s.db, directory: 1 }, s.slapd.baseDn)
        if (removed) {
          await s.db.execute(sql`update directory_entries set deleted = true where kind = 'user' and record_id = ${id}`)
          await s.db.execute(sql`delete from ${users} where id = ${id}`)
        }
        const claimed = async (kind: RecordKind, record: number) =>
          ledger.claim({ kind, owner: kind, scope: { ids: [record], onlyPending: true }, limit: 1 })
        const [people, lists] = [await claimed('user', id), await claimed('group', group)]
        const crew = `cn=Crew,${s.slapd.baseDn}`
        await s.db.execute(sql`update directory_entries set dn = ${crew} where kind = 'group' and record_id = ${group}`)
        const usual = { fromTarget: null, unseen: false, entryCsn: null, entryUuid: null, forgetKept: false }
        const rest = { version: 1, error: null, delay: 0, ...usual }
        const before = how === 'updated' ? 'uid=kim' : null
        await s.db.execute(sql`update directory_entries set dn = ${before} where kind = 'user' and record_id = ${id}`)
        const person: Outcome = removed
          ? { ...rest, id, result: 'removed', from: null, dn: null, name: 'kim', action: 'removed' }
          : { ...rest, id, result: 'in_sync', from: before, dn: 'uid=kim', name: 'kim', action: how }
        const list: Outcome = {
          ...rest,
          id: group,
          result: 'in_sync',
          from: crew,
          dn: crew,
          name: 'Crew',
          action: 'updated',
        }
        const kind = lost === 'the person' ? 'user' : 'group'
        if (lost !== 'nothing') {
          await s.db.execute(sql`update directory_entries set lease_owner = 'another' where kind = ${kind}`)
        }
        const stored = await ledger.recordBoth(
          { claim: people, outcomes: [person] },
          { claim: lists, outcomes: [list] },
        )
        const what = `${lost} is lost, ${how}`
        const reached = removed ? Number.POSITIVE_INFINITY : 1
        t.equal(stored.people.reached.get(id), lost === 'the person' ? undefined : reached, what)
        t.equal(stored.groups.reached.get(group), lost === 'the group' ? undefined : 1, what)
        const [left] = await s.db.execute<{ people: number; behind: number }>(sql`
          select count(*) filter (where kind = 'user')::int as people,
            count(*) filter (where kind = 'group' and version <> synced_version)::int as behind from directory_entries`)
        t.equal(left?.people, removed && lost !== 'the person' ? 0 : 1, what)
        t.equal(left?.behind, lost === 'the group' || (lost === 'the person' && how === 'added') ? 1 : 0, what)
      }
    }
  })

  t.test('only one request at a time claims ahead, and the next one when it has ended', async (t) => {
    const s = await stage(t, { started: false })
    const people = await s.addUsers('bea', 'cem')
    await s.reconciler.settle(people)
    const [first = 0, second = 0] = people.map(({ id }) => id)
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, renaming(first, 'Bea'))
    const other = s.reconciler.earlyClaim()
    const also = await inTransaction(s, other, renaming(second, 'Cem'))
    t.equal(other.take(), null)
    t.equal(await leases(s), 1)
    t.same(
      await Promise.all([
        s.reconciler.settle(touched, undefined, earlyClaim),
        s.reconciler.settle(also, undefined, other),
      ]),
      [true, true],
    )
    t.match(await s.people('displayName'), /: Bea\n[\s\S]*: Cem\n/)
    const third = s.reconciler.earlyClaim()
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
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, renaming(id, 'Dan'))
    t.equal(await other.reconciler.settle(touched, 300), false)
    t.notMatch(await s.people('uid'), 'uid=dan')
    await s.reconciler.stop()
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), false, 'the service stops')
    t.equal(await leases(s), 0)
    t.equal(await other.reconciler.settle(touched), true)
    t.match(await s.people('uid'), 'uid=dan')
  })

  t.test('a transaction that fails leaves nothing claimed, and the next request claims', async (t) => {
    const s = await stage(t, { started: false })
    const id = idOf(await s.addUsers('eva'))
    const earlyClaim = s.reconciler.earlyClaim()
    const fails = s.db.transaction(async (tx) => {
      const touched = await touch(tx, 'user', [id])
      await (await earlyClaim.complete(tx, touched))()
      throw new Error('changed its mind')
    })
    await t.rejects(fails, { message: 'changed its mind' })
    earlyClaim.failed(new Error('changed its mind'))
    t.equal(await leases(s), 0)
    const next = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, next, renaming(id, 'Eva'))
    t.equal(await leases(s), 1)
    t.equal(await s.reconciler.settle(touched, undefined, next), true)
  })

  t.test('the lists of people who come, change and go are written with them, once', async (t) => {
    const writes: string[] = []
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (write, ...how) => {
          writes.push(`${write.kind} ${write.dn.split(',')[0]}`)
          return real.write(write, ...how)
        },
      }),
    })
    const many = await s.addUsers(...Array.from({ length: 25 }, (_, n) => `m${n}`))
    await s.reconciler.settle(many)
    const members = many.map(({ id }) => id)
    const groupIds: number[] = []
    for (const [name, of] of [['Many', members] as const, ['Few', members.slice(0, 2)] as const]) {
      const group = await s.addGroup(name, { members: [...of] })
      await s.reconciler.settle(group)
      groupIds.push(idOf(group, 'group'))
    }
    const [id = 0, other = 0] = (await s.addUsers('ada', 'bea')).map((one) => one.id)
    const ofGroups = sql`select g.id from groups g where g.id in (${groupIds[0]}, ${groupIds[1]})`

    /** What the lists have beside the first members, after a change that writes both groups once. */
    const listsAfter = async (change: (tx: Tx) => Promise<Touched[]>): Promise<string[][]> => {
      writes.length = 0
      const earlyClaim = s.reconciler.earlyClaim()
      const touched = await inTransaction(s, earlyClaim, change)
      t.equal(await leases(s), touched.length, 'all are claimed with the commit')
      t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
      t.equal(await leases(s), 0)
      for (const each of groupIds) {
        const row = await entryOf(s, 'group', each)
        t.equal(row?.version, row?.syncedVersion, 'nothing is left to do')
      }
      t.same(writes.filter((one) => one.includes('cn=')).sort(), ['modify cn=Few', 'modify cn=Many'])
      const lists = await Promise.all(['Many', 'Few'].map((name) => s.find(`(cn=${name})`, 'member')))
      return lists.map((list) =>
        [...list.matchAll(/uid=([a-z]+),(ou=[a-z]+)/g)].map(([, who, place]) => `${who} ${place}`).sort(),
      )
    }
    const withLists = async (tx: Tx, people: readonly number[], how: ListsHow): Promise<Touched[]> => [
      ...(await touch(tx, 'user', people)),
      ...(await touchLists(tx, ofGroups, how)),
    ]

    const came = await listsAfter(async (tx) => {
      const come = [id, other].flatMap((userId) => groupIds.map((groupId) => ({ groupId, userId })))
      await tx.insert(groupMembers).values(come)
      return withLists(tx, [id, other], { joined: [id, other] })
    })
    t.same(came, Array(2).fill(['ada ou=people', 'bea ou=people']))
    const renamed = await listsAfter(async (tx) => {
      // One takes the name that the other leaves.
      await tx.update(users).set({ username: 'cem', usernameKey: 'cem' }).where(eq(users.id, id))
      return withLists(tx, [id], {})
    })
    t.same(renamed, Array(2).fill(['bea ou=people', 'cem ou=people']))
    const disabled = await listsAfter(async (tx) => {
      await tx.update(users).set({ status: 2 }).where(eq(users.id, id))
      return withLists(tx, [id], { withdraws: true })
    })
    t.same(disabled, Array(2).fill(['bea ou=people']))
    const enabled = await listsAfter(async (tx) => {
      await tx.update(users).set({ status: 1 }).where(eq(users.id, id))
      return withLists(tx, [id], {})
    })
    t.same(enabled, Array(2).fill(['bea ou=people', 'cem ou=people']))
    const deleted = await listsAfter(async (tx) => {
      const lists = await touchLists(tx, ofGroups, { withdraws: true })
      await tx.delete(users).where(eq(users.id, other))
      return [...(await touchDeleted(tx, 'user', [other])), ...lists]
    })
    t.same(deleted, Array(2).fill(['cem ou=people']))
    const left = await listsAfter(async (tx) => {
      await tx.delete(groupMembers).where(eq(groupMembers.userId, id))
      return withLists(tx, [id], { withdraws: true })
    })
    t.same(left, [[], []])
  })

  t.test('a list that someone joins has the new name of a member who is renamed with that', async (t) => {
    const s = await stage(t, { started: false })
    const people = await s.addUsers(...Array.from({ length: 25 }, (_, n) => `m${n}`), 'kim')
    await s.reconciler.settle(people)
    const [first = 0, ...others] = people.map(({ id }) => id)
    const last = others.pop() ?? 0
    const group = await s.addGroup('Many', { members: [first, ...others] })
    await s.reconciler.settle(group)
    const groupId = idOf(group, 'group')
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, async (tx) => {
      await tx.update(users).set({ username: 'lea', usernameKey: 'lea' }).where(eq(users.id, first))
      await tx.insert(groupMembers).values({ groupId, userId: last })
      const joined = await touchLists(tx, sql`select ${groupId}::bigint as id`, { joined: [last] })
      return [...(await touch(tx, 'user', [first, last])), ...joined]
    })
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    const list = await s.find('(cn=Many)', 'member')
    t.match(list, 'uid=lea')
    t.match(list, 'uid=kim')
    t.notMatch(list, 'uid=m0,')
  })

  t.test('a list that is read again while it is written becomes due if someone has left it meanwhile', async (t) => {
    let meanwhile = async (): Promise<void> => {}
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        async read(dn, attributes) {
          const entry = await real.read(dn, attributes)
          if (dn.startsWith('cn=Many')) await meanwhile()
          return entry
        },
      }),
    })
    const people = await s.addUsers(...Array.from({ length: 25 }, (_, n) => `m${n}`))
    await s.reconciler.settle(people)
    const group = await s.addGroup('Many', { members: people.map(({ id }) => id) })
    await s.reconciler.settle(group)
    const groupId = idOf(group, 'group')
    const list = sql`select ${groupId}::bigint as id`
    const id = idOf(await s.addUsers('ada'))
    // So what was read of those who join is not enough.
    await s.directory.write({ kind: 'delete', dn: `cn=Many,${s.slapd.baseDn}` })
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, async (tx) => {
      await tx.insert(groupMembers).values({ groupId, userId: id })
      return [...(await touch(tx, 'user', [id])), ...(await touchLists(tx, list, { joined: [id] }))]
    })
    t.equal(await leases(s), 2)
    meanwhile = async () => {
      meanwhile = async () => {}
      await s.db.transaction(async (tx) => {
        await tx.delete(groupMembers).where(eq(groupMembers.userId, id))
        await touchLists(tx, list, { withdraws: true })
      })
    }
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    const row = await entryOf(s, 'group', groupId)
    t.equal(row?.version, (row?.syncedVersion ?? 0) + 1, 'it was written as the request wanted it')
    s.reconciler.start()
    await s.quiet()
    t.notMatch(await s.find('(cn=Many)', 'member'), 'uid=ada')
  })

  t.test('the place of a new person is noted in the transaction that adds them', async (t) => {
    let answers = true
    const s = await stage(t, {
      started: false,
      faults: (real) => ({ features: () => (answers ? real.features() : new Promise(() => {})) }),
    })
    await s.reconciler.settle(await s.addUsers('first'))
    const adding =
      (username: string) =>
      async (tx: Tx): Promise<Touched[]> => {
        const fields = { username, usernameKey: username, nickname: 'New', mail: '' }
        const [row] = await tx.insert(users).values(fields).returning({ id: users.id })
        return touch(tx, 'user', [row?.id ?? 0])
      }
    const noted = async (touched: readonly Touched[]) => {
      const row = await entryOf(s, 'user', touched[0]?.id ?? 0)
      return { place: row?.targetDn, hasDigest: row?.addDigest !== null, dn: row?.dn }
    }
    const placeOf = (name: string): string => `uid=${name},ou=people,${s.slapd.baseDn}`
    const arrives = async (touched: Touched[], earlyClaim: EarlyClaim, name: string): Promise<void> => {
      t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
      t.same(await noted(touched), { place: null, hasDigest: false, dn: placeOf(name) })
      t.match(await s.people('uid'), `uid=${name},`)
    }

    const earlyClaim = s.reconciler.earlyClaim()
    const ann = await inTransaction(s, earlyClaim, adding('ann'))
    t.same(await noted(ann), { place: placeOf('ann'), hasDigest: true, dn: null })
    await arrives(ann, earlyClaim, 'ann')

    // Another transaction stores places: this one does not wait for it. The embedded database has one at a time.
    if (process.env.TEST_DATABASE !== 'embedded') {
      const end = await locking(s, (tx) => takeLock(tx, 'directoryPlaces'))
      const second = s.reconciler.earlyClaim()
      const bob = await inTransaction(s, second, adding('bob'))
      t.same(await noted(bob), { place: null, hasDigest: false, dn: null })
      await end()
      await arrives(bob, second, 'bob')
    }

    // Nor does it wait for the directory.
    const third = s.reconciler.earlyClaim()
    answers = false
    const cas = await inTransaction(s, third, adding('cas'))
    answers = true
    t.same(await noted(cas), { place: null, hasDigest: false, dn: null })
    await arrives(cas, third, 'cas')

    // The place belongs to another record, which has not left it yet.
    const renamed = idOf(ann)
    await s.db.update(users).set({ username: 'ada', usernameKey: 'ada' }).where(eq(users.id, renamed))
    const fourth = s.reconciler.earlyClaim()
    const next = await inTransaction(s, fourth, adding('ann'))
    t.same(await noted(next), { place: null, hasDigest: false, dn: null })
    t.equal(await s.reconciler.settle(next, 100, fourth), false)
    t.equal(await s.reconciler.settle(await s.change('user', renamed)), true)
    t.equal(await s.reconciler.settle(next), true)
    t.match(await s.people('uid'), /uid=ada,[\s\S]*uid=ann,/)
    t.same(await noted(next), { place: null, hasDigest: false, dn: placeOf('ann') })
    t.equal(await leases(s), 0)
  })

  t.test('the place of a person who is disabled is noted in the transaction that does it', async (t) => {
    let away: string | null = null
    let digest: string | null | undefined
    let casId = 0
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        async write(change, ...rest) {
          if (change.kind === 'add' && change.dn.startsWith('uid=cas,ou=disabled,'))
            digest = (await entryOf(s, 'user', casId))?.addDigest
          if (change.kind === 'rename' && change.dn === away)
            throw new DirectoryError('unavailable', 'connection refused')
          return real.write(change, ...rest)
        },
      }),
    })
    const people = await s.addUsers('ann', 'bob', 'cas', 'dan', 'eve')
    t.equal(await s.reconciler.settle(people), true)
    // Their entryUUIDs are known from here on.
    await s.reconciler.synchronize('user', 'all')
    const [ann, bob, cas, dan, eve] = people.map(({ id }) => id)
    casId = cas ?? 0
    const parked = (name: string): string => `uid=${name},ou=disabled,${s.slapd.baseDn}`
    const isParked = async (name: string, id = 0): Promise<void> => {
      t.match(await entryOf(s, 'user', id), { dn: parked(name), targetDn: null, error: '', leaseOwner: null })
      t.match(await s.find(`(uid=${name})`, 'uid'), `dn: ${parked(name)}`)
    }

    const first = await disabling(s, ann)
    t.equal(first.noted, parked('ann'))
    t.equal(await s.reconciler.settle(first.touched, undefined, first.earlyClaim), true)
    await isParked('ann', ann)

    // Another transaction stores places: this one does not wait for it. The embedded database has one at a time.
    if (process.env.TEST_DATABASE !== 'embedded') {
      const end = await locking(s, (tx) => takeLock(tx, 'directoryPlaces'))
      const second = await disabling(s, bob)
      t.equal(second.noted, null)
      await end()
      t.equal(await s.reconciler.settle(second.touched, undefined, second.earlyClaim), true)
      await isParked('bob', bob)
    }

    // The entry was replaced by another program: what was noted is not taken as leave to move it.
    const place = `uid=cas,ou=people,${s.slapd.baseDn}`
    await s.directory.write({ kind: 'delete', dn: place })
    await s.directory.write({
      kind: 'add',
      dn: place,
      attributes: { objectClass: ['inetOrgPerson'], uid: ['cas'], cn: ['Other'], sn: ['Other'] },
    })
    const third = await disabling(s, cas)
    t.equal(third.noted, parked('cas'))
    t.equal(await s.reconciler.settle(third.touched, undefined, third.earlyClaim), true)
    await isParked('cas', cas)
    t.match(digest, /./, 'the ledger knew that an entry was to be added')
    t.match(await s.find('(cn=Other)', 'cn'), `dn: ${place}`)

    // The entry of another record has the place.
    await s.db.execute(
      sql`update directory_entries set target_dn = ${parked('DAN')} where kind = 'user' and record_id = ${eve}`,
    )
    const fourth = await disabling(s, dan)
    t.equal(fourth.noted, null)
    t.equal(await s.reconciler.settle(fourth.touched, 300, fourth.earlyClaim), false)
    await s.db.execute(sql`update directory_entries set target_dn = null where kind = 'user' and record_id = ${eve}`)
    t.equal(await s.reconciler.settle(fourth.touched), true)
    await isParked('dan', dan)

    // The directory is away when it is to be moved: the next attempt looks in both places.
    away = `uid=eve,ou=people,${s.slapd.baseDn}`
    const fifth = await disabling(s, eve)
    t.equal(fifth.noted, parked('eve'))
    t.equal(await s.reconciler.settle(fifth.touched, 300, fifth.earlyClaim), false)
    away = null
    await s.reconciler.synchronize('user', 'pending')
    await isParked('eve', eve)
    t.equal(await leases(s), 0)
  })

  t.test('the entry of an interrupted add is moved when its person is disabled', async (t) => {
    let isInterrupted = false
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        async write(change, ...rest) {
          await real.write(change, ...rest)
          if (!isInterrupted || change.kind !== 'add') return
          isInterrupted = false
          throw new DirectoryError('unavailable', 'the server behind the proxy is away', { code: 52, answered: true })
        },
      }),
    })
    const people = await s.addUsers('ann')
    t.equal(await s.reconciler.settle(people), true)
    await s.reconciler.synchronize('user', 'all')
    const id = idOf(people)
    const place = `uid=ann,ou=people,${s.slapd.baseDn}`
    // It is gone, and the answer to the add that brings it back is lost.
    await s.directory.write({ kind: 'delete', dn: place })
    isInterrupted = true
    t.equal(await s.reconciler.settle(await s.change('user', id), 100), false)
    const found = () => s.find('(uid=ann)', 'uid')
    await eventually(async () => (await found()).includes(`dn: ${place}`), 'it is added')
    await eventually(async () => (await entryOf(s, 'user', id))?.leaseOwner === null, 'the attempt has ended')
    t.match(await entryOf(s, 'user', id), { dn: place, addDigest: /./, entryUuid: /./ })

    const { touched, earlyClaim, noted } = await disabling(s, id)
    t.equal(noted, null)
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
    const dns = (await s.find('(uid=ann)', 'uid')).match(/^dn: .*/gm)
    t.same(dns, [`dn: uid=ann,ou=disabled,${s.slapd.baseDn}`], 'no enabled entry is left')
  })

  t.test('a long list is not read in the transaction, unless people only join it', async (t) => {
    const filled = await stage(t)
    const crowd = await filled.db.transaction(async (tx) => {
      const rows = await tx.execute<{ id: string }>(sql`
        insert into users (username, username_key, nickname, mail)
        select 'c' || n, 'c' || n, 'c' || n, '' from generate_series(1, 1002) n returning id`)
      return touch(
        tx,
        'user',
        rows.map(({ id }) => Number(id)),
      )
    })
    const [{ id } = { id: 0 }, ...others] = crowd
    const group = await filled.addGroup('Crowd', { members: others.map((one) => one.id) })
    await filled.quiet()
    // Its loop would claim the group, too.
    await filled.reconciler.stop()
    const s = await stage(t, { started: false, slapd: filled.slapd })
    const groupId = idOf(group, 'group')
    for (const [claimed, change] of [
      [
        2,
        async (tx: Tx) => {
          await tx.insert(groupMembers).values({ groupId, userId: id })
          const lists = await touchLists(tx, sql`select ${groupId}::bigint as id`, { joined: [id] })
          return [...(await touch(tx, 'user', [id])), ...lists]
        },
      ],
      [
        1,
        async (tx: Tx) => {
          await tx.delete(groupMembers).where(eq(groupMembers.userId, id))
          const lists = await touchLists(tx, sql`select ${groupId}::bigint as id`, { withdraws: true })
          return [...(await touch(tx, 'user', [id])), ...lists]
        },
      ],
    ] as const) {
      const earlyClaim = s.reconciler.earlyClaim()
      const touched = await inTransaction(s, earlyClaim, change)
      t.equal(await leases(s), claimed)
      t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), true)
      const list = await s.find('(cn=Crowd)', 'member')
      t.equal(list.match(/^member:/gm)?.length, claimed === 2 ? 1002 : 1001)
    }
  })

  t.test('lists wait for people whom the directory refuses, and are given back', async (t) => {
    let refuses = true
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (write, ...how) => {
          if (refuses && write.dn.startsWith('uid=')) throw new DirectoryError('refused', 'no such value', { code: 19 })
          return real.write(write, ...how)
        },
      }),
    })
    const group = await s.addGroup('Crew')
    await s.reconciler.settle(group)
    const groupId = idOf(group, 'group')
    const [{ id } = { id: 0 }] = await s.addUsers('hal')
    const joins = async (tx: Tx): Promise<Touched[]> => {
      await tx.insert(groupMembers).values({ groupId, userId: id }).onConflictDoNothing()
      return [...(await touch(tx, 'user', [id])), ...(await touchLists(tx, sql`select ${groupId}::bigint as id`))]
    }
    const earlyClaim = s.reconciler.earlyClaim()
    t.equal(await s.reconciler.settle(await inTransaction(s, earlyClaim, joins), undefined, earlyClaim), false)
    t.equal(await leases(s), 0)
    t.notMatch(await s.find('(cn=Crew)', 'member'), 'uid=hal')
    refuses = false
    const again = s.reconciler.earlyClaim()
    t.equal(await s.reconciler.settle(await inTransaction(s, again, joins), undefined, again), true)
    t.match(await s.find('(cn=Crew)', 'member'), 'uid=hal')
  })

  t.test('a list that another holder has taken becomes due once the person is there', async (t) => {
    const s = await stage(t, { started: false })
    const group = await s.addGroup('Crew')
    await s.reconciler.settle(group)
    const groupId = idOf(group, 'group')
    const [{ id } = { id: 0 }] = await s.addUsers('ian')
    const earlyClaim = s.reconciler.earlyClaim()
    const touched = await inTransaction(s, earlyClaim, async (tx) => {
      await tx.insert(groupMembers).values({ groupId, userId: id })
      return [...(await touch(tx, 'user', [id])), ...(await touchLists(tx, sql`select ${groupId}::bigint as id`))]
    })
    const before = (await entryOf(s, 'group', groupId))?.version ?? 0
    await s.db.execute(
      sql`update directory_entries set lease_owner = 'another' where kind = 'group' and record_id = ${groupId}`,
    )
    t.equal(await s.reconciler.settle(touched, 500, earlyClaim), false, 'the other may have read the list without them')
    t.ok(((await entryOf(s, 'group', groupId))?.version ?? 0) > before)
    await s.db.execute(sql`update directory_entries set lease_owner = null, lease_until = null`)
    t.equal(await s.reconciler.settle(await s.change('user', id)), true)
    t.match(await s.find('(cn=Crew)', 'member'), 'uid=ian')
    await s.reconciler.stop()
  })

  t.test('a list is not read by another holder until the outcome of the person is stored', async (t) => {
    if (process.env.TEST_DATABASE === 'embedded') return t.pass('one connection')
    const s = await stage(t, { started: false })
    const [crew, other] = [await s.addGroup('Crew'), await s.addGroup('Other')].map((one) => idOf(one, 'group'))
    const id = idOf(await s.addUsers('jan'))
    const both = [crew, other].map((groupId) => ({ groupId: groupId ?? 0, userId: id }))
    await s.db.insert(groupMembers).values(both)
    const ledger = openLedger({ db: s.db, directory: 1 }, s.slapd.baseDn)
    const taking = (kind: RecordKind, owner: string, one = 0) =>
      ledger.claim({ kind, owner, scope: { ids: [one], onlyPending: true }, limit: 1 })
    const people = await taking('user', 'people', id)
    const lists = await taking('group', 'lists', crew)
    // Its process is killed after it has sent what stores the outcome, which takes longer than a lease.
    await s.db.execute(sql`update directory_entries set lease_until = now() where lease_owner = 'lists'`)
    const release = await locking(s, (tx) =>
      tx.execute(sql`select from directory_entries where kind = 'group' and record_id = ${other} for update`),
    )
    const dn = `uid=jan,ou=people,${s.slapd.baseDn}`
    const where = {
      from: null,
      fromTarget: null,
      dn,
      unseen: false,
      entryCsn: null,
      entryUuid: null,
      forgetKept: false,
    }
    const outcome: Outcome = {
      ...{ id, version: 1, result: 'in_sync', ...where, error: null, delay: 0, name: 'jan', action: 'added' },
    }
    const storing = ledger.recordBoth({ claim: people, outcomes: [outcome] }, { claim: lists, outcomes: [] })
    await eventually(async () => {
      const [row] = await s.db.execute<{ waits: boolean }>(
        sql`select exists (select from pg_stat_activity where wait_event_type = 'Lock') as waits`,
      )
      return row?.waits === true
    }, 'the outcome waits to be stored')
    t.same((await taking('group', 'another', crew)).ids, [], 'it would read the list without the person')
    await release()
    await storing
    const { rows } = await taking('group', 'another', crew)
    t.match(rows, [{ facts: { members: [dn] } }])
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
    const earlyClaim = s.reconciler.earlyClaim()
    const [{ id } = { id: 0 }] = await s.addUsers('gus')
    const touched = await inTransaction(s, earlyClaim, async (tx) => {
      await tx.insert(groupMembers).values({ groupId: idOf(group, 'group'), userId: id })
      const itself = await touch(tx, 'user', [id])
      return [...itself, ...(await touchLists(tx, sql`select ${idOf(group, 'group')}::bigint as id`, { joined: [id] }))]
    })
    t.equal(await s.reconciler.settle(touched, undefined, earlyClaim), false)
    t.equal(await leases(s), 0)
    t.match(await s.people('uid'), /uid=fay[\s\S]*uid=gus/)
  })
})

t.test('people and their lists are written one after the other, and stored together', async (t) => {
  const outcome = (id: number, dn: string) => ({ id, dn, from: null, result: 'in_sync', unseen: false }) as Outcome
  const recorded = (kind: RecordKind) => ({ kind, reached: new Map(), equal: new Set<number>(), groupsDue: [] })
  for (const fault of ['none', 'the database', 'the directory'] as const) {
    const done: string[] = []
    let listed: unknown = null
    const claims = openClaims({
      planAhead: async () => null,
      lookAhead: ({ kind }) => void done.push(`${kind} are read`),
      ledger: {
        claim: async () => t.fail('nothing is claimed at once') as never,
        intendAhead: async () => new Set(),
        claimWith: (_, wanted, { people }) =>
          wanted.map(async (claim) => {
            t.same(people, [7])
            const facts =
              claim.kind === 'user'
                ? { status: 1 }
                : { groupType: 'cn', members: ['uid=old'], left: [], notedOnly: false }
            return { ...claim, nested: false, rows: [{ id: claim.ids[0], facts, among: [7] }] } as unknown as Claimed
          }),
        renew: async () => 'renewed',
        async record({ kind }) {
          done.push(`${kind} are stored`)
          return recorded(kind)
        },
        async recordBoth(people, groups) {
          done.push('both are stored')
          t.match([people.outcomes, groups.outcomes], [[{ id: 7 }], [{ id: 3 }]])
          if (fault === 'the database') throw new Error('no database')
          return { people: recorded('user'), groups: recorded('group') }
        },
        release: async ({ kind }) => void done.push(`${kind} given back`),
      },
      async *makeEqual(claim) {
        done.push(`${claim.kind} are written`)
        if (claim.kind === 'group') {
          listed = claim.changes && withListChanges(claim.rows ?? [], claim.changes)
          if (fault === 'the directory') throw new DirectoryError('unavailable', 'connection refused')
        }
        yield [outcome(claim.kind === 'user' ? 7 : 3, claim.kind === 'user' ? 'uid=new' : 'cn=Crew')]
      },
      recorded: async () => {},
    })
    const claim = claims.claimInTransaction()
    await claim.send({} as Tx, { user: [7], group: [3] })
    const took: string[] = []
    const writing =
      claim.held()?.write((_, { kind }) => took.push(kind)) ?? Promise.reject(new Error('nothing is held'))
    const along = ['user are read', 'group are read', 'user are written', 'group are written']
    if (fault === 'none') {
      t.match(await writing, { user: [{ id: 7 }], group: [{ id: 3 }] })
      t.same(done, [...along, 'both are stored'])
      t.same(took, ['user', 'group'])
    } else if (fault === 'the database') {
      await t.rejects(writing, { message: 'no database' })
      t.same(done.slice(0, 5), [...along, 'both are stored'])
      t.same(done.slice(5).sort(), ['group given back', 'user given back'])
      t.same(took, [])
    } else {
      await t.rejects(writing, { message: /connection refused/ })
      t.same(done, [...along, 'group given back', 'user are stored', 'user given back'], 'the people are there')
      t.same(took, ['user'])
    }
    t.match(listed, [{ facts: { members: ['uid=old', 'uid=new'] } }])
  }
})

t.test('a claim whose commit was not confirmed is released later, by its holder alone', async (t) => {
  const released: unknown[] = []
  const claims = openClaims({
    ...{ planAhead: async () => null, lookAhead: () => {} },
    ledger: {
      claim: async () => t.fail('nothing is claimed at once') as never,
      intendAhead: async () => new Set(),
      claimWith: (_, claims) => claims.map(async (claim) => ({ ...claim, kind: 'user' as const, rows: null })),
      renew: async () => 'renewed',
      ...{ record: async () => t.fail('nothing is written') as never, recordBoth: async () => t.fail() as never },
      release: async ({ owner, ids }) => void released.push([owner.length, ids]),
    },
    makeEqual: () => t.fail('nothing is written') as never,
    recorded: async () => {},
  })
  const tx = {} as Tx
  const refused = claims.claimInTransaction()
  await refused.send(tx, { user: [7], group: [] })
  refused.failed(new Error('a conflict'))
  await claims.giveBackUnreleased()
  t.same(released, [])
  const unknown = claims.claimInTransaction()
  await unknown.send(tx, { user: [7], group: [] })
  unknown.failed(new ConnectionLostError())
  await claims.giveBackUnreleased()
  t.same(released, [[36, []]])
  const unsent = claims.claimInTransaction()
  unsent.failed(new ConnectionLostError())
  await claims.giveBackUnreleased()
  t.same(released, [[36, []]], 'one that was never sent is not looked for')
})

t.test('a claim that got nothing is neither written nor looked for', async (t) => {
  const nothing = () => t.fail('nothing is written') as never
  const claims = openClaims({
    ...{ planAhead: async () => null, lookAhead: () => {} },
    ledger: {
      ...{
        claim: nothing,
        intendAhead: nothing,
        renew: nothing,
        record: nothing,
        recordBoth: nothing,
        release: nothing,
      },
      claimWith: (_, claims) => claims.map(async (claim) => ({ ...claim, kind: 'user' as const, ids: [], rows: [] })),
    },
    makeEqual: nothing,
    recorded: nothing,
  })
  const claim = claims.claimInTransaction()
  await claim.send({} as Tx, { user: [7], group: [3] })
  t.equal(claim.held(), null)
  await claims.giveBackUnreleased()
})

t.test('a request whose second attempt changes nothing is in the way of no other', async (t) => {
  let claims = 0
  const claimInTransaction = () => {
    claims += 1
    return { send: async () => {}, planAhead: async () => async () => {}, held: () => null, failed: () => {} }
  }
  const nothing = () => t.fail('nothing is written') as never
  const batches = { claimInTransaction, step: nothing, reserve: nothing, write: nothing }
  const { settle, earlyClaim } = settler({
    ...{ timeout: 100, batches, ledger: { behind: nothing, groupsOnTheirWay: nothing }, log: silent },
    ...{ stopped: () => false, paused: () => false, track: (work) => work },
    ...{ wake: nothing, explain: nothing, explainSilence: nothing, lost: nothing },
  })
  const tx = {} as Tx
  const touched: Touched[] = [{ kind: 'user', id: 1, version: 1 }]
  const first = earlyClaim()
  await first.complete(tx, touched)
  await first.complete({} as Tx, [])
  t.equal(await settle([], undefined, first), true)
  const second = earlyClaim()
  await second.complete(tx, touched)
  t.equal(claims, 2)
  const third = earlyClaim()
  await third.complete(tx, touched)
  t.equal(claims, 2, 'while the second is under way')
  second.failed(new Error('a conflict'))
  await third.complete(tx, touched)
  t.equal(claims, 3)
})
