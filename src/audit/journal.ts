import type { AnsweredRequest, Journal } from '../contract/journal.ts'
import { openBursts } from './bursts.ts'
import type { LogEntry } from './entry.ts'
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
      const entry = entryOf(request)
      if (request.authenticated || changedSomething(request)) operationLog.append(entry)
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

const entryOf = (request: AnsweredRequest): LogEntry => ({
  username: request.username,
  ip: request.address,
  method: request.method,
  path: request.path,
  remark: request.summary,
  status: request.code,
  startTime: request.startedAt,
  timeCost: request.milliseconds,
  userAgent: request.userAgent,
  target: request.ids,
  times: 1,
  preview: request.preview,
})
