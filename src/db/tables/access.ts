import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { audit, id, oneOrTwo, optional, ref, trigrams } from './columns.ts'
import { users } from './people.ts'

export const roles = pgTable(
  'roles',
  {
    id: id(),
    name: text().notNull(),
    keyword: text().notNull(),
    remark: optional(),
    /** 1…999; a smaller number is a higher rank. */
    sort: integer().notNull().default(999),
    status: smallint().notNull().default(1),
    ...audit(),
  },
  (t) => [
    uniqueIndex('roles_name_key').on(t.name),
    uniqueIndex('roles_keyword_key').on(t.keyword),
    index('roles_status_index').on(t.status, t.id),
    trigrams('roles_search_index', [t.name, t.keyword]),
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
  (t) => [primaryKey({ columns: [t.userId, t.roleId] }), index('user_roles_role_index').on(t.roleId, t.userId)],
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
    /** The document this entry was seeded from (`directory`, …); empty for an entry that an administrator added. */
    document: optional(),
    ...audit(),
  },
  (t) => [
    uniqueIndex('api_entries_operation_key').on(t.method, t.path),
    trigrams('api_entries_search_index', [t.method, t.path, t.category, t.creator]),
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
