import { eq } from 'drizzle-orm'
import { highestRank } from '../access/seniority.ts'
import type { Principal } from '../contract/handler.ts'
import type { ChangeRecord } from '../db/change-records.ts'
import type { Db } from '../db/client.ts'
import { declaredAttributes } from '../db/schema.ts'
import { mappedGroupFields, mappedUserFields } from '../db/tables/fields.ts'
import { maySee } from '../people/attributes/declared.ts'
import type { RunRecord } from './run-records.ts'

/** What everyone may see who may see a plan. */
const openFields: ReadonlySet<string> = new Set([
  ...mappedUserFields,
  ...mappedGroupFields,
  ...['username', 'groupName', 'sourceUnionId', 'status', 'memberOf', 'parent'],
])

const hidden = '***'

/**
 * Hides values of declared attributes that a caller may not see in the records either: those of attributes that were
 * removed too, whose roles are not known any more.
 */
export const hiddenFrom = async (
  db: Db,
  { source, kind }: Pick<RunRecord, 'source' | 'kind'>,
  viewer: Pick<Principal, 'userId' | 'rank' | 'roleIds'>,
): Promise<(change: ChangeRecord) => ChangeRecord> => {
  if (viewer.rank === highestRank) return (change) => change
  const declared = await db
    .select()
    .from(declaredAttributes)
    .where(eq(declaredAttributes.kind, kind === 'users' ? 'user' : 'group'))
  const shown = declared.filter((each) => each.removedAt === null && maySee(each, viewer, 'others'))
  const names = new Set(shown.map(({ name }) => name))
  const places = new Set(shown.map(({ ldapAttribute }) => ldapAttribute.toLowerCase()))
  const others = new Set(
    declared.map(({ ldapAttribute }) => ldapAttribute.toLowerCase()).filter((each) => !places.has(each)),
  )
  const isShown = (field: string): boolean =>
    source === 'sql' ? !others.has(field.toLowerCase()) : openFields.has(field) || names.has(field)
  const cover = (fields: ChangeRecord['before']): ChangeRecord['before'] =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, value === null || isShown(field) ? value : hidden]),
    )
  return (change) => ({ ...change, before: cover(change.before), after: cover(change.after) })
}
