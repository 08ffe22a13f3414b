import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { mailKeyOf } from '../../text/identity-keys.ts'

/** The most locks that are read. */
const max = 1000

/**
 * The locks at a moment, in readable form: `account li.na`. A name or an address that no user has is not repeated: it
 * may be a password that was typed into the wrong field.
 */
export const gatherLocks = async (db: Queryable, at: Date): Promise<string[]> => {
  const rows = await db.execute<{ lock: string }>(sql`
    select case
      when kind = 'address' then 'address ' || subject
      when kind in ('directory', 'directory-known') then 'binds to the directory from ' || subject
      when kind = 'directory-name' then
        'binds to the directory of one who has an account, from ' || split_part(subject, ' ', 1)
      when kind = 'entry' then 'a name that no person has'
      when kind = 'account' then coalesce(
        (select 'account ' || username from users where username_key = subject), 'a name that nobody has')
      when kind in ('mail', 'send-mail') then coalesce(
        (select 'mail ' || mail from users where mail <> '' and ${mailKeyOf(sql`mail`)} = subject), 'a mail address that nobody has')
      else coalesce(
        (select case kind when 'mailed-code' then 'mailed codes of ' else 'second factor of ' end || username from users
          where id = case when subject ~ '^[0-9]{1,15}$' then subject::bigint end), 'a second factor that is gone')
      end as lock
    from (
      select split_part(key, ':', 1) as kind, substr(key, strpos(key, ':') + 1) as subject from throttles
      where locked_until > ${at.toISOString()}::timestamptz order by key limit ${max}
    ) locked`)
  return rows.map(({ lock }) => lock)
}
