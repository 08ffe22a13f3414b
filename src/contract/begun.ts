import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { currentTime } from '../runtime/clock.ts'

/** The facts of a request from its start, available even after its connection is lost. */
export interface Begun {
  method: string
  /** The requested path, without its query. */
  path: string
  /** The client's address, honouring TRUST_PROXY; empty where the connection was lost before it could be read. */
  address: string
  userAgent: string
  /** The client had reset the connection already. */
  gone: boolean
  at: Date
  /**
   * The state of its journal entry. `admitted` and `handled` (its handler has been called): the entry will be written.
   * `noted`: it has been written, or the request is counted as refused.
   */
  stage: 'begun' | 'admitted' | 'handled' | 'noted'
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null only for a request whose URL the router cannot read. */
    begun: Begun | null
  }
}

export type Begin = (raw: IncomingMessage) => Begun

/** TRUST_PROXY in Fastify's form: no proxy, all proxies, a number of proxies, or their addresses. */
export type TrustProxy = boolean | number | string

/** Reads what may be lost later: after a reset the client's address is no longer available. */
export const beginning = (trustProxy: TrustProxy): Begin => {
  const addressOf = clientAddress(trustProxy)
  return (raw) => ({
    method: raw.method ?? '',
    path: withoutQuery(raw.url ?? ''),
    address: addressOf(raw),
    userAgent: raw.headers['user-agent'] ?? '',
    gone: raw.socket.remoteAddress === undefined,
    at: new Date(currentTime()),
    stage: 'begun',
  })
}

const withoutQuery = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

type Trusts = (address: string, hop: number) => boolean

/** The meaning of TRUST_PROXY. Fastify reads a hop count as "trust no proxy"; 2 means the two proxies nearest to us. */
export const trustedProxies = (setting: TrustProxy): Trusts | false => {
  if (setting === false) return false
  if (setting === true) return () => true
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  return proxyAddr.compile(setting.split(',').map((part) => part.trim()))
}

const clientAddress = (setting: TrustProxy): ((raw: IncomingMessage) => string) => {
  const trusts = trustedProxies(setting)
  if (trusts === false) return ({ socket }) => socket.remoteAddress ?? ''
  return (raw) => {
    const { [forwardedFor]: forwarded } = raw.headers
    // Before the first use: Fastify reads `request.ip` from it, and rate limits count by that.
    if (typeof forwarded === 'string' && forwarded.includes(':')) {
      raw.headers[forwardedFor] = forwarded.split(',').map(withoutPort).join(', ')
    }
    // Its type says text; without a connection it is undefined.
    return (proxyAddr(raw, trusts) as string | undefined) ?? ''
  }
}

const forwardedFor = 'x-forwarded-for'

/** Some proxies (Azure Application Gateway) write the port too: each connection would then be a different address. */
const withoutPort = (written: string): string => {
  const address = written.trim()
  return /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address
}
