import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** What is known of a request from its first moment on, whatever becomes of its connection. */
export interface Begun {
  method: string
  /** As it was asked for, without its query. */
  path: string
  /** The client's address, honouring TRUST_PROXY; empty where the connection was gone before it could be asked. */
  address: string
  userAgent: string
  /** Its client had reset the connection by then. */
  gone: boolean
  at: Date
  /**
   * How far the journal is with it: `admitted` and `handled` (its handler has been called) will be noted, `noted` has
   * been, or is counted as refused.
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

/** TRUST_PROXY as Fastify takes it: nobody, everybody, a number of proxies, or their addresses. */
export type TrustProxy = boolean | number | string

/** Reads what later may be gone: a client that resets its connection takes its address along. */
export const beginning = (trustProxy: TrustProxy): Begin => {
  const addressOf = clientAddress(trustProxy)
  return (raw) => ({
    method: raw.method ?? '',
    path: (raw.url ?? '').split('?', 1)[0] ?? '',
    address: addressOf(raw),
    userAgent: raw.headers['user-agent'] ?? '',
    gone: raw.socket.remoteAddress === undefined,
    at: new Date(),
    stage: 'begun',
  })
}

type Trusts = (address: string, hop: number) => boolean

/** What a TRUST_PROXY means. Fastify reads a hop count as "trust no proxy"; 2 means the two proxies nearest to us. */
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
    // Here, before anybody reads it: Fastify takes `request.ip` from it, which limits count by.
    if (typeof forwarded === 'string') raw.headers[forwardedFor] = forwarded.split(',').map(withoutPort).join(', ')
    // Its type promises a text; without a connection there is none.
    return (proxyAddr(raw, trusts) as string | undefined) ?? ''
  }
}

const forwardedFor = 'x-forwarded-for'

/** Some proxies (Azure Application Gateway) write the port too: with it, every connection would be another address. */
const withoutPort = (written: string): string => {
  const address = written.trim()
  return /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address
}
