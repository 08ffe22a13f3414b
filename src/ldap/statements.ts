import type { Statement } from '../failures/statement.ts'
import { statementsOf } from '../failures/statement-table.ts'

/** Why a directory did not carry out a request. What a server says itself is a value in the text. */
export const statements = statementsOf('ldap', {
  said: '{words}',
  and_also: '{first}; {then}',
  refused: 'the directory refused to {what}: {outcome}',
  refused_by_storage:
    'the directory refused to {what}: {outcome}; look at its log, and whether its disk is full, or its database (OpenLDAP: olcDbMaxSize)',
  write: '{kind} {dn}',
  write_attributes: '{kind} {dn} ({attributes})',
  read: 'read {dn}',
  read_root: 'read its root DSE',
  search: 'search below {dn}',
  begin_transaction: 'start a transaction',
  commit_transaction: 'commit the transaction',
  first_in_transaction: 'a transaction cannot hold the first {attribute} in this directory: {what} by itself',
  not_a_dn: '{problem}',
  request_too_large: 'a request of {bytes} bytes is too large for the directory',
  closed: 'the directory was closed',
  other_server: 'another directory server is used: {problem}',
  ended: 'the directory ended the connection: {outcome}',
  answer_too_large: 'the directory answered one request with more than {bytes} bytes',
  not_ldap: 'the directory sent what is not LDAP: {problem}',
  connection_lost: 'the connection to the directory was lost: {problem}',
  closed_connection: 'the directory closed the connection',
  no_answer: 'the directory did not answer within {milliseconds} ms',
  no_connection: 'no connection to the directory at {server}: {problem}',
  credentials_refused: 'the directory refused {settings}: {outcome}',
  sign_in_refused: 'the directory refused to sign us in: {outcome}',
  no_changes: 'the directory takes no changes: {problem}',
})

/** Several reasons as one. @param reasons at least one */
export const joined = ([first = statements.said({ words: '' }), ...others]: readonly Statement[]): Statement =>
  others.reduce((before, then) => statements.and_also({ first: before, then }), first)
