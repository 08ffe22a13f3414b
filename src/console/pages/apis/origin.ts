import type { Data } from '../../app/api.ts'
import { operationOf } from '../../app/operations.ts'

export type Entry = Data<'listApis'>['apis'][number]

/** Where an entry comes from: an operation of the service, one that an earlier release had, or an administrator. */
export type Origin = 'ofService' | 'gone' | 'own'

/** How the service marks an entry whose operation it does not have any more. */
const goneMark = '(removed) '

export const originOf = (entry: Entry): Origin =>
  operationOf(entry) !== undefined ? 'ofService' : entry.remark.startsWith(goneMark) ? 'gone' : 'own'
