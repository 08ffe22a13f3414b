/** A statement of a migration that takes something from the release before it. */
export interface Contraction {
  statement: string
  why: string
}

const name = '(?:"?public"?\\.)?"?(\\w+)"?'

/** What the previous release may still use or write, by what it would notice. The first group is the table, if any. */
const rules: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^drop (table|view|materialized view|sequence|type|function|schema)\b/i, 'it may still use what is dropped'],
  [/^drop trigger\b/i, 'its writes may depend on the trigger'],
  [/^drop index\b/i, 'its ON CONFLICT may name what the index keeps unique'],
  [/^truncate\b/i, 'it may still read the rows'],
  [
    RegExp(`^alter table (?:only )?(?:if exists )?${name}.*\\bdrop (?:column|constraint|default)\\b`, 'is'),
    'it may still use what is dropped',
  ],
  [
    RegExp(`^alter table (?:only )?(?:if exists )?${name}.*\\balter (?:column )?"?\\w+"? drop default\\b`, 'is'),
    'it leaves the column to its default',
  ],
  [RegExp(`^alter table (?:only )?(?:if exists )?${name}.*\\brename\\b`, 'is'), 'it knows the earlier name'],
  [RegExp(`^alter table (?:only )?(?:if exists )?${name}.*\\bset not null\\b`, 'is'), 'it may write null'],
  [
    RegExp(`^alter table (?:only )?(?:if exists )?${name}.*\\b(?:set data )?type\\b`, 'is'),
    'it reads and writes the earlier type',
  ],
  [
    RegExp(`^alter table (?:only )?(?:if exists )?${name}.*\\badd constraint\\b`, 'is'),
    'it may write what the constraint refuses',
  ],
  [
    RegExp(`^create unique index (?:concurrently )?(?:if not exists )?"?\\w+"? on ${name}`, 'is'),
    'it may write what the index refuses',
  ],
  [/^alter (type|domain|function|view|sequence)\b/i, 'it knows the earlier one'],
]

const addedColumn = RegExp(
  `^alter table (?:only )?(?:if exists )?${name}.*\\badd (?:column )?(?:if not exists )?"?\\w+"? .*\\bnot null\\b`,
  'is',
)

/** Statements with the comments before them. A function's body is one part of its statement. */
const statementsOf = (sql: string): { comment: string; text: string }[] => {
  const bodies: string[] = []
  const kept = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, (body) => `$${bodies.push(body) - 1}$`)
  return kept
    .replaceAll('--> statement-breakpoint', '\n')
    .split(/;[ \t]*(?:\n|$)/)
    .map((part) => {
      const lines = part.split('\n').map((line) => line.trim())
      return {
        comment: lines.filter((line) => line.startsWith('--')).join('\n'),
        text: lines.filter((line) => line !== '' && !line.startsWith('--')).join(' '),
      }
    })
    .filter(({ text }) => text !== '')
}

/**
 * What a migration takes from the release before it, which still runs during a rolling upgrade. A comment
 * `-- contract: <why the release before does not use it>` right before a statement allows it.
 * @param own tables that the release before does not know, for they were made since; tables of this migration are added
 */
export const contractions = (sql: string, own: Set<string>): Contraction[] => {
  const found: Contraction[] = []
  for (const { comment, text } of statementsOf(sql)) {
    const made = RegExp(`^create table (?:if not exists )?${name}`, 'i').exec(text)?.[1]
    if (made !== undefined) own.add(made)
    if (/^-- contract: \S/m.test(comment)) continue
    const complaint = complaintOf(text, own)
    if (complaint !== null) found.push({ statement: text, why: complaint })
  }
  return found
}

const complaintOf = (text: string, own: ReadonlySet<string>): string | null => {
  for (const [pattern, why] of rules) {
    const match = pattern.exec(text)
    if (match !== null && !own.has(match[1] ?? '')) return why
  }
  const [, table] = addedColumn.exec(text) ?? []
  if (table !== undefined && !own.has(table) && !/\bdefault\b|\bgenerated\b/i.test(text)) {
    return 'it does not fill the new column: give it a default, or let it be null'
  }
  return null
}
