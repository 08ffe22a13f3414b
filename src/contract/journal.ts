import type { FastifyInstance, FastifyRequest } from 'fastify'
import { reasons } from '../failures/reasons.ts'
import { currentTime } from '../runtime/clock.ts'
import type { Begun } from './begun.ts'
import { apiRoot, type ContractDocument, entryPath, type Operation } from './document.ts'
import type { ValidInput } from './input.ts'
import { touchedIds } from './touched-ids.ts'

/** What a journal may know of a request: never its body, its query or its token. */
export interface AnsweredRequest {
  /** Empty where it was not an HTTP request. */
  method: string
  /** Relative to `/api`: the document's path, or the requested one where the operation does not exist. */
  path: string
  /** The operation's summary; empty for an unknown operation. */
  summary: string
  /** The caller, if known. */
  username: string
  /** Whether a token proved `username`. For a public operation it is only what the caller claims. */
  authenticated: boolean
  /** The operation needs no token. */
  isPublic: boolean
  address: string
  userAgent: string
  /** The envelope's code; 499 where the client closed the connection before anything was done. */
  code: number
  startedAt: Date
  /** Until the response was decided; sending it is not counted. */
  milliseconds: number
  /** The ids of the records it was about. */
  ids: readonly number[]
  /** It only asked what would be changed (`dryRun`), and changed nothing. */
  preview: boolean
}

/** The client closed the connection before anything was done (nginx's number; HTTP does not define one). */
export const clientGone = 499

/** Records requests and their results. */
export interface Journal {
  /** Whether this operation is recorded at all. */
  covers(operationId: string): boolean
  /**
   * Called once for every request, before anything is done. false: a change could not be recorded now, so the request
   * is refused.
   * @param operation undefined: an unknown operation, which changes nothing
   */
  admits(operation: Operation | undefined): boolean | Promise<boolean>
  /** Must not throw. */
  note(request: AnsweredRequest): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation a route serves. */
    operation?: Operation
  }
  interface FastifyRequest {
    /** The caller of a public operation, where its handler has identified them. */
    caller: string
    /** Where the ids of its records are read from: its valid input, and later the `data` of the response. */
    about: { input: ValidInput; data?: unknown } | null
  }
}

/**
 * Records every request under a document's prefix once, including refused ones and those whose client closed the
 * connection: a response is recorded when it is decided, not when it has arrived.
 */
export const keepJournal = (scope: FastifyInstance, journal: Journal, document: ContractDocument): void => {
  const root = scope.prefix.slice(0, scope.prefix.length - document.prefix.length + apiRoot.length)
  const asked = new Map(document.operations.map((operation) => [operation, askedFor(document, operation)]))
  const note = (request: FastifyRequest, code: number): void => {
    const { begun } = request
    const { operation } = request.routeOptions.config
    if (begun === null || begun.stage === 'noted' || (operation && !journal.covers(operation.id))) return
    // Reading a body that is cut off fails with the error of the connection, whatever it is.
    const isGone = begun.gone || (begun.stage !== 'handled' && request.raw.aborted)
    begun.stage = 'noted'
    journal.note(
      requestToNote(
        request,
        begun,
        isGone ? clientGone : code,
        (operation && asked.get(operation)) ?? unknownOperation(root, begun),
      ),
    )
  }

  scope.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation && !journal.covers(operation.id)) return done()
    const decide = (admitted: boolean): void => {
      // The journal counts what it refuses, and writes one entry for all of it when it can write again.
      if (request.begun) request.begun.stage = admitted ? 'admitted' : 'noted'
      if (admitted) done()
      else done(reasons.log_away({ retryAfter: 5 }))
    }
    const admitted = journal.admits(operation)
    if (typeof admitted === 'boolean') decide(admitted)
    else admitted.then(decide, done)
  })
  scope.addHook('onSend', (request, reply, payload, done) => {
    note(request, reply.envelopeCode ?? reply.statusCode)
    done(null, payload)
  })
  // Fastify drops a request whose client resets the connection before the handler is called: it decides no response.
  scope.addHook('onRequestAbort', (request, done) => {
    if (request.begun?.stage !== 'handled') note(request, clientGone)
    done()
  })
}

type Asked = Pick<AnsweredRequest, 'path' | 'summary' | 'isPublic'>

const askedFor = (document: ContractDocument, operation: Operation): Asked => ({
  path: entryPath(document, operation),
  summary: operation.summary,
  isPublic: !operation.secured,
})

/**
 * The journal's fields for a request that is not an operation.
 * @param root the start of the path: BASE_PATH and `/api`
 */
export const unknownOperation = (root: string, { path }: Pick<Begun, 'path'>): Asked => ({
  path: path.slice(root.length),
  summary: '',
  isPublic: false,
})

/** @param request one that the router could not read does not have our decorations, whatever its type says */
export const requestToNote = (
  request: Partial<Pick<FastifyRequest, 'principal' | 'caller' | 'about'>>,
  { method, address, userAgent, at }: Begun,
  code: number,
  { path, summary, isPublic }: Asked,
): AnsweredRequest => ({
  path,
  summary,
  isPublic,
  method,
  username: request.principal?.username ?? request.caller ?? '',
  authenticated: Boolean(request.principal),
  address,
  userAgent,
  code,
  startedAt: at,
  milliseconds: currentTime() - at.getTime(),
  ids: idsOf(request.about ?? null),
  preview: isPreview(request.about?.input.body),
})

const isPreview = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true

/** The id of the response, which is a new one after an add, before those of the request. */
const idsOf = (about: FastifyRequest['about']): readonly number[] =>
  !about ? [] : touchedIds({ id: idOf(about.data) }, about.input.params, about.input.body)

const idOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
