import type { AnsweredRequest, Journal } from '../contract/journal.ts'
import { openBursts } from './bursts.ts'
import type { LogEntry } from './entry.ts'
import type { OperationLog } from './writer.ts'

/** Asked every few seconds by whoever watches the service, and of no consequence. */
const unlogged: ReadonlySet<string> = new Set(['ping', 'getLiveness', 'getReadiness'])

/**
 * Done even while entries cannot be written: a call for help changes nothing but its own record and its alert, which
 * say who called, from where and when, and they are committed before it is answered.
 */
const neverRefused: ReadonlySet<string> = new Set(['callForHelp'])

export interface OperationJournal extends Journal {
  /** Appends what is counted and not appended yet; for a stop, before the log is closed. */
  settle(): void
}

/**
 * Writes every request into the operation log. While entries cannot be written, whatever may change something is
 * refused: every operation whose method is not GET.
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

/** A success without a name changed nothing: signing out without a token, asking for a code for an address. */
const changedSomething = ({ method, code, username }: AnsweredRequest): boolean =>
  method !== 'GET' && code < 400 && username !== ''

/** What is counted together beside the address and the code. Public operations try secrets: each is told by itself. */
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
})
