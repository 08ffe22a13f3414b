import type { Clashes } from '../db/clashes.ts'
import { reasonsOf } from '../reason-table.ts'

/** Why a caller may not do what they ask for, and what keeps roles, menus and API entries as they are. */
export const reasons = reasonsOf('access', {
  not_signed_in: { kind: 'unauthenticated', text: 'sign in first: there is no valid token, or its session ended' },
  session_over: { kind: 'unauthenticated', text: 'the session has ended: sign in again' },
  not_granted: { kind: 'forbidden', text: 'none of your roles grants this operation' },
  strongest_only: { kind: 'forbidden', text: 'this needs a role with sort {sort}, whatever your roles grant' },
  step_up: { kind: 'unauthenticated', text: 'a second factor is needed: step up, then ask again' },
  step_up_without_factor: {
    kind: 'unauthenticated',
    text: 'a second factor is needed: enrol an authenticator app first',
  },

  user_too_strong: { kind: 'forbidden', text: 'this user is as strong as you or stronger' },
  group_users_too_strong: {
    kind: 'forbidden',
    text: 'there are users in this group who are as strong as you or stronger',
  },
  subtree_users_too_strong: {
    kind: 'forbidden',
    text: 'there are users in this group or below it who are as strong as you or stronger',
  },
  role_too_strong: { kind: 'forbidden', text: 'roles as strong as your own or stronger are not yours to touch' },
  role_holders_too_strong: { kind: 'forbidden', text: 'users who are as strong as you or stronger have it' },
  last_administrator: { kind: 'forbidden', text: 'The last enabled administrator must stay' },
  mail_signs_in: {
    kind: 'forbidden',
    text: 'this user holds operations that you do not hold, and a code sent there signs in',
  },
  source_fixed: {
    kind: 'forbidden',
    text: 'this user was taken over from there and is disabled when they leave it: only a role with sort 1 may change that',
  },

  granted_role_too_strong: { kind: 'forbidden', text: 'role {id} is as strong as your own or stronger' },
  granted_role_beyond: { kind: 'forbidden', text: 'role {id} grants operations that you do not hold' },
  role_beyond: { kind: 'forbidden', text: 'the role grants operations that you do not hold' },
  api_not_held: { kind: 'forbidden', text: 'you do not hold API entry {id} yourself' },
  menu_not_held: { kind: 'forbidden', text: 'you do not hold menu {id} yourself' },

  administrator_role_fixed: { kind: 'forbidden', text: "cannot change: this is the administrator's role" },
  administrator_role_stays: { kind: 'forbidden', text: "the administrator's role must stay" },
  administrator_role_grants_all: { kind: 'forbidden', text: "the administrator's role grants everything for ever" },
  role_held: { kind: 'conflict', text: '{count} users have role {id}', one: '{count} user has role {id}' },
  keyword_fixed: { kind: 'forbidden', text: 'cannot change: the service grants this role by its keyword {keyword}' },
  keyword_reserved: {
    kind: 'forbidden',
    text: '{keyword} is reserved for the role that the service grants by it',
  },
  api_fixed: {
    kind: 'conflict',
    text: 'cannot change: {method} {path} is an operation of this service: its entry would be back after the next start',
  },
  api_granted: {
    kind: 'forbidden',
    text: 'cannot change: roles grant API entry {id}, and only a role with sort 1 may make it another operation',
  },
  api_served: {
    kind: 'conflict',
    text: '{method} {path} is an operation of this service: its entry would be back after the next start',
  },

  role_name_taken: { kind: 'conflict', text: 'is taken already' },
  role_keyword_taken: { kind: 'conflict', text: 'is taken already' },
  menu_name_taken: { kind: 'conflict', text: 'is taken already' },
  operation_not_found: { kind: 'not_found', text: 'there is no operation {operation}' },
  api_taken: { kind: 'conflict', text: 'is taken already' },
})

export const roleClashes: Clashes = {
  roles_name_key: () => reasons.role_name_taken.at('name'),
  roles_keyword_key: () => reasons.role_keyword_taken.at('keyword'),
}

export const menuClashes: Clashes = { menus_name_key: () => reasons.menu_name_taken.at('name') }

export const apiClashes: Clashes = { api_entries_operation_key: () => reasons.api_taken.at('path') }
