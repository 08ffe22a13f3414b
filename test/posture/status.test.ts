import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { sealedEntry } from '../../src/audit/entry.ts'
import { logKeys } from '../../src/audit/keys.ts'
import { verifyLog } from '../../src/audit/verify.ts'
import { openOperationLog } from '../../src/audit/writer.ts'
import { parseConfig } from '../../src/config/config.ts'
import { onPrimary } from '../../src/db/replica.ts'
import {
  alerts,
  backups,
  devices,
  directoryEntries,
  operationLogs,
  runs,
  schedules,
  securityChecks,
  throttles,
  users,
} from '../../src/db/schema.ts'
import { openTasks } from '../../src/jobs/tasks.ts'
import { areasOf, assess, statusOf } from '../../src/posture/evidence/assess.ts'
import { deductions, type FindingKind } from '../../src/posture/evidence/deductions.ts'
import type { Facts } from '../../src/posture/evidence/facts.ts'
import { gatherFacts } from '../../src/posture/evidence/gather.ts'
import { settingsOf } from '../../src/posture/evidence/settings.ts'
import { statusHandlers } from '../../src/posture/status-handlers.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { signedIn } from '../signed-in.ts'
import { steward } from '../steward.ts'
import { ago, at, day, factsBut, goodFacts, hour, minute } from './facts.ts'

const statusNamed = (facts: Facts, name: string) => statusOf(facts).find((item) => item.name === name)

t.test('where nothing is left to be desired, everything is safe and the score is 100', async (t) => {
  t.same(assess(goodFacts), { score: 100, issues: [] })
  const items = statusOf(goodFacts)
  t.same(
    items.map(({ name, status }) => `${name} ${status}`),
    ['Sign-in', 'Permissions', 'Directory', 'Sources', 'Devices', 'Backups', 'Operation log', 'Alerts'].map(
      (name) => `${name} safe`,
    ),
  )
  t.equal(new Set(items.map(({ id }) => id)).size, 8)
  const stuck = factsBut({ stuckEntries: 12, stuckFor: 'disk' })
  t.equal(
    statusNamed(stuck, 'Operation log')?.details,
    '12 entries cannot be written now: the database has a full disk',
  )
  t.match(statusNamed(goodFacts, 'Directory')?.details, '1,034 records, 2 pending, 0 refused; compared 4 minutes ago')
})

