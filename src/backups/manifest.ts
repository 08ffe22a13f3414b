import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { SchemaVersion } from '../db/migrate.ts'
import { BackupFileError } from './file-error.ts'

/** What a file says it holds; its last line. */
export interface Manifest {
  /** The version of Steward that made it. */
  steward: string
  /** RFC 3339: when the snapshot was taken. */
  takenAt: string
  /** The newest migration the tables had been through. */
  schema: SchemaVersion
  /** The newest entry of the operation log, and its hash; null: there was none. */
  logHead: { seq: number; hash: string } | null
  tables: Readonly<Record<string, TableFigures>>
}

export interface TableFigures {
  rows: number
  /** Over the rows as they are in the file, a line each, in hex. */
  sha256: string
  /** The newest identifier that was given out; null: none, or the table gives out none. */
  lastId: number | null
}

/** A table whose rows follow. */
export interface TableHead {
  name: string
  columns: string[]
}

/** The lines that are not rows: a JSON array whose first item says what the rest is. */
export type HeadLine = { kind: 'table'; table: TableHead } | { kind: 'manifest'; manifest: Manifest }

/** Bytes of such a line. Our own take some 10 KB. */
export const longestHead = 1024 * 1024

/** Tables in one file; we have some 40. */
export const mostTables = 1000
/** PostgreSQL's own limit. */
const mostColumns = 1600
/** No sequence of ours comes this far, and what it gives out from there on is still an id in the contract. */
const largestId = 2 ** 48

// All of it is shown at terminals and written into logs, so no text may hold control characters.
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const identifier = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,62}$' } as const
const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
const label = { type: 'string', pattern: '^[ -~]{1,100}$' } as const

const figuresSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['rows', 'sha256', 'lastId'],
  properties: {
    rows: count,
    sha256: hash,
    lastId: { type: ['integer', 'null'], minimum: 0, maximum: largestId },
  },
} as const

const manifestSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['steward', 'takenAt', 'schema', 'logHead', 'tables'],
  properties: {
    steward: label,
    takenAt: { type: 'string', format: 'date-time', maxLength: 40 },
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['tag', 'when'],
      properties: { tag: label, when: count },
    },
    logHead: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['seq', 'hash'],
      properties: { seq: count, hash: { type: 'string', pattern: '^[ -~]{0,200}$' } },
    },
    tables: {
      type: 'object',
      maxProperties: mostTables,
      propertyNames: identifier,
      additionalProperties: figuresSchema,
    },
  },
} as const

const columnsSchema = {
  type: 'array',
  minItems: 1,
  maxItems: mostColumns,
  uniqueItems: true,
  items: identifier,
} as const

// What a newer version may have added is dropped, so that nothing is used that was not looked at.
const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, removeAdditional: true }))
const isManifest = ajv.compile<Manifest>(manifestSchema)
const isName = ajv.compile<string>(identifier)
const areColumns = ajv.compile<string[]>(columnsSchema)

/** @throws BackupFileError unless the line is what this version of Steward writes */
export const parseHeadLine = (line: string): HeadLine => {
  const parsed = arrayOf(line)
  const [kind, first, second] = parsed
  if (kind === 'manifest' && parsed.length === 2) {
    if (isManifest(first)) return { kind, manifest: first }
    throw new BackupFileError('its manifest is damaged')
  }
  if (kind === 'table' && parsed.length === 3 && isName(first) && areColumns(second)) {
    return { kind, table: { name: first, columns: second } }
  }
  throw new BackupFileError('it is damaged: a line in it names no table')
}

const arrayOf = (json: string): unknown[] => {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** @throws BackupFileError naming the first table that is not as the manifest says */
export const compareTables = (
  said: Manifest['tables'],
  found: ReadonlyMap<string, Pick<TableFigures, 'rows' | 'sha256'>>,
): void => {
  const expectations = new Map(Object.entries(said))
  for (const name of new Set([...expectations.keys(), ...found.keys()])) {
    const [expected, actual] = [expectations.get(name), found.get(name)]
    if (expected?.rows !== actual?.rows) {
      throw new BackupFileError(
        `table ${name} has ${actual?.rows ?? 'no'} rows where its manifest says ${expected?.rows ?? 'none'}`,
      )
    }
    if (expected?.sha256 !== actual?.sha256) {
      throw new BackupFileError(`the rows of table ${name} are not those its manifest says`)
    }
  }
}
