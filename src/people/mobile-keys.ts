import { createRequire } from 'node:module'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import { readFact, writeFact } from '../db/facts.ts'
import type { Logger } from '../runtime/log.ts'
import { type MobileKey, mobileKeys, type Region } from '../text/identity-keys.ts'

const name = 'mobile keys'

/** The version of the stored keys; a backup contains its own. */
interface KeyVersion {
  rule: string
  /** Users whose number another user has, and who therefore have no key. */
  unkeyed: number
}

/** Increase the number when `mobileKeys` changes. The library supplies the lengths and prefixes of the numbers. */
const ruleOf = (region: Region): string => {
  const { version } = createRequire(import.meta.url)('libphonenumber-js/package.json') as { version: string }
  return `1 ${region} ${version}`
}

/** Rows per statement. */
const rowsAtOnce = 5000

/** The most names that are logged. */
const namesLogged = 20

/**
 * Computes the keys of all mobiles again if they were made by another rule: before there were keys, under another
 * DEFAULT_REGION, or in another installation whose backup was restored. If several users have one number, the first
 * keeps it. The others keep their text without a key, and the log names them. All in one transaction, during which no
 * other transaction writes users; the next start repeats it after a failure.
 */
export const refreshMobileKeys = async ({
  db,
  region,
  log,
}: {
  db: Db
  region: Region
  log: Logger
}): Promise<void> => {
  const rule = ruleOf(region)
  if (isCurrent(await readFact(db, name), rule)) return
  const unkeyed = await db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in share row exclusive mode`)
    // Another instance may have been faster.
    if (isCurrent(await readFact(tx, name), rule)) return []
    await tx.execute(sql`
      create temporary table mobile_keys (id bigint primary key, key text not null) on commit drop`)
    await compute(tx, mobileKeys(region))
    const lost = await settle(tx)
    await writeFact<KeyVersion>(tx, name, { rule, unkeyed: lost.length })
    return lost
  })
  if (unkeyed.length === 0) return
  log.warn(
    { users: unkeyed.slice(0, namesLogged), count: unkeyed.length },
    'these users have the mobile of another user: give one of them another, and restart',
  )
}

/** While there are users without a key it is tried at every start: the number may be free by now. */
const isCurrent = (stored: KeyVersion | null, rule: string): boolean => stored?.rule === rule && stored.unkeyed === 0

const compute = async (tx: Tx, mobileKey: MobileKey): Promise<void> => {
  for (let after = 0; ; ) {
    const rows = await tx.execute<{ id: string; mobile: string }>(sql`
      select id, mobile from users where id > ${after} and mobile <> '' order by id limit ${rowsAtOnce}`)
    const last = rows.at(-1)
    if (last === undefined) break
    const keys = rows.map(({ id, mobile }) => ({ id, key: mobileKey(mobile) }))
    await tx.execute(sql`
      insert into mobile_keys (id, key)
      select id, key from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (id bigint, key text)`)
    after = Number(last.id)
  }
  await tx.execute(sql`analyze mobile_keys`)
}

/** Writes the keys and returns the names of those who got none because another user has the number. */
const settle = async (tx: Tx): Promise<string[]> => {
  const lost = await tx.execute<{ username: string }>(sql`
    with ranked as (
      select id, key, row_number() over (partition by key order by id) as place from mobile_keys where key <> ''
    ), cleared as (
      update mobile_keys m set key = '' from ranked r where r.id = m.id and r.place > 1 returning m.id
    )
    select username from users where id in (select id from cleared) order by id`)
  // Changing keys are cleared first: otherwise two rows could have the same key for a moment.
  await tx.execute(sql`
    update users u set mobile_key = '' where mobile_key <> ''
      and mobile_key is distinct from (select m.key from mobile_keys m where m.id = u.id)`)
  await tx.execute(sql`
    update users u set mobile_key = m.key from mobile_keys m where m.id = u.id and m.key <> u.mobile_key`)
  return lost.map(({ username }) => username)
}
