import { samplers, type TracingSettings } from '../tracing/settings.ts'
import type { Variables } from './variables.ts'

/** `name=value,name=value`, percent-encoded as W3C Baggage: what the specification says of the variable. */
const toHeaders = (value: string): Record<string, string> | undefined => {
  try {
    const pairs = value.split(',').map((pair) => {
      const [, name, text] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
      return name === undefined || text === undefined ? null : ([name, decodeURIComponent(text)] as const)
    })
    return pairs.every((pair) => pair !== null) ? Object.fromEntries(pairs) : undefined
  } catch {
    return undefined
  }
}

const toEndpoint = (value: string): string | undefined => {
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  const isPlain = [url.username, url.password, url.search, url.hash].every((part) => part === '')
  return isPlain && /^https?:$/.test(url.protocol) ? value.replace(/\/+$/, '') : undefined
}

/** null: OTEL_EXPORTER_OTLP_ENDPOINT is not set, or OTEL_SDK_DISABLED. */
export const readTracing = ({ read, parse, oneOf, flag }: Variables): TracingSettings | null => {
  const endpoint = parse<string | null>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    toEndpoint,
    'a URL starting with http:// or https://, without user and query, such as http://127.0.0.1:4318',
  )
  const headers = parse('OTEL_EXPORTER_OTLP_HEADERS', {}, toHeaders, 'name=value, separated by commas')
  const serviceName = read('OTEL_SERVICE_NAME') ?? 'steward'
  const sampler = oneOf('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on')
  const ratio = parse(
    'OTEL_TRACES_SAMPLER_ARG',
    1,
    (value) => (/^(0|1|0?\.\d{1,15}|1\.0*|0\.\d{0,15})$/.test(value) ? Number(value) : undefined),
    'a number from 0 to 1',
  )
  const disabled = flag('OTEL_SDK_DISABLED', false)
  if (endpoint === null || disabled) return null
  return { url: `${endpoint}/v1/traces`, headers, serviceName, sampler, ratio }
}
