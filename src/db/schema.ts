import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

/**
 * Everything the directory document keeps. Conventions: text columns that the contract calls optional are
 * `not null default ''` (an empty field and an absent one are the same thing); `status` 1 is enabled, 2 disabled;
 * identifiers are handed out by the database and never reused. Indexes are ascending also where lists are newest first:
 * PostgreSQL reads them backwards, while Drizzle's `desc()` means NULLS LAST in an index and does not serve `order by … desc`.
 */

const id = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const ref = () => bigint({ mode: 'number' })
const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })
const optional = () => text().notNull().default('')
const audit = () => ({
  creator: optional(),
  createdAt: instant().notNull().defaultNow(),
  updatedAt: instant().notNull().defaultNow(),
})
const oneOrTwo = (name: string, column: AnyPgColumn): ReturnType<typeof check> => check(name, sql`${column} in (1, 2)`)
const filled = (column: AnyPgColumn): SQL => sql`${column} <> ''`
/** A trigram index: serves `ilike '%…%'` on any subset of its columns. */
const trigrams = (name: string, first: PgColumn, ...rest: PgColumn[]) => {
  const operators = (column: PgColumn): SQL => sql`${column} gin_trgm_ops`
  return index(name).using('gin', operators(first), ...rest.map(operators))
}

export const users = pgTable(
  'users',
  {
    id: id(),
    username: text().notNull(),
    /** `username` as the directory compares it (see matchingKey): two people the directory cannot tell apart clash here. */
    usernameKey: text().notNull(),
    nickname: text().notNull(),
    givenName: optional(),
    mail: optional(),
    mobile: optional(),
    jobNumber: optional(),
    avatar: optional(),
    introduction: optional(),
    position: optional(),
    postalAddress: optional(),
    departments: optional(),
    status: smallint().notNull().default(1),
    /** argon2id, PHC text; null: nobody can sign in as this user until a code sets a password. */
    passwordHash: text(),
    /** The directory's `userPassword` where its scheme is not argon2; null: `{ARGON2}` + passwordHash. */
    directoryPassword: text(),
    source: optional(),
    sourceUserId: optional(),
    sourceUnionId: optional(),
    ...audit(),
  },
  (t) => [
    uniqueIndex('users_username_key').on(t.usernameKey),
    uniqueIndex('users_mail_key').on(sql`lower(${t.mail})`).where(filled(t.mail)),
    uniqueIndex('users_mobile_key').on(t.mobile).where(filled(t.mobile)),
    uniqueIndex('users_job_number_key').on(t.jobNumber).where(filled(t.jobNumber)),
    uniqueIndex('users_source_key').on(t.source, t.sourceUserId).where(filled(t.sourceUserId)),
    index('users_status_index').on(t.status, t.id),
    trigrams('users_search_index', t.username, t.nickname, t.givenName, t.mail, t.mobile, t.jobNumber),
    oneOrTwo('users_status_check', t.status),
  ],
)

export const groups = pgTable(
  'groups',
  {
    id: id(),
    groupName: text().notNull(),
    groupNameKey: text().notNull(),
    /** `ou` (organizationalUnit, holds no members in the directory) or `cn` (a group of names). */
    groupType: text().notNull(),
    /** null where the contract says 0: directly under the base. */
    parentId: ref().references((): AnyPgColumn => groups.id),
    remark: optional(),
    source: optional(),
    sourceDeptId: optional(),
    sourceDeptParentId: optional(),
    ...audit(),
  },
  (t) => [
    uniqueIndex('groups_name_key').on(sql`coalesce(${t.parentId}, 0)`, t.groupNameKey),
    uniqueIndex('groups_source_key').on(t.source, t.sourceDeptId).where(filled(t.sourceDeptId)),
    index('groups_parent_index').on(t.parentId),
    trigrams('groups_search_index', t.groupName, t.remark),
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

export const roles = pgTable(
  'roles',
  {
    id: id(),
    name: text().notNull(),
    keyword: text().notNull(),
    remark: optional(),
    /** 1…999; smaller is stronger. */
    sort: integer().notNull().default(999),
    status: smallint().notNull().default(1),
    ...audit(),
  },
  (t) => [
    uniqueIndex('roles_name_key').on(t.name),
    uniqueIndex('roles_keyword_key').on(t.keyword),
    index('roles_status_index').on(t.status, t.id),
    trigrams('roles_search_index', t.name, t.keyword),
    oneOrTwo('roles_status_check', t.status),
    check('roles_sort_check', sql`${t.sort} between 1 and 999`),
  ],
)

export const userRoles = pgTable(
  'user_roles',
  {
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    roleId: ref()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.roleId] }), index('user_roles_role_index').on(t.roleId)],
)

