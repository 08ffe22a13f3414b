import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { audit, id, instant, optional } from './columns.ts'

/** What a value of an attribute may be. */
export type AttributeType = 'text' | 'integer' | 'boolean' | 'date'

/**
 * The fields that an administrator declared, besides those of fields.ts. Their values are in the column `attributes` of
 * users and groups, by name.
 */
export const declaredAttributes = pgTable(
  'declared_attributes',
  {
    id: id(),
    kind: text().$type<'user' | 'group'>().notNull(),
    /** Of one that was removed, `~` and its id: the name is free again. */
    name: text().notNull(),
    labelEn: text().notNull(),
    labelZh: text().notNull(),
    type: text().$type<AttributeType>().notNull(),
    multiple: boolean().notNull().default(false),
    /** Bounds of an integer, or of the length of a text; null: the widest. */
    minimum: integer(),
    maximum: integer(),
    /** Whether the search of the lists covers it. */
    searched: boolean().notNull().default(false),
    /** What people may do with their own values: hidden, see, edit. */
    own: text().$type<'hidden' | 'see' | 'edit'>().notNull().default('see'),
    /** The roles that see and edit the values of others; empty: every caller who may see or edit the record. */
    seeRoles: jsonb().$type<number[]>().notNull().default([]),
    editRoles: jsonb().$type<number[]>().notNull().default([]),
    /** Empty: the directory does not show it. */
    ldapAttribute: optional(),
    /** The auxiliary class that allows it; empty: the classes of every entry do. */
    objectClass: optional(),
    /** The OID of its syntax in the directory's schema; empty: not known. */
    ldapSyntax: optional(),
    /**
     * When it was removed, or shown in another place. The row remains until the directory has lost what Steward wrote;
     * see mirror/entry/removed-attributes.ts.
     */
    removedAt: instant(),
    ...audit(),
  },
  (t) => [
    uniqueIndex('declared_attributes_name_key').on(t.kind, sql`lower(${t.name})`),
    uniqueIndex('declared_attributes_ldap_key')
      .on(t.kind, sql`lower(${t.ldapAttribute})`)
      .where(sql`${t.ldapAttribute} <> '' and ${t.removedAt} is null`),
    check('declared_attributes_kind_check', sql`${t.kind} in ('user', 'group')`),
    check('declared_attributes_own_check', sql`${t.own} in ('hidden', 'see', 'edit')`),
  ],
)

/**
 * The values of a record by the names of declared attributes. A name that is absent is not managed for this record: what
 * the directory has in its attribute stays. An empty list means that there must not be a value.
 */
export type AttributeValues = Record<string, string[]>