/** How one changed fact shows in its item. */
const cases: [name: string, status: string, kind: FindingKind, facts: Facts, figures: RegExp][] = [
  ['Sign-in', 'risk', 'signInFailures', factsBut({ requests: { signInFailures: 20, signInAddresses: 1 } }), /20 sign-ins .* 1 address\b/],
  ['Sign-in', 'danger', 'signInAttack', factsBut({ requests: { signInFailures: 100 } }), /100 sign-ins/],
  ['Sign-in', 'risk', 'signInLocks', factsBut({ locks: ['account li.na'] }), /1 lock is .*account li\.na/],
  ['Permissions', 'risk', 'denials', factsBut({ requests: { denied: 20, mostDenied: { username: 'eve', times: 19 } } }), /20 requests .*\(19\) to eve/],
  ['Permissions', 'danger', 'denialsMany', factsBut({ requests: { denied: 200 } }), /200 requests/],
  ['Permissions', 'risk', 'limits', factsBut({ requests: { limited: 50 } }), /50 requests/],
  ['Directory', 'danger', 'directoryLate', factsBut({ directory: { pending: 2, late: 2 } }), /2 records that take something away/],
  ['Directory', 'risk', 'directoryParked', factsBut({ directory: { pending: 4, parked: 4, stuck: 4 } }), /refused 4 of 1,034/],
  ['Directory', 'risk', 'directoryStuck', factsBut({ directory: { pending: 4, stuck: 3 } }), /3 of 1,034/],
  ['Directory', 'risk', 'driftUnknown', factsBut({ directory: { comparedAt: ago(16 * minute) } }), /16 minutes ago/],
  ['Directory', 'risk', 'driftUnknown', factsBut({ directory: { comparedAt: null } }), /never compared/],
  ['Directory', 'safe', 'directoryEmbedded', factsBut({ settings: { directory: 'embedded' } }), /embedded/],
  ['Directory', 'safe', 'directoryNone', factsBut({ settings: { directory: 'none' } }), /no directory/],
  ['Sources', 'risk', 'sourceNeverRun', factsBut({ runs: goodFacts.runs.slice(0, 1) }), /ExtA .* people were never/],
  ['Sources', 'risk', 'runFailed', factsBut({ runs: goodFacts.runs.map((run) => ({ ...run, state: run.kind === 'users' ? 'failed' : 'done' })) }), /Run 58, .* failed 3 hours ago/],
  ['Sources', 'risk', 'runHeld', factsBut({ runs: goodFacts.runs.map((run) => ({ ...run, state: run.kind === 'users' ? 'held' : 'done' })) }), /Run 58, .* held for 3 hours/],
  ['Sources', 'risk', 'sourceOld', factsBut({ runs: goodFacts.runs.map((run) => ({ ...run, endedAt: run.kind === 'users' ? ago(8 * day) : run.endedAt })) }), /8 days ago/],
  ['Sources', 'safe', 'recordsFailed', factsBut({ runs: goodFacts.runs.map((run) => ({ ...run, failed: run.kind === 'users' ? 6 : 0 })) }), /6 records/],
  ['Devices', 'risk', 'devicesOffline', factsBut({ devices: { offline: 1 } }), /1 of 4 devices is/],
  ['Devices', 'danger', 'devicesDark', factsBut({ devices: { offline: 2 } }), /2 of 4 devices are/],
  ['Devices', 'risk', 'devicesSilent', factsBut({ devices: { silent: 1 } }), /1 device /],
  ['Devices', 'risk', 'batteryLow', factsBut({ devices: { lowBattery: 3 } }), /3 devices/],
  ['Backups', 'risk', 'backupNone', factsBut({ backups: { newest: null, proven: 0 } }), /no proven backup/],
  ['Backups', 'risk', 'backupOld', factsBut({ backups: { newest: { at: ago(37 * hour), encrypted: true } } }), /37 hours old/],
  ['Backups', 'danger', 'backupStale', factsBut({ backups: { newest: { at: ago(8 * day), encrypted: true } } }), /8 days old/],
  ['Backups', 'risk', 'backupFailed', factsBut({ backups: { failedSince: 2 } }), /2 backups failed/],
  ['Backups', 'risk', 'backupFuture', factsBut({ backups: { newest: null, proven: 1, future: ago(-9 * day) } }), /2026-03-14T10:00:00.000Z/],
  ['Backups', 'safe', 'backupClear', factsBut({ backups: { newest: { at: ago(hour), encrypted: false } } }), /not encrypted/],
  ['Operation log', 'danger', 'chainBroken', factsBut({ chain: { broken: { seq: 12, what: 'changed', message: 'the entry was changed' } } }), /entry 12 .*the entry was changed/],
  ['Operation log', 'risk', 'chainUnchecked', factsBut({ chain: { unchecked: { count: 3, first: 7, last: 9, keyId: 'ab12' } } }), /3 entries from 7 to 9 .*ab12/],
  ['Operation log', 'risk', 'chainEmpty', factsBut({ chain: { checked: 0, head: { seq: 0, hash: '' } } }), /empty/],
  ['Operation log', 'danger', 'chainStuck', factsBut({ stuckEntries: 12 }), /^12 entries of the operation log cannot be written/],
  ['Operation log', 'risk', 'chainGap', factsBut({ chain: { gaps: [{ seq: 7, message: '5 entries were lost' }] } }), /before entry 7: 5 entries were lost/],
  ['Alerts', 'danger', 'alertsOverdue', factsBut({ alerts: { open: 2, openDanger: 2, overdue: 2 } }), /2 danger alerts were/],
  ['Alerts', 'risk', 'alertsDanger', factsBut({ alerts: { open: 1, openDanger: 1 } }), /1 danger alert is/],
  ['Alerts', 'safe', 'alertsOpen', factsBut({ alerts: { open: 5 } }), /5 alerts/],
  ['', '', 'secretGuessable', factsBut({ settings: { guessableSecrets: ['JWT_SECRET'] } }), /^JWT_SECRET /],
  ['', '', 'connectionClear', factsBut({ settings: { clearConnections: ['LDAP_URL'] } }), /LDAP_URL/],
  ['', '', 'openToNetwork', factsBut({ settings: { openToNetwork: true } }), /HOST/],
  ['', '', 'trustsAnyClient', factsBut({ settings: { trustsAnyClient: true } }), /TRUST_PROXY/],
  ['', '', 'originClear', factsBut({ settings: { clearOrigins: ['http://console.example'] } }), /http:\/\/console\.example/],
  ['', '', 'smtpMissing', factsBut({ settings: { smtpMissing: true } }), /no mail server/],
  ['', '', 'backupsUnscheduled', factsBut({ settings: { backupsUnscheduled: true } }), /BACKUP_SCHEDULE/],
  ['', '', 'backupKeyMissing', factsBut({ settings: { backupKeyMissing: true } }), /BACKUP_KEY/],
  ['', '', 'adminPasswordKept', factsBut({ settings: { adminPasswordKept: true } }), /ADMIN_PASSWORD/],
  ['', '', 'fastPasswordHash', factsBut({ settings: { fastPasswordHashes: ['LDAP_2_PASSWORD_SCHEME'] } }), /LDAP_2_PASSWORD_SCHEME is ssha512/],
  ['', '', 'ntHashes', factsBut({ settings: { ntHashes: true } }), /LDAP_NT_HASH is on/],
  ['', '', 'secretGenerated', factsBut({ settings: { generatedSecret: true } }), /generated/],
  ['', '', 'logKeyMissing', factsBut({ settings: { logKeyMissing: true } }), /operation log/],
  ['', '', 'databaseEmbedded', factsBut({ settings: { embeddedDatabase: true } }), /embedded/],
  ['', '', 'factorMissing', factsBut({ people: { withoutFactor: 1, withoutFactorNames: ['admin'] } }), /1 of 2 administrators .*: admin\./],
  ['', '', 'idleSessions', factsBut({ people: { idleSessions: 4 } }), /4 of 12 open sessions/],
] // biome-ignore format: a table

