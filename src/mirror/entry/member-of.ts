import { type SQL, sql } from 'drizzle-orm'
import type { Book } from '../ledger/claim.ts'
import { isWithin } from '../scope.ts'
import type { DirectorySchema } from './directory-schema.ts'
import type { ExtraAttribute } from './extra-attributes.ts'
import { nestsIn } from './member-lists.ts'

// `memberOf` on the entries of people, where the server does not maintain it itself. Whether Steward writes it is read
// from the table `directories`, so that all instances do the same.

const attribute = 'memberOf'

/** Classes made for it, before others that happen to allow it. */
const preferred = ['stewardmember', 'nsmemberof', 'inetuser']

/**
 * What a server does with `memberOf`. `maintained`: only the server writes it, as with slapd's memberof overlay or in
 * Active Directory. `lacking`: its schema has no auxiliary class that allows it.
 */
type MemberOfPlace = 'maintained' | 'lacking' | { objectClass: string }

/** @param schema null: the server publishes none */
export const memberOfIn = (schema: DirectorySchema | null): MemberOfPlace => {
  const type = schema?.attribute(attribute)
  if (schema === null || type === undefined) return 'lacking'
  if (type.operational) return 'maintained'
  const classes = schema.auxiliariesFor(attribute)
  const best = classes.find((name) => preferred.includes(name.toLowerCase())) ?? classes[0]
  return best === undefined ? 'lacking' : { objectClass: best }
}

/** Why the start is refused, for LDAP_MEMBER_OF. */
export const memberOfLacking =
  "the directory neither maintains memberOf nor has an auxiliary class that allows it: load slapd's memberof overlay or docs/schema/member-of.ldif, or set it to off"

/** The attribute of a person; disabled people have none. */
export const shownMemberOf = (
  { memberOf, status }: { memberOf: string[] | null; status: number },
  schema: DirectorySchema | null,
): ExtraAttribute[] => {
  const place = memberOf === null ? 'lacking' : memberOfIn(schema)
  if (memberOf === null || typeof place === 'string') return []
  return [{ attribute, objectClass: place.objectClass, values: status === 1 ? memberOf : [] }]
}

/** Whether these attributes contain it. */
export const hasMemberOf = (extras: readonly ExtraAttribute[]): boolean =>
  extras.some((each) => each.attribute === attribute)

/**
 * The DNs of the groups that list user `u` in this directory, whose row is `dir`, as a JSON array; null: not managed. `e` is
 * the row of the user in the ledger.
 */
export const groupsListing = (directory: number): SQL => sql`
  case dir.member_of
    when 'ending' then '[]'
    when 'written' then (
      with recursive above as (
        select g.id, g.parent_id, g.group_type from group_members m join groups g on g.id = m.group_id
        where m.user_id = u.id
        union
        select p.id, p.parent_id, p.group_type from groups p join above a on p.id = a.parent_id
        where ${nestsIn(directory)}
      )
      select coalesce(json_agg(l.dn order by l.record_id), '[]')
      from above a join directory_entries l on l.directory = e.directory and l.kind = 'group' and l.record_id = a.id
      where a.group_type = 'cn' and l.dn is not null and ${isWithin(directory, 'group', sql`a.id`)})
  end`

const everyone = ({ directory }: Pick<Book, 'directory'>): SQL => sql`
  update directory_entries e set version = version + 1, attempts = 0, next_at = now()
  from (
    select record_id from directory_entries where directory = ${directory} and kind = 'user' order by record_id for update
  ) l
  where e.directory = ${directory} and e.kind = 'user' and e.record_id = l.record_id`

/** What the ledger knows about `memberOf` in its directory. */
export const ledgerMemberOf = ({ db, ...book }: Book) => ({
  /** Whether it is to be written, or was. */
  async concernsMemberOf(): Promise<boolean> {
    const [row] = await db.execute<{ concerns: boolean }>(sql`
      select shape->'memberOf' is not null or member_of is not null as concerns
      from directories where number = ${book.directory}`)
    return row?.concerns === true
  },

  async writesMemberOf(): Promise<boolean> {
    const [row] = await db.execute<{ writes: boolean }>(sql`
      select member_of is not null as writes from directories where number = ${book.directory}`)
    return row?.writes === true
  },

  /**
   * Stores whether it is written from now on, by the setting of the instance that was started last and by what the
   * connected server does itself. People become due if that has changed.
   * @returns whether it is to be written
   */
  settleMemberOf: (place: MemberOfPlace): Promise<boolean> =>
    db.transaction(async (tx) => {
      const [row] = await tx.execute<{ wanted: boolean; before: string | null }>(sql`
        select shape->'memberOf' is not null as wanted, member_of as before from directories
        where number = ${book.directory} for update`)
      if (row === undefined) return false
      const after = typeof place === 'string' ? null : row.wanted ? 'written' : row.before && 'ending'
      if (after !== row.before) {
        await tx.execute(sql`update directories set member_of = ${after}::text where number = ${book.directory}`)
        if (after !== null) await tx.execute(everyone(book))
      }
      return row.wanted
    }),

  /** Leaves it alone again, once no entry of a person has what was written before it was switched off. */
  async endMemberOf(): Promise<void> {
    await db.execute(sql`
      update directories set member_of = null where number = ${book.directory} and member_of = 'ending'
        and not exists (select from directory_entries e
          where e.directory = ${book.directory} and e.kind = 'user' and e.version <> e.synced_version)`)
  },
})

/**
 * Selects the people whose `memberOf` in this directory contains the DNs of these groups.
 * @param groups a query with one column `id`
 */
export const listedIn = (directory: number, groups: SQL): SQL => sql`
  with recursive below as (
    select x.id from (${groups}) x
    union
    select c.id from groups c join below b on c.parent_id = b.id where ${nestsIn(directory)}
  )
  select m.user_id as id from group_members m join below b on b.id = m.group_id`
