import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { startFakeDingtalk } from '../../scripts/fakes/dingtalk.ts'
import { generateOrganisation, type Organisation } from '../../scripts/fakes/organisation.ts'
import { SuccessWithMessage } from '../../src/contract/handler.ts'
import { dingtalkSource } from '../../src/sources/dingtalk.ts'
import { reportOrFailure } from '../../src/sync/run-response.ts'
import type { RunReport } from '../../src/sync/runs.ts'
import { sourcesHandlers } from '../../src/sync/source-handlers.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { steward } from '../steward.ts'
import { startCloud } from './clouds.ts'

const whole = generateOrganisation({ seed: 7, people: 40, departments: 6, depth: 3 })

/** The organisation without so many of its active people. */
const without = (count: number): Organisation => {
  const leaving = whole.people.filter(({ state }) => state === 'active').slice(0, count)
  return { ...whole, people: whole.people.filter((each) => !leaving.includes(each)) }
}

/** The service with a fake DingTalk at ExtA and nothing at the other slots. */
const openService = async (
  t: Test,
  { env = {}, organisation = whole }: { env?: Record<string, string>; organisation?: Organisation } = {},
) => {
  const { cloud, env: connected } = await startCloud(t, 'exta', organisation)
  const service = await steward(t, {
    directory: 'none',
    env: {
      ...connected,
      SYNC_MAX_REMOVALS: '2',
      TRUST_PROXY: 'on',
      ...env,
    },
  })
  const { ask, take } = service
  /** Adds every person, and then removes that many: more than may leave without a confirmation. */
  const holdPlan = async (leaving: number) => {
    cloud.organisation = whole
    await take('syncExtADepts')
    await take('syncExtAUsers')
    cloud.organisation = without(leaving)
    const { msg, data } = await ask('syncExtAUsers')
    const { runId } = data
    if (!msg.includes(`POST /api/v1/operations/runs/${runId}/confirm`)) throw new Error(`held, but: ${msg}`)
    return take('getRun', { params: { id: runId } })
  }
  const enabled = async (): Promise<number> => {
    const [row] = await service.db.execute<{ count: number }>(
      sql`select count(*)::int as count from users where source = 'exta' and status = 1`,
    )
    return row?.count ?? 0
  }
  return { ...service, cloud, holdPlan, enabled }
}

const s = await openService(t)

t.test('a run is answered as a success only where it is one', async (t) => {
  const report: RunReport = {
    ...{ runId: 7, source: 'exta', kind: 'users', state: 'done', startedAt: '', finishedAt: null },
    ...{ total: 5, added: 5, updated: 0, moved: 0, disabled: 0, unchanged: 0, skipped: 0, failed: 0, held: 0 },
    problems: [],
  }
  const said = (more: Partial<RunReport>, heldBecause: string[] = []): string => {
    const answer = reportOrFailure({ ...report, ...more, heldBecause })
    return answer instanceof SuccessWithMessage ? answer.message : 'success'
  }
  t.equal(said({}), 'success')
  t.equal(said({ failed: 2 }), '2 of 5 records failed; problems says why')
  t.match(said({ state: 'running' }), /^run 7 is still running; see GET \/api\/v1\/operations\/runs\/7$/)
  t.match(
    said({ state: 'held', held: 1, added: 0 }),
    /^held: nothing was written; 1 change waits for .*runs\/7\/confirm/,
  )
  t.match(said({ state: 'held', held: 1 }), /^held: 5 changes were made; 1 change waits for .*runs\/7\/confirm/)
  const planned = reportOrFailure({ ...report, state: 'planned', failed: 1, heldBecause: ['too many'] })
  t.match(planned, {
    message: /^planned: nothing was written; .*a run would be held: too many\. 1 of 5 records failed/,
  })
  t.throws(() => reportOrFailure({ ...report, state: 'failed' }), {
    code: 502,
    message: /^run 7 failed: no reason was recorded$/,
  })

  s.cloud.faults = [{ kind: 'error', code: 88, times: Number.POSITIVE_INFINITY }]
  const failed = await s.ask('syncExtAUsers')
  t.match(failed, { status: 200, code: 502, msg: /^run \d+ failed: .*88/, data: { state: 'failed', problems: [{}] } })
  const dry = await s.ask('startDryRun', { params: { source: 'exta' }, body: { kind: 'users' } })
  t.match(dry, { status: 502, code: 502, msg: /^run \d+ failed: .*88/, data: { state: 'failed', dryRun: true } })
  s.cloud.faults = []
})

