import { eq, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { versionOf } from '../db/record-versions.ts'
import { serviceAccounts, serviceEntries, servicePasswords } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { statements } from '../mirror/statements.ts'
import { mainDirectory } from '../mirror/touch.ts'
import { reasons } from './reasons.ts'

export type AccountRow = typeof serviceAccounts.$inferSelect
export type ServiceAccount = components['schemas']['ServiceAccount']

/** What is in the database: where the entry is, and uses that the directory knows, come later. */
export type StoredAccount = Omit<ServiceAccount, 'dn' | 'lastUseKnown'>

const isEqual = sql`coalesce(${serviceEntries.syncedVersion} = ${serviceAccounts.version}, false)`
const onItsWay = sql.raw(`'${JSON.stringify(statements.on_its_way())}'::jsonb`)
const stated = sql`case when ${isEqual} then ${serviceEntries.stated}
  else coalesce(${serviceEntries.stated}, ${onItsWay}) end`

const passwords = sql<ServiceAccount['passwords']>`(
  select coalesce(json_agg(json_build_object('createdAt', ${instantText(servicePasswords.createdAt)},
    'expiresAt', ${instantText(servicePasswords.expiresAt)}, 'lastUsedAt', ${instantText(servicePasswords.lastUsedAt)})
    order by ${servicePasswords.id} desc), '[]')
  from ${servicePasswords} where ${servicePasswords.accountId} = ${serviceAccounts.id}
    and coalesce(${servicePasswords.expiresAt} > now(), true))`

const record = jsonObject<StoredAccount>({
  id: serviceAccounts.id,
  name: serviceAccounts.name,
  description: serviceAccounts.description,
  enabled: serviceAccounts.enabled,
  people: serviceAccounts.people,
  peopleFilter: serviceAccounts.peopleFilter,
  groups: serviceAccounts.groups,
  groupFilter: serviceAccounts.groupFilter,
  ntHashes: serviceAccounts.ntHashes,
  sync: sql`json_build_object(
    'state', case when ${isEqual} then 'synced' when ${serviceEntries.nextAt} is null then 'waiting' else 'refused' end,
    'reason', (${stated})->>'text', 'stated', ${stated})`,
  passwords,
  lastUsedAt: instantText(serviceAccounts.lastUsedAt),
  creator: serviceAccounts.creator,
  createdAt: instantText(serviceAccounts.createdAt),
  updatedAt: instantText(serviceAccounts.updatedAt),
  version: versionOf('serviceAccount'),
})

/** By name. */
export const storedAccounts = async (db: Queryable, where?: SQL): Promise<StoredAccount[]> => {
  const rows = await db
    .select({ account: record })
    .from(serviceAccounts)
    .leftJoin(
      serviceEntries,
      sql`${serviceEntries.accountId} = ${serviceAccounts.id} and ${serviceEntries.directory} = ${mainDirectory}`,
    )
    .where(where)
    .orderBy(serviceAccounts.nameKey)
  return rows.map(({ account }) => account)
}

/** @throws AppError (not_found) naming `id` */
export const findAccount = async (db: Queryable, id: number, lock = false): Promise<AccountRow> => {
  const query = db.select().from(serviceAccounts).where(eq(serviceAccounts.id, id))
  const [row] = await (lock ? query.for('update') : query)
  if (row === undefined) throw reasons.account_not_found.at('id', { id })
  return row
}
