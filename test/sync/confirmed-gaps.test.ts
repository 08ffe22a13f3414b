import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Fault } from '../../scripts/fakes/fault.ts'
import type { Organisation } from '../../scripts/fakes/organisation.ts'
import { defaultRelations } from '../../src/sync/mapping/defaults.ts'
import { testDatabase } from '../database.ts'
import { type Platform, platforms, stage } from '../sources/platforms.ts'
import { admin, engine } from './engine-service.ts'
import { department, person } from './small-organisation.ts'

// An administrator confirms what a source leaves out. The sentence of a gap names a few departments and counts the others.

const database = await testDatabase(t)

const ids = Array.from({ length: 12 }, (_, index) => String(1001 + index))
const organisation: Organisation = {
  departments: ids.map((id) => department(id, `Department ${id}`)),
  people: [person('root'), ...ids.map((id) => person(`p${id}`, { departmentIds: [id] }))],
}

/** The engine with a platform's cloud in slot A, from which everything was imported. */
const imported = async (t: Test, platform: Platform) => {
  const { cloud, source } = await stage(t, platform, { organisation })
  const service = await engine(t, { database, organisation: { departments: [], people: [] } })
  service.sources.exta = source
  const { users, groups } = defaultRelations[platform.name]
  const relations = { exta_user: { username: users.username, nickname: users.nickname }, exta_group: groups }
  for (const [flag, attributes] of Object.entries(relations)) {
    await service.db.execute(
      sql`update field_relations set attributes = ${JSON.stringify(attributes)}::jsonb where flag = ${flag}`,
    )
  }
  t.match(await service.both(), { groups: { state: 'done', added: 13 }, users: { state: 'done', added: 13 } })
  const held = async (): Promise<{ runId: number; because: string[]; gaps: string[] }> => {
    const { runId, state } = await service.run('users')
    t.equal(state, 'held')
    const [row] = await service.db.execute<{ because: string[]; gaps: string[] }>(
      sql`select held_because as because, gaps from runs where id = ${runId}`,
    )
    return { runId, because: [], gaps: [], ...row }
  }
  return {
    ...{ cloud, service, held },
    confirm: async ({ runId }: { runId: number }) =>
      service.importer.confirm(runId, await service.planHash(runId), admin),
  }
}

const refusals = { dingtalk: { code: 88, subCode: '60011' }, feishu: { code: 41050 }, wecom: { code: 60011 } }

for (const platform of platforms) {
  t.test(`${platform.name}: other departments than those that were confirmed as hidden`, async (t) => {
    const { cloud, service, held, confirm } = await imported(t, platform)
    const inOrder = [...ids].sort((a, b) => (platform.departmentId(a) < platform.departmentId(b) ? -1 : 1))
    const hide = (...places: number[]): void => {
      const hidden = inOrder.filter((_, index) => places.includes(index))
      cloud.faults = hidden.map((id): Fault => {
        const times = Number.POSITIVE_INFINITY
        return { kind: 'error', path: platform.paths.users, department: id, times, ...refusals[platform.name] }
      })
    }
    hide(0, 1, 2, 3, 4, 5, 6)
    const first = await held()
    t.match(first.because, [/ and 2 more /])
    t.match(await confirm(first), { state: 'done', disabled: 7 })
    t.match(await service.run('users'), { state: 'done', disabled: 0, unchanged: 6 }, 'the same ones are normal')

    hide(0, 1, 2, 3, 4, 7, 8)
    const other = await held()
    t.strictSame(other.gaps, first.gaps, 'the sentence is the same')
    t.match(other.because, [/left out other parts than those that were confirmed: /])
    t.match(await confirm(other), { state: 'done', updated: 2, disabled: 2 })
    cloud.organisation = { ...organisation, people: [...organisation.people, person('new')] }
    t.match(await service.run('users'), { state: 'done', added: 1, disabled: 0 })
  })

  t.test(`${platform.name}: another part of the organisation than the one that was confirmed`, async (t) => {
    const { cloud, service, held, confirm } = await imported(t, platform)
    cloud.visible = ids.slice(0, 6)
    const first = await held()
    t.match(await confirm(first), { state: 'done', disabled: 7 })
    t.match(await service.run('users'), { state: 'done', disabled: 0, unchanged: 6 }, 'the same part is normal')

    cloud.visible = [...ids.slice(0, 5), ids[6] ?? '']
    const other = await held()
    t.strictSame(other.gaps, first.gaps, 'the sentence is the same')
    t.match(other.because, [/left out other parts than those that were confirmed: /])
  })
}

t.test('gaps that were confirmed in an earlier version count where their sentence says all', async (t) => {
  const [platform] = platforms
  if (platform === undefined) throw new Error('there is no platform')
  const { cloud, service, held } = await imported(t, platform)
  const hide = (count: number): void => {
    cloud.faults = ids.slice(0, count).map((id): Fault => {
      const times = Number.POSITIVE_INFINITY
      return { kind: 'error', path: platform.paths.users, department: id, times, ...refusals[platform.name] }
    })
  }
  const confirmEarlier = (gaps: readonly string[]) =>
    service.db.execute(sql`
      insert into facts (name, value) values ('gaps exta users', ${JSON.stringify(gaps)}::jsonb)
      on conflict (name) do update set value = excluded.value`)
  hide(2)
  await confirmEarlier((await held()).gaps)
  t.match(await service.run('users'), { state: 'done', disabled: 2 })
  hide(6)
  await confirmEarlier((await held()).gaps)
  t.match((await held()).because, [/left out other parts/], 'one that counts departments has to be confirmed again')
})
