import { and, eq, isNull, sql } from 'drizzle-orm'
import { highestRank } from '../../access/seniority.ts'
import type { Principal } from '../../contract/handler.ts'
import type { Queryable, Tx } from '../../db/client.ts'
import { declaredAttributes } from '../../db/schema.ts'
import type { RecordKind } from '../../mirror/touch.ts'

export type Declared = typeof declaredAttributes.$inferSelect

/** The declared attributes of people or groups, by name. */
export const declaredOf = (db: Queryable, kind: RecordKind): Promise<Declared[]> =>
  db
    .select()
    .from(declaredAttributes)
    .where(and(eq(declaredAttributes.kind, kind), isNull(declaredAttributes.removedAt)))
    .orderBy(sql`lower(${declaredAttributes.name})`)

/** The declarations stay until the transaction ends: no value is stored for one that is removed meanwhile. */
export const holdDeclarations = async (tx: Tx, kind: RecordKind): Promise<void> => {
  await tx.execute(sql`select from ${declaredAttributes} where kind = ${kind} order by id for key share`)
}

export type Viewer = Pick<Principal, 'rank' | 'roleIds'>

/** Whose values they are: the caller's own, or those of another record. */
export type Whose = 'own' | 'others'

const isAmong = (roles: readonly number[], { roleIds }: Viewer): boolean =>
  roles.length === 0 || roles.some((id) => roleIds.includes(id))

/** Whether a caller may see the values of an attribute. The contract says who may read the record. */
export const maySee = ({ own, seeRoles }: Declared, viewer: Viewer, whose: Whose): boolean =>
  viewer.rank === highestRank || (whose === 'own' ? own !== 'hidden' : isAmong(seeRoles, viewer))

/** Whether a caller may change the values of an attribute of a record that they may change. */
export const mayChangeValues = (declared: Declared, viewer: Viewer, whose: Whose): boolean =>
  viewer.rank === highestRank ||
  (maySee(declared, viewer, whose) && (whose === 'own' ? declared.own === 'edit' : isAmong(declared.editRoles, viewer)))
