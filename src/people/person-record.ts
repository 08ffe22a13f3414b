import { sql } from 'drizzle-orm'
import { pick } from '../collections/pick.ts'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { reasons as missing } from '../db/reasons.ts'
import { versionOf } from '../db/record-versions.ts'
import { groupMembers, groups, roles, secondFactors, sessions, throttles, userRoles, users } from '../db/schema.ts'
import { type UserField, userFieldNames } from '../db/tables/fields.ts'
import type { components } from '../generated/operations.types.ts'
import { entryRecord } from '../mirror/ledger/entry-states.ts'
import { joinDirectoryEntry } from '../mirror/record-sql.ts'
import { accountKey } from '../text/throttle-keys.ts'
import { accessToUser } from './access-sql.ts'
import { personStatus } from './people-records.ts'
import type { Within } from './within.ts'

export type Person = components['schemas']['Person']

/** Milliseconds after its last use for which a session can be refreshed, and after its begin. */
export interface SessionTimes {
  sessionLifetime: number
  sessionMax: number
}

/** All fields that are declared; two have other names in this document. */
const {
  nickname: name,
  departments: departmentsText,
  ...fields
} = pick(users, userFieldNames satisfies readonly Within<keyof Person | 'nickname' | 'departments', UserField>[])

const ago = (milliseconds: number) => sql`now() - make_interval(secs => ${milliseconds / 1000}::float8)`

const recordFor = (rank: number, { sessionLifetime, sessionMax }: SessionTimes) =>
  jsonObject<Omit<Person, 'lockedUntil'>>({
    id: users.id,
    ...{ ...fields, name, departmentsText },
    status: personStatus,
    groups: sql`(select coalesce(json_agg(${jsonObject({ id: groups.id, name: groups.groupName, type: groups.groupType })}
      order by ${groups.groupName}, ${groups.id}), '[]'::json)
      from ${groupMembers} join ${groups} on ${groups.id} = ${groupMembers.groupId}
      where ${groupMembers.userId} = ${users.id})`,
    roles: sql`(select coalesce(json_agg(${jsonObject({
      id: roles.id,
      name: roles.name,
      keyword: roles.keyword,
      sort: roles.sort,
      status: sql`case ${roles.status} when 1 then 'enabled' else 'disabled' end`,
    })} order by ${roles.sort}, ${roles.id}), '[]'::json)
      from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId} where ${userRoles.userId} = ${users.id})`,
    source: users.source,
    sourceUserId: users.sourceUserId,
    sourceUnionId: users.sourceUnionId,
    creator: users.creator,
    entry: entryRecord,
    lastSignInAt: instantText(
      sql`(select max(${sessions.createdAt}) from ${sessions} where ${sessions.userId} = ${users.id})`,
    ),
    secondFactor: sql`exists (select from ${secondFactors}
      where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null)`,
    sessions: sql`(select count(*)::int from ${sessions} where ${sessions.userId} = ${users.id}
      and ${sessions.endedAt} is null and ${sessions.lastUsedAt} > ${ago(sessionLifetime)}
      and ${sessions.createdAt} > ${ago(sessionMax)})`,
    createdAt: instantText(users.createdAt),
    updatedAt: instantText(users.updatedAt),
    version: versionOf('user'),
    access: accessToUser(
      rank,
      sql`(select min(${roles.sort}) from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
        where ${userRoles.userId} = ${users.id})`,
    ),
  })

/**
 * One person with everything that a console shows.
 * @param rank the caller's
 * @throws AppError (not_found) naming `id`
 */
export const personRecord = async (db: Db, id: number, rank: number, times: SessionTimes): Promise<Person> => {
  const [row] = await db.execute<{ record: Omit<Person, 'lockedUntil'> }>(sql`
    select ${recordFor(rank, times)} as record from ${users} ${joinDirectoryEntry('user', users.id)}
    where ${users.id} = ${id}`)
  if (row === undefined) throw missing.user_not_found.at('id', { id })
  const [lock] = await db.execute<{ until: string | null }>(sql`
    select ${instantText(throttles.lockedUntil)} as until from ${throttles}
    where ${throttles.key} = ${accountKey(row.record.username)} and ${throttles.lockedUntil} > now()`)
  return { ...row.record, lockedUntil: lock?.until ?? null }
}
