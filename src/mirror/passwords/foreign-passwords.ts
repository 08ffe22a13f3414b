import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { namesTold, raiseStandingAlert, type StandingAlertOptions } from '../standing-alert.ts'

const isForeign = sql`foreign_password_at is not null and not deleted`

/** Raises alerts about users whose entries have a password that Steward does not know and the directory may accept. */
export const tellForeignPasswords = (options: StandingAlertOptions): Promise<void> =>
  raiseStandingAlert(options, {
    rule: 'foreignPasswords',
    cause: {},
    where: isForeign,
    toldAt: sql`foreign_told_at`,
    describe,
    message: 'the directory holds passwords that are not known here',
  })

/** The usernames of the entries that were found first. */
const describe = async (tx: Tx): Promise<{ total: number; names: string[] }> => {
  const rows = await tx.execute<{ total: string; name: string }>(sql`
    select count(*) over () as total, u.username as name
    from directory_entries e join users u on u.id = e.record_id
    where e.kind = 'user' and ${isForeign} order by e.foreign_password_at, u.username limit ${namesTold}`)
  return { total: Number(rows[0]?.total ?? 0), names: rows.map(({ name }) => name) }
}