export const menus = pgTable(
  'menus',
  {
    id: id(),
    name: text().notNull(),
    title: text().notNull(),
    path: text().notNull(),
    component: optional(),
    parentId: ref().references((): AnyPgColumn => menus.id),
    icon: optional(),
    redirect: optional(),
    activeMenu: optional(),
    sort: integer().notNull().default(999),
    status: smallint().notNull().default(1),
    hidden: smallint().notNull().default(2),
    alwaysShow: smallint().notNull().default(2),
    noCache: smallint().notNull().default(2),
    breadcrumb: smallint().notNull().default(1),
    ...audit(),
  },
  (t) => [
    uniqueIndex('menus_name_key').on(t.name),
    index('menus_parent_index').on(t.parentId),
    oneOrTwo('menus_status_check', t.status),
    oneOrTwo('menus_hidden_check', t.hidden),
    oneOrTwo('menus_always_show_check', t.alwaysShow),
    oneOrTwo('menus_no_cache_check', t.noCache),
    oneOrTwo('menus_breadcrumb_check', t.breadcrumb),
    check('menus_sort_check', sql`${t.sort} between 1 and 999`),
    check('menus_parent_check', sql`${t.parentId} <> ${t.id}`),
  ],
)

export const roleMenus = pgTable(
  'role_menus',
  {
    roleId: ref()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    menuId: ref()
      .notNull()
      .references(() => menus.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.roleId, t.menuId] }), index('role_menus_menu_index').on(t.menuId)],
)

/** An operation that roles can be granted: `path` is relative to `/api`. */
export const apiEntries = pgTable(
  'api_entries',
  {
    id: id(),
    category: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    remark: optional(),
    /** The document this entry was seeded from (`directory`, …); empty for an entry made by hand. */
    document: optional(),
    ...audit(),
  },
  (t) => [
    uniqueIndex('api_entries_operation_key').on(t.method, t.path),
    trigrams('api_entries_search_index', t.method, t.path, t.category, t.creator),
  ],
)

export const roleApis = pgTable(
  'role_apis',
  {
    roleId: ref()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    apiId: ref()
      .notNull()
      .references(() => apiEntries.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.roleId, t.apiId] }), index('role_apis_api_index').on(t.apiId)],
)

export const fieldRelations = pgTable(
  'field_relations',
  {
    id: id(),
    flag: text().notNull(),
    attributes: jsonb().$type<Record<string, string>>().notNull(),
    ...audit(),
  },
  (t) => [uniqueIndex('field_relations_flag_key').on(t.flag)],
)

/**
 * One row per request. `hash` chains the rows: a keyed hash over this row and the previous hash. Rows are never
 * changed but for `hiddenBy`, and never removed.
 */
export const operationLogs = pgTable(
  'operation_logs',
  {
    /** The place in the chain, from 1 and without gaps: given out under the chain's lock, not by a sequence. */
    seq: bigint({ mode: 'number' }).primaryKey(),
    username: optional(),
    ip: optional(),
    method: text().notNull(),
    path: text().notNull(),
    remark: optional(),
    /** The envelope's code, not the HTTP status. */
    status: integer().notNull(),
    startTime: instant().notNull(),
    /** Milliseconds. */
    timeCost: integer().notNull(),
    userAgent: optional(),
    /** Ids the request touched. */
    target: jsonb().$type<number[]>().notNull().default([]),
    /** The sealed entry that says who deleted this one; null: nobody did so by its id. */
    hiddenBy: ref(),
    hash: text().notNull(),
  },
  (t) => [
    index('operation_logs_visible_index').on(t.seq).where(sql`${t.hiddenBy} is null`),
    index('operation_logs_status_index').on(t.status, t.seq).where(sql`${t.hiddenBy} is null`),
    index('operation_logs_hidden_index').on(t.hiddenBy).where(sql`${t.hiddenBy} is not null`),
    trigrams('operation_logs_search_index', t.username, t.ip, t.path, t.method),
  ],
)

/** The end of the chain, one row, written together with the newest entry: what it does not say has been added or removed. */
export const operationLogHead = pgTable(
  'operation_log_head',
  {
    id: smallint().primaryKey().default(1),
    /** The newest entry and its hash. */
    seq: ref().notNull(),
    hash: text().notNull(),
    /** Entries up to this one are in no list any more: somebody deleted all. */
    cleanedTo: ref().notNull(),
    /** The newest sealed entry: positions in lists that were known before it no longer hold. 0: there is none. */
    lastSeal: ref().notNull(),
    /** A keyed hash over all of it. */
    seal: text().notNull(),
  },
  (t) => [check('operation_log_head_check', sql`${t.id} = 1`)],
)

