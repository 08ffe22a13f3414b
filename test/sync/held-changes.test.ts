import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { FakePerson } from '../../scripts/fakes/organisation.ts'
import { sourceJobs } from '../../src/sync/source-jobs.ts'
import { silent, testDatabase } from '../database.ts'
import { admin, type Engine, type EngineOptions, engine, relation } from './engine-service.ts'
import { crowd, department, departments, people, person } from './small-organisation.ts'

const database = await testDatabase(t)

/** The people of `crowd(4)`, with changes to some. */
const but = (changed: Readonly<Record<string, Partial<FakePerson>>>, of = crowd(4)) =>
  people(...of.map((each) => ({ ...each, ...changed[each.id] })))

const open = async (t: Test, organisation = people(...crowd(4)), limit?: EngineOptions['limit']) => {
  const service = await engine(t, { database, organisation, ...(limit && { limit }) })
  const { db } = service
  const roleOf = async (sort: number): Promise<number> => {
    const [role] = await db.execute<{ id: string }>(sql`
      insert into roles (name, keyword, sort) values (${`sort ${sort}`}, ${`sort-${sort}`}, ${sort})
      on conflict (keyword) do update set sort = excluded.sort returning id`)
    return Number(role?.id)
  }
  const idOf = async (username: string): Promise<number> => {
    const [user] = await db.execute<{ id: string }>(sql`select id from users where username = ${username}`)
    return Number(user?.id)
  }
  return {
    ...service,
    idOf,
    /** Gives a user a role of that rank. */
    promote: async (username: string, sort: number): Promise<void> => {
      await db.execute(sql`
        insert into user_roles (user_id, role_id) values (${await idOf(username)}, ${await roleOf(sort)})`)
    },
    /** A user of that rank without a source. */
    caller: async (sort: number) => {
      const [user] = await db.execute<{ id: string }>(sql`
        insert into users (username, username_key, nickname) values (${`caller ${sort}`}, ${`caller ${sort}`}, '')
        returning id`)
      const userId = Number(user?.id)
      const roleId = await roleOf(sort)
      await db.execute(sql`insert into user_roles (user_id, role_id) values (${userId}, ${roleId})`)
      const sessionId = randomUUID()
      await db.execute(sql`insert into sessions (id, user_id, token_id) values (${sessionId}, ${userId}, ${sessionId})`)
      return { actor: { userId, sessionId }, roleId, username: `caller ${sort}` }
    },
    mailOf: async (username: string): Promise<string> => {
      const [user] = await db.execute<{ mail: string }>(sql`select mail from users where username = ${username}`)
      return user?.mail ?? ''
    },
    statusOf: async (username: string): Promise<number> => {
      const [user] = await db.execute<{ status: number }>(sql`select status from users where username = ${username}`)
      return user?.status ?? 0
    },
    states: async (runId: number): Promise<Record<string, string>> => {
      const rows = await db.execute<{ name: string; state: string }>(sql`
        select source_id as name, state from run_changes where run_id = ${runId} order by seq`)
      return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
    },
    confirm: async (runId: number, by: Parameters<Engine['importer']['confirm']>[2] = admin) =>
      service.importer.confirm(runId, await service.planHash(runId), by),
  }
}

t.test('a run does not change users of its starter’s rank or above, and goes on with all others', async (t) => {
  const s = await open(t)
  await s.run('users')
  await s.db.execute(sql`delete from user_roles`)
  for (const [name, sort] of [
    ['p1', 1],
    ['p2', 500],
    ['p3', 600],
  ] as const)
    await s.promote(name, sort)
  const weak = await s.caller(500)
  s.source.organisation = but({
    p1: { mail: 'evil1@example.com' },
    p2: { mail: 'evil2@example.com' },
    p3: { mail: 'three@example.com' },
    p4: { name: 'Somebody else' },
  })
  const held = await s.run('users', { actor: weak.actor })
  t.match(held, { state: 'held', updated: 2, held: 2, failed: 0 })
  t.match(held.problems, [
    { sourceId: 'p1', step: 'seniority', reason: /rank is not lower than/, advice: /confirm/ },
    { sourceId: 'p2', step: 'seniority' },
  ])
  t.same(await s.states(held.runId), { p1: 'held', p2: 'held', p3: 'done', p4: 'done' })
  t.same([await s.mailOf('p1'), await s.mailOf('p2'), await s.mailOf('p3')], ['', '', 'three@example.com'])

  t.match(await s.confirm(held.runId, weak), { state: 'held', held: 2, updated: 2 }, 'not by confirming it oneself')
  t.match(await s.confirm(held.runId, await s.caller(400)), { state: 'held', held: 1, updated: 3 })
  t.same([await s.mailOf('p1'), await s.mailOf('p2')], ['', 'evil2@example.com'])
  const done = await s.confirm(held.runId, await s.caller(1))
  t.match(done, { state: 'done', held: 0, updated: 4 })
  t.same(
    done.problems.filter(({ step }) => step === 'seniority'),
    [],
  )
  t.equal(await s.mailOf('p1'), 'evil1@example.com')
})

