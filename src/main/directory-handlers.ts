import { type ApisOptions, apisHandlers } from '../access/api-handlers.ts'
import { menusHandlers } from '../access/menu-handlers.ts'
import { rolesHandlers } from '../access/role-handlers.ts'
import { type OperationLogsOptions, operationLogsHandlers } from '../audit/operation-log-handlers.ts'
import { type PublicHandlersOptions, publicHandlers } from '../auth/public-handlers.ts'
import type { DirectoryHandlers } from '../generated/directory.ts'
import { type GroupsOptions, groupsHandlers } from '../people/group-handlers.ts'
import { type UsersOptions, usersHandlers } from '../people/user-handlers.ts'
import { fieldRelationsHandlers } from '../sync/field-relation-handlers.ts'
import { groupRunStartHandlers, type RunStartOptions, userRunStartHandlers } from '../sync/run-start-handlers.ts'

export interface DirectoryOptions
  extends ApisOptions,
    PublicHandlersOptions,
    UsersOptions,
    GroupsOptions,
    OperationLogsOptions,
    RunStartOptions {
  principals: PublicHandlersOptions['principals']
  reconciler: PublicHandlersOptions['reconciler'] & RunStartOptions['reconciler']
}

/** The operations of people, departments, roles and menus. */
export const directoryHandlers = (options: DirectoryOptions): DirectoryHandlers => ({
  base: publicHandlers(options),
  users: { ...usersHandlers(options), ...userRunStartHandlers(options) },
  groups: { ...groupsHandlers(options), ...groupRunStartHandlers(options) },
  roles: rolesHandlers(options),
  menus: menusHandlers(options),
  apis: apisHandlers(options),
  fieldRelations: fieldRelationsHandlers(options),
  operationLogs: operationLogsHandlers(options),
})
