import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client.ts'
import type { RunReport } from '../../src/sync/runs.ts'
import { type Asked, type Shown, usersAndGroups } from '../faults/entries.ts'

/** What became of records between two looks at them, in the words of a run's report; what counts is what is there. */
export type Figures = Pick<RunReport, 'added' | 'updated' | 'moved' | 'disabled'>

export const figuresOf = ({ added, updated, moved, disabled }: Figures): Figures => ({
  added,
  updated,
  moved,
  disabled,
})

/** A record or an entry: its place, and all else as text. */
interface Seen {
  place: string
  enabled: boolean
  text: string
}

export type Look = Map<string, Seen>

export const people = async (asked: Asked): Promise<Look> =>
  new Map(
    (await usersAndGroups(asked)).users.map(({ id, departmentId, status, updatedAt: _, userDn: __, ...rest }) => [
      String(id),
      { place: String(departmentId), enabled: status === 1, text: JSON.stringify(rest) },
    ]),
  )

export const departments = async (asked: Asked): Promise<Look> =>
  new Map(
    (await usersAndGroups(asked)).groups.map(({ id, parentId, groupName, remark }) => [
      String(id),
      { place: String(parentId), enabled: true, text: JSON.stringify([groupName, remark]) },
    ]),
  )

/** A user who is enabled again counts as updated; one who moved and changed otherwise, as moved. */
export const compareLooks = (before: Look, after: Look): Figures => {
  const figures = { added: 0, updated: 0, moved: 0, disabled: 0 }
  for (const [id, now] of after) {
    const then = before.get(id)
    if (then === undefined) figures.added++
    else if (then.enabled !== now.enabled) figures[now.enabled ? 'updated' : 'disabled']++
    else if (then.place !== now.place) figures.moved++
    else if (then.text !== now.text) figures.updated++
  }
  for (const id of before.keys()) if (!after.has(id)) figures.disabled++
  return figures
}

/** Every entry with all its attributes, operational ones too. */
export const dump = ({ baseDn, ldapsearch }: Shown): Promise<string> =>
  ldapsearch('-b', baseDn, '(objectClass=*)', '*', '+')

/**
 * The people that ldapsearch shows, by `entryUUID`: what survives a rename is the same entry. A person's place is the
 * groups that name them as a member.
 */
export const peopleIn = (ldif: string): Look => {
  const blocks = ldif
    .split(/\n\n+/)
    .map(valuesOf)
    .filter((values) => values.has('dn'))
  const groupsOf = new Map<string, string[]>()
  for (const values of blocks) {
    for (const member of values.get('member') ?? []) {
      groupsOf.set(member, [...(groupsOf.get(member) ?? []), String(values.get('dn'))])
    }
  }
  return new Map(
    blocks
      .filter((values) => values.has('uid'))
      .map((values) => {
        const dn = String(values.get('dn'))
        const place = String((groupsOf.get(dn) ?? []).sort())
        const text = JSON.stringify([...values].filter(([name]) => !/^(entryCSN|modifyTimestamp)$/.test(name)))
        return [String(values.get('entryUUID')), { place, enabled: !dn.includes(',ou=disabled,'), text }]
      }),
  )
}

const valuesOf = (block: string): Map<string, string[]> => {
  const values = new Map<string, string[]>()
  for (const [, name = '', encoded, text = ''] of block.matchAll(/^([^:\n]+):(:?) ?(.*)$/gm)) {
    const value = encoded ? Buffer.from(text, 'base64').toString() : text
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return values
}

/** Which transaction wrote each row last, and which versions the directory is to have and has. */
export const rowVersions = async (db: Db): Promise<string[]> => {
  const rows = await db.execute<{ line: string }>(sql`
    select 'user ' || id || ' ' || xmin as line from users
    union all select 'group ' || id || ' ' || xmin from groups
    union all select 'member ' || group_id || ' ' || user_id || ' ' || xmin from group_members
    union all select 'entry ' || kind || ' ' || record_id || ' ' || version || ' ' || synced_version from directory_entries
    order by 1`)
  return rows.map(({ line }) => line)
}
