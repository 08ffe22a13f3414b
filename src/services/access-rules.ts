import { groupFilter } from '../ldap-server/rights.ts'
import type { DirectorySchema } from '../mirror/entry/directory-schema.ts'
import { ntHashAttribute } from '../mirror/entry/nt-hash.ts'
import { disabledDn, groupsDn, peopleDn, serviceAccountPlace, serviceAccountsDn } from '../mirror/entry/places.ts'

export interface RuledAccount {
  name: string
  people: boolean
  peopleFilter: string
  groups: boolean
  groupFilter: string
  ntHashes: boolean
}

export interface RuledDirectory {
  baseDn: string
  /** What Steward binds as. */
  bindDn: string
  /** null: the server publishes none. */
  schema: DirectorySchema | null
  /** The names of all accounts that may read NT hashes. */
  ntHashReaders: readonly string[]
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
 * something about this account alone, and leaves all other callers to the next rule (`by * break`). Only the first is for
 * all callers: no other may read NT hashes, whatever the rules below say. It lets the other accounts that may pass, so that
 * it does not matter which one's rules come first; and it begins with the account, because the server refuses a rule twice.
 */
export const accessRules = (account: RuledAccount, directory: RuledDirectory): string[] => {
  const { people, peopleFilter, groups } = account
  const { baseDn, bindDn, schema, ntHashReaders } = directory
  const own = serviceAccountPlace(baseDn, account.name)
  const who = `by dn.exact=${quoted(own)}`
  const rule = (what: string, level: 'none' | 'read'): string => `to ${what} ${who} ${level} by * break`
  const filtered = (filter: string): string => (filter === '' ? '' : ` filter=${quoted(filter)}`)
  const secrets = secret.filter((name) => name === 'userPassword' || schema?.attribute(name) !== undefined)
  const hasNtHash = schema?.attribute(ntHashAttribute) !== undefined
  const others = ntHashReaders.filter((name) => name !== account.name).map((name) => serviceAccountPlace(baseDn, name))
  const past = [bindDn, ...others].map((dn) => `by dn.exact=${quoted(dn)} break`).join(' ')
  const itself = `by dn.exact=${quoted(own)} ${account.ntHashes ? 'break' : 'none'}`
  const hidden = hasNtHash && !account.ntHashes ? [...secrets, ntHashAttribute] : secrets
  const within = account.groupFilter === '' ? groupFilter : `(&${groupFilter}${account.groupFilter})`
  const [peopleAt, groupsAt] = [quoted(peopleDn(baseDn)), quoted(groupsDn(baseDn))]
  const [disabledAt, servicesAt] = [quoted(disabledDn(baseDn)), quoted(serviceAccountsDn(baseDn))]
  return [
    ...(hasNtHash ? [`to attrs=${ntHashAttribute} ${itself} ${past} by * none`] : []),
    rule(`attrs=${hidden.join(',')}`, 'none'),
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
