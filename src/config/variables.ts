import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, isAbsolute, resolve } from 'node:path'
import { codeOf, messageOf } from '../failures/caught-error.ts'
import { readTextFile } from '../files/text-file.ts'
import { formatDn, parseDn } from '../ldap/dn.ts'
import type { Environment } from './environment.ts'
import { findMisspelled, type Misspelled } from './misspelled.ts'

/** Reads variables one by one and collects the problems, so that all can be reported at once. */
export interface Variables {
  /** The variables that are set, match, and were not asked for, neither themselves nor as `NAME_FILE`. */
  unread: (pattern: RegExp) => string[]
  /** Those that are set, were not asked for until now, and have almost the name of one that was. */
  misspelled: () => Misspelled[]
  /** A line per problem, beginning with the variable's name. It never contains the value. */
  problems: string[]
  /**
   * The text, or the content of the file that `NAME_FILE` names, which is how secrets are mounted; null where both
   * variables are unset or empty, because a shell or a compose file clears a variable by an empty text.
   */
  read: (name: string) => string | null
  /** @param convert undefined: not a value of this kind, so `expected` is reported and the fallback is returned */
  parse: <T>(name: string, fallback: T, convert: (value: string) => T | undefined, expected: string) => T
  oneOf: <const T extends string>(name: string, values: readonly T[], fallback: T) => T
  flag: (name: string, fallback: boolean) => boolean
  /** Milliseconds, up to what a timer can wait unless `maximum` says otherwise. */
  duration: (name: string, fallback: number, minimum: number, maximum?: number) => number
  integer: (name: string, fallback: number, minimum: number, maximum: number) => number
  /** A number of bytes; a unit is in steps of 1024. */
  bytes: (name: string, fallback: number, minimum: number) => number
  /** @param protocols with the colon: `ldaps:` */
  url: (name: string, protocols: readonly string[]) => string | null
  /** Several, separated by spaces; empty where the variable is unset. */
  urls: (name: string, protocols: readonly string[]) => string[]
  /** @param why completes "required …" */
  required: (name: string, why: string) => string
  /** A DN in our own spelling. */
  dn: (name: string) => string
  /** Secrets of at least 32 characters, the current one first; empty where the variable is unset. */
  secrets: (name: string) => string[]
  /** The file the variable names, with its content; null: not set. Content null: it cannot be read. */
  path: (name: string) => { file: string; content: string | null } | null
}

const byteUnits: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }

/** Milliseconds. */
export const day = 86_400_000

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: day }

/** Milliseconds. A timer of Node.js that is given more than 2^31 of them, which are almost 25 days, ends at once. */
const longestTimer = 24 * day

/** Milliseconds: the most for what is compared with stored times, so that no timer waits for it. */
export const longestDuration = 3650 * day

/** Whether it is a URL of one of the protocols, which are given with the colon. It may have no host. */
export const isUrl = (value: string, protocols: readonly string[]): boolean =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol)

/** As `isUrl`, with a host that can be one: of `ldap://one, ldap://two` the first host would be `one,`. */
const isServerUrl = (value: string, protocols: readonly string[]): boolean =>
  isUrl(value, protocols) && /^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(new URL(value).hostname)

export const hostForm = 'an address such as 127.0.0.1, 0.0.0.0 or ::, or a name of this machine'

/** An address or a name, not `[::1]`, `host:port` or a URL: nothing could be listened on there. */
export const toHost = (value: string): string | undefined =>
  isIP(value) !== 0 || /^(?![\d.]+$)[a-z\d_]([\w.-]*[a-z\d_.])?$/i.test(value) ? value : undefined

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/i.test(host)

/** The `hostname` of a URL without the brackets of an IPv6 address. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

const startsOf = (protocols: readonly string[]): string => protocols.map((protocol) => `${protocol}//`).join(' or ')

/**
 * A value whose folder does not exist may be a secret that was given instead of its file, and is not repeated. A secret in Base64
 * may begin with a slash.
 */
const readingProblem = (error: unknown, path: string): string => {
  const folder = dirname(path)
  const isPlace = isAbsolute(path) && folder !== dirname(folder) && existsSync(folder)
  return isPlace ? messageOf(error) : (codeOf(error) ?? 'too long, or a pipe without an end')
}

