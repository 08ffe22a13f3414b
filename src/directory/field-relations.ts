import { sql } from 'drizzle-orm'
import { Answer } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { fieldRelations } from '../db/schema.ts'
import { fieldError } from '../errors.ts'
import type { FieldRelationsHandlers } from '../generated/directory.ts'
import type { components } from '../generated/directory.types.ts'
import { checkRelation, knownFlags } from '../sync/mapping/relations.ts'
import { requireExisting } from './existing.ts'
import { allRecords } from './record-lists.ts'
import { itemOf } from './request-fields.ts'
import { deleteRows, insertRow, updateRow } from './rows.ts'

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

/** How the fields of users and groups are taken from the records of a source: our field → an expression, per flag. */
export const fieldRelationsHandlers = ({ db }: { db: Db }): FieldRelationsHandlers => ({
  async addFieldRelation({ body, user }) {
    checkRelation(body.flag, body.attributes)
    const row = { ...body, creator: user.username }
    const id = await db.transaction((tx) => insertRow(tx, fieldRelations, row))
    return saved(body.flag, { id })
  },

  async updateFieldRelation({ body: { id, ...columns } }) {
    checkRelation(columns.flag, columns.attributes)
    const found = await db.transaction((tx) => updateRow(tx, fieldRelations, id, columns))
    if (!found) throw fieldError('not_found', 'id', `there is no field relation ${id}`)
    return saved(columns.flag, null)
  },

  async deleteFieldRelations({ body: { fieldRelationIds } }) {
    await db.transaction(async (tx) => {
      await requireExisting(tx, 'field relation', fieldRelationIds, itemOf('fieldRelationIds'), 'update')
      await deleteRows(tx, fieldRelations, fieldRelationIds)
    })
    return null
  },

  listFieldRelations: () =>
    allRecords(db, { record, from: sql`${fieldRelations}`, order: sql`${fieldRelations.id} desc` }),
})

/** A flag may be any text, and a slip in it would go unnoticed until somebody wonders why nothing changes. */
const saved = <T>(flag: string, data: T): T | Answer<T> =>
  knownFlags.includes(flag)
    ? data
    : new Answer(data, `saved; no source looks for the flag ${flag}, but for ${knownFlags.join(', ')}`)
