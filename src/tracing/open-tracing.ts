// The room tracing.
// Spans of what the service does, for an OpenTelemetry collector.
// It never carries a name, an address of a person, a DN, a token or a text of an error.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { inTime } from '../concurrency/in-time.ts'
import type { Lifetime } from '../runtime/lifetime.ts'
import type { Logger } from '../runtime/log.ts'
import { stewardVersion } from '../runtime/version.ts'
import { boundedAgent } from './bounded-agent.ts'
import type { TracingSettings } from './settings.ts'
import { type BeginSpan, traceWith } from './span.ts'

export interface TracingOptions extends Pick<Lifetime, 'atEnd'> {
  /** null: off. */
  settings: TracingSettings | null
  log: Logger
}

/** Milliseconds that the collector has for a batch, and that a stop waits for it. */
const timeout = { export: 2000, stop: 1000 }
/** Spans that wait for the collector; further ones are dropped. */
const maxWaiting = 2048

/** Switches tracing on, where it is set. The packages are loaded only then. */
export const openTracing = async ({ settings, log, atEnd }: TracingOptions): Promise<void> => {
  if (settings === null) return
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const { url, headers, serviceName, sampler, ratio } = settings
  const named = resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': stewardVersion })
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.detectResources({ detectors: [resources.envDetector] }))
      .merge(named),
    sampler: samplerOf(sdk, sampler, ratio),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: telling(
          new OTLPTraceExporter({
            ...{ url, headers, timeoutMillis: timeout.export },
            httpAgentOptions: (protocol) => boundedAgent(protocol, timeout.export),
          }),
          log,
        ),
        maxQueueSize: maxWaiting,
        scheduledDelayMillis: 1000,
        exportTimeoutMillis: timeout.export,
      }),
    ],
  })
  const tracer = provider.getTracer('steward', stewardVersion)
  const current = new AsyncLocalStorage<Context>()

  const parentOf = (traceparent: string | undefined): Context => {
    const remote = traceparent === undefined ? null : remoteOf(traceparent)
    if (remote !== null) return api.trace.setSpanContext(api.ROOT_CONTEXT, { ...remote, isRemote: true })
    return current.getStore() ?? api.ROOT_CONTEXT
  }

  const begin: BeginSpan = (name, { attributes, kind, traceparent }) => {
    const parent = parentOf(traceparent)
    const spanKind = kind === 'server' ? api.SpanKind.SERVER : kind === 'client' ? api.SpanKind.CLIENT : undefined
    const span = tracer.startSpan(
      name,
      { ...(attributes && { attributes }), ...(spanKind !== undefined && { kind: spanKind }) },
      parent,
    )
    const context = api.trace.setSpan(parent, span)
    return {
      set: (more) => void span.setAttributes(more),
      within: (work) => current.run(context, work),
      end(outcome) {
        // The text of an error may hold anything; its code is an attribute where there is one.
        if (outcome?.failed) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
      },
    }
  }
  traceWith(begin)
  atEnd(async () => {
    traceWith(null)
    await inTime(
      timeout.stop,
      provider.shutdown().catch(() => {}),
      () => {},
    )
  })
}

/** Says once that the collector does not take spans, and once that it does again. */
const telling = (exporter: SpanExporter, log: Logger): SpanExporter => {
  let isAway = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isAway) log.warn('the OpenTelemetry collector does not take spans: they are dropped')
        if (!failed && isAway) log.info('the OpenTelemetry collector takes spans again')
        isAway = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header, version 00 and what later versions begin with. */
const remoteOf = (traceparent: string): { traceId: string; spanId: string; traceFlags: number } | null => {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

type Sdk = typeof import('@opentelemetry/sdk-trace')

const samplerOf = (sdk: Sdk, name: TracingSettings['sampler'], ratio: number) => {
  const root = name.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio)
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}
