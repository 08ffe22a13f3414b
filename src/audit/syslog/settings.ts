/** SYSLOG_URL and the settings beside it: where the operation log is streamed to. */
export interface SyslogSettings {
  host: string
  port: number
  /** null: plain TCP. */
  tls: {
    /** The authorities that are trusted, as PEM, as they are now; null: those of Node.js. */
    ca: (() => string) | null
    /** What this client shows now; null: nothing. */
    client: (() => { cert: string; key: string }) | null
  } | null
  appName: string
  /** By its number in RFC 5424, table 1. */
  facility: number
  /** The longest message, in bytes. */
  maxBytes: number
}

/** What the position of a receiver is stored under: another address has a position of its own. */
export const receiverOf = ({ host, port }: Pick<SyslogSettings, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** By their names; RFC 5424, table 1. */
export const facilities = {
  auth: 4,
  authpriv: 10,
  audit: 13,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
} as const
