import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import type { Reading } from '../db/replica.ts'
import type { OverviewHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import { hasInitialPassword } from '../people/initial-password.ts'
import { areasOf, assess } from './evidence/assess.ts'
import type { Facts } from './evidence/facts.ts'
import { firstSteps } from './first-steps.ts'
import { openOverview } from './overview.ts'

export interface OverviewOptions {
  db: Db
  /** Of the figures. */
  reading: Reading
  config: Pick<Config, 'ldap' | 'trustProxy'>
  /** The present facts; see evidence/gather.ts. */
  gather: () => Promise<Facts>
}

type Happening = components['schemas']['Happening']

/** The paths that show the same as the lines of the overview; who may not read them does not see the lines. */
const readAt: Readonly<Record<Happening['kind'], string>> = {
  change: '/v1/operations/log',
  run: '/v1/operations/runs',
  alert: '/v1/operations/alerts',
  backup: '/v1/operations/backups',
  restore: '/v1/operations/backups',
}

/** What the first page shows. */
export const overviewHandlers = ({ db, reading, config, gather }: OverviewOptions): OverviewHandlers => {
  const overview = openOverview(reading, config.ldap?.kind ?? 'none')
  return {
    async getOverview({ user }) {
      const { lately, ...figures } = await overview()
      return { ...figures, lately: lately.filter(({ kind }) => user.may('GET', readAt[kind])) }
    },

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
