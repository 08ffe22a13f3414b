import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import t from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import type { Alert } from '../../src/alerts/alert.ts'
import { openAlertQueue } from '../../src/alerts/alert-queue.ts'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { logKeys } from '../../src/audit/keys.ts'
import { inspect } from '../../src/posture/inspection.ts'
import { logSecrets } from '../../src/secrets/secrets.ts'
import { closeDeadRuns } from '../../src/sync/lease.ts'
import { deadRunAlerts } from '../../src/sync/run-alerts.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'
import { openAlertingService } from './alerting-service.ts'

const organisation = generateOrganisation({ seed: 11, people: 30, departments: 4, depth: 2 })
const { cloud, env } = await startCloud(t, 'exta', organisation)
const database = await testDatabase(t)
const s = await openAlertingService(t, {
  database,
  env: { ...env, SYNC_MAX_REMOVALS: '2' },
})

/** Of a rule that the service does not have. */
const madeUp = (cause: string, more: Partial<Alert> = {}): Alert =>
  ({
    cause,
    rule: 'emergency',
    params: {},
    title: cause,
    description: `something about ${cause}`,
    level: 'warning',
    ...more,
  }) as Alert

const outbox = openOutbox({ recipients: ['ops@example.org'], webhook: false, timeZone: 'UTC' })
const alerts = openAlertQueue({ db: s.db, outbox, log: silent })

t.test('ten wrong passwords are one alert, which becomes a warning when they lock the account', async (t) => {
  await s.person('li.na')
  const guess = () =>
    s.from('203.0.113.9')('login', { body: { username: 'Li.Na', password: 'a wrong one' }, token: undefined })
  for (let n = 0; n < 5; n += 1) t.equal((await guess()).code, 401)
  const [noticed] = await s.raised('Repeated failed sign-ins')
  t.match(noticed, {
    level: 'info',
    description: '5 failed sign-ins within 15 minutes for li.na, the last from 203.0.113.9',
    location: '203.0.113.9',
    handled: false,
    time: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  })
  t.notOk('deviceId' in (noticed ?? {}), 'it is about no device')
  for (let n = 0; n < 5; n += 1) t.equal((await guess()).code, 401)
  t.equal((await guess()).code, 429)
  const [locked] = await s.raised('Locked after failed sign-ins')
  t.equal(locked?.id, noticed?.id)
  t.match(locked, { level: 'warning', description: /^10 failed sign-ins .* for li\.na.*; locked for 15 minutes$/ })
  t.match(await s.raised('Locked after failed attempts'), [{ description: /for 203\.0\.113\.9/ }], 'the address too')
})

t.test('wrong codes of a second factor are an alert about its user', async (t) => {
  const { token: owner, password } = await s.person('factor.owner', { roleIds: [2] })
  const { secret } = (await s.call('enrolTotp', { token: owner, body: { password } })).data
  const code = TOTP.generate({ secret: Secret.fromBase32(secret) })
  t.equal((await s.call('confirmTotp', { token: owner, body: { code } })).code, 200)
  for (let n = 0; n < 5; n += 1) {
    const reply = await s.from(`203.0.113.${20 + n}`)('stepUp', {
      token: owner,
      body: { method: 'recovery', code: 'none' },
    })
    t.equal(reply.code, 400)
  }
  t.match(await s.raised('Repeated wrong codes'), [
    { level: 'info', description: '5 wrong codes within 15 minutes for factor.owner, the last from 203.0.113.24' },
  ])
})

t.test('requests for codes again and again are an alert, which does not repeat an unknown address', async (t) => {
  const { id } = await s.person('mail.owner')
  await s.db.execute(sql`update users set mail = 'Mail.Owner@example.org' where id = ${id}`)
  for (const [index, mail] of ['mail.owner@example.org', 'hunter2@example.org'].entries()) {
    for (let n = 0; n < 5; n += 1) await s.from(`203.0.113.${30 + 5 * index + n}`)('sendCode', { body: { mail } })
  }
  const found = await s.raised('Repeated codes asked for', 2)
  t.same(found.map(({ description }) => /minutes for (.*), the last/.exec(description)?.[1]).sort(), [
    'Mail.Owner@example.org',
    'mail addresses that nobody has',
  ])
})

