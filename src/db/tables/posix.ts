import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, ref } from './columns.ts'

/**
 * The numbers of POSIX accounts and groups. A row is never changed and never deleted, also not with its record: a number
 * belongs to files on disks, and the next holder would own them. Only the backup of another database replaces what was
 * given here (mirror/ledger/restore.ts).
 */
export const posixNumbers = pgTable(
  'posix_numbers',
  {
    /** One space for uid and gid numbers, so that the group of a person alone has their number. */
    number: bigint({ mode: 'number' }).primaryKey(),
    kind: text().$type<'user' | 'group'>().notNull(),
    recordId: ref().notNull(),
    /** It was in the directory, or set, and was not taken from the range. */
    imported: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('posix_numbers_record_key').on(t.kind, t.recordId),
    index('posix_numbers_given_index').on(t.number).where(sql`not ${t.imported}`),
    check('posix_numbers_kind_check', sql`${t.kind} in ('user', 'group')`),
  ],
)
