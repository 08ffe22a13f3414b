import { type LogEntry, sealMethod, sealPaths } from '../entry.ts'
import type { SyslogSettings } from './settings.ts'

/** An entry of the chain, as it is stored. */
export interface ChainedEntry extends LogEntry {
  seq: number
  hash: string
}

export interface MessageOptions extends Pick<SyslogSettings, 'appName' | 'facility' | 'maxBytes'> {
  /** Of this machine. */
  host: string
}

const severities = { critical: 2, error: 3, warning: 4, notice: 5, informational: 6 } as const

/** What the log reports about itself, where that is more than a fact to keep. */
const sealSeverities: Readonly<Record<string, keyof typeof severities>> = {
  [sealPaths.doubt]: 'critical',
  [sealPaths.lost]: 'critical',
  [sealPaths.unstorable]: 'error',
  [sealPaths.refused]: 'error',
  [sealPaths.delete]: 'warning',
  [sealPaths.clean]: 'warning',
}

const severityOf = ({ method, path, status }: LogEntry): number => {
  if (method === sealMethod) return severities[sealSeverities[path] ?? 'notice']
  if (status >= 500 || status < 0) return severities.error
  if (status >= 400) return severities.warning
  return method === 'GET' ? severities.informational : severities.notice
}

/** A field of the header: PRINTUSASCII, or the nil value. */
const header = (text: string, length: number): string => text.replace(/[^\x21-\x7e]/g, '_').slice(0, length) || '-'

/** The value of a parameter of structured data; ours are hashes and numbers, and a row may hold anything. */
const param = (value: string | number): string => `"${header(String(value), 255).replace(/["\\\]]/g, '_')}"`

/** RFC 5424: a text in UTF-8 begins with it. */
const byteOrderMark = '\u{feff}'

/** Characters that JSON leaves as they are, and that a terminal or a receiver takes for an end of line or a command. */
const leftByJson = /[\u{7f}-\u{9f}\u{2028}\u{2029}\u{feff}]/gu

const json = (value: unknown): string =>
  JSON.stringify(value).replace(
    leftByJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const contentOf = (entry: LogEntry) => ({
  username: entry.username,
  ip: entry.ip,
  method: entry.method,
  path: entry.path,
  remark: entry.remark,
  status: entry.status,
  startTime: instant(entry.startTime),
  timeCost: entry.timeCost,
  userAgent: entry.userAgent,
  target: entry.target,
  times: entry.times,
  preview: entry.preview,
})

/** A row that was tampered with may say `infinity`. */
const instant = (time: Date): string | null => (Number.isNaN(time.getTime()) ? null : time.toISOString())

/** The contents of an entry, each with less of it; the last one is short whatever the row holds. */
function* shorter(entry: LogEntry): Generator<ReturnType<typeof contentOf>> {
  const content = contentOf(entry)
  const target = Array.isArray(entry.target) ? entry.target : []
  for (let kept = target.length >> 1; kept > 0; kept >>= 1) yield { ...content, target: target.slice(0, kept) }
  const bare = { ...content, target: [] }
  yield bare
  for (const length of [1000, 255, 40]) {
    const cut = (text: string): string => [...text].slice(0, length).join('')
    const [username, ip, method, path] = [entry.username, entry.ip, entry.method, entry.path].map(cut) as [
      string,
      string,
      string,
      string,
    ]
    yield { ...bare, username, ip, method, path, remark: cut(entry.remark), userAgent: cut(entry.userAgent) }
  }
}

/**
 * An entry as a message of RFC 5424. Its text is a JSON object with all that the hash is made of, so that a holder
 * of the key can check the chain from the messages alone.
 * @param previous the hash of the entry before it; null: that entry is not stored any more
 */
export const messageOf = (entry: ChainedEntry, previous: string | null, options: MessageOptions): string => {
  const { host, appName, facility, maxBytes } = options
  const head = [
    `<${facility * 8 + severityOf(entry)}>1`,
    instant(entry.startTime) ?? '-',
    header(host, 255),
    header(appName, 48),
    '-',
    header(entry.method, 32),
  ].join(' ')
  const write = (content: ReturnType<typeof contentOf>, cut: boolean): string => {
    const facts = [
      `seq=${param(entry.seq)}`,
      `hash=${param(entry.hash)}`,
      ...(previous === null ? [] : [`previous=${param(previous || '-')}`]),
      ...(cut ? ['cut="true"'] : []),
    ]
    // The number of RFC 5612, which is for documents: the project has none of its own.
    return `${head} [steward@32473 ${facts.join(' ')}] ${byteOrderMark}${json(content)}`
  }
  const whole = write(contentOf(entry), false)
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  let message = whole
  for (const content of shorter(entry)) {
    message = write(content, true)
    if (Buffer.byteLength(message) <= maxBytes) break
  }
  return message
}

/** A message in octet counting (RFC 5425, 4.3; RFC 6587, 3.4.1). */
export const framed = (message: string): Buffer => {
  const bytes = Buffer.from(message)
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
}
