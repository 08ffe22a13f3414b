import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { waitsSince } from '../record-sql.ts'
import { type DirectoryPart, partOf } from '../scope.ts'
import type { GroupLayout } from './places.ts'

/** The layout that is in effect in this directory: read from the table, so that all instances do the same. */
export const groupLayoutIn = async ({ db, directory }: { db: Queryable; directory: number }): Promise<GroupLayout> => {
  const [row] = await db.execute<{ layout: GroupLayout }>(sql`
    select group_layout as layout from directories where number = ${directory}`)
  return row?.layout ?? 'nested'
}

/** A directory as its settings have it. */
export interface DirectorySet {
  directory: number
  baseDn: string
  /** LDAP_GROUP_LAYOUT */
  wanted: GroupLayout
}

/** A directory, its layout of groups that is in effect, what it gets, and how far it is. */
export interface DirectoryFacts extends DirectorySet {
  layout: GroupLayout
  /** Records with a change that is not in it yet, those that it refused, and since when the oldest change waits. */
  waiting: number
  refused: number
  /** Records whose entry is up to date and lacks something, such as a password. */
  incomplete: number
  oldestWaitingAt: string | null
  /** null: it gets all people and groups. */
  part: DirectoryPart | null
}

interface StateRow extends Record<string, unknown> {
  layout: GroupLayout
  waiting: string
  refused: string
  incomplete: string
  oldestWaitingAt: string | null
}

/** How far a directory is; what waits is found by its index. */
const stateOf = async (
  db: Queryable,
  directory: number,
): Promise<Omit<DirectoryFacts, keyof DirectorySet | 'part'>> => {
  const [row] = await db.execute<StateRow>(sql`
    select d.group_layout as layout,
      count(e.record_id) filter (where e.next_at is not null) as waiting,
      count(e.record_id) filter (where e.next_at is null) as refused,
      (select count(*) from directory_entries i
        where i.directory = ${directory} and i.version = i.synced_version and i.error <> '') as incomplete,
      to_char(min(${waitsSince}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "oldestWaitingAt"
    from directories d
    left join directory_entries e on e.directory = d.number and e.version <> e.synced_version
    where d.number = ${directory} group by d.group_layout`)
  const { layout = 'nested', waiting = 0, refused = 0, incomplete = 0, oldestWaitingAt = null } = row ?? {}
  return {
    ...{ layout, waiting: Number(waiting), refused: Number(refused), incomplete: Number(incomplete) },
    oldestWaitingAt,
  }
}

/** In the order of `directories`. */
export const directoryFacts = async (
  db: Queryable,
  directories: readonly DirectorySet[],
): Promise<DirectoryFacts[]> => {
  const facts: DirectoryFacts[] = []
  for (const { directory, baseDn, wanted } of directories) {
    const [state, part] = [await stateOf(db, directory), await partOf(db, directory)]
    facts.push({ directory, baseDn, wanted, ...state, part })
  }
  return facts
}
