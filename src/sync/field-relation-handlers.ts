import { sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import { deleteRows, insertRow, updateRow } from '../access/rows.ts'
import { requireHighestRank } from '../access/seniority.ts'
import { requireStepUp } from '../access/step-up.ts'
import { type Principal, SuccessWithMessage } from '../contract/handler.ts'
import type { Db, Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { reasons as missing } from '../db/reasons.ts'
import { allRecords } from '../db/record-lists.ts'
import { itemOf } from '../db/request-fields.ts'
import { fieldRelations } from '../db/schema.ts'
import type { FieldRelationsHandlers } from '../generated/directory.ts'
import type { components } from '../generated/directory.types.ts'
import { checkRelation } from './mapping/relations.ts'
import { relationClashes } from './reasons.ts'

const record = written(
  jsonObject<components['schemas']['FieldRelation']>({
    id: fieldRelations.id,
    flag: fieldRelations.flag,
    attributes: fieldRelations.attributes,
    creator: fieldRelations.creator,
    createdAt: instantText(fieldRelations.createdAt),
    updatedAt: instantText(fieldRelations.updatedAt),
  }),
)

/**
 * The author of a field relation decides about people's names and mail addresses in every later run: that needs the
 * highest rank and a step-up.
 */
const requireMayMap = async (tx: Tx, user: Principal): Promise<void> => {
  await requireHighestRank(tx, user)
  await requireStepUp(tx, user)
}

/** How the fields of users and groups are taken from a source's records: our field → an expression, per flag. */
export const fieldRelationsHandlers = ({ db }: { db: Db }): FieldRelationsHandlers => ({
  async addFieldRelation({ body, user }) {
    const remarks = await checkRelation(db, body.flag, body.attributes)
    const row = { ...body, creator: user.username }
    const id = await changeFor(db, user, async (tx) => {
      await requireMayMap(tx, user)
      return insertRow(tx, fieldRelations, row, relationClashes)
    })
    return saved(remarks, { id })
  },

  async updateFieldRelation({ body: { id, ...columns }, user }) {
    const remarks = await checkRelation(db, columns.flag, columns.attributes)
    const found = await changeFor(db, user, async (tx) => {
      await requireMayMap(tx, user)
      return updateRow(tx, fieldRelations, id, columns, relationClashes)
    })
    if (!found) throw missing.field_relation_not_found.at('id', { id })
    return saved(remarks, null)
  },

  async deleteFieldRelations({ body: { fieldRelationIds }, user }) {
    await changeFor(db, user, async (tx) => {
      await requireMayMap(tx, user)
      await requireExisting(tx, 'field relation', fieldRelationIds, itemOf('fieldRelationIds'), 'update')
      await deleteRows(tx, fieldRelations, fieldRelationIds)
    })
    return null
  },

  listFieldRelations: () =>
    allRecords(db, { record, from: sql`${fieldRelations}`, order: sql`${fieldRelations.id} desc` }),
})

/** The contract allows any text as a flag, and a misspelled one would select nothing without an error. */
const saved = <T>(remarks: readonly string[], data: T): T | SuccessWithMessage<T> =>
  remarks.length === 0 ? data : new SuccessWithMessage(data, `saved; ${remarks.join('; ')}`)
