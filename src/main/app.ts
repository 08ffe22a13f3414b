import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Authenticate } from '../contract/authenticate.ts'
import { type Begun, beginning, trustedProxies } from '../contract/begun.ts'
import { localDays } from '../contract/cache/local-day.ts'
import { type CacheStore, memoryStore } from '../contract/cache/store.ts'
import type { ContractDocument } from '../contract/document.ts'
import { respondErrors, respondNotFound } from '../contract/error-responses.ts'
import type { TranslateError } from '../contract/failures.ts'
import type { Journal } from '../contract/journal.ts'
import { lazyRequestLog } from '../contract/lazy-request-log.ts'
import { slidingStore } from '../contract/limits/store.ts'
import { memoryWindows } from '../contract/limits/window.ts'
import { type Mounted, mount } from '../contract/mount.ts'
import { reasons as contractReasons } from '../contract/reasons.ts'
import { type Answering, RequestLog } from '../contract/request-log.ts'
import { setHeaders } from '../contract/security-headers.ts'
import { serializersOnDemand } from '../contract/serializers.ts'
import { type Unanswered, unansweredRequests } from '../contract/unanswered.ts'
import { answerUnparsable, answerUnroutable } from '../contract/wire-errors.ts'
import type { AppError } from '../failures/errors.ts'
import { reasons } from '../failures/reasons.ts'
import type { Redis } from '../redis/connection.ts'
import { sharedWindows } from '../redis/shared-windows.ts'
import { currentTime } from '../runtime/clock.ts'
import { boundClients } from './bounded-clients.ts'
import { webConsole } from './console.ts'
import { docs, type PublishedContract, shippedContract } from './docs.ts'
import { stopGracefully } from './graceful-stop.ts'
import { traceRequests } from './traced-requests.ts'
import { closeUnread } from './unread-responses.ts'

export interface AppOptions {
  config: Pick<Config, 'basePath' | 'bodyLimit' | 'corsOrigins' | 'timeZone' | 'trustProxy'>
  log: FastifyBaseLogger
  /** The documents to serve, each made with `mounted(document, handlers)`. */
  documents: readonly Mounted[]
  /** The folder of their text, for readers; default: what this package ships. */
  contract?: PublishedContract
  authenticate: Authenticate
  /** What the application adds to itself before anything else: the signing of tokens. */
  tokens?: { register(app: FastifyInstance): Promise<void> }
  translateError?: TranslateError
  /** Records the result of every request under a document, and of bytes that were not a request. */
  journal?: Journal
  /** Told of every request when it is answered; null: requests are not counted. */
  answered?: Answering | null
  /** Counts requests for all instances together; null: each instance counts by itself, in memory. */
  redis?: Redis | null
  /** The cache of responses; default: in memory. */
  kept?: CacheStore
  /** Whether the instance is about to stop: connections are given up one by one, each with a response. */
  draining?: () => boolean
  /** Milliseconds since 1970, for rate limits in memory and for the cache. */
  now?: () => number
}

/** The caller's `x-request-id` where it is harmless in a log and a header, else a new one. */
const requestId = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}

