import type { Clashes } from '../db/clashes.ts'
import { reasonsOf } from '../failures/reason-table.ts'

/** Why a caller may not do what they ask for, and what keeps roles, menus and API entries as they are. */
export const reasons = reasonsOf('access', {
  not_signed_in: { kind: 'unauthenticated', text: 'sign in first: no valid token was sent, or its session has ended' },
  session_over: { kind: 'unauthenticated', text: 'the session has ended: sign in again' },
  not_granted: { kind: 'forbidden', text: 'none of your roles grants this operation' },
  roles_lost: { kind: 'forbidden', text: 'you have lost a role or your rank meanwhile: try again' },
  strongest_only: { kind: 'forbidden', text: 'only a user with a role of sort {sort} may do this' },
  step_up: { kind: 'unauthenticated', text: 'a second factor is required: step up, then repeat the request' },
  step_up_without_factor: {
    kind: 'unauthenticated',
    text: 'a second factor is required: enrol an authenticator app first',
  },

  user_too_strong: { kind: 'forbidden', text: 'the rank of this user must be lower than yours' },
  group_users_too_strong: {
    kind: 'forbidden',
    text: 'the rank of all members of this group must be lower than yours',
  },
  subtree_users_too_strong: {
    kind: 'forbidden',
    text: 'the rank of all members of this group and of the groups below it must be lower than yours',
  },
  role_too_strong: { kind: 'forbidden', text: 'the rank of this role must be lower than yours' },
  role_holders_too_strong: {
    kind: 'forbidden',
    text: 'the rank of all users who have this role must be lower than yours',
  },
  last_administrator: { kind: 'forbidden', text: 'at least one enabled administrator must remain' },
  mail_signs_in: {
    kind: 'forbidden',
    text: 'cannot be changed: the roles of this user grant what yours do not, and a code mailed to this address can set their password',
  },
  link_signs_in: {
    kind: 'forbidden',
    text: 'the roles of this user grant what yours do not, and without PUBLIC_URL the address of your request decides where the link leads: an operator has to set PUBLIC_URL',
  },
  password_signs_in: {
    kind: 'forbidden',
    text: 'the roles of this user grant what yours do not, and you could sign in with the password: mail a link instead',
  },
  source_fixed: {
    kind: 'forbidden',
    text: 'cannot be changed: this user was imported from this source and is disabled when they leave it; only a user with a role of sort 1 may change it',
  },

  granted_role_too_strong: { kind: 'forbidden', text: 'the rank of role {id} must be lower than yours' },
  granted_role_beyond: {
    kind: 'forbidden',
    text: 'role {id} grants operations or attributes that your roles do not grant',
  },
  role_beyond: { kind: 'forbidden', text: 'the role grants operations or attributes that your roles do not grant' },
  api_not_held: { kind: 'forbidden', text: 'your roles do not grant API entry {id}' },
  menu_not_held: { kind: 'forbidden', text: 'your roles do not grant menu {id}' },

  administrator_role_fixed: { kind: 'forbidden', text: 'cannot be changed: this is the administrator role' },
  administrator_role_stays: { kind: 'forbidden', text: 'the administrator role cannot be deleted' },
  administrator_role_grants_all: { kind: 'forbidden', text: 'the administrator role always grants everything' },
  role_held: { kind: 'conflict', text: '{count} users have role {id}', one: '{count} user has role {id}' },
  role_named: {
    kind: 'conflict',
    text: 'the attribute {name} names role {id} among those that see or change it: change the attribute first',
  },
  keyword_fixed: { kind: 'forbidden', text: 'cannot be changed: the service finds this role by its keyword {keyword}' },
  keyword_reserved: {
    kind: 'forbidden',
    text: '{keyword} is reserved for a role of the service',
  },
  api_fixed: {
    kind: 'conflict',
    text: 'cannot be changed: {method} {path} is an operation of this service, and the next start would create its entry again',
  },
  api_granted: {
    kind: 'forbidden',
    text: 'cannot be changed: roles grant API entry {id}, and only a user with a role of sort 1 may turn it into another operation',
  },
  api_served: {
    kind: 'conflict',
    text: 'cannot be deleted: {method} {path} is an operation of this service, and the next start would create its entry again',
  },

  role_name_taken: { kind: 'conflict', text: 'is already taken' },
  role_keyword_taken: { kind: 'conflict', text: 'is already taken' },
  menu_name_taken: { kind: 'conflict', text: 'is already taken' },
  operation_not_found: { kind: 'not_found', text: 'operation {operation} does not exist' },
  api_taken: { kind: 'conflict', text: 'is already taken' },
})

export const roleClashes: Clashes = {
  roles_name_key: () => reasons.role_name_taken.at('name'),
  roles_keyword_key: () => reasons.role_keyword_taken.at('keyword'),
}

export const menuClashes: Clashes = { menus_name_key: () => reasons.menu_name_taken.at('name') }

export const apiClashes: Clashes = { api_entries_operation_key: () => reasons.api_taken.at('path') }
