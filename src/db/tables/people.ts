import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { mailKeyOf } from '../../text/identity-keys.ts'
import type { AttributeValues } from './attributes.ts'
import { attributeTexts, audit, characters, filled, id, oneOrTwo, optional, pairs, ref, trigrams } from './columns.ts'
import { columnsOf, groupFields, searchedGroupFields, searchedUserFields, userFields } from './fields.ts'

export const users = pgTable(
  'users',
  {
    id: id(),
    ...columnsOf(userFields),
    /**
     * By which usernames are compared (see identity-keys): two people whom the directory cannot tell apart clash here.
     */
    usernameKey: text().notNull(),
    /** By which mobiles are compared, under DEFAULT_REGION; empty: there is no number, or another user has it. */
    mobileKey: optional(),
    status: smallint().notNull().default(1),
    /**
     * argon2id, PHC text, or as `{SCHEME}…` a hash that came from the directory, until the next sign-in; null: the user
     * cannot sign in until a code sets a password.
     */
    passwordHash: text(),
    /** The directory's `userPassword` where its scheme is not argon2; null: `{ARGON2}` + passwordHash. */
    directoryPassword: text(),
    /**
     * Names the password: another password gets another one from a trigger, whatever statement sets it; another hash of the
     * same one keeps it. null: the password was not changed since the column was added.
     */
    passwordId: uuid().default(sql`gen_random_uuid()`),
    /** In an update, the hash of the same password that it replaces. The trigger takes it away: it is always null. */
    passwordRenews: text(),
    /** An administrator knows the password: the next sign-in asks for another one. */
    mustChangePassword: boolean().notNull().default(false),
    /** Of the web console: `zh-CN` or `en`; empty follows the browser. */
    language: optional(),
    /** Of the web console: `light` or `dark`; empty follows the system. */
    theme: optional(),
    source: optional(),
    sourceUserId: optional(),
    sourceUnionId: optional(),
    /** The source's values when it was last followed; null: no source manages this person. */
    sourceFields: jsonb().$type<SourceFields>(),
    /** Public keys; null: never had one here, and what the entry has of other tools stays. */
    sshKeys: jsonb().$type<SshKeys>(),
    /** The values of declared attributes; see tables/attributes.ts. */
    attributes: jsonb().$type<AttributeValues>().notNull().default({}),
    ...audit(),
  },
  (t) => [
    uniqueIndex(userFields.username.unique).on(t.usernameKey),
    uniqueIndex(userFields.mail.unique).on(mailKeyOf(t.mail)).where(filled(t.mail)),
    uniqueIndex(userFields.mobile.unique).on(t.mobileKey).where(filled(t.mobileKey)),
    uniqueIndex(userFields.jobNumber.unique).on(t.jobNumber).where(filled(t.jobNumber)),
    uniqueIndex('users_source_key').on(t.source, t.sourceUserId).where(filled(t.sourceUserId)),
    index('users_status_index').on(t.status, t.id),
    // The orders of the console's lists.
    index('users_name_index').on(sql`lower(${t.nickname})`, t.id),
    index('users_disabled_name_index').on(sql`lower(${t.nickname})`, t.id).where(sql`${t.status} = 2`),
    index('users_created_index').on(t.createdAt, t.id),
    index('users_updated_index').on(t.updatedAt, t.id),
    index('users_local_index').on(t.id).where(sql`${t.sourceUserId} = ''`),
    characters('users_characters_index', t.nickname),
    pairs(
      'users_pairs_index',
      t.nickname,
      searchedUserFields.filter((name) => name !== 'nickname').map((name) => t[name]),
    ),
    trigrams(
      'users_search_index',
      searchedUserFields.map((name) => t[name]),
    ),
    attributeTexts('users_attributes_index', t.attributes),
    oneOrTwo('users_status_check', t.status),
  ],
)

/**
 * NT hashes of passwords, sealed (see mirror/entry/nt-hash.ts). A trigger of `users` deletes the row with every change of the
 * password or when the user is disabled, whatever statement does it; the new one is inserted after that.
 */
export const ntHashes = pgTable('nt_hashes', {
  userId: ref()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  sealed: text().notNull(),
})

/**
 * Hashes of passwords for further directories that have a scheme of their own, sealed (see mirror/passwords/other-hashes.ts). The
 * trigger of NT hashes deletes these too.
 */
export const schemeHashes = pgTable(
  'scheme_hashes',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As in LDAP_2_PASSWORD_SCHEME. */
    scheme: text().notNull(),
    sealed: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.scheme] })],
)

export const groups = pgTable(
  'groups',
  {
    id: id(),
    ...columnsOf(groupFields),
    groupNameKey: text().notNull(),
    /** `ou` (organizationalUnit, holds no members in the directory) or `cn` (a group of names). */
    groupType: text().notNull(),
    /** POSIX_ACCOUNTS=groups: whether it is a POSIX group, and its members have POSIX accounts. */
    posix: boolean().notNull().default(false),
    /** null where the contract says 0: directly under the base. */
    parentId: ref().references((): AnyPgColumn => groups.id),
    source: optional(),
    sourceDeptId: optional(),
    sourceDeptParentId: optional(),
    /** The source's values when it was last followed; null: no source manages this group. */
    sourceFields: jsonb().$type<SourceFields>(),
    /** The values of declared attributes; see tables/attributes.ts. */
    attributes: jsonb().$type<AttributeValues>().notNull().default({}),
    ...audit(),
  },
  (t) => [
    uniqueIndex(groupFields.groupName.unique).on(sql`coalesce(${t.parentId}, 0)`, t.groupNameKey),
    uniqueIndex('groups_source_key').on(t.source, t.sourceDeptId).where(filled(t.sourceDeptId)),
    index('groups_parent_index').on(t.parentId),
    // The order of the hits of a search.
    index('groups_name_index').on(t.groupNameKey, t.id),
    characters('groups_characters_index', t.groupName),
    trigrams(
      'groups_search_index',
      searchedGroupFields.map((name) => t[name]),
    ),
    attributeTexts('groups_attributes_index', t.attributes),
    check('groups_type_check', sql`${t.groupType} in ('ou', 'cn')`),
    check('groups_parent_check', sql`${t.parentId} <> ${t.id}`),
  ],
)

export const groupMembers = pgTable(
  'group_members',
  {
    groupId: ref()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.userId] }), index('group_members_user_index').on(t.userId)],
)

/**
 * The mapped fields of a source's record; `active` is "no" for a person who was disabled because they left the source.
 */
export type SourceFields = Record<string, string>

export interface SshKey {
  name: string
  type: string
  /** base64 */
  blob: string
  bits: number
  fingerprint: string
  /** RFC 3339: when it was added. */
  addedAt: string
}

export interface SshKeys {
  keys: SshKey[]
  /** The keys that the entry has of other tools are still to be taken over. */
  takesOver?: true
}
