/** Attributes, groups, roles, menus, API entries and the log: one file for a browser, with their drawers. */
export { ApiEntries } from './apis/ApiEntries.tsx'
export { Attributes } from './attributes/Attributes.tsx'
export { Groups } from './groups/Groups.tsx'
export { OperationLog } from './log/OperationLog.tsx'
export { Menus } from './menus/Menus.tsx'
export { RolePage } from './roles/RolePage.tsx'
export { Roles } from './roles/Roles.tsx'
