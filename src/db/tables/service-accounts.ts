import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Statement } from '../../failures/statement.ts'
import { audit, id, instant, optional, ref } from './columns.ts'

/** What applications bind to the directory with. Their names have nothing to do with those of people. */
export const serviceAccounts = pgTable(
  'service_accounts',
  {
    id: id(),
    name: text().notNull(),
    /** The name as the directory compares it; see matchingKey. */
    nameKey: text().notNull(),
    description: optional(),
    enabled: boolean().notNull().default(true),
    /** Whether it may read people, and which: an LDAP filter, empty for all. */
    people: boolean().notNull(),
    peopleFilter: optional(),
    /** Likewise groups. */
    groups: boolean().notNull(),
    groupFilter: optional(),
    /** Whether it may read the NT hashes of those people. */
    ntHashes: boolean().notNull().default(false),
    /** The last bind that is known. Written at most once a minute. */
    lastUsedAt: instant(),
    /** Increased by every change that the directory follows. */
    version: bigint({ mode: 'number' }).notNull().default(1),
    ...audit(),
  },
  (t) => [uniqueIndex('service_accounts_name_key').on(t.nameKey)],
)

/** The valid passwords of a service account: at most two. */
export const servicePasswords = pgTable(
  'service_passwords',
  {
    id: id(),
    accountId: ref()
      .notNull()
      .references(() => serviceAccounts.id, { onDelete: 'cascade' }),
    /** As of users: argon2id, and what the directory gets where it verifies another scheme. */
    passwordHash: text().notNull(),
    directoryPassword: text(),
    /** For further directories that have a scheme of their own: sealed, by scheme. */
    schemeHashes: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** null: until it is ended. */
    expiresAt: instant(),
    lastUsedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('service_passwords_account_index').on(t.accountId),
    index('service_passwords_expires_index').on(t.expiresAt),
  ],
)

/**
 * What each directory is known to hold of service accounts. A row without an account is an entry that is still to be
 * removed. See mirror/services/service-entries.ts.
 */
export const serviceEntries = pgTable(
  'service_entries',
  {
    directory: smallint().notNull().default(1),
    accountId: ref().notNull(),
    /** The version of the account that the entry was last equal to. */
    syncedVersion: bigint({ mode: 'number' }).notNull().default(0),
    /** The DN of the entry as last written; null: there is no entry. */
    dn: text(),
    /** The server's id of the entry (RFC 4530); null: it gives no id. */
    entryUuid: text(),
    /** The DN of an entry that is being added, and a digest of its passwords: one that is found there is ours. */
    targetDn: text(),
    targetDigest: text(),
    attempts: integer().notNull().default(0),
    nextAt: instant(),
    /** The instance that writes the entry. */
    leaseUntil: instant(),
    leaseOwner: text(),
    /** Why the entry is not equal to the account; null: it is equal, or was not tried yet. */
    stated: jsonb().$type<Statement>(),
  },
  (t) => [primaryKey({ columns: [t.directory, t.accountId] })],
)
