import { and, eq, isNull } from 'drizzle-orm'
import { changeFor } from '../../access/committed.ts'
import { insertRow, updateRow } from '../../access/rows.ts'
import { requireHighestRank } from '../../access/seniority.ts'
import { requireStepUp } from '../../access/step-up.ts'
import type { Principal } from '../../contract/handler.ts'
import type { Db, Queryable, Tx } from '../../db/client.ts'
import { requireExisting } from '../../db/existing.ts'
import { reasons as stored } from '../../db/reasons.ts'
import { requireVersion } from '../../db/record-versions.ts'
import { declaredAttributes } from '../../db/schema.ts'
import type { AttributesHandlers } from '../../generated/operations.ts'
import type { DirectorySettings } from '../../mirror/entry/directory-settings.ts'
import { type MirroredOptions, mirroredChange } from '../../mirror/mirrored.ts'
import type { Reconciler } from '../../mirror/reconciler.ts'
import { attributeClashes, reasons } from '../reasons.ts'
import { storedAttribute, storedAttributes, wouldBe } from './attribute-records.ts'
import { type Declared, declaredOf } from './declared.ts'
import { type Place, requireFreeName, requirePlace } from './place.ts'
import { forgetStrayValues, moveElsewhere, retire } from './retire.ts'
import { longestText } from './values.ts'

export interface AttributesOptions extends MirroredOptions {
  db: Db
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle' | 'schema'>
  config: Pick<DirectorySettings, 'groupClass'>
}

/** Attributes of one kind: forms have to stay usable, and every entry is compared with all of them. */
const maxAttributes = 50

/** @throws AppError (invalid) naming the bound */
const requireBounds = ({ type, minimum, maximum }: Pick<Declared, 'type' | 'minimum' | 'maximum'>): void => {
  const isBounded = type === 'text' || type === 'integer'
  const [least, most] = type === 'text' ? [0, longestText] : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  for (const [field, bound] of Object.entries({ minimum, maximum })) {
    if (bound !== null && (!isBounded || bound < least || bound > most)) throw reasons.attribute_bounds.at(field)
  }
  if (minimum !== null && maximum !== null && minimum > maximum) throw reasons.attribute_bounds.at('maximum')
}

/**
 * A declaration decides about an attribute of every entry, and about who may change it: that needs the highest
 * rank and a step-up.
 */
const requireMayDeclare = async (tx: Queryable, user: Principal): Promise<void> => {
  await requireHighestRank(tx, user)
  await requireStepUp(tx, user)
}

type NamedRoles = Pick<Declared, 'seeRoles' | 'editRoles'>

/**
 * The roles that an attribute names anew exist, and stay until the transaction ends. One that it names already may be gone,
 * in an installation where roles that attributes name could be deleted: it does not keep the attribute from being changed.
 * @param before the attribute as it is; absent: it is declared
 * @throws AppError (not_found) naming the first that does not exist
 */
const requireRoles = async (
  tx: Tx,
  { seeRoles = [], editRoles = [] }: Partial<NamedRoles>,
  before: NamedRoles = { seeRoles: [], editRoles: [] },
): Promise<void> => {
  const known = new Set([...before.seeRoles, ...before.editRoles])
  const named = [
    ...seeRoles.map((id, index) => ({ id, field: `seeRoles.${index}` })),
    ...editRoles.map((id, index) => ({ id, field: `editRoles.${index}` })),
  ].filter(({ id }) => !known.has(id))
  const ids = named.map(({ id }) => id)
  if (ids.length > 0) await requireExisting(tx, 'role', ids, (index) => named[index]?.field ?? '')
}