t.test('an alert shows the time in the time zone of the installation', async (t) => {
  await alerts.raise(madeUp('time'))
  await s.db.execute(sql`update alerts set raised_at = '2025-03-05T20:30:01Z' where cause = 'time'`)
  t.match(await s.alertsOf('time'), [{ time: '2025-03-06 04:30:01' }])
})

t.test('alerts are listed newest first, all of them or those that are handled or not', async (t) => {
  for (const cause of ['first', 'second', 'third']) await alerts.raise(madeUp(cause))
  const listed = async (query = {}) => {
    const { total, alerts } = await s.take('listAlerts', { query })
    t.equal(total, alerts.length)
    t.same(
      alerts.map(({ id }) => id),
      alerts.map(({ id }) => id).sort((a, b) => b - a),
    )
    return alerts.map(({ title }) => title).filter((title) => /^(first|second|third)$/.test(title))
  }
  t.same(await listed(), ['third', 'second', 'first'])
  const [second] = await s.alertsOf('second')
  await s.take('handleAlert', { params: { id: second?.id ?? 0 } })
  t.same(await listed(), ['third', 'second', 'first'])
  t.same(await listed({ handled: true }), ['second'])
  t.same(await listed({ handled: false }), ['third', 'first'])
})

t.test('an alert is handled once, by the first caller, and the next of its cause is a new one', async (t) => {
  await alerts.raise(madeUp('handled'))
  const colleague = await s.person('second.admin', { roleIds: [1] })
  const [open] = await s.alertsOf('handled')
  const id = open?.id ?? 0
  const handled = await s.take('handleAlert', { params: { id } })
  t.match(handled, { ...open, handled: true, handledBy: 'admin', handledTime: /^\d{4}-/ })
  await s.db.execute(sql`update alerts set handled_at = handled_at - interval '1 hour' where id = ${id}`)
  const again = await s.take('handleAlert', { params: { id }, token: colleague.token })
  t.same({ ...again, handledTime: '' }, { ...handled, handledTime: '' }, 'nothing changes')
  t.ok(String(again.handledTime) < String(handled.handledTime), 'nor the time of the first')
  await alerts.raise(madeUp('handled'))
  const all = await s.alertsOf('handled')
  t.same(
    all.map(({ handled }) => handled),
    [false, true],
  )
  t.equal((await s.call('handleAlert', { params: { id: 999_999 }, token: s.token })).code, 404)
})

t.test('twenty alerts of one cause at once, from two instances, are one alert with one notification', async (t) => {
  const other = openAlertQueue({ db: s.db, outbox, log: silent })
  const danger = madeUp('crowd', { level: 'danger' })
  await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? alerts : other).raise(danger)))
  const [alert, ...more] = await s.alertsOf('crowd')
  t.same(more, [])
  t.equal(await s.timesOf(alert?.id ?? 0), 20)
  const rows = await s.db.execute(sql`select id from notifications where alert_id = ${alert?.id}`)
  t.equal(rows.length, 1)
})

t.test('a repeat shows the newest description, and never lowers the level of an alert', async (t) => {
  await alerts.raise(madeUp('worse', { description: 'before' }))
  await alerts.raise(madeUp('worse', { description: 'meanwhile', level: 'danger' }))
  await alerts.raise(madeUp('worse', { description: 'after', level: 'info', location: 'here' }))
  t.match(await s.alertsOf('worse'), [{ description: 'after', level: 'danger', location: 'here' }])
})

t.test('an administrator at a new address is an alert; at a known address, or another user, is not', async (t) => {
  const signIn = (address: string, username: string, password: string) =>
    s.from(address)('login', { body: { username, password }, token: undefined })
  const { password } = await s.person('plain.person')
  t.equal((await signIn('198.51.100.1', 'plain.person', password)).code, 0)
  t.equal((await signIn('2001:db8:1:2::7', 'admin', adminPassword)).code, 0)
  const found = await s.raised('Administrator at a new address')
  t.match(found, [{ level: 'warning', description: /^admin has signed in from 2001:db8:1:2::7/ }])
  t.equal((await signIn('2001:db8:1:2::8', 'admin', adminPassword)).code, 0, 'the same network')
  t.equal((await signIn('198.51.100.2', 'admin', adminPassword)).code, 0)
  await s.raised('Administrator at a new address', 2)
  t.equal((await s.alertsOf('Administrator at a new address')).length, 2)
  t.equal(await s.timesOf(found[0]?.id ?? 0), 1)
})