t.test('a schedule waits for the run of a user of lower rank and then makes its own', async (t) => {
  const one = departments(department('a', 'A'))
  const s = await open(t, { ...one, people: [person('p1', { departmentIds: ['a'] })] })
  await s.both()
  await s.promote('p1', 500)
  const weak = await s.caller(500)
  s.source.organisation = { ...s.source.organisation, departments: [department('a', 'Other')] }
  let release = (): void => {}
  const asked = new Promise<void>((resolve) => {
    release = resolve
  })
  const begun = new Promise<void>((resolve) => {
    s.source.before = () => {
      resolve()
      return asked
    }
  })
  const lower = s.run('groups', { actor: weak.actor })
  await begun
  const [job] = sourceJobs({
    db: s.db,
    importer: {
      run: (request, wait) => {
        const report = s.importer.run(request, wait)
        release()
        return report
      },
    },
    schedules: { exta: '0 0 * * *', extb: null, extc: null, extldap: null },
    timeZone: 'UTC',
    log: silent,
  })
  await job?.run(new AbortController().signal)
  t.match(await lower, { state: 'held', held: 1, updated: 0 })
  const groups = await s.db.execute(sql`select group_name as name from groups where source_dept_id = 'a'`)
  t.match(groups, [{ name: 'Other' }])
  const runs = await s.db.execute(sql`
    select creator, kind, state from runs where creator = 'schedule' or state <> 'done' order by id`)
  t.match(runs, [
    { kind: 'groups', state: 'discarded' },
    { creator: 'schedule', kind: 'groups', state: 'done' },
    { creator: 'schedule', kind: 'users', state: 'done' },
  ])
})

t.test('a caller who could carry out a plan can discard it', async (t) => {
  const s = await open(t)
  await s.run('users')
  await s.db.execute(sql`delete from user_roles`)
  await s.promote('p1', 500)
  const [weak, strong] = [await s.caller(500), await s.caller(400)]
  s.source.organisation = but({ p1: { state: 'left' }, p2: { name: 'Other' } })
  const { runId } = await s.run('users', { actor: weak.actor })
  await t.rejects(s.importer.discard(runId, weak), { kind: 'forbidden', message: /must be lower than yours/ })
  t.same(await s.states(runId), { p1: 'held', p2: 'done' })
  t.match(await s.confirm(runId, weak), { state: 'held', held: 1 }, 'it is held as before')
  await s.importer.discard(runId, strong)
  await t.rejects(s.importer.discard(runId, strong), { kind: 'conflict', message: /is (not|no longer) held/ })

  s.source.organisation = but({ p1: { state: 'left' }, p2: { state: 'left' }, p3: { state: 'left' } })
  s.source.gaps = ['page 2 is missing']
  const guarded = await s.run('users', { actor: weak.actor })
  t.match(guarded, { state: 'held' })
  await t.rejects(s.importer.discard(guarded.runId, weak), {
    kind: 'forbidden',
    message: /must be lower than yours/,
  })
  await s.importer.discard(guarded.runId, strong)
})