/** One row per sign-in; ended sessions stay until they are swept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: ref()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The `jti` of the one token that is valid now; any other of this session has been rotated away. */
    tokenId: uuid().notNull(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant().notNull().defaultNow(),
    endedAt: instant(),
    /** logout, password, disabled, reuse */
    endReason: optional(),
    address: optional(),
    userAgent: optional(),
  },
  (t) => [index('sessions_user_index').on(t.userId), index('sessions_last_used_index').on(t.lastUsedAt)],
)

/** Failed sign-ins and wrong codes of the last minutes, per account (`account:…`), mail and address (`address:…`). */
export const throttles = pgTable(
  'throttles',
  {
    key: text().primaryKey(),
    /** When the last few attempts failed; older ones than the window are dropped by the next attempt. */
    failedAt: instant().array().notNull().default([]),
    /** Attempts under way: each may yet become a failure. */
    pending: integer().notNull().default(0),
    lockedUntil: instant(),
    lastAttemptAt: instant().notNull(),
  },
  (t) => [index('throttles_last_attempt_index').on(t.lastAttemptAt)],
)

/** At most one pending mail code per user. */
export const mailCodes = pgTable('mail_codes', {
  userId: ref()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  codeHash: text().notNull(),
  expiresAt: instant().notNull(),
  triesLeft: integer().notNull(),
})

/**
 * What the directory should hold and what it is known to hold, a row per user and group. A record is in sync when
 * `syncedVersion` = `version`. The row outlives its record (`deleted`) until the directory entry is gone.
 */
export const directoryEntries = pgTable(
  'directory_entries',
  {
    kind: text().$type<'user' | 'group'>().notNull(),
    recordId: ref().notNull(),
    /** Raised by every change, in the change's transaction. */
    version: bigint({ mode: 'number' }).notNull().default(1),
    /** The version the directory entry was last made equal to. */
    syncedVersion: bigint({ mode: 'number' }).notNull().default(0),
    /** The record is gone from SQL; the entry is still to be removed. */
    deleted: boolean().notNull().default(false),
    /** Where the entry is, as last written; null: never written. */
    dn: text(),
    /** Where a write under way is taking it: after a crash the entry is at `dn` or here. */
    targetDn: text(),
    /** The server's change number of the entry when it was last seen equal; null: not seen since it was written. */
    entryCsn: text(),
    attempts: integer().notNull().default(0),
    /** Due from then on; null: parked, the directory refused it and only a change or a sync tries again. */
    nextAt: instant().defaultNow(),
    leaseUntil: instant(),
    leaseOwner: text(),
    error: optional(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.recordId] }),
    index('directory_entries_due_index').on(t.nextAt).where(sql`${t.version} <> ${t.syncedVersion}`),
    index('directory_entries_pending_index').on(t.kind, t.recordId).where(sql`${t.version} <> ${t.syncedVersion}`),
    // Hash indexes: a DN may be longer than a B-tree takes.
    index('directory_entries_dn_index').using('hash', sql`lower(${t.dn})`),
    index('directory_entries_target_dn_index')
      .using('hash', sql`lower(${t.targetDn})`)
      .where(sql`${t.targetDn} is not null`),
    check('directory_entries_kind_check', sql`${t.kind} in ('user', 'group')`),
  ],
)

/** A run of any sync. Counts and problems are the report the contract describes. */
export const runs = pgTable(
  'runs',
  {
    id: id(),
    /** sql, exta, extb, extc, extldap */
    source: text().notNull(),
    /** users, groups */
    kind: text().notNull(),
    /** running, done, held, failed */
    state: text().notNull(),
    startedAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
    total: integer().notNull().default(0),
    added: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    moved: integer().notNull().default(0),
    disabled: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    held: integer().notNull().default(0),
    problems: jsonb().$type<RunProblem[]>().notNull().default([]),
    creator: optional(),
  },
  (t) => [index('runs_source_index').on(t.source, t.kind, t.id)],
)

/** One record a run could not bring home, and what to do about it. */
export interface RunProblem {
  sourceId: string
  name: string
  step: string
  reason: string
  advice: string
}

/** Periodic work, once across instances: whoever holds the lease does it. */
export const schedules = pgTable('schedules', {
  name: text().primaryKey(),
  nextRunAt: instant().notNull(),
  leaseUntil: instant(),
  leaseOwner: text(),
  lastOkAt: instant(),
  attempts: integer().notNull().default(0),
  lastError: optional(),
})

/** Small facts about this installation, such as which directory the entries were written to. */
export const facts = pgTable('facts', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: instant().notNull().defaultNow(),
})
