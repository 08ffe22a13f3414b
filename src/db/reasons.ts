import { reasonsOf } from '../failures/reason-table.ts'

/** Why records that a request names are not what it takes them for. */
export const reasons = reasonsOf('db', {
  user_not_found: { kind: 'not_found', text: 'user {id} does not exist' },
  group_not_found: { kind: 'not_found', text: 'group {id} does not exist' },
  role_not_found: { kind: 'not_found', text: 'role {id} does not exist' },
  menu_not_found: { kind: 'not_found', text: 'menu {id} does not exist' },
  api_not_found: { kind: 'not_found', text: 'API entry {id} does not exist' },
  field_relation_not_found: { kind: 'not_found', text: 'field relation {id} does not exist' },
  group_below_itself: { kind: 'invalid', text: 'a group cannot be below itself' },
  menu_below_itself: { kind: 'invalid', text: 'a menu cannot be below itself' },
  groups_too_deep: { kind: 'invalid', text: 'groups can be nested at most {levels} levels deep' },
  menus_too_deep: { kind: 'invalid', text: 'menus can be nested at most {levels} levels deep' },
  group_has_groups: { kind: 'conflict', text: 'group {id} has groups below it' },
  cursor_unusable: {
    kind: 'invalid',
    text: 'is not a cursor of this list with these filters in this order: begin with the first page',
  },
  changed_meanwhile: { kind: 'conflict', text: 'the record was changed by another request: read it again' },
  menu_has_menus: { kind: 'conflict', text: 'menu {id} has menus below it' },
})