for (const [name, status, kind, facts, figures] of cases) {
  t.test(`${kind} shows in its item, with its figures, and costs what the table says`, async (t) => {
    if (name !== '') t.equal(statusNamed(facts, name)?.status, status)
    t.ok(
      statusOf(facts).every((item) => item.name === name || item.status === 'safe'),
      'no other item minds',
    )
    const { score, issues } = assess(facts)
    t.equal(issues.length, 1)
    t.equal(score, 100 - deductions[kind].points)
    t.equal(issues[0]?.level, deductions[kind].level)
    t.match(issues[0]?.description, figures)
    t.match(issues[0]?.suggestion, /GET |POST |command|[A-Z]+_[A-Z]+|[Ss]econd factor|log says|LOG_KEY/)
  })
}

t.test('everything that can be found has been', async (t) => {
  t.same(new Set(cases.map(([, , kind]) => kind)), new Set(Object.keys(deductions)))
})

t.test('what the item of the sources counts is what it finds', async (t) => {
  const [groups, users] = goodFacts.runs
  if (groups === undefined || users === undefined) throw new Error('There are no runs')
  const figuresOf = (facts: Facts) => areasOf(facts).find(({ area }) => area === 'sources')
  const runs = [{ ...groups, id: 60, state: 'failed' }, { ...groups, state: 'held' }, users]
  const failed = factsBut({ runs })
  t.match(figuresOf(failed), { status: 'risk', figures: { configured: 1, failed: 1, held: 1 } })
  t.match(
    assess(failed).issues.map(({ description }) => description),
    [/Run 60, .* failed/, /Run 57, .* held/],
    'a failed run leaves the plan of an earlier one held',
  )
  const gone = factsBut({ settings: { sources: [] }, runs: [{ ...groups, state: 'failed' }, users] })
  t.match(figuresOf(gone), { status: 'safe', figures: { configured: 0, failed: 0, held: 0 } })
  const waiting = factsBut({ settings: { sources: [] }, runs: [{ ...groups, state: 'held' }, users] })
  t.match(figuresOf(waiting), { status: 'risk', figures: { configured: 0, failed: 0, held: 1 } })
})

