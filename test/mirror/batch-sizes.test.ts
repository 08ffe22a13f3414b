import { EventEmitter, once } from 'node:events'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Directory, Write } from '../../src/ldap/directory.ts'
import type { Scope } from '../../src/mirror/ledger/leases.ts'
import type { Claimed } from '../../src/mirror/ledger/record-rows.ts'
import { openClaims } from '../../src/mirror/writing/claims.ts'
import { thisMoment } from '../../src/runtime/clock.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { type Stage, stage } from './stage.ts'

// How many people are claimed at once: batches.ts.

t.setTimeout(240_000)

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}`)

const isPerson = (write: Write): boolean => write.kind === 'add' && write.dn.startsWith('uid=p')

/** What the ledger knows about the people that are on their way. */
const onTheirWay = async (s: Stage) => {
  const [row] = await s.db.execute<{ held: number; intended: number }>(sql`
    select count(*) filter (where lease_owner is not null)::int as held,
      count(*) filter (where target_dn is not null)::int as intended
    from directory_entries where kind = 'user'`)
  return row
}

t.test('where each is written by itself, the first are on their way soon', { skip: skipWithoutSlapd }, async (t) => {
  const waiting: (() => void)[] = []
  let isOpen = false
  const faults = (real: Directory): Partial<Directory> => ({
    write: async (change, ...more) => {
      if (isPerson(change) && !isOpen) await new Promise<void>((resolve) => void waiting.push(resolve))
      await real.write(change, ...more)
    },
  })
  const s = await stage(t, { started: false, transactions: false, faults })
  await s.addUsers(...names(1200))
  const run = s.reconciler.synchronize('user', 'pending')
  const first = 16 + 32 + 64
  await eventually(() => waiting.length === first, 'the first three batches are written')
  await delay(200)
  t.equal(waiting.length, first, 'and no more')
  t.strictSame(await onTheirWay(s), { held: first, intended: first }, 'their intents were stored before')

  isOpen = true
  for (const pass of waiting) pass()
  let maxHeld = 0
  let isDone = false
  const done = run.finally(() => {
    isDone = true
  })
  while (!isDone) maxHeld = Math.max(maxHeld, (await onTheirWay(s))?.held ?? 0)
  const { added, failed } = await done
  t.strictSame({ added, failed }, { added: 1200, failed: 0 })
  t.ok(maxHeld > 250 && maxHeld <= 500, `${maxHeld} were held at once, in three batches of 160`)
})

t.test(
  'where many are written in one transaction, as many as possible are claimed at once',
  { skip: skipWithoutSlapd },
  async (t) => {
    const sizes: number[] = []
    const faults = (real: Directory): Partial<Directory> => ({
      transact: async (writes, ...more) => {
        sizes.push(writes.filter(isPerson).length)
        await real.transact(writes, ...more)
      },
    })
    const s = await stage(t, { started: false, faults })
    await s.addUsers(...names(900))
    const { added } = await s.reconciler.synchronize('user', 'pending')
    t.equal(added, 900)
    // Two batches that are claimed at the same moment share them.
    t.ok(sizes.length <= 2, `${sizes.length} transactions`)
    t.ok(sizes.reduce((sum, size) => sum + size, 0) > 800, `${sizes} in transactions`)
  },
)

t.test('what is due is claimed one batch after the other, and no request waits for that', async (t) => {
  const asked: { scope: Scope; answer: (claim: Claimed) => void }[] = []
  const nothing = () => t.fail('nothing was claimed') as never
  const claims = openClaims({
    ...{ planAhead: nothing, lookAhead: nothing },
    ledger: {
      claim: ({ scope }) => new Promise((answer) => void asked.push({ scope, answer })),
      ...{
        claimWith: nothing,
        intendAhead: nothing,
        renew: nothing,
        record: nothing,
        recordBoth: nothing,
        release: nothing,
      },
    },
    makeEqual: nothing,
    recorded: nothing,
  })
  const own: Scope = { ids: [7], onlyPending: true }
  const all = Promise.all(
    (['due', 'due', own] as const).map((scope) => claims.carryOut('user', scope, 9, { except: () => [] })),
  )
  await setImmediate()
  t.same(
    asked.map(({ scope }) => scope),
    ['due', own],
  )
  const empty: Claimed = { kind: 'user', owner: '', ids: [], rows: [] }
  asked[0]?.answer(empty)
  await setImmediate()
  t.same(
    asked.map(({ scope }) => scope),
    ['due', own, 'due'],
  )
  for (const { answer } of asked) answer(empty)
  t.same(await all, [[], [], []])
})

t.test(
  'a batch that has waited for its turn is held from when it is claimed, and leaves what requests hold by then',
  async (t) => {
    let time = thisMoment()
    let inHand: number[] = []
    const claimed: (readonly number[])[] = []
    const nothing = () => t.fail('nothing else is done') as never
    const first = new EventEmitter()
    const answered = once(first, 'answered')
    const claims = openClaims({
      ...{ planAhead: nothing, lookAhead: nothing },
      now: () => time,
      ledger: {
        claim: async ({ kind, owner, except = [] }) => {
          claimed.push(except)
          if (claimed.length > 1) return { kind, owner, ids: [7], rows: null } as Claimed
          await answered
          return { kind, owner, ids: [], rows: null } as Claimed
        },
        ...{ claimWith: nothing, intendAhead: nothing, renew: nothing },
        ...{ recordBoth: nothing, release: nothing },
        record: async () => ({ kind: 'user', reached: new Map(), equal: new Set(), groupsDue: [] }),
      },
      async *makeEqual(_, requireLease) {
        requireLease()
        yield []
      },
      recorded: async () => {},
    })
    const except = () => inHand
    const both = Promise.all([1, 2].map(() => claims.carryOut('user', 'due', 9, { except })))
    await setImmediate()
    time = { wall: time.wall + 14_000, steady: time.steady + 14_000 }
    inHand = [3]
    first.emit('answered')
    t.same(await both, [[], []])
    t.same(claimed, [[], [3]])
    t.equal(claims.lostLeases(), 0)
  },
)
