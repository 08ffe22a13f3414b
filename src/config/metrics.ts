import type { MetricsSettings } from '../metrics/settings.ts'
import { hostForm, toHost, toPort, type Variables } from './variables.ts'

/** null: METRICS_PORT=off. */
export const readMetrics = ({ parse }: Variables): MetricsSettings | null => {
  const port = parse<number | 'off'>('METRICS_PORT', 'off', toPort, 'a port from 0 to 65535, or off')
  const host = parse('METRICS_HOST', '127.0.0.1', toHost, hostForm)
  const token = parse<string | null>('METRICS_TOKEN', null, toToken, 'at least 16 characters, without spaces')
  return port === 'off' ? null : { host, port, token }
}

const toToken = (value: string): string | undefined => (/^[\x21-\x7e]{16,}$/.test(value) ? value : undefined)
