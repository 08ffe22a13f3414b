import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { reports } from '../db/schema.ts'
import type { ReportPagesHandlers } from '../generated/operations.ts'
import { reasons } from './reasons.ts'
import { reportAddresses } from './report/address.ts'

export interface ReportPagesOptions {
  db: Db
  /** 32 bytes; signs the addresses of reports. */
  reportKey: Buffer
  now?: () => number
}

/** The page may style itself and do nothing else: no script runs, nothing is loaded (its empty icon is in it), nobody frames it. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Reports, to whoever has their address. */
export const reportPagesHandlers = ({ db, reportKey, now = Date.now }: ReportPagesOptions): ReportPagesHandlers => {
  const addresses = reportAddresses(reportKey)
  return {
    async showReport({ params: { id }, query }) {
      const at = new Date(now())
      // One answer whatever is wrong: nobody learns which reports there are.
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
