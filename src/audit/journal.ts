import type { AnsweredRequest, Journal } from '../contract/journal.ts'
import { openBursts } from './bursts.ts'
import type { LogEntry } from './entry.ts'
import { isMixed } from './touched-records.ts'
import type { OperationLog } from './writer.ts'

/** Called every few seconds by monitoring, without any effect. */
const unlogged: ReadonlySet<string> = new Set(['ping', 'getLiveness', 'getReadiness'])

/**
 * Allowed even while entries cannot be written: a call for help changes nothing but its own record and its alert. They
 * record the caller, address and time, and are committed before the response.
 */
const neverRefused: ReadonlySet<string> = new Set(['callForHelp'])

export interface OperationJournal extends Journal {
  /** Appends what is counted and not yet appended; call it at a stop, before the log is closed. */
  settle(): void
}

/**
 * Writes every request into the operation log. While entries cannot be written, every operation that may change
 * something is refused: every one whose method is not GET.
 */
export const operationJournal = (operationLog: Pick<OperationLog, 'append' | 'admits'>): OperationJournal => {
  const bursts = openBursts(operationLog.append)
  return {
    covers: (operationId) => !unlogged.has(operationId),
    admits: (operation) =>
      operation === undefined || operation.method === 'GET' || neverRefused.has(operation.id) || operationLog.admits(),
    note(request) {
      const [entry, ...further] = entriesOf(request)
      if (request.authenticated || changedSomething(request))
        for (const each of [entry, ...further]) operationLog.append(each)
      else bursts.take(entry, keyOf(request))
    },
    settle: bursts.settle,
  }
}

/** A success without a name changed nothing: for example a sign-out without a token. */
const changedSomething = ({ method, code, username }: AnsweredRequest): boolean =>
  method !== 'GET' && code < 400 && username !== ''

/**
 * The key for counting, besides address and code. Public operations can guess secrets, so each is counted by itself.
 */
const keyOf = ({ username, isPublic, method, path }: AnsweredRequest): string =>
  JSON.stringify([username, isPublic && method !== 'GET' ? path : ''])

/** Ids in one entry. What waits to be written and what lists read is counted in entries, so they are all small. */
const idsPerEntry = 100

/** The end of the remark of an entry that has a part of the records of its request. PostgreSQL reads it as JavaScript does. */
export const partOfRequest = / \(entry \d+ of \d+\)$/

/**
 * The entries of a request: one for each hundred of the records that it may have changed, so that no record is missing in
 * the log because a request names many others before it. A refused request has changed nothing and has one entry.
 */
const entriesOf = (request: AnsweredRequest): [LogEntry, ...LogEntry[]] => {
  const { path, summary, code, ids } = request
  const isRefused = code >= 400 && code < 500
  // What the first id is, the others are not: it stands first in each entry (see touched-records.ts).
  const first = isMixed(path) ? ids.slice(0, 1) : []
  const others = [...new Set(ids.slice(first.length))]
  const room = idsPerEntry - first.length
  const count = isRefused ? 1 : Math.max(1, Math.ceil(others.length / room))
  const part = (index: number): LogEntry => ({
    ...entryOf(request),
    target: [...first, ...others.slice(index * room, (index + 1) * room)],
    ...(count > 1 && { remark: `${summary} (entry ${index + 1} of ${count})` }),
  })
  return [part(0), ...Array.from({ length: count - 1 }, (_, index) => part(index + 1))]
}

const entryOf = (request: AnsweredRequest): Omit<LogEntry, 'target'> => ({
  username: request.username,
  ip: request.address,
  method: request.method,
  path: request.path,
  remark: request.summary,
  status: request.code,
  startTime: request.startedAt,
  timeCost: request.milliseconds,
  userAgent: request.userAgent,
  times: 1,
  preview: request.preview,
})