t.test(
  'a plan that was made by another field relation, or of a source that is gone, cannot be confirmed',
  async (t) => {
    const s = await open(t)
    s.source.gaps = ['page 2 is missing']
    const hold = async (): Promise<number> => {
      const { runId } = await s.run('users')
      // That of departments does not count.
      await s.db.execute(sql`update field_relations set updated_at = now() where flag = 'exta_group'`)
      return runId
    }
    const outdated = { kind: 'conflict', message: /relation exta_user was saved or deleted/ }
    const saved = await hold()
    await s.db.execute(sql`
    update field_relations set attributes = attributes - 'mail', updated_at = now() where flag = 'exta_user'`)
    await t.rejects(s.confirm(saved), outdated)
    t.match(await s.db.execute(sql`select state from runs where id = ${saved}`), [{ state: 'held' }])
    const deleted = await hold()
    await s.db.execute(sql`update field_relations set flag = 'other' where flag = 'exta_user'`)
    await t.rejects(s.confirm(deleted), outdated)
    await s.db.execute(sql`update field_relations set flag = 'exta_user' where flag = 'other'`)
    s.sources.exta = null
    await t.rejects(s.confirm(deleted), { kind: 'unavailable', message: /ExtA is not configured/ })
    s.sources.exta = s.source
    t.match(await s.confirm(deleted), { state: 'done', added: 4 })
  },
)

t.test('the rank at the moment of the change counts', async (t) => {
  const s = await open(t)
  await s.run('users')
  await s.promote('p1', 700)
  const caller = await s.caller(2)
  const change = but({ p1: { name: 'Another' } })

  s.source.organisation = change
  // While the source is being read, the caller's role is made weak, or disabled, or the caller is.
  for (const demotion of [
    sql`update roles set sort = 900 where id = ${caller.roleId}`,
    sql`update roles set sort = 2, status = 2 where id = ${caller.roleId}`,
    sql`with r as (update roles set status = 1) update users set status = 2 where id = ${caller.actor.userId}`,
  ]) {
    s.source.before = async () => void (await s.db.execute(demotion))
    t.match(await s.run('users', { actor: caller.actor }), { state: 'held', updated: 0, held: 1 })
  }
  s.source.before = async () => {}
  await s.db.execute(sql`update users set status = 1`)
  await s.db.execute(sql`update roles set status = 2 where sort = 700`)
  await s.db.execute(sql`update roles set sort = 3 where id = ${caller.roleId}`)
  t.match(await s.run('users', { actor: caller.actor }), { state: 'held', held: 1 }, 'imports give a role of sort 3')
  await s.db.execute(sql`delete from user_roles where role_id in (select id from roles where keyword = 'user')`)
  await s.db.execute(sql`update roles set sort = 3 where sort = 700`)
  t.match(await s.run('users', { actor: caller.actor }), { state: 'held', held: 1 }, 'a disabled role counts')
  await s.db.execute(sql`update roles set sort = 4 where status = 2`)
  t.match(await s.run('users', { actor: caller.actor }), { state: 'done', updated: 1 })
})

t.test('a scheduled run does not change users who may do everything, until an administrator confirms it', async (t) => {
  const s = await open(t)
  await s.run('users')
  await s.promote('p1', 1)
  await s.promote('p2', 1)
  s.source.organisation = but({ p1: { name: 'Other' }, p2: { state: 'left' }, p3: { name: 'Other' } })
  const held = await s.run('users')
  t.match(held, { state: 'held', updated: 1, disabled: 0, held: 2 })
  t.equal(await s.statusOf('p2'), 1)
  t.match(await s.confirm(held.runId, await s.caller(2)), { state: 'held', held: 2 })
  t.match(await s.confirm(held.runId), { state: 'done', updated: 2, disabled: 1, held: 0 })
  t.equal(await s.statusOf('p2'), 2)

  s.source.organisation = but({ p1: { name: 'Other' }, p2: { name: 'Back' }, p3: { name: 'Other' } })
  t.match(await s.run('users'), { state: 'held', held: 1 }, 'nor enables one again')
})

