import { sql } from 'drizzle-orm'
import { anyOfIds } from '../../db/id-list.ts'
import { groups, type SshKeys, users } from '../../db/schema.ts'
import { foreseeFlatNames } from '../entry/flat-names.ts'
import { keysWith } from '../entry/ssh-keys.ts'
import type { Book } from '../ledger/claim.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { numbersForeseen } from '../ledger/posix-numbers.ts'
import type { PlanningLedger } from '../plan/plan-batch.ts'

/**
 * What planning reads, for a dry run of a comparison: it writes nothing. What a comparison would store before it plans
 * (names of entries, POSIX numbers, keys that are taken over) is worked out instead.
 * @param places the DNs that the groups planned so far would have: groups below them are planned as if they had them
 */
export const foreseeLedger = (
  ledger: Pick<Ledger, 'users' | 'groups' | 'groupLayout' | 'heldElsewhere' | 'knownElsewhere' | 'kept'>,
  { db }: Pick<Book, 'db'>,
  places: ReadonlyMap<number, string>,
): PlanningLedger => {
  const { groupLayout, heldElsewhere, knownElsewhere, kept } = ledger
  return {
    ...{ users: ledger.users, groupLayout, heldElsewhere, knownElsewhere, kept },

    async groups(ids) {
      const rows = await ledger.groups(ids)
      const lacking = rows.flatMap(({ id, facts }) => (facts?.parentDn === null ? [id] : []))
      if (lacking.length === 0) return rows
      const parents = await db.execute<{ id: string; parent: string }>(sql`
        select g.id, g.parent_id as parent from ${groups} g where g.id = ${anyOfIds(lacking)}`)
      const parentOf = new Map(parents.map(({ id, parent }) => [Number(id), Number(parent)]))
      return rows.map((row) => {
        if (row.facts?.parentDn !== null) return row
        return { ...row, facts: { ...row.facts, parentDn: places.get(parentOf.get(row.id) ?? 0) ?? null } }
      })
    },

    assignEntryNames: () => foreseeFlatNames(db),

    assignNumbers: numbersForeseen(db),

    async storeTakenKeys(taken) {
      const rows = await db.execute<{ id: string; keys: SshKeys }>(sql`
        select u.id, u.ssh_keys as keys from ${users} u
        where u.id = ${anyOfIds([...taken.keys()])} and u.ssh_keys->'takesOver' is not null`)
      return new Map(
        rows.map(({ id, keys }) => [Number(id), { keys: keysWith(keys.keys, taken.get(Number(id)) ?? []) }]),
      )
    },
  }
}
