import { BackupFileError } from './file-error.ts'
import type { SchemaVersion } from './schema-version.ts'

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

export const parseManifest = (value: unknown): Manifest => {
  const manifest = value as Partial<Manifest> | null
  if (typeof manifest?.tables !== 'object' || typeof manifest.schema?.tag !== 'string') {
    throw new BackupFileError('its manifest is damaged')
  }
  return manifest as Manifest
}

/** @throws BackupFileError naming the first table that is not as the manifest says */
export const compareTables = (
  said: Manifest['tables'],
  found: ReadonlyMap<string, Pick<TableFigures, 'rows' | 'sha256'>>,
): void => {
  for (const name of new Set([...Object.keys(said), ...found.keys()])) {
    const [expected, actual] = [said[name], found.get(name)]
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
