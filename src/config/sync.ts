import { defaultRemovals, type RemovalLimit } from '../sync/guard.ts'
import type { Variables } from './variables.ts'

export interface SyncConfig {
  /** SYNC_WAIT, milliseconds a sync request waits for its run to end. */
  syncWait: number
  /** SYNC_MAX_REMOVALS: a run that would disable or remove more is held. */
  syncMaxRemovals: RemovalLimit
  /** SYNC_WINS: which side wins for a mapped field that was changed on both sides. */
  syncWins: 'source' | 'local'
}

/** What runs need, besides the settings of their sources. */
export const readSync = ({ parse, oneOf, duration }: Variables): SyncConfig => ({
  syncWait: duration('SYNC_WAIT', 20_000, 0),
  syncMaxRemovals: parse(
    'SYNC_MAX_REMOVALS',
    defaultRemovals,
    toRemovals,
    'a number of records, a share of them, or both, such as 20,10%',
  ),
  syncWins: oneOf('SYNC_WINS', ['source', 'local'], 'source'),
})

/** `20,10%`; one of the two parts may be left out and then counts as zero. */
const toRemovals = (value: string): RemovalLimit | undefined => {
  const [, records, percent] = /^(?:(\d{1,9})(?:\s*,\s*(?=.)|$))?(?:(\d{1,3}(?:\.\d{1,3})?)\s*%)?$/.exec(value) ?? []
  if ((records === undefined && percent === undefined) || Number(percent ?? 0) > 100) return undefined
  return { records: Number(records ?? 0), share: Number(percent ?? 0) / 100 }
}
