import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import type { OverviewHandlers } from '../generated/operations.ts'
import { hasInitialPassword } from '../people/initial-password.ts'
import { areasOf, assess } from './evidence/assess.ts'
import type { Facts } from './evidence/facts.ts'
import { firstSteps } from './first-steps.ts'
import { openOverview } from './overview.ts'

export interface OverviewOptions {
  db: Db
  config: Pick<Config, 'ldap' | 'trustProxy'>
  /** The present facts; see evidence/gather.ts. */
  gather: () => Promise<Facts>
}

/** What the first page shows. */
export const overviewHandlers = ({ db, config, gather }: OverviewOptions): OverviewHandlers => {
  const overview = openOverview(db, config.ldap?.kind ?? 'none')
  return {
    getOverview: () => overview(),

    async getScore() {
      const facts = await gather()
      const { score, issues } = assess(facts)
      const deductions = issues.map(({ params, ...issue }) => ({ ...issue, params: textsOf(params) }))
      return { at: facts.at.toISOString(), score, deductions, areas: areasOf(facts) }
    },

    async listFirstSteps({ user: { userId } }) {
      return firstSteps({
        facts: await gather(),
        trustProxy: config.trustProxy,
        hasInitialPassword: await hasInitialPassword(db, userId),
      })
    },
  }
}

const textsOf = (values: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