export const openVariables = (environment: Environment): Variables => {
  const problems: string[] = []
  const asked = new Set<string>()
  const ownText = (name: string): string | null => {
    asked.add(name)
    return environment[name]?.trim() || null
  }
  const content = (name: string): string | null => {
    const path = ownText(name)
    if (path === null) return null
    try {
      const text = readTextFile(path)
      if (text.trim() !== '') return text
      // Unlike a variable, a file is not emptied to clear it: a mount has failed, or a script that fills it.
      problems.push(`${name}: ${path} is empty`)
      return null
    } catch (error) {
      problems.push(`${name}: cannot be read (${readingProblem(error, path)})`)
      return null
    }
  }
  const texts = new Map<string, string | null>()
  const read: Variables['read'] = (name) => {
    const known = texts.get(name)
    if (known !== undefined) return known
    const own = ownText(name)
    if (own !== null && ownText(`${name}_FILE`) !== null) problems.push(`${name}_FILE: is not allowed with ${name}`)
    const text = own ?? (content(`${name}_FILE`)?.trim() || null)
    texts.set(name, text)
    return text
  }
  const parse: Variables['parse'] = (name, fallback, convert, expected) => {
    const value = read(name)
    if (value === null) return fallback
    const converted = convert(value)
    if (converted !== undefined) return converted
    problems.push(`${name}: expected ${expected}`)
    return fallback
  }
  const unread: Variables['unread'] = (pattern) =>
    Object.keys(environment).filter((name) => pattern.test(name) && !asked.has(name) && environment[name]?.trim())
  return {
    problems,
    unread,
    misspelled: () => findMisspelled(unread(/^/), [...asked]),
    read,
    parse,
    oneOf: (name, values, fallback) =>
      parse(
        name,
        fallback,
        (value) => values.find((known) => known.toLowerCase() === value.toLowerCase()),
        values.join(', '),
      ),
    flag: (name, fallback) => parse(name, fallback, toFlag, 'on or off (also true/false, yes/no, 1/0)'),
    duration: (name, fallback, minimum, maximum = longestTimer) =>
      parse(
        name,
        fallback,
        (value) => toDuration(value, minimum, maximum),
        `a duration such as 90s, 30m, 2h or 7d, from ${minimum / 1000} s to ${maximum / day} days`,
      ),
    integer: (name, fallback, minimum, maximum) =>
      parse(
        name,
        fallback,
        (value) => toInteger(value, minimum, maximum),
        `a whole number from ${minimum} to ${maximum}`,
      ),
    bytes: (name, fallback, minimum) =>
      parse(
        name,
        fallback,
        (value) => toBytes(value, minimum),
        `a number of bytes such as 500M or 64G, at least ${minimum}`,
      ),
    url: (name, protocols) =>
      parse<string | null>(
        name,
        null,
        (value) => (isServerUrl(value, protocols) ? value : undefined),
        `a URL starting with ${startsOf(protocols)}, with a host`,
      ),
    urls: (name, protocols) =>
      parse<string[]>(
        name,
        [],
        (value) => {
          const urls = value.split(/\s+/)
          return urls.every((url) => isServerUrl(url, protocols)) && new Set(urls).size === urls.length
            ? urls
            : undefined
        },
        `different URLs, separated by spaces, each starting with ${startsOf(protocols)} and with a host`,
      ),
    required(name, why) {
      const value = read(name)
      if (value === null) problems.push(`${name}: required ${why}`)
      return value ?? ''
    },
    dn: (name) =>
      parse(
        name,
        '',
        readable((text) => formatDn(parseDn(text))),
        'a DN such as dc=example,dc=org',
      ),
    secrets: (name) => parse(name, [], toSecrets, 'secrets of at least 32 characters each, separated by spaces'),
    path(name) {
      const file = ownText(name)
      return file === null ? null : { file: resolve(file), content: content(name) }
    },
  }
}

export const toFlag = (value: string): boolean | undefined => {
  if (/^(on|true|yes|1)$/i.test(value)) return true
  return /^(off|false|no|0)$/i.test(value) ? false : undefined
}

export const toInteger = (value: string, minimum: number, maximum: number): number | undefined =>
  /^\d{1,15}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum ? Number(value) : undefined

export const toPort = (value: string): number | 'off' | undefined =>
  value === 'off' ? 'off' : toInteger(value, 0, 65_535)

/** The result of `parse` for a text, or undefined if it throws. */
export const readable =
  <T>(parse: (text: string) => T) =>
  (text: string): T | undefined => {
    try {
      return parse(text)
    } catch {
      return undefined
    }
  }

const toSecrets = (value: string): string[] | undefined => {
  const secrets = value.split(/\s+/)
  return secrets.every((secret) => secret.length >= 32) ? secrets : undefined
}

const toBytes = (value: string, minimum: number): number | undefined => {
  const match = /^(\d{1,12})([KMGT])?B?$/i.exec(value)
  const bytes = match ? Number(match[1]) * (byteUnits[match[2]?.toUpperCase() ?? ''] ?? 1) : Number.NaN
  return bytes >= minimum && bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined
}

/** Milliseconds, from `minimum` to `maximum`. */
export const toDuration = (value: string, minimum: number, maximum: number): number | undefined => {
  const match = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(value)
  const milliseconds = match ? Number(match[1]) * (units[match[2] ?? 's'] ?? Number.NaN) : Number.NaN
  return milliseconds >= minimum && milliseconds <= maximum ? milliseconds : undefined
}
