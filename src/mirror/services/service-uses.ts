import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { matchingKey, parseDn } from '../../ldap/dn.ts'
import { currentTime } from '../../runtime/clock.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'

/** When service accounts have bound to the embedded directory. */
export interface ServiceUses {
  /** @param stored the value of `userPassword` that matched */
  note(dn: string, stored: string): void
  /** Writes what is left. */
  close(): Promise<void>
}

/** Milliseconds between two writes of uses, all accounts at once. */
const writeInterval = 1000
/** Seconds before the use of an account is written again. */
const writeAge = 60

/** An application may bind hundreds of times a second: its last use is written once a minute. */
export const openServiceUses = ({ db, log }: { db: Db; log: Logger }): ServiceUses => {
  const noted = new Map<string, { name: string; password: string; at: string }>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const uses = [...noted.values()]
    noted.clear()
    if (uses.length === 0) return
    await db.execute(sql`
      with used as (
        select a.id as account_id, p.id as password_id, u.at
        from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as u (name text, password text, at timestamptz)
        join service_accounts a on a.name_key = u.name
        join service_passwords p on p.account_id = a.id
          and encode(sha256(convert_to(coalesce(p.directory_password, '{ARGON2}' || p.password_hash), 'UTF8')), 'hex') = u.password
        where coalesce(p.last_used_at < u.at - make_interval(secs => ${writeAge}), true)
      ), passwords as (
        update service_passwords p set last_used_at = used.at from used where p.id = used.password_id
      )
      update service_accounts a set last_used_at = greatest(a.last_used_at, used.at)
      from (select account_id, max(at) as at from used group by account_id) used where a.id = used.account_id`)
  }

  const begin = (): void => {
    timer = null
    writing = writing
      .then(write)
      .catch((error: unknown) =>
        log.warn({ error: errorRecord(error) }, 'the last use of service accounts was not written'),
      )
  }

  return {
    note(dn, stored) {
      const name = matchingKey(parseDn(dn)[0]?.[0]?.value ?? '')
      const password = createHash('sha256').update(stored).digest('hex')
      noted.set(`${name} ${password}`, { name, password, at: new Date(currentTime()).toISOString() })
      timer ??= setTimeout(begin, writeInterval).unref()
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      begin()
      await writing
    },
  }
}
