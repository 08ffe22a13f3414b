import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { instantText, jsonObject } from '../../db/json-record.ts'
import { versionOf } from '../../db/record-versions.ts'
import { declaredAttributes } from '../../db/schema.ts'
import type { components } from '../../generated/operations.types.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Declared } from './declared.ts'

export type Attribute = components['schemas']['Attribute']

const record = jsonObject<Attribute>({
  id: declaredAttributes.id,
  kind: declaredAttributes.kind,
  name: declaredAttributes.name,
  labels: sql`json_build_object('en', ${declaredAttributes.labelEn}, 'zh-CN', ${declaredAttributes.labelZh})`,
  type: declaredAttributes.type,
  multiple: declaredAttributes.multiple,
  minimum: declaredAttributes.minimum,
  maximum: declaredAttributes.maximum,
  searched: declaredAttributes.searched,
  own: declaredAttributes.own,
  seeRoles: declaredAttributes.seeRoles,
  editRoles: declaredAttributes.editRoles,
  ldapAttribute: declaredAttributes.ldapAttribute,
  objectClass: declaredAttributes.objectClass,
  creator: declaredAttributes.creator,
  createdAt: instantText(declaredAttributes.createdAt),
  updatedAt: instantText(declaredAttributes.updatedAt),
  version: versionOf('attribute'),
})

const select = async (db: Queryable, where?: SQL): Promise<Attribute[]> => {
  const rows = await db
    .select({ attribute: record })
    .from(declaredAttributes)
    .where(and(isNull(declaredAttributes.removedAt), where))
    .orderBy(declaredAttributes.kind, sql`lower(${declaredAttributes.name})`)
  return rows.map(({ attribute }) => attribute)
}

/** The declared attributes of groups and people, by kind and name. */
export const storedAttributes = (db: Queryable): Promise<Attribute[]> => select(db)

/** The record of an attribute that was just written. */
export const storedAttribute = async (db: Queryable, id: number): Promise<Attribute> => {
  const [attribute] = await select(db, eq(declaredAttributes.id, id))
  if (attribute === undefined) throw new Error(`attribute ${id} was written and is not there`)
  return attribute
}

type Wanted = Omit<Declared, 'id' | 'ldapSyntax' | 'removedAt' | 'createdAt' | 'updatedAt'>

/** What a declaration would make, for a dry run: its version is of no record. */
export const wouldBe = (row: Wanted): Attribute => {
  const { kind, name, labelEn, labelZh, type, multiple, minimum, maximum, searched, own } = row
  const { seeRoles, editRoles, ldapAttribute, objectClass, creator } = row
  const now = new Date(currentTime()).toISOString()
  return {
    ...{ id: 0, kind, name, labels: { en: labelEn, 'zh-CN': labelZh }, type, multiple, minimum, maximum, searched },
    ...{ own, seeRoles, editRoles, ldapAttribute, objectClass, creator, createdAt: now, updatedAt: now },
    version: '0'.repeat(32),
  }
}
