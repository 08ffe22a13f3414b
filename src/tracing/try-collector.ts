import { boundedAgent } from './bounded-agent.ts'
import type { TracingSettings } from './settings.ts'

const defaultTimeout = 5000

/**
 * Sends the collector an empty list of spans, by the same code as spans are sent.
 * @param timeout milliseconds until it has answered
 * @throws Error that says why the collector does not take it, without the headers
 */
export const tryCollector = async ({ url, headers }: TracingSettings, timeout = defaultTimeout): Promise<void> => {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const exporter = new OTLPTraceExporter({
    ...{ url, headers, timeoutMillis: timeout },
    httpAgentOptions: (protocol) => boundedAgent(protocol, timeout),
  })
  const until = performance.now() + timeout
  /** The connection ends with the time, which the exporter takes for the collector's doing. */
  const late = (): Error | null =>
    performance.now() >= until ? new Error(`it timed out after ${timeout / 1000} s`) : null
  try {
    await new Promise<void>((resolve, reject) => {
      exporter.export([], ({ code, error }) =>
        code === 0 ? resolve() : reject(late() ?? error ?? new Error('it refuses them')),
      )
    })
  } finally {
    await exporter.shutdown()
  }
}