/** The declarations of attributes. Their values are changed by value-handlers.ts. */
export const attributesHandlers = (options: AttributesOptions): AttributesHandlers => {
  const { db, reconciler, config } = options
  const change = mirroredChange(options)

  /** The directory is asked before the transaction begins, because it may be slow. */
  const placeOf = async (wanted: Parameters<typeof requirePlace>[0]): Promise<Place> =>
    requirePlace(wanted, config.groupClass, wanted.ldapAttribute === '' ? null : await reconciler.schema())

  return {
    async listAttributes() {
      return { attributes: await storedAttributes(db) }
    },

    async declareAttribute({ body: { labels, dryRun = false, ...body }, user }) {
      await (dryRun ? requireHighestRank(db, user) : requireMayDeclare(db, user))
      const { kind, name, multiple = false, minimum = null, maximum = null } = body
      const { ldapAttribute = '', objectClass = '' } = body
      requireFreeName(kind, name)
      requireBounds({ ...body, minimum, maximum })
      const place = await placeOf({ ...body, multiple, ldapAttribute, objectClass })
      const row = {
        ...{ kind, name, type: body.type, multiple, minimum, maximum, searched: body.searched ?? false },
        ...{ own: body.own ?? 'see', seeRoles: body.seeRoles ?? [], editRoles: body.editRoles ?? [] },
        ...{ labelEn: labels.en, labelZh: labels['zh-CN'], ...place },
      }
      return changeFor(db, user, async (tx) => {
        if (!dryRun) await requireMayDeclare(tx, user)
        await requireFree(tx, row)
        await requireRoles(tx, body)
        if (dryRun) return wouldBe({ ...row, creator: user.username })
        const id = await insertRow(tx, declaredAttributes, { ...row, creator: user.username }, attributeClashes)
        await forgetStrayValues(tx, kind, name)
        return storedAttribute(tx, id)
      })
    },

    async updateAttribute({ params: { id }, body: { labels, version, ...body }, user }) {
      await requireMayDeclare(db, user)
      const changed = (attribute: Declared): Declared => ({
        ...attribute,
        ...body,
        ...(labels && { labelEn: labels.en, labelZh: labels['zh-CN'] }),
      })
      const read = await findDeclared(db, id)
      const before = changed(read)
      requireBounds(before)
      const isMoved = body.ldapAttribute !== undefined || body.objectClass !== undefined
      const place = isMoved ? await placeOf(before) : null
      return change(user, async (tx) => {
        await requireMayDeclare(tx, user)
        const current = await findDeclared(tx, id, true)
        await requireVersion(tx, 'attribute', id, version)
        await requireRoles(tx, body, current)
        // The directory was asked about another place than this request would leave.
        const isStale = current.ldapAttribute !== read.ldapAttribute || current.objectClass !== read.objectClass
        if (place !== null && isStale) throw stored.changed_meanwhile.at('version')
        const row = { ...changed(current), ...place }
        requireBounds(row)
        const { minimum, maximum, searched, own, seeRoles, editRoles, labelEn, labelZh } = row
        const { ldapAttribute, objectClass, ldapSyntax } = row
        const columns = {
          ...{ minimum, maximum, searched, own, seeRoles, editRoles, labelEn, labelZh },
          ...{ ldapAttribute, objectClass, ldapSyntax },
        }
        const touched = place === null ? [] : await moveElsewhere(tx, current, place)
        await updateRow(tx, declaredAttributes, id, columns, attributeClashes)
        return { data: await storedAttribute(tx, id), touched }
      })
    },

    async removeAttribute({ params: { id }, user }) {
      return change(user, async (tx) => {
        await requireMayDeclare(tx, user)
        const { records, touched } = await retire(tx, await findDeclared(tx, id, true))
        return { data: { records }, touched }
      })
    },
  }
}

/** @throws AppError (not_found) naming `id` */
const findDeclared = async (db: Db | Tx, id: number, lock = false): Promise<Declared> => {
  const query = db
    .select()
    .from(declaredAttributes)
    .where(and(eq(declaredAttributes.id, id), isNull(declaredAttributes.removedAt)))
  const [row] = await (lock ? query.for('update') : query)
  if (row === undefined) throw reasons.attribute_not_found.at('id', { id })
  return row
}

/** What the database refuses too, for a dry run; and the limit. @throws AppError (conflict) */
const requireFree = async (db: Db | Tx, wanted: Pick<Declared, 'kind' | 'name' | 'ldapAttribute'>): Promise<void> => {
  const others = await declaredOf(db, wanted.kind)
  const isSame = (one: string, other: string): boolean => one !== '' && one.toLowerCase() === other.toLowerCase()
  if (others.some(({ name }) => isSame(name, wanted.name))) throw reasons.attribute_taken.at('name')
  if (others.some(({ ldapAttribute }) => isSame(ldapAttribute, wanted.ldapAttribute))) {
    throw reasons.ldap_attribute_taken.at('ldapAttribute')
  }
  if (others.length >= maxAttributes) throw reasons.attribute_limit({ limit: maxAttributes })
}
