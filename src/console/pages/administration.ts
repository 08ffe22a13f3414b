/** Groups, roles, menus, API entries, the log and backups: one file for a browser, with their drawers. */
export { ApiEntries } from './apis/ApiEntries.tsx'
export { Backups } from './backups/Backups.tsx'
export { Restore } from './backups/Restore.tsx'
export { Groups } from './groups/Groups.tsx'
export { OperationLog } from './log/OperationLog.tsx'
export { Menus } from './menus/Menus.tsx'
export { RolePage } from './roles/RolePage.tsx'
export { Roles } from './roles/Roles.tsx'
