import type { MigrationMeta } from 'drizzle-orm/migrator'

/** A part of a migration that is committed on its own where others use the tables, so that what it locks is soon free. */
export type MigrationStep =
  /** Statements of one transaction. */
  | { kind: 'together'; statements: string[] }
  /** An index of a table that others write to: it is built while they do, which no transaction may. */
  | { kind: 'index'; name: string; statement: string }
  /** One statement for many rows: `ids` is a query for their ids, and `ofPortion` the statement for some of these. */
  | { kind: 'portions'; ids: string; ofPortion(ids: readonly string[]): string }

const comments = String.raw`^(?:\s|--.*\n)*`
const table = String.raw`(?:"?public"?\.)?"?(?<table>\w+)"?`
const makesTable = RegExp(`${comments}create table (?:if not exists )?${table}`, 'i')
const makesIndex = RegExp(
  String.raw`(?<create>${comments}create (?:unique )?index )(?:concurrently )?(?<rest>(?:if not exists )?"?(?<name>\w+)"? on ${table}[\s\S]*)$`,
  'i',
)
const inPortions =
  /^(?<before>[\s\S]*)(?<column>"\w+") in \/\* portions \*\/ \((?<ids>[\s\S]*)\) \/\* end \*\/(?<after>[\s\S]*)$/i

/**
 * The steps of a migration, in the order of its file. A statement with `"id" IN /* portions *\/ (SELECT …) /* end *\/` is
 * carried out in portions of the ids that the query finds.
 */
export const stepsOf = ({ sql }: Pick<MigrationMeta, 'sql'>): MigrationStep[] => {
  const made = new Set<string>()
  const steps: MigrationStep[] = []
  for (const statement of sql) {
    const own = makesTable.exec(statement)?.groups?.table
    if (own !== undefined) made.add(own)
    const alone = indexOf(statement, made) ?? portionsOf(statement)
    const last = steps.at(-1)
    if (alone !== null) steps.push(alone)
    else if (last?.kind === 'together') last.statements.push(statement)
    else steps.push({ kind: 'together', statements: [statement] })
  }
  return steps
}

/** @param made tables that no other instance knows yet */
const indexOf = (statement: string, made: ReadonlySet<string>): MigrationStep | null => {
  const { create, name, table, rest } = makesIndex.exec(statement)?.groups ?? {}
  if (name === undefined || table === undefined || made.has(table)) return null
  return { kind: 'index', name, statement: `${create}CONCURRENTLY ${rest}` }
}

const portionsOf = (statement: string): MigrationStep | null => {
  const { before, column, ids, after } = inPortions.exec(statement)?.groups ?? {}
  if (before === undefined || ids === undefined) return null
  // The query is there as well, for what has changed since it was asked.
  const ofPortion = (some: readonly string[]): string =>
    `${before}${column} = ANY('{${some}}'::bigint[]) AND ${column} IN (${ids})${after}`
  return { kind: 'portions', ids, ofPortion }
}
