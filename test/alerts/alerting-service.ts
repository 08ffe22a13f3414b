import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import type { Call } from '../contract/call.ts'
import { eventually } from '../eventually.ts'
import { steward, type TestStewardOptions } from '../steward.ts'

export const webhookSecret = 'a secret of the receiver, long enough'
export const recipient = 'security@example.org'

/** The service as an administrator and its alerts see it. */
export const openAlertingService = async (t: Test, { env = {}, ...options }: TestStewardOptions = {}) => {
  const service = await steward(t, {
    directory: 'none',
    ...options,
    env: {
      TRUST_PROXY: 'on',
      TIME_ZONE: 'Asia/Shanghai',
      ALERT_MAIL: recipient,
      ALERT_WEBHOOK_SECRET: webhookSecret,
      ...env,
    },
  })
  const { call, db, take } = service
  const from = (address: string): Call => {
    const asking: Call = (id, input = {}) => call(id, { ...input, headers: { 'x-forwarded-for': address } })
    return asking
  }
  const alertsOf = async (title: string, handled?: boolean) => {
    const { alerts } = await take('listAlerts', handled === undefined ? {} : { query: { handled } })
    return alerts.filter((alert) => alert.title === title)
  }
  /** The alerts of this title as soon as there are so many. */
  const raised = (title: string, count = 1, handled?: boolean) =>
    eventually(async () => {
      const found = await alertsOf(title, handled)
      return found.length >= count ? found : null
    }, `${count} × ${title}`)
  /** How often the cause of an alert has come up. */
  const timesOf = async (id: number): Promise<number> => {
    const [row] = await db.execute<{ times: number }>(sql`select times from alerts where id = ${id}`)
    return row?.times ?? 0
  }
  const mails = async (): Promise<string[]> => {
    const folder = join(service.config.dataDir, 'mail')
    const files = await readdir(folder).catch(() => [])
    return Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')))
  }
  return { ...service, from, alertsOf, raised, timesOf, mails }
}
