import { ConfigError } from './errors.ts'

export interface Listening {
  host: string
  port: number
  /** The settings the two come from; `host` null: it is fixed. */
  settings: { host: string | null; port: string }
}

/**
 * The error of a server that cannot listen, as a line for whoever set its address (ConfigError); any other error as
 * it is.
 */
export const listenProblem = (error: unknown, { host, port, settings }: Listening): unknown => {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  const reason = typeof code === 'string' && Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (reason === undefined) return error
  const setting = (reason.of === 'host' && settings.host) || settings.port
  return new ConfigError([`${setting}: ${reason.of === 'host' ? host : `port ${port} of ${host}`} ${reason.text}`])
}

const reasons: Readonly<Record<string, { of: 'host' | 'port'; text: string }>> = {
  EADDRINUSE: { of: 'port', text: 'is in use by another process' },
  EACCES: { of: 'port', text: 'may not be used by this user' },
  EADDRNOTAVAIL: { of: 'host', text: 'is no address of this machine' },
  ENOTFOUND: { of: 'host', text: 'is no address and no known name' },
}