t.test('no run removes the last user who may do everything, confirmed or not', async (t) => {
  const s = await open(t)
  await s.run('users')
  const root = await s.caller(1)
  for (const name of ['p1', 'p2']) await s.promote(name, 1)
  s.source.organisation = but({ p1: { state: 'left' }, p2: { state: 'left' }, p3: { state: 'left' } })
  const first = await s.run('users', { actor: root.actor })
  t.match(
    first,
    { state: 'held', disabled: 1, held: 2 },
    'also when an administrator starts it: the plan was not reviewed',
  )
  // The user who confirms is disabled once the plan is carried out.
  await s.db.execute(sql`update users set status = 2 where id = ${root.actor.userId}`)
  const last = await s.confirm(first.runId)
  t.match(last, { state: 'done', disabled: 1, failed: 2, held: 0 })
  t.match(
    last.problems.filter(({ step }) => step === 'apply'),
    [{ reason: 'at least one enabled administrator must remain' }, { sourceId: 'p2' }],
  )
  t.same([await s.statusOf('p1'), await s.statusOf('p2')], [1, 1])
  await s.db.execute(sql`update users set status = 1 where id = ${root.actor.userId}`)
  const again = await s.run('users', { actor: root.actor })
  t.match(
    await s.confirm(again.runId, root),
    { state: 'done', disabled: 2 },
    'another user who may do everything is left',
  )
})

t.test('a new mail address of a user with more rights than the caller is held', async (t) => {
  const s = await open(t)
  await s.run('users')
  await s.db.execute(sql`delete from user_roles`)
  await s.promote('p1', 900)
  await s.promote('p2', 901)
  const caller = await s.caller(800)
  await s.db.execute(sql`
    with entry as (insert into api_entries (category, method, path) values ('x', 'GET', ${`/x/${Date.now()}`}) returning id)
    insert into role_apis (role_id, api_id) select r.id, entry.id from entry, roles r where r.sort = 900`)
  s.source.organisation = but({ p1: { mail: 'one@example.com' }, p2: { mail: 'two@example.com' } })
  const held = await s.run('users', { actor: caller.actor })
  t.match(held, { state: 'held', updated: 1, held: 1, problems: [{ sourceId: 'p1', reason: /^mail: / }] })
  t.same([await s.mailOf('p1'), await s.mailOf('p2')], ['', 'two@example.com'])
})

t.test('a change that needs a value of a held change is held with it', async (t) => {
  const s = await open(t, but({ p1: { mail: 'one@example.com' }, p2: { mail: 'two@example.com' } }))
  await s.run('users')
  await s.promote('p1', 1)
  s.source.organisation = but({
    p1: { mail: 'new@example.com' },
    p2: { mail: 'one@example.com' },
    p3: { mail: 'two@example.com' },
    p4: { mail: 'four@example.com' },
  })
  const held = await s.run('users')
  t.match(held, { state: 'held', updated: 1, held: 3, failed: 0 })
  t.same(await s.states(held.runId), { p1: 'held', p2: 'held', p3: 'held', p4: 'done' })
  t.match(await s.confirm(held.runId), { state: 'done', updated: 4, failed: 0 })
  t.same([await s.mailOf('p2'), await s.mailOf('p3')], ['one@example.com', 'two@example.com'])
})

t.test('a mobile that is handed on is the same number, however it is written', async (t) => {
  const s = await open(t, but({ p1: { mobile: '13800138000' } }))
  await s.run('users')
  await s.promote('p1', 1)
  s.source.organisation = but({
    p1: { mobile: '13900139000' },
    p2: { mobile: '+86 138 0013 8000' },
    p3: { name: 'Other' },
  })
  const held = await s.run('users')
  t.same(await s.states(held.runId), { p1: 'held', p2: 'held', p3: 'done' })
  t.match(await s.confirm(held.runId), { state: 'done', failed: 0 })
})

t.test('a username that a held change would give up is not given to another', async (t) => {
  const named = (one: string, two: string, three: string) =>
    but({ p1: { jobNumber: one }, p2: { jobNumber: two }, p3: { jobNumber: three } })
  const s = await open(t, named('ann', 'bea', 'cee'))
  const attributes = JSON.stringify({ ...relation.users, username: 'jobNumber', jobNumber: '""' })
  await s.db.execute(sql`update field_relations set attributes = ${attributes}::jsonb where flag = 'exta_user'`)
  await s.run('users')
  await s.promote('ann', 1)
  s.source.organisation = named('bea', 'ann', 'dee')
  const held = await s.run('users')
  t.match(held, { state: 'held', held: 2, failed: 0 })
  t.match(await s.states(held.runId), { p1: 'held', p2: 'held', p3: 'done' })
  const [ann, bea] = [await s.idOf('ann'), await s.idOf('bea')]
  t.match(await s.confirm(held.runId), { state: 'done', failed: 0 })
  t.same([await s.idOf('ann'), await s.idOf('bea')], [bea, ann])
})

