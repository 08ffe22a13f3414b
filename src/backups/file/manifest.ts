import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { SchemaVersion } from '../../db/schema-version.ts'
import { BackupFileError } from './file-error.ts'

/** The table of contents of a file; its last line. */
export interface Manifest {
  /** The version of Steward that made it. */
  steward: string
  /** RFC 3339: when the snapshot was taken. */
  takenAt: string
  /** The newest migration of the tables. */
  schema: SchemaVersion
  /** The newest entry of the operation log, and its hash; null: the log was empty. */
  logHead: { seq: number; hash: string } | null
  tables: Readonly<Record<string, TableFigures>>
}

export interface TableFigures {
  rows: number
  /** Over the rows of the file, a line each, in hex. */
  sha256: string
  /** The newest assigned identifier; null: no identifier yet, or the table has no sequence. */
  lastId: number | null
}

/** Announces the rows of a table. */
export interface TableHead {
  name: string
  columns: string[]
}

/** The lines that are not rows: a JSON array whose first item names the kind. */
export type HeadLine = { kind: 'table'; table: TableHead } | { kind: 'manifest'; manifest: Manifest }

/** The longest such line, bytes. Ours have some 10 KB. */
export const longestHead = 1024 * 1024

/** Tables in one file; we have some 40. */
export const maxTables = 1000
/** PostgreSQL's own limit. */
const maxColumns = 1600
/** Our sequences never reach this, and later identifiers are still valid ids of the contract. */
const largestId = 2 ** 48

// All of it is shown on terminals and written into logs, so texts may not contain control characters.
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
      maxProperties: maxTables,
      propertyNames: identifier,
      additionalProperties: figuresSchema,
    },
  },
} as const

const columnsSchema = {
  type: 'array',
  minItems: 1,
  maxItems: maxColumns,
  uniqueItems: true,
  items: identifier,
} as const

// Fields of a newer version are dropped, so that only validated fields are used.
const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, removeAdditional: true }))
const isManifest = ajv.compile<Manifest>(manifestSchema)
const isName = ajv.compile<string>(identifier)
const areColumns = ajv.compile<string[]>(columnsSchema)

/** @throws BackupFileError unless the line has the form of this version */
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
  throw new BackupFileError('it is damaged: a line in it does not name a table')
}

const arrayOf = (json: string): unknown[] => {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** @throws BackupFileError naming the first table that differs from the manifest */
export const compareTables = (
  declared: Manifest['tables'],
  found: ReadonlyMap<string, Pick<TableFigures, 'rows' | 'sha256'>>,
): void => {
  const expectedOf = new Map(Object.entries(declared))
  for (const name of new Set([...expectedOf.keys(), ...found.keys()])) {
    const [expected, actual] = [expectedOf.get(name), found.get(name)]
    if (expected?.rows !== actual?.rows) {
      throw new BackupFileError(
        `table ${name} has ${actual?.rows ?? 'no'} rows where its manifest says ${expected?.rows ?? 'none'}`,
      )
    }
    if (expected?.sha256 !== actual?.sha256) {
      throw new BackupFileError(`the rows of table ${name} differ from its manifest`)
    }
  }
}
