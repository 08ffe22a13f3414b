import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { ownServer } from './own-server.ts'

const [binary, promtool] = ['prometheus', 'promtool'].map((name) =>
  [`/usr/bin/${name}`, `/usr/local/bin/${name}`].find(existsSync),
)

/** For the `skip` option of a test: the reason where Prometheus is missing; false with REQUIRE_SERVERS=1. */
export const skipWithoutPrometheus: string | false =
  (binary !== undefined && promtool !== undefined) || process.env.REQUIRE_SERVERS === '1'
    ? false
    : 'Prometheus is not installed'

export const promtoolBinary = promtool ?? 'promtool'

/** One series as a query finds it now. */
export interface Sample {
  labels: Record<string, string>
  value: number
}

export interface TestPrometheus {
  /** @throws Error with what Prometheus says of the query */
  query(expr: string): Promise<Sample[]>
  /** The answer of a path below /api/v1. */
  api(path: string): Promise<unknown>
}

export interface PrometheusOptions {
  /** Of the job that is scraped each second. */
  job: string
  /** `http://127.0.0.1:9464/metrics` */
  metricsUrl: string
  /** A file of alert rules. */
  rules: string
}

/** A Prometheus that scrapes one address each second. */
export const testPrometheus = async (
  t: Test,
  { job, metricsUrl, rules }: PrometheusOptions,
): Promise<TestPrometheus> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-prometheus-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: job, static_configs: [{ targets: [new URL(metricsUrl).host] }] }],
  }
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration))
  const url = `http://127.0.0.1:${port}`
  const api = async (path: string): Promise<unknown> => {
    const reply = (await (await fetch(`${url}/api/v1/${path}`)).json()) as {
      status: string
      error?: string
      data?: unknown
    }
    if (reply.status !== 'success') throw new Error(`${path}: ${reply.error}`)
    return reply.data
  }
  await ownServer(t, {
    binary: binary ?? 'prometheus',
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    answers: () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
  })
  return {
    api,
    async query(expr) {
      const { result } = (await api(`query?query=${encodeURIComponent(expr)}`)) as {
        result: { metric: Record<string, string>; value: [number, string] }[]
      }
      return result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }))
    },
  }
}