t.test('a dry run says what a run would do, and does nothing', async (t) => {
  const run = await s.take('startDryRun', { params: { source: 'exta' }, body: { kind: 'groups' } })
  t.match(run, { source: 'exta', kind: 'groups', state: 'planned', dryRun: true, creator: 'admin', phase: '' })
  t.match(run.planHash, /^[0-9a-f]{64}$/)
  const { total, changes } = await s.take('listRunChanges', { params: { id: run.runId } })
  t.equal(total, changes.length)
  t.equal(total, run.added)
  t.ok(total >= whole.departments.length)
  t.same(
    changes.map(({ seq }) => seq),
    changes.map((_, index) => index + 1),
  )
  t.ok(changes.every(({ action, state, recordId }) => action === 'add' && state === 'planned' && recordId === null))
  t.same((await s.take('listGroups')).groups, [], 'nothing was written')
})

t.test('runs are listed and shown with what they did', async (t) => {
  await s.take('syncExtADepts')
  const report = await s.take('syncExtAUsers')
  const run = await s.take('getRun', { params: { id: report.runId } })
  t.match(run, { ...report, dryRun: false, state: 'done', heldBecause: { length: 0 }, decidedBy: '', decidedAt: null })
  t.ok(run.added > 0)

  const all = await s.take('listRuns')
  t.equal(all.total, all.runs.length)
  t.same(
    all.runs.map(({ runId }) => runId),
    all.runs.map(({ runId }) => runId).sort((a, b) => b - a),
    'newest first',
  )
  t.notOk('problems' in (all.runs[0] ?? {}))
  const page = await s.take('listRuns', { query: { pageNum: 2, pageSize: 1 } })
  t.same(page, { total: all.total, runs: all.runs.slice(1, 2) })
  t.same((await s.take('listRuns', { query: { source: 'extb' } })).runs, [])
  for (const filter of [{ kind: 'users' }, { state: 'planned' }, { source: 'exta', kind: 'groups', state: 'done' }]) {
    const { runs } = await s.take('listRuns', { query: { ...filter, pageSize: 100 } })
    t.ok(runs.length > 0 && runs.length < all.total, JSON.stringify(filter))
    for (const each of runs) t.match(each, filter)
  }

  const changes = await s.take('listRunChanges', { params: { id: report.runId } })
  t.equal(changes.total, report.added)
  t.ok(changes.changes.every(({ state, recordId }) => state === 'done' && recordId !== null))
  const paged = await s.take('listRunChanges', { params: { id: report.runId }, query: { pageNum: 2, pageSize: 3 } })
  t.same(paged, { total: changes.total, changes: changes.changes.slice(3, 6) })
  const none = await s.take('listRunChanges', { params: { id: report.runId }, query: { action: 'disable' } })
  t.same(none, { changes: [], total: 0 })
  const failed = await s.take('listRunChanges', {
    params: { id: report.runId },
    query: { state: 'failed', pageSize: 5 },
  })
  t.same(failed, { changes: [], total: 0 })
})

t.test('unknown ids are not found', async (t) => {
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  for (const id of ['getRun', 'listRunChanges', 'discardRun'] as const) {
    t.match(await s.ask(id, { params: { id: 987_654 } }), { status: 404, msg: /run 987654 does not exist/ }, id)
  }
  await s.db.execute(sql`update sessions set stepped_up_at = null`)
  t.match(await s.ask('getRun', { params: { id: 'x' } }), { status: 400, data: [{ field: 'id' }] })
  t.match(await s.ask('diagnoseSource', { params: { source: 'extd' } }), { status: 400, data: [{ field: 'source' }] })
  t.match(await s.ask('listRuns', { query: { state: 'asleep' } }), { status: 400, data: [{ field: 'state' }] })
})

t.test('sources say how they are connected', async (t) => {
  const sources = await s.take('listSources')
  t.match(sources, [
    { source: 'exta', connector: 'dingtalk', configured: true, missing: { length: 0 }, schedule: '', nextRunAt: null },
    {
      source: 'extb',
      connector: 'feishu',
      configured: false,
      missing: ['EXTB_APP_ID', 'EXTB_APP_SECRET'],
      lastRuns: { length: 0 },
    },
    {
      source: 'extc',
      connector: 'wecom',
      configured: false,
      missing: ['EXTC_CORP_ID', 'EXTC_SECRET'],
      lastRuns: { length: 0 },
    },
    { source: 'extldap', connector: 'ldap', configured: false, missing: { length: 4 }, lastRuns: { length: 0 } },
  ])
  t.match(sources[0]?.lastRuns, [{ kind: 'groups' }, { kind: 'users' }])
  t.same(await s.take('listSchedules'), [])
})

t.test('a slot without a source is not read', async (t) => {
  const params = { source: 'extb' }
  for (const reply of [
    await s.ask('diagnoseSource', { params }),
    await s.ask('startDryRun', { params, body: { kind: 'users' } }),
    await s.ask('previewMapping', { params, body: { kind: 'users' } }),
  ]) {
    t.match(reply, { status: 503, msg: /ExtB is not configured/ })
  }
})