t.test('the worst comes first, the same facts give the same, and a score ends at 0', async (t) => {
  const facts = factsBut({
    requests: { signInFailures: 5000, denied: 5000, limited: 5000 },
    devices: { offline: 4, lowBattery: 4 },
    backups: { newest: { at: ago(30 * day), encrypted: false } },
    chain: { broken: { seq: 1, what: 'removed', message: 'the entry is missing' } },
    alerts: { open: 9, openDanger: 5, overdue: 5 },
    settings: { smtpMissing: true, guessableSecrets: ['JWT_SECRET'] },
  })
  const { score, issues } = assess(facts)
  t.equal(score, 0)
  t.match(issues[0]?.description, /operation log/)
  const order = issues.map(({ level }) => ['danger', 'warning', 'info'].indexOf(level))
  t.same(order, [...order].sort())
  t.same(assess(structuredClone(facts)), { score, issues })
})

t.test('the documentation publishes the deductions as they are', async (t) => {
  const document = readFileSync(new URL('../../docs/alerts-and-status.md', import.meta.url), 'utf8')
  for (const { level, points, when } of Object.values(deductions)) {
    t.ok(document.includes(`| ${when} | ${level} | ${points} |`), when)
  }
})

t.test('settings that leave something to be desired are noticed, without their secrets', async (t) => {
  const settings = (environment: Record<string, string>) =>
    settingsOf(parseConfig({ TIME_ZONE: 'UTC', ...environment }))
  const directory = { LDAP_BASE_DN: 'dc=x', LDAP_BIND_DN: 'cn=x', LDAP_BIND_PASSWORD: 'x' }
  const clear = (url: string, more = {}) => settings({ ...directory, LDAP_URL: url, ...more }).clearConnections
  t.same(clear('ldap://ldap.example.org'), ['LDAP_URL'])
  t.same(clear('ldap://ldap.example.org', { LDAP_STARTTLS: 'on' }), [])
  t.same(clear('ldaps://ldap.example.org'), [])
  t.same(clear('ldap://127.0.0.1:389'), [])
  t.same(clear('ldap://[::1]'), [])
  t.same(clear('ldap://localhost'), [])
  t.same(settings({ DATABASE_URL: 'postgres://u:p@db.example.org/x' }).clearConnections, ['DATABASE_URL'])
  t.same(settings({ DATABASE_URL: 'postgres://u:p@db.example.org/x?sslmode=verify-full' }).clearConnections, [])
  t.same(settings({ DATABASE_URL: 'postgres://u:p@127.0.0.1/x' }).clearConnections, [])
  t.same(
    settings({
      DATABASE_URL: 'postgres://u@localhost/x',
      DATABASE_DIRECT_URL: 'postgres://u@db.example.org/x',
    }).clearConnections,
    ['DATABASE_DIRECT_URL'],
  )
  t.same(settings({ REDIS_URL: 'redis://cache.example.org' }).clearConnections, ['REDIS_URL'])
  t.same(settings({ REDIS_URL: 'redis-sentinel://127.0.0.1,one.example.org/ours' }).clearConnections, ['REDIS_URL'])
  t.same(settings({ REDIS_URL: 'redis-sentinel://127.0.0.1,[::1]:26379/ours' }).clearConnections, [])
  t.same(settings({ REDIS_URL: 'rediss-sentinel://one.example.org/ours' }).clearConnections, [])
  t.same(settings({ REDIS_URL: 'rediss://cache.example.org' }).clearConnections, [])
  t.same(settings({ SMTP_URL: 'smtp://mail.example.org' }).clearConnections, ['SMTP_URL'])
  t.same(settings({ SMTP_URL: 'smtp://mail.example.org?requireTLS=true' }).clearConnections, [])
  t.same(settings({ SMTP_URL: 'smtps://mail.example.org' }).clearConnections, [])
  t.same(settings({ LDAP_PASSWORD_SCHEME: 'ssha512' }).fastPasswordHashes, ['LDAP_PASSWORD_SCHEME'])
  const second = { LDAP_2_URL: 'ldaps://second.example.org', LDAP_2_BASE_DN: 'dc=second', LDAP_2_BIND_DN: 'cn=admin' }
  const further = { ...second, LDAP_2_BIND_PASSWORD: 'secret' }
  t.same(
    settings({ ...further, LDAP_2_PASSWORD_SCHEME: 'ssha512' }).fastPasswordHashes,
    ['LDAP_2_PASSWORD_SCHEME'],
    'of a further directory too',
  )
  t.same(settings({ ...further, LDAP_PASSWORD_SCHEME: 'ssha512' }).fastPasswordHashes, ['LDAP_PASSWORD_SCHEME'])
  t.match(settings({}), { ntHashes: false })
  t.match(settings({ LDAP_NT_HASH: 'on' }), { ntHashes: true })
  t.same(settings({ JWT_SECRET: 'change-me-change-me-change-me-change-me' }).guessableSecrets, ['JWT_SECRET'])
  t.same(settings({ JWT_SECRET: 'a'.repeat(40), LOG_KEY: '0123'.repeat(10) }).guessableSecrets, [
    'JWT_SECRET',
    'LOG_KEY',
  ])
  t.same(settings({ JWT_SECRET: 'kP2vX9qLw7TzN4bRf8JcY1mHd6GsA3uE' }).guessableSecrets, [])
  t.match(settings({ BACKUP_SCHEDULE: 'off' }), { backupsUnscheduled: true, backupKeyMissing: true })
  t.match(settings({ HOST: '0.0.0.0' }), { openToNetwork: true })
  t.match(settings({ HOST: '0.0.0.0', TRUST_PROXY: '1' }), { openToNetwork: false, trustsAnyClient: false })
  t.match(settings({ TRUST_PROXY: 'on' }), { trustsAnyClient: true })
  t.same(settings({ CORS_ORIGIN: 'http://a.example,https://b.example,http://localhost:5173' }).clearOrigins, [
    'http://a.example',
  ])
  t.match(settings({}), {
    directory: 'embedded',
    generatedSecret: true,
    logKeyMissing: true,
    smtpMissing: true,
    embeddedDatabase: true,
    openToNetwork: false,
  })
  t.notMatch(JSON.stringify(settings({ JWT_SECRET: 'secret'.repeat(8) })), /secretsecret/)
})

