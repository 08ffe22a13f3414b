import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { reports } from '../db/schema.ts'
import type { ReportPagesHandlers } from '../generated/operations.ts'
import { currentTime } from '../runtime/clock.ts'
import { reasons } from './reasons.ts'
import { reportAddresses } from './report/address.ts'

export interface ReportPagesOptions {
  db: Db
  /** 32 bytes; signs the addresses of reports. */
  reportKey: Buffer
  now?: () => number
}

/**
 * The page may have its own style and nothing else: no script, no loaded resources (its empty icon is inline), no
 * frames.
 */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Reports, for every holder of their address. */
export const reportPagesHandlers = ({ db, reportKey, now = currentTime }: ReportPagesOptions): ReportPagesHandlers => {
  const addresses = reportAddresses(reportKey)
  return {
    async showReport({ params: { id }, query }) {
      const at = new Date(now())
      // One message for all reasons: a caller must not learn which reports exist.
      const gone = reasons.report_not_found()
      if (!addresses.admits(id, query, at)) throw gone
      const [report] = await db
        .select({ page: reports.page })
        .from(reports)
        .where(and(eq(reports.id, id), gt(reports.expiresAt, at)))
      if (report === undefined) throw gone
      return { body: report.page, headers: { 'content-security-policy': pagePolicy } }
    },
  }
}
