import { type Concern, when } from './concern.ts'
import { counted } from './wording.ts'

export const operationLogConcern: Concern = {
  id: 7,
  name: 'Operation log',
  description: 'Whether the newest entries of the log, and its end, are as they were written',
  details({ chain: { checked, head, broken, unchecked } }) {
    if (broken) return `Broken at entry ${broken.seq}: ${broken.message}`
    if (unchecked) return `${counted(unchecked.count, 'entry', 'entries')} cannot be checked`
    return head.seq === 0
      ? 'The log is empty'
      : `The newest ${counted(checked, 'entry', 'entries')} and the end, entry ${head.seq}, are as they were written`
  },
  find: ({ chain: { head, broken, unchecked } }) => [
    ...when(broken !== null, () => ({
      kind: 'chainBroken',
      description: `The operation log is not what was written, from entry ${broken?.seq} on (${broken?.what}): ${broken?.message}.`,
      suggestion:
        'Somebody had a hand in the database. Keep a copy of it, run npm run verify-log, and compare with the newest backup before this.',
    })),
    ...when(unchecked !== null, () => ({
      kind: 'chainUnchecked',
      description: `${counted(unchecked?.count ?? 0, 'entry', 'entries')} from ${unchecked?.first} to ${unchecked?.last} are signed with a key that is not known here (${unchecked?.keyId}, …).`,
      suggestion: 'Name the earlier secret in LOG_KEY, behind the current one.',
    })),
    ...when(broken === null && unchecked === null && head.seq === 0, () => ({
      kind: 'chainEmpty',
      description: 'The operation log is empty, so nothing is known of what was done.',
      suggestion: 'On a new installation ask again in a moment; otherwise run npm run verify-log.',
    })),
  ],
}