t.test('a rotated token that comes back is an alert', async (t) => {
  const { token } = await s.person('token.owner')
  await s.call('refreshToken', { token })
  t.equal((await s.from('198.51.100.44')('refreshToken', { token })).code, 401)
  t.match(await s.raised('An exchanged token was used again'), [
    { level: 'warning', description: /token\.owner/, location: '198.51.100.44' },
  ])
})

t.test('a burst of forbidden requests is one alert, however long it goes on within the window', async (t) => {
  const { token } = await s.person('curious')
  const nosy = await s.person('less.curious')
  for (let n = 0; n < 19; n += 1) t.equal((await s.call('listRoles', { token: nosy.token })).code, 403)
  for (let n = 0; n < 50; n += 1) t.equal((await s.call('listRoles', { token })).code, 403)
  const [alert, ...more] = await s.raised('Many forbidden requests')
  t.match(alert, { level: 'warning', description: /^20 requests .* by user curious,/ })
  t.same(more, [], 'nineteen are not a burst')
  t.equal(await s.timesOf(alert?.id ?? 0), 1)
})

t.test(
  'a burst of requests beyond a limit is an alert about the address, if the caller is not signed in',
  async (t) => {
    const codes: number[] = []
    for (let n = 0; n < 200 && codes.filter((code) => code === 429).length < 20; n += 1) {
      codes.push((await s.from('198.51.100.77')('encryptPassword', { query: { passwd: 'some password' } })).code)
    }
    t.match(await s.raised('Many requests over a rate limit'), [{ description: /by address 198\.51\.100\.77,/ }])
  },
)

t.test('runs that are held or fail are alerts, dry runs are not', async (t) => {
  await s.take('syncExtADepts')
  t.match(await s.take('syncExtAUsers'), { state: 'done' })
  cloud.organisation = { ...cloud.organisation, people: [] }
  t.match(await s.take('startDryRun', { params: { source: 'exta' }, body: { kind: 'users' } }), { state: 'planned' })
  const { state, runId } = await s.take('syncExtAUsers')
  t.equal(state, 'held')
  t.match(await s.raised('A run is held'), [
    { level: 'warning', location: 'exta', description: new RegExp(`^Run ${runId} \\(ExtA, people\\) waits .*\\. `) },
  ])
  await cloud.close()
  t.match(await s.call('syncExtADepts', { token: s.token }), { code: 502, data: { state: 'failed' } })
  t.match(await s.raised('A run failed'), [{ level: 'warning', description: /\(ExtA, departments\) failed: ./ }])
  t.equal((await s.alertsOf('A run is held')).length, 1)
})

t.test('a run whose instance died is an alert, raised by the instance that ends the run', async (t) => {
  const left = (source: string, kind: string, more: { exclusive?: boolean; dryRun?: boolean; alive?: boolean } = {}) =>
    s.db.execute(sql`
      insert into runs (source, kind, state, exclusive, dry_run, lease_owner, lease_until)
      values (${source}, ${kind}, 'running', ${more.exclusive ?? false}, ${more.dryRun ?? false}, gen_random_uuid(),
        now() + make_interval(secs => ${more.alive ? 3600 : -1}))`)
  const gone = async () =>
    (await s.alertsOf('A run failed')).filter(({ description }) => description.includes('has stopped'))

  await left('exta', 'users', { exclusive: true })
  await s.call('syncExtADepts', { token: s.token })
  t.match(await gone(), [
    { level: 'warning', location: 'exta', description: /^Run \d+ \(ExtA, people\) failed: the instance/ },
  ])

  await left('sql', 'users')
  await left('sql', 'users')
  await left('extb', 'users', { dryRun: true })
  await left('extc', 'users', { alive: true })
  await Promise.all([1, 2, 3].map(() => closeDeadRuns(s.db, deadRunAlerts(outbox))))
  const alerts = await gone()
  t.same(
    alerts.map(({ location }) => location).sort(),
    ['exta', 'sql'],
    'there is no alert for a dry run, or for a run that goes on',
  )
  t.equal(await s.timesOf(alerts[0]?.id ?? 0), 1)
  t.same(
    [...(await s.db.execute(sql`select source, state from runs where source in ('extb', 'extc') order by source`))],
    [
      { source: 'extb', state: 'failed' },
      { source: 'extc', state: 'running' },
    ],
  )
  await s.db.execute(sql`update runs set state = 'done' where source = 'extc'`)
})

