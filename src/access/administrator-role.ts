import { type SQL, sql } from 'drizzle-orm'
import { roleApis, roles } from '../db/schema.ts'

/** The keyword of the role that has every operation and menu, including those that were never granted to it. */
export const administratorKeyword = 'admin'

/** Whether a role grants everything. */
export const isAdministratorRole = ({ keyword }: { keyword: string }): boolean => keyword === administratorKeyword

/** The same of a row of `roles`. The only place where SQL defines the administrator's role. */
export const grantsEverything: SQL<boolean> = sql<boolean>`${roles.keyword} = ${administratorKeyword}`

/** Whether a row of `roles` grants an API entry. */
export const grantsEntry = (apiId: SQL): SQL<boolean> => sql<boolean>`(${grantsEverything}
  or exists (select from ${roleApis} where ${roleApis.roleId} = ${roles.id} and ${roleApis.apiId} = ${apiId}))`
