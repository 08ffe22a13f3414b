import { lacks } from '../../db/lack.ts'
import { type Concern, when } from './concern.ts'
import { counted } from './wording.ts'

export const operationLogConcern: Concern = {
  id: 7,
  area: 'operationLog',
  name: 'Operation log',
  description: 'Whether the newest entries of the log, and its end, are as they were written',
  details({ chain: { checked, head, broken, unchecked }, stuckEntries, stuckFor }) {
    if (stuckEntries > 0)
      return `${counted(stuckEntries, 'entry', 'entries')} cannot be written now${stuckFor === null ? '' : `: the database ${lacks[stuckFor].text}`}`
    if (broken) return `Broken at entry ${broken.seq}: ${broken.message}`
    if (unchecked) return `${counted(unchecked.count, 'entry', 'entries')} cannot be checked`
    return head.seq === 0
      ? 'The log is empty'
      : `The newest ${counted(checked, 'entry', 'entries')} and the end, entry ${head.seq}, are as they were written`
  },
  figures: ({ chain: { checked, unchecked }, stuckEntries }) => ({
    checked,
    unchecked: unchecked?.count ?? 0,
    stuck: stuckEntries,
  }),
  find: ({ chain: { head, broken, unchecked, gaps }, stuckEntries, stuckFor }) => [
    ...when(stuckEntries > 0, () => ({
      kind: 'chainStuck',
      description: `${counted(stuckEntries, 'entry', 'entries')} of the operation log cannot be written, so requests that change something are refused.`,
      suggestion:
        stuckFor === null
          ? 'The log of the process says why: look at the server of DATABASE_URL, its disk, and triggers on operation_logs.'
          : `The database ${lacks[stuckFor].text}. ${lacks[stuckFor].advice}`,
      params: { count: stuckEntries },
    })),
    ...when(gaps.length > 0, () => ({
      kind: 'chainGap',
      description: `Entries of the operation log were lost, or may have been, before entry ${gaps.at(-1)?.seq}: ${gaps.at(-1)?.message}.`,
      suggestion: 'The command verify-log names every gap. Stop services by SIGTERM, and before their database.',
      params: { seq: gaps.at(-1)?.seq ?? 0 },
    })),
    ...when(broken !== null, () => ({
      kind: 'chainBroken',
      description: `The operation log is not what was written, from entry ${broken?.seq} on (${broken?.what}): ${broken?.message}.`,
      suggestion:
        'The database was tampered with. Keep a copy of it, run the command verify-log, and compare with the newest backup before this.',
      params: { seq: broken?.seq ?? 0 },
    })),
    ...when(unchecked !== null, () => ({
      kind: 'chainUnchecked',
      description: `${counted(unchecked?.count ?? 0, 'entry', 'entries')} from ${unchecked?.first} to ${unchecked?.last} are signed with a key that is not known here (${unchecked?.keyId}, …).`,
      suggestion:
        'Add the earlier secret to LOG_KEY, after the current one. Without LOG_KEY it was JWT_SECRET, or DATA_DIR/secrets/jwt.',
      params: { count: unchecked?.count ?? 0, first: unchecked?.first ?? 0, last: unchecked?.last ?? 0 },
    })),
    ...when(broken === null && unchecked === null && head.seq === 0, () => ({
      kind: 'chainEmpty',
      description: 'The operation log is empty, so there is no record of what was done.',
      suggestion: 'On a new installation, try again in a moment; otherwise run the command verify-log.',
    })),
  ],
}
