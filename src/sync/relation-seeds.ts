import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { Seeded } from '../db/seeded.ts'
import { type Slot, slots } from '../sources/slot.ts'
import type { Connector } from '../sources/source.ts'
import { defaultRelations } from './mapping/defaults.ts'
import { flagOf } from './mapping/relations.ts'

/**
 * Puts the field relations of what each slot is connected to in place, once: what an administrator deletes stays away.
 * Where a slot has been connected to something else, a relation that nobody has touched follows.
 */
export const seedFieldRelations = async (
  tx: Tx,
  seeded: Seeded,
  connectors: Readonly<Record<Slot, Connector>>,
): Promise<void> => {
  const relations = slots.flatMap((slot) =>
    (['users', 'groups'] as const).map((kind) => ({
      flag: flagOf(slot, kind),
      attributes: defaultRelations[connectors[slot]][kind],
      untouched: Object.values(defaultRelations).map((each) => each[kind]),
    })),
  )
  const wanted = relations.filter(({ flag }) => seeded.claim('field relation', flag))
  await tx.execute(sql`
    insert into field_relations (flag, attributes, creator)
    select flag, attributes, 'system'
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (flag text, attributes jsonb)
    on conflict do nothing`)
  await tx.execute(sql`
    update field_relations r set attributes = w.attributes, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(relations)}::jsonb) as w (flag text, attributes jsonb, untouched jsonb)
    where r.flag = w.flag and r.attributes <> w.attributes
      and r.attributes in (select jsonb_array_elements(w.untouched))`)
}
