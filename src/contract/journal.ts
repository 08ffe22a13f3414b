import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { apiRoot, type ContractDocument, entryPath, type Operation } from './document.ts'
import type { ValidInput } from './input.ts'
import { touchedIds } from './touched-ids.ts'

/** What a journal may know of an answered request: never its body, its query or its token. */
export interface AnsweredRequest {
  method: string
  /** Relative to `/api`: as the document writes it, or as it was asked for where there is no such operation. */
  path: string
  /** The operation's summary; empty where there is none. */
  summary: string
  /** Who asked, as far as that became known. */
  username: string
  address: string
  userAgent: string
  /** The envelope's code. */
  code: number
  startedAt: Date
  /** Until there was an answer; sending it is not counted. */
  milliseconds: number
  /** Of the records it was about. */
  ids: readonly number[]
}

/** Notes down what was asked for and what became of it. */
export interface Journal {
  /** Whether this operation is noted down at all. */
  covers(operationId: string): boolean
  /** false: what would be done now could not be noted down, so it is refused. Asked once for every request. */
  accepts(): boolean
  /** Must not throw. */
  note(request: AnsweredRequest): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation a route serves. */
    operation?: Operation
  }
  interface FastifyRequest {
    /** Who asks for a public operation, where its handler has found out. */
    caller: string
    /** What names the records it is about: its valid input, and then the `data` of the answer. */
    about: { input: ValidInput; data?: unknown } | null
  }
}

/**
 * Notes down every answer given under a document's prefix, also refusals and those nobody waits for any more: an answer
 * is noted when it is decided, not when it has arrived.
 */
export const keepJournal = (scope: FastifyInstance, journal: Journal, document: ContractDocument): void => {
  const root = scope.prefix.slice(0, scope.prefix.length - document.prefix.length + apiRoot.length)
  const covered = ({ routeOptions }: FastifyRequest): boolean => {
    const { operation } = routeOptions.config
    return operation === undefined || journal.covers(operation.id)
  }
  const refused = new WeakSet<FastifyRequest>()

  scope.addHook('onRequest', (request, _reply, done) => {
    if (!covered(request) || journal.accepts()) return done()
    refused.add(request)
    done(new AppError('unavailable', 'the operation log cannot be written now', { retryAfter: 5 }))
  })
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (covered(request) && !refused.has(request)) {
      const { operation } = request.routeOptions.config
      const asked = operation && { path: entryPath(document, operation), summary: operation.summary }
      noteAnswer(journal, request, reply, asked ?? unknownOperation(root, request))
    }
    done(null, payload)
  })
}

type Asked = Pick<AnsweredRequest, 'path' | 'summary'>

/**
 * What was asked for where the documents have no such operation.
 * @param root what the path begins with: BASE_PATH and `/api`
 */
export const unknownOperation = (root: string, { raw }: FastifyRequest): Asked => ({
  path: (raw.url ?? '').split('?', 1)[0]?.slice(root.length) ?? '',
  summary: '',
})

export const noteAnswer = (
  journal: Journal,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, summary }: Asked,
): void => {
  const milliseconds = reply.elapsedTime
  journal.note({
    path,
    summary,
    method: request.method,
    username: request.principal?.username ?? request.caller,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    code: reply.envelopeCode ?? reply.statusCode,
    startedAt: new Date(Date.now() - milliseconds),
    milliseconds,
    ids: idsOf(request.about),
  })
}

/** The id that is answered, which is a new one after an add, before those that were asked about. */
const idsOf = (about: FastifyRequest['about']): readonly number[] =>
  !about ? [] : touchedIds({ id: idOf(about.data) }, about.input.params, about.input.body)

const idOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
