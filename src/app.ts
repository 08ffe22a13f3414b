import caching from '@fastify/caching'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Authenticate } from './contract/authenticate.ts'
import { type EnvelopeStyle, sendFailure } from './contract/envelope.ts'
import { errorRecord, type TranslateError, toAppError } from './contract/failures.ts'
import { type Mounted, mount } from './contract/mount.ts'
import { requestId } from './contract/request-id.ts'
import { RequestLog } from './contract/request-log.ts'
import { answerUnparsable, answerUnroutable } from './contract/wire-errors.ts'
import { serveDocs } from './docs.ts'
import { AppError } from './errors.ts'

export interface AppOptions {
  config: Pick<Config, 'basePath' | 'bodyLimit' | 'corsOrigins' | 'trustProxy'>
  log: FastifyBaseLogger
  /** The documents to serve, each made with `mounted(document, handlers)`. */
  documents: readonly Mounted[]
  authenticate: Authenticate
  translateError?: TranslateError
}

/** The HTTP service, not yet listening: plugins first, then one mount per document. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { config, documents, authenticate, translateError } = options
  const styleOf = (url: string): EnvelopeStyle =>
    documents
      .map(({ document }) => document)
      .filter(({ prefix }) => `${url}/`.startsWith(`${config.basePath}${prefix}/`))
      .sort((a, b) => b.prefix.length - a.prefix.length)[0]?.envelope ?? 'msg'

  const app = Fastify({
    loggerInstance: options.log,
    logController: new RequestLog(),
    genReqId: requestId,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: config.bodyLimit,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 20_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerUnroutable(styleOf),
    clientErrorHandler: answerUnparsable,
  })
  app.decorateRequest('principal', null)
  app.decorateReply('envelopeCode', null)

  const isStopping = stopGracefully(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (isStopping()) throw new AppError('unavailable', 'the service is stopping', { retryAfter: 5 })
  })
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error, request.id, translateError)
    if (known.code >= 500) request.log.error({ error: errorRecord(error) }, known.message)
    return sendFailure(reply, 'msg', known, known.code)
  })
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, 'msg', new AppError('not_found', 'there is nothing here'), 404),
  )

  await app.register(helmet, { contentSecurityPolicy: { directives: contentSecurityPolicy } })
  if (config.corsOrigins.length > 0) await app.register(cors, corsOptions(config.corsOrigins))
  await app.register(caching, { privacy: 'no-store' })
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('limited', 'too many requests', { retryAfter: ttl / 1000 }),
  })

  await app.register(
    async (base) => {
      serveDocs(base, { documents: documents.map(({ document }) => document), basePath: config.basePath })
      for (const each of documents) {
        mount(base, each, { authenticate, ...(translateError && { translateError }) })
      }
    },
    { prefix: config.basePath },
  )
  return app
}

/**
 * While the app closes, requests under way finish. Node closes the connections that are idle at that moment; those that
 * become idle later would be kept open for another request until their timeout.
 */
const stopGracefully = (app: FastifyInstance): (() => boolean) => {
  let sweep: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
  return () => sweep !== undefined
}

/** Fastify reads a hop count as "trust nobody"; TRUST_PROXY=2 means the two proxies nearest to us. */
const trustedProxies = (setting: Config['trustProxy']) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

/** Nothing but our own files, so that the documentation page works and nothing else does. */
const contentSecurityPolicy = {
  'default-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'frame-ancestors': ["'none'"],
  // The service may be reached over plain HTTP in a closed network.
  'upgrade-insecure-requests': null,
}

const corsOptions = (origin: string[]) => ({
  origin,
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['authorization', 'content-type', 'x-request-id'],
  exposedHeaders: ['x-request-id', 'retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  maxAge: 600,
})
