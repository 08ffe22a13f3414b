import { codeOf } from './caught-error.ts'
import { ConfigError } from './errors.ts'

export interface Listening {
  host: string
  port: number
  /** The settings of the two; `host` null: it is not configurable. */
  settings: { host: string | null; port: string }
}

/**
 * Turns the error of a server that cannot listen into a line that names its settings (ConfigError); returns any other
 * error unchanged.
 */
export const listenProblem = (error: unknown, { host, port, settings }: Listening): unknown => {
  const code = codeOf(error)
  const reason = code !== undefined && Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (reason === undefined) return error
  const setting = (reason.of === 'host' && settings.host) || settings.port
  return new ConfigError([`${setting}: ${reason.of === 'host' ? host : `port ${port} of ${host}`} ${reason.text}`])
}

const reasons: Readonly<Record<string, { of: 'host' | 'port'; text: string }>> = {
  EADDRINUSE: { of: 'port', text: 'is in use by another process' },
  EACCES: { of: 'port', text: 'may not be used by this user' },
  EADDRNOTAVAIL: { of: 'host', text: 'is not an address of this machine' },
  ENOTFOUND: { of: 'host', text: 'is neither an address nor a known name' },
}
