import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginSpan, isTracing, type Span } from '../tracing/span.ts'

/**
 * A span for each request, by the id of its operation and the pattern of its route: never by the address itself, whose
 * path and query may name people. Adds nothing where tracing is off.
 */
export const traceRequests = (app: FastifyInstance): void => {
  if (!isTracing()) return
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { config, url } = request.routeOptions
    const { traceparent } = request.headers
    const span = beginSpan(config?.operation?.id ?? request.method, {
      kind: 'server',
      attributes: { 'http.request.method': request.method, ...(url === undefined ? {} : { 'http.route': url }) },
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    })
    if (span === null) return done()
    spans.set(request, span)
    span.within(done)
  })
  // The body is read in another context than that of the hooks before it.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.within(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const code = reply.envelopeCode ?? reply.statusCode
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': reply.statusCode, 'steward.code': code })
    span?.end({ failed: code >= 500 || code < 0 })
    done()
  })
}
