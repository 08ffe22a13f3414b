import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Fault } from '../../scripts/fakes/fault.ts'
import type { Organisation } from '../../scripts/fakes/organisation.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { type Platform, platforms, stage } from '../sources/platforms.ts'
import { type Engine, engine } from './engine-service.ts'
import { department, person } from './small-organisation.ts'

const database = await testDatabase(t)

/** The engine on a platform's cloud, with all of its organisation imported. */
const imported = async (t: Test, platform: Platform, organisation: Organisation) => {
  const service = await engine(t, { database, organisation })
  const { cloud, source } = await stage(t, platform, { organisation })
  const { rootId, departments, users } = source
  Object.assign(service.source, { rootId, departments, users })
  await service.db.execute(
    sql`update field_relations set attributes = '{"username": "userid ?? open_id"}' where flag = 'exta_user'`,
  )
  await service.both()
  return { ...service, cloud }
}

type Service = Awaited<ReturnType<typeof imported>>

/** The calls that were answered. */
const answered = ({ cloud }: Service, path: string | RegExp): number =>
  cloud.calls.filter(
    (call) => call.status !== 0 && (typeof path === 'string' ? call.path === path : path.test(call.path)),
  ).length

/**
 * Runs while the organisation becomes another one: after so many answers, and while one call waits.
 * @param waiting the call that is answered last
 */
const runWhile = async (
  service: Service,
  kind: 'groups' | 'users',
  {
    waiting,
    after,
    becomes,
  }: { waiting: Omit<Fault, 'kind'> & { path: string | RegExp }; after: number; becomes: Organisation },
) => {
  const { cloud, run } = service
  const before = answered(service, waiting.path)
  cloud.faults = [{ ...waiting, kind: 'slow', delay: 1000 }]
  const running = run(kind)
  await eventually(() => answered(service, waiting.path) >= before + after, 'the other answers')
  cloud.organisation = becomes
  return running
}

const enabled = async ({ db }: Pick<Engine, 'db'>): Promise<number> => {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from users where source = 'exta' and status = 1`,
  )
  return row?.count ?? 0
}

const twoDepartments = [department('11', 'Early'), department('12', 'Late')]
const among = (size: number, departmentId: string) =>
  Array.from({ length: size }, (_, index) =>
    person(`p${String(index).padStart(4, '0')}`, { departmentIds: [departmentId] }),
  )

for (const platform of platforms) {
  t.test(`a person who moves while ${platform.name} is read has not left`, async (t) => {
    const stays = [person('anna', { departmentIds: ['11'] }), person('bert', { departmentIds: ['12'] })]
    const mover = (departmentId: string) => person('mover', { departmentIds: [departmentId] })
    const service = await imported(t, platform, { departments: twoDepartments, people: [...stays, mover('12')] })
    const report = await runWhile(service, 'users', {
      waiting: { path: platform.paths.users, department: '12' },
      after: 2,
      becomes: { departments: twoDepartments, people: [...stays, mover('11')] },
    })
    t.match(report, { state: 'done', disabled: 0, moved: 1, total: 3 })
    t.equal(await enabled(service), 3)
  })

  if (platform.pageSize === Number.POSITIVE_INFINITY) continue
  t.test(`a person who is on an earlier page of ${platform.name} by the time it is read has not left`, async (t) => {
    const people = among(platform.pageSize * 2, '11')
    const service = await imported(t, platform, { departments: twoDepartments, people })
    const report = await runWhile(service, 'users', {
      waiting: { path: platform.paths.users, department: '11', page: 2 },
      after: 3,
      becomes: { departments: twoDepartments, people: people.slice(1) },
    })
    t.match(report, { state: 'done', disabled: 0 }, 'the one who left is on a page that was read before')
    t.equal(await enabled(service), people.length)
    t.match(await service.run('users'), { state: 'done', disabled: 1 }, 'the next run sees that they left')
  })
}

t.test('a department that moves while DingTalk is read is moved, and keeps its people', async (t) => {
  const [dingtalk] = platforms
  if (dingtalk === undefined) throw new Error('There is no DingTalk')
  const mover = (parentId: string) => department('13', 'Mover', parentId)
  const people = [person('anna', { departmentIds: ['13'] })]
  const service = await imported(t, dingtalk, { departments: [...twoDepartments, mover('12')], people })
  const members = () =>
    service.db.execute(sql`
    select g.id, g.group_name as name from group_members m join groups g on g.id = m.group_id`)
  const before = await members()
  const report = await runWhile(service, 'groups', {
    waiting: { path: dingtalk.paths.departments, department: '12' },
    // Of the root for the check whether it is visible, of the root, and of the other department.
    after: 3,
    becomes: { departments: [...twoDepartments, mover('11')], people },
  })
  t.match(report, { state: 'done', moved: 1, disabled: 0 })
  t.match(before, [{ name: 'Mover' }])
  t.strictSame(await members(), before, 'it is the same group')
})

t.test('who is missing in both readings has left', async (t) => {
  const [platform] = platforms
  if (platform === undefined) throw new Error('There is no platform')
  const people = among(3, '11')
  const service = await imported(t, platform, { departments: twoDepartments, people })
  service.cloud.organisation = { departments: [department('11', 'Early')], people: people.slice(1) }
  t.match(await service.run('users'), { state: 'done', disabled: 1, unchanged: 2, total: 3 })
  t.match(await service.run('groups'), { state: 'done', disabled: 1 })
  const before = answered(service, platform.paths.users)
  t.match(await service.run('users'), { state: 'done', disabled: 0, unchanged: 2 })
  t.equal(answered(service, platform.paths.users) - before, 2, 'where no one is missing the source is read once')
})

t.test('the records that are missing take little memory, however many they are', async (t) => {
  const people = 50_000
  const { db, source, run } = await engine(t, { database, organisation: { departments: [], people: [] } })
  await db.execute(sql`
    insert into users (username, username_key, nickname, mail, source, source_user_id)
    select 'p' || n, 'p' || n, 'P', '', 'exta', repeat('x', 60) || n from generate_series(1, ${people}) n`)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used: number[] = []
  source.users = async function* () {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    used.push(heapUsed + arrayBuffers)
    if (used.length === 2) throw new Error('enough is known')
    yield []
  }
  t.match(await run('users'), { state: 'failed' })
  const [first = 0, second = 0] = used
  t.ok(second - first < people * 60, `${Math.round((second - first) / people)} bytes for each`)
})
