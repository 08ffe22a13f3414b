import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { openDatabase } from '../../src/db/client.ts'
import { silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { postgresMissing, startPostgres } from '../postgres-server.ts'
import { promtoolBinary, type Sample, skipWithoutPrometheus, testPrometheus } from '../prometheus.ts'
import { steward, type TestSteward } from '../steward.ts'

// The dashboard and the alert rules of docs/metrics.md, on a Prometheus that scrapes this service.

interface Target {
  expr: string
  legendFormat: string
}

interface Panel {
  type: string
  title: string
  fieldConfig?: { defaults: { unit: string } }
  targets?: Target[]
}

interface Rule {
  alert: string
  expr: string
  for?: string
  annotations?: Record<string, string>
}

const dashboard: { panels: Panel[]; templating: { list: { name: string; definition?: string }[] } } = JSON.parse(
  readFileSync('deploy/grafana/steward.json', 'utf8'),
)
const panels = dashboard.panels.filter(({ type }) => type !== 'row')

const [, rulesText = ''] = /```yaml\n(groups:\n.*?)```/s.exec(readFileSync('docs/metrics.md', 'utf8')) ?? []
const { groups } = parse(rulesText) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

const skip = skipWithoutPrometheus || postgresMissing
const job = 'steward of the test'

/** As Grafana replaces its variables. */
const exprOf = ({ expr }: Target, jobs = job): string =>
  expr.replaceAll('$__rate_interval', '20s').replaceAll('$job', jobs)

/** What Grafana has to write at an axis. */
const unitOf = (expr: string): string[] => {
  if (/rate\(\w+_total/.test(expr)) return ['reqps']
  if (/_bytes\b/.test(expr)) return ['bytes']
  return /_seconds(_bucket)?\b/.test(expr) ? ['s'] : ['none', 'short']
}

const load = async (s: TestSteward): Promise<void> => {
  for (let n = 0; n < 20; n += 1) {
    await s.take('listUsers')
    await s.call('listUsers')
  }
}

/** Does what the panels are about; the receiver of the log does not answer. */
const liveliness = async (t: Test): Promise<TestSteward> => {
  const env = { METRICS_PORT: '0', SYSLOG_URL: `syslog+tcp://127.0.0.1:${await freePort()}` }
  const server = await testPostgres(t)
  const standby = await startPostgres({ standbyOf: server.url })
  t.teardown(() => standby.dispose())
  const database = await openDatabase({ url: server.url, replicaUrl: standby.url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const s = await steward(t, { env, database })
  await s.take('createBackup', { body: { type: 'manual' } })
  await s.take('compareDirectory', { body: { kind: 'users' } })
  await s.take('checkSecurity')
  return s
}

const rulesFile = (t: Test): string => {
  const folder = t.testdir()
  const file = join(folder, 'rules.yml')
  writeFileSync(file, rulesText)
  return file
}

t.test('each panel has data, of the chosen job alone', { skip }, async (t) => {
  const s = await liveliness(t)
  const prometheus = await testPrometheus(t, { job, metricsUrl: s.metricsUrl ?? '', rules: rulesFile(t) })
  await eventually(
    async () => (await prometheus.query('steward_backup_last_success_timestamp_seconds')).length > 0,
    'a backup',
  )
  await eventually(async () => (await prometheus.query('steward_log_stream_waiting_entries')).length > 0, 'a receiver')
  for (const panel of panels) {
    for (const target of panel.targets ?? []) {
      const title = `${panel.title}: ${target.expr}`
      const found = await eventually(async () => {
        await load(s)
        const samples = await prometheus.query(exprOf(target))
        return samples.some(({ value }) => Number.isFinite(value)) && samples
      }, `${title} has data`).catch((): Sample[] => [])
      t.ok(found.length > 0, title)
      for (const [, label = ''] of target.legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        t.ok(
          found.every(({ labels }) => label in labels),
          `${title} has ${label}`,
        )
      }
      if (found.length > 1) {
        const legends = found.map(({ labels }) =>
          target.legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => labels[name] ?? ''),
        )
        t.equal(new Set(legends).size, found.length, `${title} tells its series apart`)
      }
      t.same(await prometheus.query(exprOf(target, 'another job')), [], `${title} shows the chosen job alone`)
      t.ok(unitOf(target.expr).includes(panel.fieldConfig?.defaults.unit ?? ''), `${title} has the unit of its figures`)
    }
  }
  const variable = dashboard.templating.list.find(({ name }) => name === 'job')
  const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(variable?.definition ?? '') ?? []
  t.same(await prometheus.api(`label/${label}/values?match[]=${metric}`), [job], 'the jobs to choose from')

  const known = (await prometheus.api(`label/__name__/values`)) as string[]
  const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n')
  t.same(
    known.filter((name) => name.startsWith('steward_') && !shown.includes(name.replace(/_(bucket|sum|count)$/, ''))),
    ['steward_build_info'],
    'every figure has a panel',
  )
  const { groups: loaded } = (await prometheus.api('rules')) as {
    groups: { rules: { name: string; health: string; lastError?: string; state: string }[] }[]
  }
  t.same(
    loaded.flatMap((group) => group.rules.map(({ name, health, lastError = '' }) => ({ name, health, lastError }))),
    rules.map(({ alert }) => ({ name: alert, health: 'ok', lastError: '' })),
  )
})

/** Series as promtool writes them, by what they are, and their values each minute. */
type Series = Record<string, string>

/** For each rule what makes it fire, and what does not. */
const cases: Record<string, { fires: Series[]; calm: Series[] }> = {
  StewardDirectoryBehind: {
    fires: [{ 'steward_directory_oldest_change_seconds{directory="2"}': '301x200' }],
    calm: [{ 'steward_directory_oldest_change_seconds{directory="2"}': '299x200' }],
  },
  StewardDown: {
    fires: [{ 'up{job="steward",instance="one"}': '1x200', 'up{job="steward",instance="two"}': '0x200' }],
    calm: [{ 'up{job="steward"}': '1x200', 'up{job="another"}': '0x200' }, { 'up{job="steward"}': '1x179 0' }],
  },
  StewardNoBackup: {
    // Time begins at 0, and three hours have passed.
    fires: [{ steward_backup_last_success_timestamp_seconds: '-170000x200' }, { steward_database_up: '0x200' }],
    calm: [
      { steward_backup_last_success_timestamp_seconds: '-160000x200' },
      { steward_backup_last_success_timestamp_seconds: '0x150 stale' },
    ],
  },
  StewardLogNotStreamed: {
    fires: [{ steward_log_stream_oldest_entry_seconds: '901x200' }],
    calm: [{ steward_log_stream_oldest_entry_seconds: '0x200' }, { steward_database_up: '1x200' }],
  },
  StewardErrors: {
    fires: [
      { 'steward_http_requests_total{code="500"}': '0+10x200' },
      {
        'steward_http_requests_total{code="503",operation="a"}': '0+4x200',
        'steward_http_requests_total{code="502",operation="b"}': '0+4x200',
      },
    ],
    calm: [
      { 'steward_http_requests_total{code="500"}': '0+5x200' },
      { 'steward_http_requests_total{code="403"}': '0+600x200', 'steward_http_requests_total{code="0"}': '0+600x200' },
    ],
  },
  StewardRunHeld: {
    fires: [{ 'steward_runs{state="held"}': '1x200' }],
    calm: [
      { 'steward_runs{state="held"}': '0x200', 'steward_runs{state="running"}': '1x200' },
      { 'steward_runs{state="held"}': '0x150 1x50' },
    ],
  },
  StewardStandbyNotUsed: {
    fires: [
      {
        'steward_standby_fallbacks_total{instance="one",reason="away"}': '0+40x200',
        'steward_standby_fallbacks_total{instance="two",reason="behind"}': '0+40x200',
        'steward_standby_reads_total{instance="one"}': '0+10x200',
        'steward_standby_reads_total{instance="two"}': '0+60x200',
      },
    ],
    calm: [
      {
        'steward_standby_fallbacks_total{reason="away"}': '0+40x200',
        steward_standby_reads_total: '0+60x200',
      },
      // Nothing is read at night.
      { 'steward_standby_fallbacks_total{reason="away"}': '7x200', steward_standby_reads_total: '3x200' },
      { 'steward_standby_fallbacks_total{reason="away"}': '0x175 0+100x25', steward_standby_reads_total: '0x200' },
    ],
  },
  StewardDatabaseAway: {
    fires: [{ 'steward_database_up{instance="one"}': '1x200', 'steward_database_up{instance="two"}': '0x200' }],
    calm: [{ steward_database_up: '1x200' }, { steward_database_up: '1x179 0' }],
  },
}

t.test('each alert rule fires when it has to, and not otherwise', { skip: skipWithoutPrometheus }, (t) => {
  const file = rulesFile(t)
  t.match(execFileSync(promtoolBinary, ['check', 'rules', file], { encoding: 'utf8' }), `${rules.length} rules found`)
  t.same(
    Object.keys(cases),
    rules.map(({ alert }) => alert),
  )
  const caseOf = (alert: string, series: Series, firing: number) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: '3h',
        exp_samples: firing === 0 ? [] : [{ labels: '{}', value: firing }],
      },
    ],
  })
  const tests = Object.entries(cases).flatMap(([alert, { fires, calm }]) => [
    ...fires.map((series) => caseOf(alert, series, 1)),
    ...calm.map((series) => caseOf(alert, series, 0)),
  ])
  const testFile = file.replace('rules.yml', 'tests.yml')
  writeFileSync(testFile, stringify({ rule_files: [file], evaluation_interval: '1m', tests }))
  t.match(execFileSync(promtoolBinary, ['test', 'rules', testFile], { encoding: 'utf8' }), 'SUCCESS')
  t.end()
})