/** The HTTP service, not yet listening: plugins first, then one mount per document. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const {
    config,
    documents,
    contract = shippedContract,
    authenticate,
    tokens,
    translateError,
    journal,
    answered = null,
    redis = null,
    kept = memoryStore(),
    draining = () => false,
    now = currentTime,
  } = options
  const documentOf = (url: string): ContractDocument | undefined =>
    documents
      .map(({ document }) => document)
      .filter(({ prefix }) => `${url}/`.startsWith(`${config.basePath}${prefix}/`))
      .sort((a, b) => b.prefix.length - a.prefix.length)[0]

  const begin = beginning(config.trustProxy)
  /** The newest request of each connection, for bytes that its client sends after it. */
  const newest = new WeakMap<Socket, Begun>()
  const underWay = (socket: Socket): boolean => ['admitted', 'handled'].includes(newest.get(socket)?.stage ?? '')

  const unanswered = unansweredRequests()
  const app = Fastify({
    loggerInstance: options.log,
    logController: new RequestLog(answered),
    childLoggerFactory: lazyRequestLog,
    genReqId: requestId,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: config.bodyLimit,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    schemaController: { compilersFactory: { buildSerializer: serializersOnDemand } },
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // Node's own responses to a request without a host, and to one with an expectation, are empty: ours give the
    // reason.
    http: { headersTimeout: 20_000, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerUnroutable({ documentOf, basePath: config.basePath, begin, journal }),
    clientErrorHandler: answerUnparsable({ journal, underWay, whole: unanswered.whole }),
  })
  app.decorateRequest('begun', null)
  app.decorateRequest('principal', null)
  app.decorateRequest('admitted', null)
  app.decorateRequest('caller', '')
  app.decorateRequest('about', null)
  app.decorateReply('envelopeCode', null)
  app.decorateReply('failureReason', null)

  const isStopping = lookAfterConnections(app, unanswered, options.log)
  // Otherwise a client has files and connections of the database opened for answers that wait behind one it does not read.
  app.addHook('onRequest', (request, reply, done) => unanswered.inTurn(request.raw, reply.raw, done))
  traceRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.begun = begin(request.raw)
    newest.set(request.raw.socket, request.begun)
    setHeaders(request, reply)
    if (draining()) reply.header('connection', 'close')
    // A request whose client address is unknown is not handled, because the log could not record it.
    if (request.begun.gone) return done(reasons.client_gone())
    const refusal = refusalOf(request.raw)
    done(refusal === undefined && isStopping() ? reasons.stopping({ retryAfter: 5 }) : refusal)
  })
  app.setErrorHandler(respondErrors({ style: 'msg' }))
  app.setNotFoundHandler(respondNotFound('msg'))

  await tokens?.register(app)
  if (config.corsOrigins.length > 0) await app.register(cors, corsOptions(config.corsOrigins))
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    store: slidingStore(() => (redis === null ? memoryWindows(now) : sharedWindows(redis, memoryWindows(now)))),
    errorResponseBuilder: (_request, { ttl }) => reasons.limited({ retryAfter: ttl / 1000 }),
  })

  const caching = { store: kept, dayOf: localDays(config.timeZone), now }
  await app.register(
    async (base) => {
      base.register(docs, {
        documents: documents.map(({ document }) => document),
        contract,
        basePath: config.basePath,
      })
      base.register(webConsole, { basePath: config.basePath })
      for (const each of documents) mount(base, each, { authenticate, translateError, journal, caching })
    },
    { prefix: config.basePath },
  )
  return app
}

/** @returns whether the app stops */
const lookAfterConnections = (
  app: FastifyInstance,
  unanswered: Unanswered,
  log: FastifyBaseLogger,
): (() => boolean) => {
  const { server } = app
  unanswered.watch(server, boundClients(server, unanswered, log))
  closeUnread(server, unanswered)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Read while the connection exists: its address stays known after a reset.
  server.on('connection', (socket) => void socket.remoteAddress)
  return stopGracefully(app, unanswered)
}

/** What HTTP itself forbids (RFC 9112 sections 3.2 and 6.1) or leaves to us (RFC 9110 section 10.1.1). */
const refusalOf = ({ httpVersion, headers, rawHeaders }: IncomingMessage): AppError | undefined => {
  const { host, expect, 'transfer-encoding': framing = 'chunked' } = headers
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  // Node.js keeps the first host, and undoes the chunks only: a proxy may have understood something else.
  if (hosts > 1 || framing.toLowerCase() !== 'chunked') {
    return contractReasons.unreadable()
  }
  if (httpVersion !== '1.1') return undefined
  if (host === undefined) return contractReasons.host_missing()
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return contractReasons.expectation()
  }
  return undefined
}

const corsOptions = (origin: string[]) => ({
  origin,
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['authorization', 'content-type', 'x-request-id'],
  exposedHeaders: [
    'x-request-id',
    'retry-after',
    'www-authenticate',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'age',
    'allow',
    'content-disposition',
    'vary',
  ],
  maxAge: 600,
})
