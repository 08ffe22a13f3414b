import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { Seeded } from '../db/seeded.ts'
import { type Slot, slots } from '../sources/slot.ts'
import type { Connector } from '../sources/source.ts'
import { defaultRelations } from './mapping/defaults.ts'
import { flagOf } from './mapping/relations.ts'

/**
 * Creates the default field relations of each slot's connector, once: one that an administrator deletes is not created
 * again. If a slot has got another connector, a relation that no administrator has changed is replaced.
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
