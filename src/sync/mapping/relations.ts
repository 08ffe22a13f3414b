import { eq } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { fieldRelations } from '../../db/schema.ts'
import { AppError } from '../../failures/errors.ts'
import { statementOf } from '../../failures/statement-table.ts'
import { declaredOf } from '../../people/attributes/declared.ts'
import { type Slot, slots } from '../../sources/slot.ts'
import { reasons } from '../reasons.ts'
import { type RunKind, recordKindOf } from '../run-request.ts'
import { statements } from '../statements.ts'
import { type Attributes, compileMapping, ignoredAttributes, parseAttributes } from './compile.ts'
import { declaredField, type Field } from './fields.ts'
import type { Mapping } from './mapping.ts'

/** The flag of the field relation that is used for a slot's people or groups, such as `exta_user`. */
export const flagOf = (slot: Slot, kind: RunKind): string => `${slot}_${recordKindOf(kind)}`

const kinds = new Map(
  slots.flatMap((slot) => (['users', 'groups'] as const).map((kind) => [flagOf(slot, kind), kind] as const)),
)

/** The flags that sources look for. */
export const knownFlags: readonly string[] = [...kinds.keys()]

/** The declared attributes that a field relation may fill. */
export const declaredFields = async (db: Queryable, kind: RunKind): Promise<Field[]> =>
  (await declaredOf(db, recordKindOf(kind))).map(declaredField)

/**
 * Tries a field relation before it is saved. One whose flag no source looks for may be for any fields.
 * @returns what of it will have no effect, a sentence each
 * @throws AppError (invalid) naming each `attributes.<field>` that cannot be used
 */
export const checkRelation = async (db: Queryable, flag: string, attributes: Attributes): Promise<string[]> => {
  const kind = kinds.get(flag)
  if (kind === undefined) {
    parseAttributes(attributes)
    return [`no source looks for the flag ${flag}, but for ${knownFlags.join(', ')}`]
  }
  compileMapping(kind, attributes, await declaredFields(db, kind))
  const ignored = ignoredAttributes(kind, attributes)
  if (ignored.length === 0) return []
  return [
    `${ignored.join(' and ')} ${ignored.length > 1 ? 'have' : 'has'} no effect: the source itself says what identifies a record`,
  ]
}

/**
 * The mapping that is in force for a slot's people or groups.
 * @throws AppError (unavailable) naming the flag if the field relation does not exist or cannot be used
 */
export const loadMapping = async (db: Queryable, slot: Slot, kind: RunKind): Promise<Mapping> => {
  const flag = flagOf(slot, kind)
  const [relation] = await db
    .select({ attributes: fieldRelations.attributes })
    .from(fieldRelations)
    .where(eq(fieldRelations.flag, flag))
  if (relation === undefined) {
    throw reasons.relation_deleted({ flag })
  }
  try {
    return compileMapping(kind, relation.attributes, await declaredFields(db, kind))
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    const [problem] = cause.details ?? []
    const stated = statementOf(cause)
    throw reasons.relation_unusable(
      {
        flag,
        problem:
          problem === undefined
            ? stated
            : statements.field_unusable({ field: problem.field, problem: statementOf(problem) }),
      },
      { cause },
    )
  }
}
