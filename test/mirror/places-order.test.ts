import { sql } from 'drizzle-orm'
import t from 'tap'
import { inOrder } from '../../src/db/in-order.ts'
import { takeLock } from '../../src/db/locks.ts'
import { groupMembers } from '../../src/db/schema.ts'
import { touch, touchLists } from '../../src/mirror/touch.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { idOf, stage } from './stage.ts'

// A transaction that stores DNs locks rows of the ledger first, and then takes the lock on places.

t.test(
  'no row is locked after the lock on places was tried for a new person',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await stage(t, { started: false })
    if (process.env.TEST_DATABASE === 'embedded') return t.pass('one transaction at a time')
    const above = idOf(await s.addGroup('Above'), 'group')
    const below = idOf(await s.addGroup('Below', { parent: above }), 'group')
    await s.db.execute(sql`update directories set shape = '{"nestedGroups":"members"}' where number = 1`)
    let proceed: () => void = () => {}
    const mayProceed = new Promise<void>((resolve) => {
      proceed = resolve
    })
    let storing: Promise<unknown> = Promise.resolve()
    await new Promise<void>((resolve) => {
      storing = s.db.transaction(async (tx) => {
        await tx.execute(sql`select from directory_entries where kind = 'group' and record_id = ${above} for update`)
        resolve()
        await mayProceed
        await takeLock(tx, 'directoryPlaces')
      })
      storing.catch(() => {})
    })
    const earlyClaim = s.reconciler.earlyClaim()
    const adding = s.db.transaction(async (tx) => {
      const [row] = await tx.execute<{ id: string }>(
        sql`insert into users (username, username_key, nickname, mail) values ('kim', 'kim', '', '') returning id`,
      )
      const id = Number(row?.id)
      await tx.insert(groupMembers).values({ groupId: below, userId: id })
      await inOrder(
        () => touch(tx, 'user', [id]),
        () => touchLists(tx, [below], { joined: [id] }),
        () => earlyClaim.begin(tx, { user: [id], group: [below], locksNoMore: true }),
      )
    })
    adding.catch(() => {})
    await eventually(async () => {
      const [row] = await s.db.execute<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return row?.count === 1
    }, 'the row of the group above is waited for')
    proceed()
    const ends = await Promise.allSettled([storing, adding])
    t.same(
      ends.map((one) => (one.status === 'rejected' ? `${one.reason} ${one.reason.cause}` : 'done')),
      ['done', 'done'],
    )
    await earlyClaim.take()?.giveBack()
  },
)
