import { reasonsOf } from '../reason-table.ts'

/** Why records that a request names are not what it takes them for. */
export const reasons = reasonsOf('db', {
  user_not_found: { kind: 'not_found', text: 'there is no user {id}' },
  group_not_found: { kind: 'not_found', text: 'there is no group {id}' },
  role_not_found: { kind: 'not_found', text: 'there is no role {id}' },
  menu_not_found: { kind: 'not_found', text: 'there is no menu {id}' },
  api_not_found: { kind: 'not_found', text: 'there is no API entry {id}' },
  field_relation_not_found: { kind: 'not_found', text: 'there is no field relation {id}' },
  group_below_itself: { kind: 'invalid', text: 'a group cannot be below itself' },
  menu_below_itself: { kind: 'invalid', text: 'a menu cannot be below itself' },
  groups_too_deep: { kind: 'invalid', text: 'groups are nested at most {levels} levels deep' },
  menus_too_deep: { kind: 'invalid', text: 'menus are nested at most {levels} levels deep' },
  group_has_groups: { kind: 'conflict', text: 'group {id} has groups below it' },
  cursor_unusable: { kind: 'invalid', text: 'is not a cursor of this list: begin with the first page' },
  changed_meanwhile: { kind: 'conflict', text: 'the record was changed by another request: read it again' },
  menu_has_menus: { kind: 'conflict', text: 'menu {id} has menus below it' },
})
