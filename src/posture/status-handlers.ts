import { lt } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Db } from '../db/client.ts'
import { securityChecks } from '../db/schema.ts'
import type { StatusHandlers } from '../generated/security.ts'
import type { Tasks } from '../jobs/tasks.ts'
import { displayTime } from '../text/display.ts'
import { assess, statusOf } from './evidence/assess.ts'
import type { Facts } from './evidence/facts.ts'

export interface StatusOptions {
  db: Db
  /** The present facts; see evidence/gather.ts. */
  gather: () => Promise<Facts>
  timeZone: string
  tasks: Pick<Tasks, 'carryOut'>
}

/** Milliseconds a check is stored, for the history of the score. */
const checksKept = 400 * 86_400_000

/** The security state and the suggestions. */
export const statusHandlers = ({ db, gather, timeZone, tasks }: StatusOptions): StatusHandlers => ({
  async listSecurityStatus() {
    const facts = await gather()
    const lastCheck = displayTime(facts.at, timeZone)
    return statusOf(facts).map((item) => ({ ...item, lastCheck }))
  },

  async checkSecurity({ user }) {
    const facts = await tasks.carryOut({ kind: 'check', creator: user.username }, ({ note }) => {
      note('gathering')
      return gather()
    })
    const { score, issues } = assess(facts)
    const published = issues.map(({ level, description, suggestion }) => ({ level, description, suggestion }))
    await changeFor(db, user, async (tx) => {
      await tx.insert(securityChecks).values({ checkedAt: facts.at, score, issues: published, creator: user.username })
      await tx.delete(securityChecks).where(lt(securityChecks.checkedAt, new Date(facts.at.getTime() - checksKept)))
    })
    return { score, issues: published }
  },
})
