import { lt } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Db } from '../db/client.ts'
import type { Reading } from '../db/replica.ts'
import { reports } from '../db/schema.ts'
import { operationsDocument } from '../generated/operations.ts'
import type { ReportsHandlers } from '../generated/security.ts'
import { displayTime } from '../text/display.ts'
import { assess } from './evidence/assess.ts'
import type { Facts } from './evidence/facts.ts'
import { reportAddresses } from './report/address.ts'
import { gatherHistory } from './report/history.ts'
import { renderReport } from './report/page.ts'

export interface ReportsOptions {
  db: Db
  /** Of the history. */
  reading: Reading
  /** The present facts; see evidence/gather.ts. */
  gather: () => Promise<Facts>
  /** 32 bytes; signs the addresses of reports. */
  reportKey: Buffer
  config: { timeZone: string; basePath: string }
}

/** Milliseconds a report's address is valid. */
export const reportLifetime = 600_000

/** The state on one page, for every holder of its address. */
export const reportsHandlers = ({
  db,
  reading,
  gather,
  reportKey,
  config: { timeZone, basePath },
}: ReportsOptions): ReportsHandlers => {
  const addresses = reportAddresses(reportKey)
  return {
    async getReport({ user }) {
      const creator = user.username
      const facts = await gather()
      const history = await reading((at) => gatherHistory(at, facts.at, timeZone))
      const expiresAt = new Date(facts.at.getTime() + reportLifetime)
      const display = (at: Date): string => displayTime(at, timeZone)
      const page = renderReport({ facts, assessment: assess(facts), history, creator, timeZone, display, expiresAt })
      const [report] = await changeFor(db, user, async (tx) => {
        await tx.delete(reports).where(lt(reports.expiresAt, facts.at))
        return tx
          .insert(reports)
          .values({ page, creator, createdAt: facts.at, expiresAt })
          .returning({ id: reports.id })
      })
      const id = report?.id ?? 0
      const { expires, signature } = addresses.ticket(id, expiresAt)
      return {
        url: `${basePath}${operationsDocument.prefix}/reports/${id}/page?expires=${expires}&signature=${signature}`,
      }
    },
  }
}