t.test('a source is diagnosed without giving its secrets away', async (t) => {
  const well = await s.ask('diagnoseSource', { params: { source: 'exta' } })
  t.ok(well.data.steps.length > 1)
  t.ok(
    well.data.steps.every(({ ok }) => ok),
    JSON.stringify(well.data.steps),
  )
  t.ok(well.data.roots.length > 0)
  const granted = s.cloud.scopes
  s.cloud.scopes = []
  const ill = await s.ask('diagnoseSource', { params: { source: 'exta' } })
  s.cloud.scopes = granted
  t.ok(ill.data.steps.some(({ ok, advice }) => !ok && advice !== ''))
  t.notMatch(`${well.body}${ill.body}${s.logs.join('')}`, s.cloud.credentials.appSecret)
})

t.test('a mapping can be looked at before it is saved', async (t) => {
  const preview = (body: object) => s.ask('previewMapping', { params: { source: 'exta' }, body })
  const stored = await preview({ kind: 'users' })
  t.equal(stored.data.length, 20)
  for (const { sourceId, record, fields } of stored.data) {
    t.equal(record.userid, sourceId)
    t.equal(fields.nickname, record.name)
  }
  const tried = await preview({ kind: 'users', attributes: { username: 'lower(userid)', nickname: '"N" ?? name' } })
  for (const { sourceId, fields } of tried.data) {
    t.same(fields, { username: sourceId.toLowerCase(), nickname: 'N' })
  }
  t.match(await preview({ kind: 'groups' }), { status: 200, data: [{ fields: { groupName: String } }] })
  t.match(await preview({ kind: 'users', attributes: { username: 'userid', mail: 'before(' } }), {
    status: 400,
    data: [{ field: 'attributes.mail' }],
  })
  s.cloud.faults = [{ kind: 'error', code: 88, subCode: '60011', times: Number.POSITIVE_INFINITY }]
  t.match(await preview({ kind: 'users' }), { status: 502, data: null, msg: /60011/ })
  s.cloud.faults = []
})

t.test('records of a source are not shown to a caller who may not see what they fill', async (t) => {
  const { id: desk } = await s.take('addRole', { body: { name: 'desk', keyword: 'desk', sort: 2 } })
  const { id: payroll } = await s.take('addRole', { body: { name: 'payroll', keyword: 'payroll', sort: 2 } })
  const apiIds = (await s.take('listApis')).apis.map(({ id }) => id)
  for (const roleId of [desk, payroll]) await s.take('updateRoleApis', { body: { roleId, apiIds } })
  const [one, other] = [await s.person('one', { roleIds: [desk] }), await s.person('other', { roleIds: [payroll] })]
  const preview = ({ token }: { token: string }, body: object = {}) =>
    s.call('previewMapping', { params: { source: 'exta' }, body: { kind: 'users', ...body }, token })
  t.equal((await preview(one)).code, 200)
  await s.db.execute(sql`
    insert into declared_attributes (kind, name, label_en, label_zh, type, see_roles)
    values ('user', 'iban', 'x', 'x', 'text', ${JSON.stringify([payroll])}::jsonb)`)
  t.teardown(() => s.db.execute(sql`delete from declared_attributes`))
  t.match(await preview(one), { code: 403, data: null, reason: 'sync.records_hidden' })
  t.match(await preview(one, { attributes: { username: 'userid' } }), { code: 403, data: null })
  t.equal((await preview(one, { kind: 'groups' })).code, 200, 'departments have no such attribute')
  t.equal((await preview(other)).code, 200)
  t.equal((await preview(s)).code, 200)
  await s.db.execute(sql`update declared_attributes set own = 'hidden'`)
  t.match(await preview(other), { code: 403, reason: 'sync.records_hidden' }, 'their own record may be among them')
  t.equal((await preview(other, { kind: 'groups' })).code, 200)
  t.equal((await preview(s)).code, 200)
})

t.test('no request waits longer than set for a source that does not answer', async (t) => {
  const cloud = await startFakeDingtalk({ organisation: whole, latency: 60_000 })
  const { appKey = '', appSecret = '' } = cloud.credentials
  const exta = dingtalkSource({ appKey, appSecret, url: cloud.url, apiUrl: cloud.url }, { log: silent })
  t.teardown(async () => {
    await exta.close()
    await cloud.close()
  })
  const handlers = sourcesHandlers({
    db: s.db,
    config: s.config,
    sources: { exta, extb: null, extc: null, extldap: null },
    importer: { run: () => Promise.reject(new Error('nothing is to be run')) },
    timeout: 200,
  })
  const user = { userId: 1, rank: 1, roleIds: [] }
  const input = { params: { source: 'exta' }, body: { kind: 'users' }, user } as never
  const started = Date.now()
  const late = { kind: 'upstream', message: /did not respond within 0.2 s/ }
  await t.rejects(handlers.previewMapping(input), late)
  await t.rejects(handlers.diagnoseSource(input), late)
  t.ok(Date.now() - started < 20_000)
})

