/** A value and what ends it; in quotes, quotes and backslashes in it are doubled. */
const value = /(?:"((?:[^"\\]|""|\\\\)*)"|([^",()]*))([,)])/y

/**
 * The values of a record as PostgreSQL writes it, `(1,ann,"a, b",)`; null where there is none.
 * @see https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX
 */
export const recordValues = (record: string): (string | null)[] => {
  const values: (string | null)[] = []
  value.lastIndex = 1
  for (let end = ','; end === ','; ) {
    const found = value.exec(record)
    if (found === null) throw new Error('This is no record of PostgreSQL')
    const [, inQuotes, plain = ''] = found
    values.push(inQuotes?.replace(/(["\\])\1/g, '$1') ?? (plain === '' ? null : plain))
    end = found[3] ?? ''
  }
  return values
}
