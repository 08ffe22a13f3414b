import { Server } from 'node:net'
import { codeOf } from '../failures/caught-error.ts'
import { ConfigError } from '../failures/errors.ts'
import { takePort } from './take-port.ts'

export interface Listening {
  host: string
  port: number
  /** The settings of the two; `host` null: it is not configurable. */
  settings: { host: string | null; port: string }
}

interface Refusal {
  of: 'host' | 'port'
  text: string
}

const refusals: Readonly<Record<string, Refusal>> = {
  EADDRINUSE: { of: 'port', text: 'is in use by another process' },
  EACCES: { of: 'port', text: 'may not be used by this user' },
  EADDRNOTAVAIL: { of: 'host', text: 'is not an address of this machine' },
  ENOTFOUND: { of: 'host', text: 'is neither an address nor a known name' },
}

const calls: ReadonlySet<unknown> = new Set(['listen', 'bind', 'getaddrinfo'])

/** By what was refused, for codes that are in no list: those of name servers, and of kinds of addresses that the system lacks. */
const refusalOf = (error: unknown): Refusal | null => {
  const code = codeOf(error)
  if (code === undefined) return null
  const call: unknown = Reflect.get(error as Error, 'syscall')
  // A start reads files, too, which have codes of the same names.
  if (!calls.has(call)) return null
  if (Object.hasOwn(refusals, code)) return refusals[code] ?? null
  if (call === 'getaddrinfo') return { of: 'host', text: `cannot be looked up (${code})` }
  return { of: 'host', text: `cannot be listened on (${code})` }
}

/**
 * Turns the error of a server that cannot listen into a line that names its settings (ConfigError); returns any other
 * error unchanged.
 */
export const listenProblem = (error: unknown, { host, port, settings }: Listening): unknown => {
  const refusal = refusalOf(error)
  if (refusal === null) return error
  const setting = (refusal.of === 'host' && settings.host) || settings.port
  return new ConfigError([`${setting}: ${refusal.of === 'host' ? host : `port ${port} of ${host}`} ${refusal.text}`])
}

/**
 * What is wrong with places that a start is going to listen on, all of them at once. Each port is kept until all are tried,
 * so that two settings with one port are noticed.
 */
export const listenProblems = async (places: readonly Listening[]): Promise<string[]> => {
  const taken: Server[] = []
  const problems: string[] = []
  for (const place of places) {
    const got = await takePort(place.host, place.port)
    if (got instanceof Server) {
      taken.push(got)
      continue
    }
    const problem = listenProblem(got, place)
    if (problem instanceof ConfigError) problems.push(...problem.problems)
  }
  await Promise.all(taken.map((server) => new Promise((resolve) => server.close(resolve))))
  return problems
}