t.test('a dry run reports what would be held', async (t) => {
  const s = await open(t)
  await s.run('users')
  await s.promote('p1', 1)
  s.source.organisation = but({ p1: { name: 'Other' }, p2: { name: 'Other' } })
  const planned = await s.run('users', { dryRun: true })
  t.match(planned, { state: 'planned', updated: 2, held: 0, problems: [{ sourceId: 'p1', step: 'seniority' }] })
  t.same(await s.states(planned.runId), { p1: 'held', p2: 'planned' })
})

t.test(
  'departments with too strong a user in them or below them stay as they are, and so does what depends on them',
  async (t) => {
    const s = await open(
      t,
      departments(
        department('a', 'A'),
        department('b', 'B', 'a'),
        department('c', 'C'),
        department('d', 'D', 'c'),
        department('e', 'E'),
      ),
    )
    await s.run('groups')
    s.source.organisation = { ...s.source.organisation, people: [person('p1', { departmentIds: ['b'] })] }
    await s.run('users')
    await s.promote('p1', 1)
    // A was to leave its name to E; B, in which the administrator is, to be above A; D only to get another name.
    const next = [
      department('a', 'Z', 'b'),
      department('b', 'B'),
      department('c', 'C', 'a'),
      department('d', 'Other', 'c'),
      department('e', 'A'),
    ]
    s.source.organisation = { departments: next, people: [] }
    const held = await s.run('groups')
    t.match(held, { state: 'held', held: 3, failed: 0, updated: 1, moved: 1 })
    t.same(await s.states(held.runId), { b: 'held', a: 'held', e: 'held', c: 'done', d: 'done' })
    t.match(held.problems, [{ step: 'seniority' }, { step: 'seniority' }, { step: 'seniority' }])
    t.match(await s.confirm(held.runId, await s.caller(2)), { state: 'held', held: 3 })
    t.match(await s.confirm(held.runId), { state: 'done', held: 0, failed: 0, updated: 2, moved: 3 })

    s.source.organisation = { departments: next.filter(({ id }) => id !== 'b' && id !== 'e'), people: [] }
    t.match(await s.run('groups'), { state: 'held', held: 1, disabled: 1 }, 'nor is such a department removed')
  },
)

t.test('the rest of a plan puts no departments into a circle', async (t) => {
  const before = departments(department('a', 'A'), department('b', 'B', 'a'), department('c', 'C'))
  const s = await open(t, before, { records: 0, share: 0 })
  await s.run('groups')
  s.source.organisation = departments(department('n', 'N', 'b'), department('a', 'A', 'n'), department('b', 'B'))
  const held = await s.run('groups')
  t.match(held, { state: 'held', held: 4 }, 'one is removed')
  // Changed here meanwhile: B stays below A, so A cannot be put below it, nor below what is new there.
  await s.db.execute(sql`
    update directory_entries e set version = version + 1 from groups g
    where e.kind = 'group' and e.record_id = g.id and g.group_name = 'B'`)
  t.match(await s.confirm(held.runId), { state: 'done', added: 1, disabled: 1, moved: 0, failed: 2 })
  t.same(await s.states(held.runId), { b: 'failed', n: 'done', a: 'failed', c: 'done' })
  t.match(await s.run('groups'), { state: 'done', moved: 2 }, 'the next run makes up for it')
})

t.test('gaps of a source count as accepted when a user who may do everything confirms', async (t) => {
  const s = await open(t)
  const weak = await s.caller(900)
  s.source.gaps = ['department 7 is not visible']
  const first = await s.run('users')
  t.match(first, { state: 'held' })
  await s.confirm(first.runId, weak)
  s.source.organisation = people(...crowd(5))
  const second = await s.run('users')
  t.match(second, { state: 'held' }, 'the plan was confirmed, and the next one is held for the same gap')
  await s.confirm(second.runId)
  s.source.organisation = people(...crowd(6))
  t.match(await s.run('users'), { state: 'done', added: 1 })
})