t.test('every setting that names a server refuses a connection in clear, or it is noticed', async (t) => {
  const names =
    readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8').match(/`[A-Z]+(_[A-Z]+)*_URL`/g) ?? []
  const urls = [...new Set(names.map((name) => name.slice(1, -1)))]
  t.ok(urls.length >= 7, 'the documentation names them')
  const schemes = ['ldap', 'postgres', 'redis', 'smtp', 'http']
  const company: Record<string, string> = {
    LDAP_BASE_DN: 'dc=x',
    LDAP_BIND_DN: 'cn=x',
    LDAP_BIND_PASSWORD: 'x',
    EXTLDAP_BASE_DN: 'dc=x',
    EXTLDAP_BIND_DN: 'cn=x',
    EXTLDAP_BIND_PASSWORD: 'x',
  }
  const local = 'postgres://u@localhost/x'
  for (const name of urls) {
    const kind = name.replace(/URL$/, '')
    const companions = Object.fromEntries(Object.entries(company).filter(([key]) => key.startsWith(kind)))
    const platform = kind === 'EXTA_API_' || kind === 'EXTA_' ? { EXTA_APP_KEY: 'k', EXTA_APP_SECRET: 's' } : {}
    const primary = /^DATABASE_.*_URL$/.test(name) ? { DATABASE_URL: local } : {}
    for (const scheme of schemes) {
      const environment = {
        TIME_ZONE: 'UTC',
        ...companions,
        ...platform,
        ...primary,
        [name]: `${scheme}://server.example.org`,
      }
      const accepted = ((): string[] | null => {
        try {
          return settingsOf(parseConfig(environment)).clearConnections
        } catch (error) {
          t.match(error, { problems: [new RegExp(`^${name}: expected`)] }, `${name} is the setting at fault`)
          return null
        }
      })()
      t.ok(accepted === null || accepted.includes(name), `${name}=${scheme}://`)
    }
  }
})

