import { isIP } from 'node:net'
import { trustedProxies } from '../contract/begun.ts'
import { hostForm, readable, toFlag, toHost, type Variables } from './variables.ts'

export interface HttpConfig {
  /** HOST, PORT; port 0 takes any free one. */
  host: string
  port: number
  /** DRAIN_PERIOD, milliseconds from the signal to stop until nothing more is accepted; 0: at once. */
  drainPeriod: number
  /** BASE_PATH: empty, or `/prefix` without a slash at its end. */
  basePath: string
  /** PUBLIC_URL: the address of the service in links that are mailed; null: as the request for the link wrote it. */
  publicUrl: string | null
  /** TRUST_PROXY: false, true, a hop count or addresses and networks, in Fastify's form. */
  trustProxy: boolean | number | string
  /** CORS_ORIGIN: the origins allowed; empty: CORS is off. */
  corsOrigins: string[]
  /** BODY_LIMIT, bytes. */
  bodyLimit: number
}

/** How the service is reached. */
export const readHttp = ({ parse, duration, integer }: Variables): HttpConfig => ({
  host: parse('HOST', '127.0.0.1', toHost, hostForm),
  port: integer('PORT', 8888, 0, 65_535),
  drainPeriod: duration('DRAIN_PERIOD', 0, 0),
  basePath: parse('BASE_PATH', '', toBasePath, 'a path such as /steward, without . and ..'),
  publicUrl: parse<string | null>(
    'PUBLIC_URL',
    null,
    toPublicUrl,
    'an http:// or https:// URL without user, query and fragment, such as https://console.example.com/steward',
  ),
  trustProxy: parse<HttpConfig['trustProxy']>(
    'TRUST_PROXY',
    false,
    toTrustProxy,
    'on, off, a hop count, or addresses and networks such as 10.0.0.0/8, separated by commas',
  ),
  corsOrigins: parse('CORS_ORIGIN', [], toOrigins, 'origins such as https://console.example.org, separated by commas'),
  bodyLimit: integer('BODY_LIMIT', 1_048_576, 1024, 268_435_456),
})

/** Clients and proxies take `.` and `..` out of a path before they send it: no request would arrive below such a prefix. */
const toBasePath = (value: string): string | undefined =>
  /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined

const toPublicUrl = (value: string): string | undefined => {
  if (!URL.canParse(value)) return undefined
  const { protocol, username, password, search, hash, href } = new URL(value)
  const isPlain = [username, password, search, hash].every((part) => part === '')
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? href.replace(/\/+$/, '') : undefined
}

const toTrustProxy = (value: string): boolean | number | string | undefined => {
  if (/^\d{1,3}$/.test(value)) return Number(value)
  return toFlag(value) ?? toProxies(value)
}

/** Addresses and networks that `trustedProxies` understands, each written out: it would take `1.5` for 1.0.0.5. */
const toProxies = readable((value: string): string | undefined => {
  trustedProxies(value)
  return value.split(',').every((part) => isIP(part.trim().replace(/\/.*/, '')) !== 0) ? value : undefined
})

const toOrigins = (value: string): string[] | undefined => {
  const origins = value.split(',').map((origin) => origin.trim())
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}
