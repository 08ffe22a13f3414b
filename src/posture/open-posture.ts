// The room posture.
// The security of the installation: evidence, deductions, score, check, report, health.
// It never repairs anything.

import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import { openDashboard } from './dashboard.ts'
import type { Facts } from './evidence/facts.ts'
import { type GatherOptions, gatherFacts } from './evidence/gather.ts'
import { settingsOf } from './evidence/settings.ts'

export interface Posture {
  /** The present facts. */
  gather(): Promise<Facts>
  /** The number of records of each kind. */
  dashboard: ReturnType<typeof openDashboard>
}

export interface PostureOptions extends Pick<GatherOptions, 'keys' | 'operationLog'> {
  db: Db
  config: Config
}

/** What the handlers of this room share. It runs nothing by itself. */
export const openPosture = ({ db, keys, operationLog, config }: PostureOptions): Posture => {
  const settings = settingsOf(config)
  const { deviceTimeout } = config
  return {
    gather: () => gatherFacts({ db, keys, operationLog, settings, deviceTimeout }),
    dashboard: openDashboard(db),
  }
}