t.test('a held plan is carried out once, by a caller who has stepped up', async (t) => {
  const held = await s.holdPlan(5)
  t.match(held, { state: 'held', held: 5, heldBecause: [/It would disable 5 of/] })
  const before = await s.enabled()
  const params = { id: held.runId }
  const confirm = (planHash: string) => s.ask('confirmRun', { params, body: { planHash } })
  t.match(await confirm(held.planHash), {
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age=300' },
    data: { required: 'second_factor', maxAge: 300 },
  })
  t.equal(await s.enabled(), before, 'no person was disabled')
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  t.match(await confirm('0'.repeat(64)), { status: 409 })
  t.equal(await s.enabled(), before, 'no person was disabled')
  t.match(await confirm(held.planHash), {
    status: 200,
    data: { state: 'done', disabled: 5, held: 0, decidedBy: 'admin', decidedAt: String },
  })
  t.equal(await s.enabled(), before - 5)
  t.match(await confirm(held.planHash), { status: 409, msg: /is (not|no longer) held/ })
  t.match(await s.ask('discardRun', { params }), { status: 409, msg: /is (not|no longer) held/ })
  const { logs } = await s.take('listOperationLogs', { query: { path: 'confirm', pageSize: 1, status: 200 } })
  t.match(logs, [{ username: 'admin', path: '/v1/operations/runs/{id}/confirm', target: [held.runId] }])
})

t.test('a held plan that was given up is not carried out any more', async (t) => {
  const held = await s.holdPlan(6)
  const before = await s.enabled()
  const params = { id: held.runId }
  await s.db.execute(sql`update sessions set stepped_up_at = null`)
  t.match(await s.ask('discardRun', { params }), { status: 401, data: { required: 'second_factor' } })
  t.match(await s.take('getRun', { params }), { state: 'held' }, 'a stolen session does not keep people enabled')
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  t.match(await s.take('discardRun', { params }), { state: 'discarded', held: 0, decidedBy: 'admin' })
  t.match(await s.ask('discardRun', { params }), { status: 409 })
  t.match(await s.ask('confirmRun', { params, body: { planHash: held.planHash } }), { status: 409 })
  t.equal(await s.enabled(), before)
})

t.test('a source with a schedule is synchronised by the clock, departments first', async (t) => {
  const scheduled = await openService(t, { env: { EXTA_SCHEDULE: '0 0 1 1 *', TIME_ZONE: 'Asia/Shanghai' } })
  const year = new Date().getUTCFullYear()
  const newYear = { nextRunAt: new RegExp(`^(${year}|${year + 1})-12-31T16:00:00.000Z$`) }
  t.match(await scheduled.take('listSchedules'), [
    { source: 'exta', cron: '0 0 1 1 *', timeZone: 'Asia/Shanghai', ...newYear, running: false, lastOkAt: null },
  ])
  t.match((await scheduled.take('listSources'))[0], { schedule: '0 0 1 1 *', ...newYear })
  // Known to the schedule from its first look on; from then on the row says when.
  await eventually(
    async () => (await scheduled.db.execute(sql`select from schedules where name = 'sync exta'`)).length > 0,
    'the schedule is known',
  )
  await scheduled.db.execute(sql`update schedules set next_run_at = now() where name = 'sync exta'`)
  await eventually(async () => (await scheduled.take('listSchedules'))[0]?.lastOkAt !== null, 'it went well')
  t.match((await scheduled.take('listRuns')).runs, [
    { kind: 'users', state: 'done', creator: 'schedule' },
    { kind: 'groups', state: 'done', creator: 'schedule' },
  ])
  t.match(await scheduled.take('listSchedules'), [{ ...newYear, running: false, lastError: '', stated: null }])

  scheduled.cloud.faults = [{ kind: 'error', code: 88, subCode: '60011', times: Number.POSITIVE_INFINITY }]
  await scheduled.db.execute(sql`update schedules set next_run_at = now() where name = 'sync exta'`)
  await eventually(async () => (await scheduled.take('listSchedules'))[0]?.lastError !== '', 'it failed')
  const [{ lastError = '', stated } = {}] = await scheduled.take('listSchedules')
  t.match(lastError, /^run 3 \(groups\) failed: .*60011/)
  t.match(stated, {
    code: 'sync.scheduled_run_failed',
    params: { id: '3', kind: { code: 'sync.groups' }, problem: { code: 'sources.refused' } },
    text: lastError,
  })
  t.equal((await scheduled.take('listRuns')).total, 3, 'people were not asked for')
})