t.test('facts are what the database says', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  const keys = logKeys(['a secret that signs the log of this test'])
  const gather = () =>
    gatherFacts({
      db,
      reading: onPrimary(db),
      keys,
      operationLog: { stuck: () => null },
      settings: goodFacts.settings,
      deviceTimeout: 5 * minute,
      now: () => at.getTime(),
    })

  await t.test('on an empty one nothing is made up', async (t) => {
    const facts = await gather()
    t.match(facts, {
      requests: { signInFailures: 0, denied: 0, mostDenied: null },
      locks: { length: 0 },
      directory: { records: 0, comparedAt: null },
      runs: { length: 0 },
      backups: { newest: null, proven: 0, failedSince: 0, future: null },
      people: { administrators: 0, sessions: 0 },
      chain: { checked: 0, head: { seq: 0 }, broken: null },
    })
    t.equal(statusNamed(facts, 'Backups')?.status, 'risk')
    t.equal(statusNamed(facts, 'Operation log')?.status, 'risk')
    t.equal(statusNamed(facts, 'Sources')?.status, 'risk')
    t.equal(statusNamed(facts, 'Directory')?.status, 'risk')
  })

  await t.test('every table has its say', async (t) => {
    const log = openOperationLog({ db, keys, log: silent })
    const entry = (status: number, path: string, username: string, startTime: Date, ip = '192.0.2.1') =>
      log.append({
        ...sealedEntry({ path: path as never, remark: '', status, username, ip, startTime }),
        method: 'POST',
      })
    for (let old = 0; old < 30; old += 1) entry(403, '/user/add', 'eve', ago(25 * hour))
    for (let plain = 0; plain < 39; plain += 1) entry(0, '/user/list', 'li.na', ago(23 * hour))
    entry(401, '/base/login', '', ago(20 * hour))
    entry(401, '/base/login', '', ago(2 * hour), '192.0.2.2')
    entry(401, '/bind', 'li.na', ago(2 * hour), '127.0.0.1')
    entry(401, '/user/list', '', ago(2 * hour), '192.0.2.3')
    for (const username of ['eve', 'mallory', 'eve']) entry(403, '/user/add', username, ago(hour))
    entry(429, '/base/login', '', ago(minute))
    await log.close()
    await db.update(operationLogs).set({ hiddenBy: 1 }).where(sql`${operationLogs.username} = 'mallory'`)

    const [known] = await db
      .insert(users)
      .values({ username: 'Li.Na', usernameKey: 'li.na', nickname: '', mail: 'Li.Na@example.org' })
      .returning({ id: users.id })
    const locked = { lockedUntil: ago(-minute), lastAttemptAt: ago(minute) }
    await db
      .insert(throttles)
      .values(
        [
          ...['account:li.na', 'account:hunter2', 'address:192.0.2.9', 'mail:li.na@example.org', 'send-mail:hunter2'],
          ...[`second-factor:${known?.id}`, 'second-factor:987', `mailed-code:${known?.id}`],
          ...['directory:192.0.2.7', 'directory-known:192.0.2.8', 'directory-name:192.0.2.8 account:li.na'],
          'entry:cn=hunter2',
        ].map((key) => ({ key, ...locked })),
      )
    await db.insert(throttles).values([{ key: 'account:eve', lockedUntil: ago(minute), lastAttemptAt: ago(minute) }])
    await db.insert(directoryEntries).values([
      { kind: 'user', recordId: 1, version: 2, syncedVersion: 2 },
      { kind: 'user', recordId: 2, version: 2, syncedVersion: 1, nextAt: null, attempts: 1 },
      { kind: 'user', recordId: 3, version: 2, syncedVersion: 1, attempts: 4 },
      { kind: 'group', recordId: 1, version: 2, syncedVersion: 1 },
      // A record that has entries in two directories is one record.
      { directory: 2, kind: 'user', recordId: 1, version: 2, syncedVersion: 2 },
      { directory: 2, kind: 'user', recordId: 2, version: 2, syncedVersion: 1, nextAt: null, attempts: 4 },
    ])
    await db.insert(schedules).values({ name: 'drift', nextRunAt: at, lastOkAt: ago(minute) })
    await db.insert(runs).values([
      { source: 'exta', kind: 'users', state: 'failed', startedAt: ago(2 * day), finishedAt: ago(2 * day) },
      { source: 'exta', kind: 'users', state: 'done', startedAt: ago(day), finishedAt: ago(day), failed: 2 },
      { source: 'exta', kind: 'users', state: 'planned', startedAt: ago(hour), finishedAt: ago(hour), dryRun: true },
      { source: 'exta', kind: 'groups', state: 'held', startedAt: ago(hour), finishedAt: ago(hour) },
      { source: 'exta', kind: 'groups', state: 'failed', startedAt: ago(minute), finishedAt: ago(minute) },
      { source: 'sql', kind: 'users', state: 'failed', startedAt: ago(hour), finishedAt: ago(hour) },
    ])
    await db.insert(devices).values([
      { name: 'a', type: 'door', status: 'online', tokenHash: 'a', lastHeartbeatAt: ago(minute) },
      { name: 'b', type: 'door', status: 'online', tokenHash: 'b', lastHeartbeatAt: ago(hour), batteryLow: true },
      { name: 'c', type: 'door', status: 'offline', tokenHash: 'c' },
    ])
    const backup = { type: 'auto' as const, path: 'x', formatVersion: 1 }
    await db.insert(backups).values([
      { ...backup, status: 'failed', startedAt: ago(3 * day) },
      { ...backup, status: 'success', startedAt: ago(2 * day), encrypted: true },
      { ...backup, status: 'success', startedAt: ago(day), expiredAt: ago(hour) },
      { ...backup, status: 'failed', startedAt: ago(hour) },
      { ...backup, status: 'running', startedAt: ago(minute) },
      // Made while the clock was ahead.
      { ...backup, status: 'success', startedAt: ago(-9 * 365 * day) },
    ])
    const alert = { cause: '', title: '', description: '' }
    await db.insert(alerts).values([
      { ...alert, cause: 'a', level: 'danger', raisedAt: ago(2 * hour) },
      { ...alert, cause: 'b', level: 'danger', raisedAt: ago(minute) },
      { ...alert, cause: 'c', level: 'warning', raisedAt: ago(2 * hour) },
      { ...alert, cause: 'd', level: 'danger', raisedAt: ago(2 * hour), handledAt: ago(hour) },
    ])
    t.match(await gather(), {
      requests: {
        signInFailures: 3,
        signInAddresses: 3,
        denied: 3,
        deniedCallers: 2,
        mostDenied: { username: 'eve', times: 2 },
        limited: 1,
      },
      locks: [
        ...['a name that nobody has', 'account Li.Na', 'address 192.0.2.9'],
        'binds to the directory from 192.0.2.8',
        'binds to the directory of one who has an account, from 192.0.2.8',
        'binds to the directory from 192.0.2.7',
        ...['a name that no person has', 'mail Li.Na@example.org', 'mailed codes of Li.Na'],
        ...['second factor of Li.Na', 'a second factor that is gone', 'a mail address that nobody has'],
      ],
      directory: { records: 4, pending: 3, parked: 1, stuck: 2, late: 0, comparedAt: ago(minute) },
      runs: [
        { id: 5, source: 'exta', kind: 'groups', state: 'failed', endedAt: ago(minute) },
        { id: 4, source: 'exta', kind: 'groups', state: 'held', endedAt: ago(hour) },
        { id: 2, source: 'exta', kind: 'users', state: 'done', endedAt: ago(day), failed: 2 },
      ],
      devices: { total: 3, offline: 1, lowBattery: 1, silent: 1 },
      backups: {
        newest: { at: ago(2 * day), encrypted: true },
        proven: 2,
        failedSince: 1,
        future: ago(-9 * 365 * day),
      },
      alerts: { open: 3, openDanger: 2, overdue: 1 },
    })
  })

  await t.test('an entry changed at the end of the log is found', async (t) => {
    await db.update(operationLogs).set({ hiddenBy: null }).where(sql`${operationLogs.username} = 'mallory'`)
    t.match((await gather()).chain, { broken: null, checked: 77 })
    await db.update(operationLogs).set({ username: 'somebody else' }).where(sql`${operationLogs.seq} = 60`)
    t.match((await gather()).chain, { broken: { seq: 60, what: 'changed' } })
    t.equal(statusNamed(await gather(), 'Operation log')?.status, 'danger')

    // Entries before the newest ones are checked by npm run verify-log.
    t.match(await verifyLog(db, keys, { newest: 10 }), { broken: null, checked: 10, head: { seq: 77 } })
    t.match(await verifyLog(db, keys, { newest: 18 }), { broken: { seq: 60, what: 'changed' } })
    await db.delete(operationLogs).where(sql`${operationLogs.seq} = 67`)
    t.match(await verifyLog(db, keys, { newest: 10 }), { broken: { seq: 67, what: 'removed' } })
    await db.delete(operationLogs).where(sql`${operationLogs.seq} > 75`)
    t.match(await verifyLog(db, keys, { newest: 5 }), { broken: { seq: 76, what: 'removed' } }, 'the end is sealed')
  })

  await t.test('a check answers what it stores', async (t) => {
    const handlers = statusHandlers({
      ...{ db, gather, timeZone: 'Asia/Shanghai' },
      tasks: openTasks({ database: { db, kind: 'postgres' }, log: silent }),
    })
    const user = await signedIn(db, 'admin')
    const request = {} as never
    const items = await handlers.listSecurityStatus({ params: {}, query: {}, body: {}, request, user })
    t.match(items, [{ name: 'Sign-in', lastCheck: '2026-03-05 18:00:00' }])
    const answer = await handlers.checkSecurity({ params: {}, query: {}, body: {}, request, user })
    t.match(await db.select().from(securityChecks), [{ ...answer, checkedAt: at, creator: 'admin' }])
    t.same(await handlers.checkSecurity({ params: {}, query: {}, body: {}, request, user }), answer)
  })
})

