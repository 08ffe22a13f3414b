import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { keyOfAny } from '../ldap/dn.ts'

/** Of a DN as it is compared, however it is spelled. */
export const dnHash = (dn: string): string => createHash('sha256').update(keyOfAny(dn)).digest('hex')

/** Which of these entries an administrator does not want to be told of. */
export const ignoredAmong = async (db: Queryable, dns: readonly string[]): Promise<ReadonlySet<string>> => {
  if (dns.length === 0) return new Set()
  const hashes = JSON.stringify(dns.map(dnHash))
  const rows = await db.execute<{ hash: string }>(sql`
    select dn_hash as hash from ignored_entries
    where dn_hash = any (array(select jsonb_array_elements_text(${hashes}::jsonb)))`)
  const ignored = new Set(rows.map(({ hash }) => hash))
  return ignored.size === 0 ? new Set() : new Set(dns.filter((dn) => ignored.has(dnHash(dn))))
}
