import { type SQL, sql } from 'drizzle-orm'
import { withoutDeadlock } from '../../db/deadlock.ts'
import { schemeShown } from '../passwords/other-hashes.ts'
import { waitingId } from '../passwords/password-merge.ts'
import { type Book, isRowOf, pending } from './claim.ts'

/** What the ledger knows about the passwords of entries (see password-merge.ts). */
export const ledgerPasswords = ({ db, ...book }: Book) => ({
  /** The schemes of the passwords that the directory gets. */
  async passwordSchemes(): Promise<string[]> {
    const rows = await db.execute<{ scheme: string | null }>(sql`
      select distinct ${schemeShown(book.directory)} as scheme from users u`)
    return rows.flatMap(({ scheme }) => scheme ?? [])
  },

  /**
   * Makes records due whose password was withheld and can be written now, or waited for a test, and records whose password
   * the directory holds and cannot verify.
   */
  async reconsiderPasswords(proved: readonly string[], disproved: readonly string[]): Promise<void> {
    const one = (schemes: readonly string[]): SQL =>
      sql`${schemeShown(book.directory)} in (select jsonb_array_elements_text(${JSON.stringify(schemes)}::jsonb))`
    await withoutDeadlock(() =>
      db.execute(sql`
        with other as (
          select e.kind, e.record_id from directory_entries e join users u on u.id = e.record_id
          where ${isRowOf(book, 'user')} and u.status = 1 and not (${pending})
            and (e.password_digest like 'withheld %' and ${one(proved)}
              or e.password_digest is null and e.password_id = ${waitingId}::uuid and ${one([...proved, ...disproved])}
              or e.password_digest like 'held %' and ${one(disproved)})
          order by e.record_id for update of e)
        update directory_entries e set version = e.version + 1, attempts = 0, next_at = now()
        from other o where e.directory = ${book.directory} and e.kind = o.kind and e.record_id = o.record_id`),
    )
  },

  /**
   * Makes the record of a person due whose password the directory has not got: its clear text is known for a moment.
   * @param digest of the value that the record holds
   * @returns whether it is due
   */
  async passwordUsed(id: number, digest: string): Promise<boolean> {
    const rows = await db.execute(sql`
      update directory_entries e set version = version + 1, attempts = 0, next_at = now()
      where ${isRowOf(book, 'user')} and e.record_id = ${id} and not e.deleted
        and e.password_digest is distinct from ${`held ${digest}`}
      returning e.record_id`)
    return rows.length > 0
  },
})
