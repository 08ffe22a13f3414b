import type { FastifyInstance, FastifyRequest } from 'fastify'
import { reasons } from '../reasons.ts'
import type { Begun } from './begun.ts'
import { apiRoot, type ContractDocument, entryPath, type Operation } from './document.ts'
import type { ValidInput } from './input.ts'
import { touchedIds } from './touched-ids.ts'

/** What a journal may know of a request: never its body, its query or its token. */
export interface AnsweredRequest {
  /** Empty where it was no HTTP request. */
  method: string
  /** Relative to `/api`: as the document writes it, or as it was asked for where there is no such operation. */
  path: string
  /** The operation's summary; empty where there is none. */
  summary: string
  /** Who asked, as far as that became known. */
  username: string
  /** `username` was proven by a token. What a public operation finds is only what the caller says. */
  authenticated: boolean
  /** The operation needs no token. */
  isPublic: boolean
  address: string
  userAgent: string
  /** The envelope's code; 499 where the client went away before anything was done. */
  code: number
  startedAt: Date
  /** Until there was an answer; sending it is not counted. */
  milliseconds: number
  /** Of the records it was about. */
  ids: readonly number[]
}

/** The client went away before anything was done for it (nginx's number; HTTP has none). */
export const clientGone = 499

/** Notes down what was asked for and what became of it. */
export interface Journal {
  /** Whether this operation is noted down at all. */
  covers(operationId: string): boolean
  /**
   * Asked once for every request, before anything is done. false: what would be changed now could not be noted down, so
   * the request is refused.
   * @param operation undefined: there is no such operation, so nothing is changed
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
    /** Who asks for a public operation, where its handler has found out. */
    caller: string
    /** What names the records it is about: its valid input, and then the `data` of the answer. */
    about: { input: ValidInput; data?: unknown } | null
  }
}

/**
 * Notes down every request under a document's prefix, once, also refusals and those whose client went away: an answer is
 * noted when it is decided, not when it has arrived.
 */
export const keepJournal = (scope: FastifyInstance, journal: Journal, document: ContractDocument): void => {
  const root = scope.prefix.slice(0, scope.prefix.length - document.prefix.length + apiRoot.length)
  const note = (request: FastifyRequest, code: number): void => {
    const { begun } = request
    const { operation } = request.routeOptions.config
    if (begun === null || begun.stage === 'noted' || (operation && !journal.covers(operation.id))) return
    // Reading a body that breaks off fails with whatever error the connection had.
    const isGone = begun.gone || (begun.stage !== 'handled' && request.raw.aborted)
    begun.stage = 'noted'
    journal.note(
      requestToNote(
        request,
        begun,
        isGone ? clientGone : code,
        askedFor(document, operation) ?? unknownOperation(root, begun),
      ),
    )
  }

  scope.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation && !journal.covers(operation.id)) return done()
    const decide = (admitted: boolean): void => {
      // What the journal refuses it counts, and tells in one entry when entries can be written again.
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
  // Fastify drops a request whose client resets the connection before its handler is called: no answer is decided.
  scope.addHook('onRequestAbort', (request, done) => {
    if (request.begun?.stage !== 'handled') note(request, clientGone)
    done()
  })
}

type Asked = Pick<AnsweredRequest, 'path' | 'summary' | 'isPublic'>

const askedFor = (document: ContractDocument, operation: Operation | undefined): Asked | undefined =>
  operation && {
    path: entryPath(document, operation),
    summary: operation.summary,
    isPublic: !operation.secured,
  }

/**
 * What was asked for where the documents have no such operation.
 * @param root what the path begins with: BASE_PATH and `/api`
 */
export const unknownOperation = (root: string, { path }: Pick<Begun, 'path'>): Asked => ({
  path: path.slice(root.length),
  summary: '',
  isPublic: false,
})

/** @param request one that the router could not read has none of our decorations, whatever its type says */
export const requestToNote = (
  request: Partial<Pick<FastifyRequest, 'principal' | 'caller' | 'about'>>,
  { method, address, userAgent, at }: Begun,
  code: number,
  asked: Asked,
): AnsweredRequest => ({
  ...asked,
  method,
  username: request.principal?.username ?? request.caller ?? '',
  authenticated: Boolean(request.principal),
  address,
  userAgent,
  code,
  startedAt: at,
  milliseconds: Date.now() - at.getTime(),
  ids: idsOf(request.about ?? null),
})

/** The id that is answered, which is a new one after an add, before those that were asked about. */
const idsOf = (about: FastifyRequest['about']): readonly number[] =>
  !about ? [] : touchedIds({ id: idOf(about.data) }, about.input.params, about.input.body)

const idOf = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