t.test('a new installation tells the truth about itself', async (t) => {
  const { call, token, person } = await steward(t)
  const { data: items } = await call('listSecurityStatus', { token })
  t.equal(items.find(({ name }) => name === 'Backups')?.status, 'risk')
  t.match(items.find(({ name }) => name === 'Backups')?.details, 'No proven backup')
  const { data } = await call('checkSecurity', { token, body: {} })
  for (const truth of [/no proven backup/, /no mail server/, /no second factor: admin/, /embedded one/]) {
    t.ok(
      data.issues.some(({ description }) => truth.test(description)),
      truth.source,
    )
  }
  t.ok(data.score > 0 && data.score < 80, `${data.score}`)
  t.equal((await call('checkSecurity', { body: {} })).status, 401)
  const { token: weak } = await person('nora')
  t.equal((await call('listSecurityStatus', { token: weak })).status, 403)

  await t.test('and notices what happens to it', async (t) => {
    for (let times = 0; times < 20; times += 1) await call('listRoles', { token: weak })
    const permissions = await eventually(async () => {
      const { data: after } = await call('listSecurityStatus', { token })
      return after.find(({ name, details = '' }) => name === 'Permissions' && /^21 denied to 1 caller/.test(details))
    }, 'all refusals are counted')
    t.equal(permissions.status, 'risk')
  })
})
