import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { errorCodes } from '../../src/failures/errors.ts'
import type { Reason } from '../../src/failures/reason-table.ts'
import type { StatementRow } from '../../src/failures/statement-table.ts'

const source = new URL('../../src/', import.meta.url)
const openapi = new URL('../../openapi/', import.meta.url)

/** A reason as its table has it. */
export interface ListedReason {
  /** `people.username_taken` */
  code: string
  /** The envelope's code: 409. */
  status: number
  text: string
  /** The text where the parameter `count` is 1. */
  one: string | undefined
}

/** The table of every room of the service, in the order in which it is written, by the file it is in: `people/reasons.ts`. */
export const reasonTables = async (): Promise<Map<string, ListedReason[]>> => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)reasons\.ts$/.test(file) && !file.startsWith('console/'))
    .sort()
  const tables = await Promise.all(
    files.map(async (file): Promise<[string, ListedReason[]]> => {
      const { reasons } = (await import(new URL(file, source).href)) as { reasons: Record<string, Reason> }
      return [file, Object.values(reasons).map(listed)]
    }),
  )
  return new Map(tables)
}

/** A statement as its table has it. */
export interface ListedStatement {
  code: string
  text: string
}

/** The statements of all rooms, in the order in which they are written. */
export const statementTables = async (): Promise<ListedStatement[]> => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^\w+\/statements\.ts$/.test(file))
    .sort()
  const tables = await Promise.all(
    files.map(async (file) => {
      const { statements } = (await import(new URL(file, source).href)) as { statements: Record<string, StatementRow> }
      return Object.values(statements).map(({ code, row }) => ({ code, text: row }))
    }),
  )
  return tables.flat()
}

const listed = ({ code, row: { kind, text, one } }: Reason): ListedReason => ({
  code,
  status: errorCodes[kind],
  text,
  one,
})

/** The codes that each document of openapi/ says its failures may have. */
export const publishedReasons = (): Map<string, string[]> =>
  new Map(
    readdirSync(openapi)
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => {
        const document = parse(readFileSync(new URL(file, openapi), 'utf8')) as {
          components: { schemas: { FailureReason?: { enum: string[] } } }
        }
        return [file, document.components.schemas.FailureReason?.enum ?? []]
      }),
  )

const roomOf = (code: string): string => code.split('.', 1)[0] ?? ''

/**
 * Where tables and documents differ, a sentence each. A document lists the reasons of those rooms that may answer it,
 * each room whole; every room is in a document.
 */
export const differences = (tables: readonly ListedReason[], documents: ReadonlyMap<string, string[]>): string[] => {
  const codes = tables.map(({ code }) => code)
  const known = new Set(codes)
  const problems = [...documents].flatMap(([file, published]) => {
    const own = new Set(published)
    const rooms = new Set(published.map(roomOf))
    return [
      ...published.filter((code) => !known.has(code)).map((code) => `openapi/${file}: no table has ${code}`),
      ...codes
        .filter((code) => rooms.has(roomOf(code)) && !own.has(code))
        .map((code) => `openapi/${file}: FailureReason lacks ${code}`),
    ]
  })
  const anywhere = new Set([...documents.values()].flat())
  const unpublished = codes.filter((code) => !anywhere.has(code)).map((code) => `no document has ${code}`)
  return [...problems, ...unpublished]
}
