import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Statement } from '../../failures/statement.ts'
import { instant, optional, ref } from './columns.ts'
import { groups } from './people.ts'

/**
 * The directories that follow the records. Row 1, the main directory, is always there. The others have the numbers of
 * their settings (LDAP_2_URL); see mirror/directory/identity.ts.
 */
export const directories = pgTable(
  'directories',
  {
    number: smallint().primaryKey(),
    /** Which directory the ledger describes; null: none was opened yet. */
    place: jsonb().$type<{ server: string; baseDn: string }>(),
    /** The settings that all its entries depend on; null: not known. */
    shape: jsonb(),
    /**
     * Whether entries of people show their groups in `memberOf` because Steward writes it, or are losing what it wrote
     * (`ending`); null: the attribute is left alone. See mirror/entry/member-of.ts.
     */
    memberOf: text().$type<'written' | 'ending'>(),
    /** Where the entries of groups are; a layout that is set is in effect after a migration (mirror/entry/group-layout.ts). */
    groupLayout: text().$type<'nested' | 'flat'>().notNull().default('nested'),
    /** Entries that one change may remove because it takes records out of the groups that the directory gets. */
    maxRemovals: integer().notNull().default(20),
  },
  (t) => [
    check('directories_number_check', sql`${t.number} between 1 and 9`),
    check('directories_layout_check', sql`${t.groupLayout} in ('nested', 'flat')`),
    check('directories_member_of_check', sql`${t.memberOf} in ('written', 'ending')`),
  ],
)

/**
 * The names that the entries of groups have where all are below one entry: names that are equal in different places get a
 * number. A group keeps its name until it is renamed itself.
 */
export const flatGroupNames = pgTable(
  'flat_group_names',
  {
    groupId: ref()
      .primaryKey()
      .references(() => groups.id, { onDelete: 'cascade' }),
    groupType: text().notNull(),
    /** The name of the group that it was made from. */
    madeFrom: text().notNull(),
    name: text().notNull(),
    nameKey: text().notNull(),
  },
  (t) => [uniqueIndex('flat_group_names_key').on(t.groupType, t.nameKey)],
)

/**
 * What each directory should hold and what it is known to hold, a row per directory, user and group. A record is in sync
 * when `syncedVersion` = `version`. The row outlives its record (`deleted`) until the directory entry is removed.
 */