t.test('a call for help is a danger at once, and is refused only beyond ten a minute', async (t) => {
  const body = { type: 'break-in', description: 'The door stands open.' }
  const receipt = await s.take('callForHelp', { body })
  t.match(receipt, { notified: ['mail'], time: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ })
  t.match(await s.alertsOf('Emergency: break-in'), [
    {
      id: receipt.alertId,
      level: 'danger',
      description: 'admin calls for help: The door stands open.',
      handled: false,
    },
  ])
  for (let n = 0; n < 9; n += 1) {
    t.not((await s.take('callForHelp', { body })).alertId, receipt.alertId, 'each is an alert of its own')
  }
  const refused = await s.call('callForHelp', { body, token: s.token })
  t.equal(refused.code, 429)
  t.ok(Number(refused.headers['retry-after']) > 0)
})

t.test('a backup that is not made and a log that was tampered with are dangers', async (t) => {
  const keys = logKeys(logSecrets(s.config.dataDir, s.config))
  const look = (hours: number, backupSchedule: string | null = '0 3 * * *') =>
    inspect(
      { db: s.db, keys, backupSchedule, timeZone: 'UTC', raise: alerts.raise },
      new Date(Date.now() + hours * 3_600_000),
    )
  await look(0)
  await look(1000, null)
  t.same(await s.alertsOf('A backup is missing'), [], 'none is due')
  await look(27)
  t.match(await s.alertsOf('A backup is missing'), [{ level: 'danger', handled: false }])
  await s.take('createBackup', { body: { type: 'manual' } })
  const [missing] = await s.alertsOf('A backup is missing')
  await s.take('handleAlert', { params: { id: missing?.id ?? 0 } })
  await look(0)
  t.equal((await s.alertsOf('A backup is missing')).length, 1, 'the alert is open already')
  // Made while the clock was ahead.
  await s.db.execute(sql`update backups set started_at = now() + interval '9 years'`)
  await look(27)
  t.equal((await s.alertsOf('A backup is missing')).length, 2, 'one from a time to come does not hide that')
  await s.db.execute(sql`update backups set started_at = now() + interval '4 minutes'`)
  await look(0)
  t.same(
    await s.alertsOf('A backup is missing', false),
    [],
    'a proven backup closes it, also of a clock that is a bit ahead',
  )
  await look(27)
  t.equal((await s.alertsOf('A backup is missing', false)).length, 1)
  await look(27, null)
  t.same(await s.alertsOf('A backup is missing', false), [], 'it closes where none is scheduled any more')

  t.same(await s.alertsOf('The operation log was changed'), [])
  await s.take('listOperationLogs')
  await s.db.execute(
    sql`update operation_logs set username = 'nobody' where seq = (select max(seq) - 5 from operation_logs)`,
  )
  await look(0)
  t.match(await s.alertsOf('The operation log was changed'), [{ level: 'danger', description: /^At entry \d+: / }])
})

t.test('an alert that cannot be kept fails no request', async (t) => {
  await s.db.execute(sql`alter table alerts rename to alerts_away`)
  t.teardown(() => s.db.execute(sql`alter table if exists alerts_away rename to alerts`))
  const guess = () =>
    s.from('198.51.100.90')('login', { body: { username: 'unknown', password: 'a wrong one' }, token: undefined })
  for (let n = 0; n < 6; n += 1) t.equal((await guess()).code, 401)
  await eventually(async () => s.logs.some((line) => line.includes('an alert could not be kept')), 'a line in the log')
})
