/** METRICS_HOST, METRICS_PORT and METRICS_TOKEN. */
export interface MetricsSettings {
  host: string
  /** 0 takes any free one. */
  port: number
  /** What a request has to send as a bearer token; null: nothing. */
  token: string | null
}
