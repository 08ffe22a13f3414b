import { groupFilter } from '../ldap-server/rights.ts'
import type { DirectorySchema } from '../mirror/directory-schema.ts'
import { disabledDn, groupsDn, peopleDn, serviceAccountPlace, serviceAccountsDn } from '../mirror/places.ts'

export interface RuledAccount {
  name: string
  people: boolean
  peopleFilter: string
  groups: boolean
  groupFilter: string
}

/** Attributes with passwords or what stands for them, where the schema has them. */
const secret = [
  ...['userPassword', 'userPKCS12', 'authPassword', 'pwdHistory', 'sambaNTPassword', 'sambaLMPassword'],
  ...['sambaPasswordHistory', 'krbPrincipalKey', 'oathSecret'],
]

/**
 * A quoted part of an `olcAccess`. There a backslash is a plain character and a quote ends the text (slapd 2.5, 2.6; in
 * slapd.conf it is otherwise), but DNs and filters can have the quote as its hex digits.
 */
const quoted = (text: string): string => `"${text.replace(/\\?"/g, '\\22')}"`

/**
 * The access rules (slapd.access(5)) by which OpenLDAP limits an account. They come before all others: each says
 * something about this account alone, and leaves all other callers to the next rule (`by * break`).
 */
export const accessRules = (account: RuledAccount, baseDn: string, schema: DirectorySchema | null): string[] => {
  const { people, peopleFilter, groups } = account
  const who = `by dn.exact=${quoted(serviceAccountPlace(baseDn, account.name))}`
  const rule = (what: string, level: 'none' | 'read'): string => `to ${what} ${who} ${level} by * break`
  const filtered = (filter: string): string => (filter === '' ? '' : ` filter=${quoted(filter)}`)
  const secrets = secret.filter((name) => name === 'userPassword' || schema?.attribute(name) !== undefined)
  const within = account.groupFilter === '' ? groupFilter : `(&${groupFilter}${account.groupFilter})`
  const [peopleAt, groupsAt] = [quoted(peopleDn(baseDn)), quoted(groupsDn(baseDn))]
  const [disabledAt, servicesAt] = [quoted(disabledDn(baseDn)), quoted(serviceAccountsDn(baseDn))]
  return [
    rule(`attrs=${secrets.join(',')}`, 'none'),
    rule(`dn.base=${quoted(baseDn)} attrs=entry,objectClass`, 'read'),
    rule(`dn.subtree=${servicesAt}`, 'none'),
    rule(`dn.subtree=${disabledAt}`, 'none'),
    ...(people ? [rule(`dn.base=${peopleAt} attrs=entry,objectClass`, 'read')] : []),
    ...(people ? [rule(`dn.onelevel=${peopleAt}${filtered(peopleFilter)}`, 'read')] : []),
    rule(`dn.subtree=${peopleAt}`, 'none'),
    ...(groups ? [rule(`dn.base=${groupsAt} attrs=entry,objectClass`, 'read')] : []),
    ...(groups ? [rule(`dn.children=${quoted(baseDn)}${filtered(within)}`, 'read')] : []),
    rule('*', 'none'),
  ]
}

/** A value of LDIF (RFC 2849) after its attribute. */
const ldifValue = (text: string): string =>
  /^[!-9;=-~][ -~]*$/.test(text) ? `: ${text}` : `:: ${Buffer.from(text).toString('base64')}`

/** The rules as a change of a database's configuration. */
export const rulesAsLdif = (rules: readonly string[]): string =>
  [
    'dn: olcDatabase={1}mdb,cn=config',
    'changetype: modify',
    'add: olcAccess',
    ...rules.map((rule, index) => `olcAccess${ldifValue(`{${index}}${rule}`)}`),
    '',
  ].join('\n')
