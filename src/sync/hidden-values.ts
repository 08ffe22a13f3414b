import { eq } from 'drizzle-orm'
import { highestRank } from '../access/seniority.ts'
import type { Principal } from '../contract/handler.ts'
import type { ChangeRecord } from '../db/change-records.ts'
import type { Db } from '../db/client.ts'
import { declaredAttributes } from '../db/schema.ts'
import { mappedGroupFields, mappedUserFields } from '../db/tables/fields.ts'
import { activeDirectoryNames } from '../mirror/entry/active-directory.ts'
import { groupAttributeNames, userAttributeNames } from '../mirror/entry/entry-shape.ts'
import { posixAttributeNames } from '../mirror/entry/posix.ts'
import { sshKeyAttribute } from '../mirror/entry/ssh-keys.ts'
import { type Declared, maySee } from '../people/attributes/declared.ts'
import { posixNumberField } from './mapping/fields.ts'
import type { RunRecord } from './run-records.ts'
import { recordKindOf } from './run-request.ts'

/** What everyone may see who may see the plan of an import. */
const openFields: ReadonlySet<string> = new Set([
  ...mappedUserFields,
  ...mappedGroupFields,
  ...['username', 'groupName', 'sourceUnionId', 'status', 'memberOf', 'parent', posixNumberField],
])

/** The same of the plan of a comparison, in lower case: what Steward writes on entries besides declared attributes. */
const openAttributes: ReadonlySet<string> = new Set(
  [
    ...userAttributeNames,
    ...(['groupOfNames', 'groupOfUniqueNames'] as const).flatMap(groupAttributeNames),
    ...activeDirectoryNames,
    ...posixAttributeNames,
    ...['dn', 'memberOf', sshKeyAttribute],
  ].map((name) => name.toLowerCase()),
)

const hidden = '***'

/**
 * Hides values of declared attributes that a caller may not see in the records either. What was removed or moved since is
 * hidden too, for its roles are not known any more; and what was declared or changed since, for it may have the name or
 * the place of another one.
 */
export const hiddenFrom = async (
  db: Db,
  { source, kind, startedAt }: Pick<RunRecord, 'source' | 'kind' | 'startedAt'>,
  viewer: Pick<Principal, 'userId' | 'rank' | 'roleIds'>,
): Promise<(change: ChangeRecord) => ChangeRecord> => {
  if (viewer.rank === highestRank) return (change) => change
  const declared = await db
    .select()
    .from(declaredAttributes)
    .where(eq(declaredAttributes.kind, recordKindOf(kind)))
  const planned = new Date(startedAt)
  const shown = declared.filter(
    (each) => each.removedAt === null && each.updatedAt <= planned && maySee(each, viewer, 'others'),
  )
  const ofOthers = covering(source, shown)
  const ofViewer = covering(
    source,
    shown.filter((each) => maySee(each, viewer, 'own')),
  )
  return (change) => {
    const cover = kind === 'users' && change.recordId === viewer.userId ? ofViewer : ofOthers
    return { ...change, before: cover(change.before), after: cover(change.after) }
  }
}

type Cover = (fields: ChangeRecord['before']) => ChangeRecord['before']

/** @param shown the declared attributes whose values are not hidden */
const covering = (source: RunRecord['source'], shown: readonly Pick<Declared, 'name' | 'ldapAttribute'>[]): Cover => {
  const names = new Set(shown.map(({ name }) => name))
  const places = new Set(shown.map(({ ldapAttribute }) => ldapAttribute.toLowerCase()))
  const isShown = (field: string): boolean => {
    if (source !== 'sql') return openFields.has(field) || names.has(field)
    const attribute = field.toLowerCase()
    return openAttributes.has(attribute) || places.has(attribute)
  }
  return (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, value === null || isShown(field) ? value : hidden]),
    )
}