export const directoryEntries = pgTable(
  'directory_entries',
  {
    directory: smallint().notNull().default(1),
    kind: text().$type<'user' | 'group'>().notNull(),
    recordId: ref().notNull(),
    /** Increased by every change, in the change's transaction. */
    version: bigint({ mode: 'number' }).notNull().default(1),
    /** The version that the directory entry was last equal to. */
    syncedVersion: bigint({ mode: 'number' }).notNull().default(0),
    /** The record is deleted from SQL; the entry is still to be removed. */
    deleted: boolean().notNull().default(false),
    /** The DN of the entry as last written; null: never written. */
    dn: text(),
    /** The new DN during a write: after a crash the entry is at `dn` or here. */
    targetDn: text(),
    /** The server's change number of the entry when it was last seen equal; null: not seen since it was written. */
    entryCsn: text(),
    /** The server's id of the entry (RFC 4530), by which it is recognized; null: not seen since it was added. */
    entryUuid: text(),
    /** Digests of what an add writes: an entry found after a crash is ours only if it is equal. */
    addDigest: text(),
    /** What other tools added to the entry of a person who is disabled. It is restored when the person is enabled. */
    kept: jsonb().$type<KeptAttributes>(),
    attempts: integer().notNull().default(0),
    /** When it is due; null: parked, retried when the record or the directory changes, by a sync, and once a day. */
    nextAt: instant().defaultNow(),
    /** The last attempt. */
    triedAt: instant(),
    leaseUntil: instant(),
    leaseOwner: text(),
    error: optional(),
    /** The error in a form that can be translated; null: none, or of an earlier version. */
    stated: jsonb().$type<Statement>(),
    /**
     * Since when a change that takes something away (a person, a sign-in, a membership) waits; null: no such change.
     */
    withdrawsAt: instant(),
    /** When an alert reported that it waits. */
    lateToldAt: instant(),
    /**
     * The removal of the entry is held, because one change would have removed so many; null: it is not. Only of records
     * that this directory does not get any more.
     */
    heldAmong: integer(),
    /** When an alert told of that. */
    heldToldAt: instant(),
    /** A keyed digest of what `userPassword` was last made of (see password-merge.ts); null: not known. */
    passwordDigest: text(),
    /** Which password that was of: see `passwordId` of users. A former release does not store it with its digests. */
    passwordId: uuid(),
    /**
     * The digests of the values that it was made of before, the newest first; a trigger keeps up to 20. With one of them in
     * the entry, the directory was set back to an earlier state, and the password was not changed there.
     */
    formerPasswords: jsonb().$type<string[]>(),
    /**
     * Since when the entry is known to hold a password that is not known here (see password-merge.ts); null: it does
     * not.
     */
    foreignPasswordAt: instant(),
    /** When an alert told of that. */
    foreignToldAt: instant(),
    /** A digest of the last repair of what the directory held, and how often in a row it was that one. */
    repairDigest: text(),
    repairs: integer().notNull().default(0),
    /**
     * Of a group: changes that let people join its list and did nothing else, each as its version and the ids of the
     * people (see list-notes.ts). Not all changes are here, and old ones stay for a while.
     */
    joins: jsonb().$type<number[][]>().notNull().default([]),
    /**
     * The same of changes after which its list may differ in some people alone: the version, their ids, and their DNs before
     * it.
     */
    leaves: jsonb().$type<[version: number, ids: number[], dns: string[]][]>().notNull().default([]),
  },
  (t) => [
    primaryKey({ columns: [t.directory, t.kind, t.recordId] }),
    index('directory_entries_due_index').on(t.directory, t.nextAt).where(sql`${t.version} <> ${t.syncedVersion}`),
    // In the order in which records are claimed: a batch is found without sorting all that is due.
    index('directory_entries_claim_index')
      .on(t.directory, t.kind, t.deleted.desc().nullsFirst(), t.nextAt, t.recordId)
      .where(sql`${t.version} <> ${t.syncedVersion}`),
    index('directory_entries_pending_index')
      .on(t.directory, t.kind, t.recordId)
      .where(sql`${t.version} <> ${t.syncedVersion}`),
    index('directory_entries_incomplete_index')
      .on(t.directory, t.kind, t.recordId)
      .where(sql`${t.version} = ${t.syncedVersion} and ${t.error} <> ''`),
    // Hash indexes: a DN may be longer than a B-tree allows.
    index('directory_entries_dn_index').using('hash', sql`lower(${t.dn})`),
    index('directory_entries_target_dn_index')
      .using('hash', sql`lower(${t.targetDn})`)
      .where(sql`${t.targetDn} is not null`),
    index('directory_entries_withdraws_index').on(t.withdrawsAt).where(sql`${t.withdrawsAt} is not null`),
    index('directory_entries_held_index').on(t.directory).where(sql`${t.heldAmong} is not null`),
    index('directory_entries_foreign_password_index')
      .on(t.foreignPasswordAt)
      .where(sql`${t.foreignPasswordAt} is not null`),
    check('directory_entries_kind_check', sql`${t.kind} in ('user', 'group')`),
  ],
)

/** Attributes and auxiliary classes that other tools manage. Values are base64, the newest first. */
export interface KeptAttributes {
  objectClasses: string[]
  attributes: Record<string, string[]>
}

/** Orphan entries that an administrator has chosen to ignore. */
export const ignoredEntries = pgTable(
  'ignored_entries',
  {
    directory: smallint().notNull().default(1),
    /** SHA-256 of the DN's key: a DN may be longer than a B-tree allows. */
    dnHash: text().notNull(),
    dn: text().notNull(),
    creator: optional(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.directory, t.dnHash] })],
)
