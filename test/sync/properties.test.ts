import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { evolve, generateOrganisation, type Organisation } from '../../scripts/fakes/organisation.ts'
import type { Db } from '../../src/db/client.ts'
import type { RunReport } from '../../src/sync/runs.ts'
import { testDatabase } from '../database.ts'
import { engine } from './engine-service.ts'

const seed = Number(process.env.SYNC_SEED ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env.SYNC_RUNS ?? 6)
t.comment(`SYNC_SEED=${seed} SYNC_RUNS=${numRuns}`)

const database = await testDatabase(t)
const everything = { records: 1_000_000, share: 1 }

/** Random organisations, and their changes in two steps. */
const histories = fc
  .record({
    seed: fc.nat(),
    people: fc.integer({ min: 1, max: 150 }),
    departments: fc.integer({ min: 1, max: 30 }),
    changes: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ seed, people, departments, changes }) => {
    const first = generateOrganisation({ seed, people, departments })
    const second = evolve(first, seed + 1, changes)
    return [first, second, evolve(second, seed + 2, changes)] as const
  })
  // Where no person is left, the run is held.
  .filter((history) => history.every(({ people }) => people.length > 0))

const holds = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, property), { seed, numRuns, endOnFailure: true })

const changes = ({ added, updated, moved, disabled }: RunReport): number => added + updated + moved + disabled

/** The sum of a report's counts is the number of records read. */
const addsUp = ({ total, added, updated, moved, disabled, unchanged, skipped, failed, held }: RunReport): boolean =>
  total === added + updated + moved + disabled + unchanged + skipped + failed + held

/** A shuffle that depends on nothing but its number. */
const shuffled =
  (number: number) =>
  <T>(items: T[]): T[] => {
    let state = number
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state
    }
    return items
      .map((item) => ({ item, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
  }

t.test('whatever changes in an organisation: after a run there is nothing left to do', async (t) => {
  await t.resolves(
    holds(histories, async ([first, ...later]) => {
      const { both, source, state } = await engine(t, { database, organisation: first, limit: everything })
      for (const organisation of [first, ...later]) {
        source.organisation = organisation
        for (const report of Object.values(await both())) {
          if (report.state !== 'done' || report.failed > 0 || !addsUp(report)) throw new Error(JSON.stringify(report))
        }
        const before = await state()
        const { groups, users } = await both()
        if (changes(groups) + changes(users) > 0) throw new Error(JSON.stringify({ groups, users }))
        t.strictSame(await state(), before)
        t.strictSame(await surplus(database.db, organisation), [])
      }
    }),
  )
})

t.test('in whatever order and pages records come, the plan is the same', async (t) => {
  await t.resolves(
    holds(fc.tuple(histories, fc.nat(), fc.integer({ min: 1, max: 100 })), async ([[first, second], number, batch]) => {
      const { both, run, source, planHash } = await engine(t, { database, organisation: first, limit: everything })
      await both()
      source.organisation = second
      for (const kind of ['groups', 'users'] as const) {
        const plain = await run(kind, { dryRun: true })
        source.shuffle = shuffled(number)
        source.batch = batch
        const mixed = await run(kind, { dryRun: true })
        if ((await planHash(plain.runId)) !== (await planHash(mixed.runId))) throw new Error(`${kind}: another plan`)
      }
    }),
  )
})

t.test('a reading that fails anywhere changes nothing', async (t) => {
  await t.resolves(
    holds(fc.tuple(histories, fc.nat({ max: 200 })), async ([[first, second], failAfter]) => {
      const { both, run, source, state } = await engine(t, { database, organisation: first, limit: everything })
      await both()
      const before = await state()
      source.organisation = second
      source.failAfter = failAfter
      for (const kind of ['groups', 'users'] as const) {
        const report = await run(kind)
        if (report.state !== 'failed') throw new Error(JSON.stringify(report))
      }
      t.strictSame(await state(), before)
    }),
  )
})

t.test('removals above the limit are held, those within it are made', async (t) => {
  const shrinking = fc.tuple(
    fc.integer({ min: 2, max: 120 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat({ max: 30 }),
    fc.double({ min: 0, max: 0.5, noNaN: true }),
  )
  await t.resolves(
    holds(shrinking, async ([size, left, records, share]) => {
      const organisation = generateOrganisation({ seed: size, people: size, departments: 2, oddities: false })
      const { both, run, source, state } = await engine(t, { database, organisation, limit: { records, share } })
      const { users } = await both()
      source.organisation = { ...organisation, people: organisation.people.slice(Math.floor(left * size)) }
      const before = await state()
      const dry = await run('users', { dryRun: true })
      const report = await run('users')
      const gone = dry.disabled
      const tooMany =
        gone > Math.max(records, Math.floor(share * users.added)) ||
        (gone > 0 && source.organisation.people.length === 0)
      if ((report.state === 'held') !== tooMany) throw new Error(JSON.stringify({ report, gone, records, share }))
      if (tooMany) t.strictSame(await state(), before)
    }),
  )
})

t.test('what a report counts is what changed in SQL', async (t) => {
  await t.resolves(
    holds(histories, async ([first, second]) => {
      const { both, run, source } = await engine(t, { database, organisation: first, limit: everything })
      await both()
      source.organisation = second
      for (const kind of ['groups', 'users'] as const) {
        const before = await records(database.db, kind)
        const report = await run(kind)
        const after = await records(database.db, kind)
        const added = [...after.keys()].filter((id) => !before.has(id)).length
        const changed = [...before].filter(([id, text]) => after.has(id) && after.get(id) !== text).length
        const removed = [...before.keys()].filter((id) => !after.has(id)).length
        const told = { added: report.added, rest: report.updated + report.moved + report.disabled }
        t.strictSame(told, { added, rest: changed + removed })
      }
    }),
  )
})

/** Each record of the source as text, with its memberships. */
const records = async (db: Db, kind: 'users' | 'groups'): Promise<Map<string, string>> => {
  const rows = await db.execute<{ id: string; line: string }>(
    kind === 'groups'
      ? sql`select g.id::text, jsonb_build_array(group_name, remark, parent_id)::text as line from groups g where source = 'exta'`
      : sql`
        select u.id::text, jsonb_build_array(to_jsonb(u) - 'updated_at' - 'source_fields', array(
          select m.group_id from group_members m join groups g on g.id = m.group_id
          where m.user_id = u.id and g.source = 'exta' order by 1))::text as line
        from users u where source = 'exta'`,
  )
  return new Map(rows.map(({ id, line }) => [id, line]))
}

/** Enabled people are those at the source that can be enabled, and no others; likewise departments. */
const surplus = async (db: Db, { people, departments }: Organisation): Promise<string[]> => {
  const there = people.filter(({ state }) => state === 'active' || state === 'invited').map(({ id }) => id)
  const rows = await db.execute<{ id: string }>(sql`
    select 'person ' || coalesce(t.id, u.source_user_id) as id
    from jsonb_array_elements_text(${JSON.stringify(there)}::jsonb) t (id)
    full join (select source_user_id from users where source = 'exta' and status = 1) u on u.source_user_id = t.id
    where t.id is null or u.source_user_id is null
    union all
    select 'department ' || coalesce(t.id, g.source_dept_id)
    from jsonb_array_elements_text(${JSON.stringify(departments.map(({ id }) => id))}::jsonb) t (id)
    full join (select source_dept_id from groups where source = 'exta' and parent_id is not null) g on g.source_dept_id = t.id
    where t.id is null or g.source_dept_id is null`)
  return rows.map(({ id }) => id)
}
