/** OTEL_EXPORTER_OTLP_ENDPOINT and the variables beside it. */
export interface TracingSettings {
  /** Where spans are posted to. */
  url: string
  /** They may be secret. */
  headers: Record<string, string>
  serviceName: string
  sampler: (typeof samplers)[number]
  /** The share of traces that the samplers by ratio keep, 0 to 1. */
  ratio: number
}

/** The values of OTEL_TRACES_SAMPLER that are of use here. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
