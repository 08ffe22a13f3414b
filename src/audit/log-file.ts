import { Readable } from 'node:stream'
import type { LogEntryRecord } from './log-search.ts'

/** The kinds of files that entries are exported to. */
export type LogFileFormat = 'csv' | 'ndjson'

const columns = [
  'id',
  'startTime',
  'username',
  'ip',
  'method',
  'path',
  'remark',
  'status',
  'result',
  'timeCost',
  'target',
  'times',
  'userAgent',
  'preview',
] as const satisfies (keyof LogEntryRecord)[]

/** By this spreadsheets know that a file is UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * Where a spreadsheet may begin to read a formula: where a cell begins, and behind what it takes for the end of one. Those of
 * many languages separate cells by semicolons, whatever is quoted, and others by whatever they find.
 */
const formulas = /(^|[;|\t])(?=[\s"]*[=+\-@＝＋－＠]|[\t\r\n])/g

/** A cell of a CSV file (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe before it (OWASP, CSV Injection). */
const cell = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : String(value)
  const safe = typeof value === 'string' ? text.replace(formulas, "$1'") : text
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join()}\r\n`

const writers: Readonly<Record<LogFileFormat, { head: string; line: (entry: LogEntryRecord) => string }>> = {
  csv: {
    head: byteOrderMark + csvLine(columns),
    line: (entry) => csvLine(columns.map((name) => entry[name])),
  },
  ndjson: { head: '', line: (entry) => `${JSON.stringify(entry)}\n` },
}

/**
 * The entries as a file, read as fast as the client accepts it. The first batch is read before this resolves, so that a
 * query that fails at once is an ordinary error.
 */
export const logFile = async (
  format: LogFileFormat,
  batches: AsyncGenerator<LogEntryRecord[], void, undefined>,
): Promise<Readable> => {
  const { head, line } = writers[format]
  const first = await batches.next()
  const text = async function* (): AsyncGenerator<string, void, undefined> {
    yield head
    if (first.done) return
    yield first.value.map(line).join('')
    for await (const batch of batches) yield batch.map(line).join('')
  }
  // One batch waits at most, whatever its length.
  return Readable.from(text(), { objectMode: false, highWaterMark: 65_536 })
}
