import { type ApisOptions, apisHandlers } from '../access/apis.ts'
import { menusHandlers } from '../access/menus.ts'
import { rolesHandlers } from '../access/roles.ts'
import { type OperationLogsOptions, operationLogsHandlers } from '../audit/log-handlers.ts'
import { type BaseOptions, baseHandlers } from '../auth/base.ts'
import type { DirectoryHandlers } from '../generated/directory.ts'
import { type GroupsOptions, groupsHandlers } from '../people/groups.ts'
import { type UsersOptions, usersHandlers } from '../people/users.ts'
import { fieldRelationsHandlers } from '../sync/field-relations.ts'
import { groupRuns, type RunHandlersOptions, userRuns } from '../sync/takeover-handlers.ts'

export interface DirectoryOptions
  extends ApisOptions,
    BaseOptions,
    UsersOptions,
    GroupsOptions,
    OperationLogsOptions,
    RunHandlersOptions {
  principals: BaseOptions['principals']
  reconciler: BaseOptions['reconciler'] & RunHandlersOptions['reconciler']
}

/** The operations of people, departments, roles and menus. */
export const directoryHandlers = (options: DirectoryOptions): DirectoryHandlers => ({
  base: baseHandlers(options),
  users: { ...usersHandlers(options), ...userRuns(options) },
  groups: { ...groupsHandlers(options), ...groupRuns(options) },
  roles: rolesHandlers(options),
  menus: menusHandlers(options),
  apis: apisHandlers(options),
  fieldRelations: fieldRelationsHandlers(options),
  operationLogs: operationLogsHandlers(options),
})
