import type { AttributeType } from '../../db/schema.ts'
import { groupFieldNames, userFieldNames } from '../../db/tables/fields.ts'
import type { AppError } from '../../failures/errors.ts'
import type { Statement } from '../../failures/statement.ts'
import type { DirectorySchema, SchemaAttribute, SchemaClass } from '../../mirror/entry/directory-schema.ts'
import {
  type GroupClass,
  groupAttributeNames,
  personClasses,
  userAttributeNames,
} from '../../mirror/entry/entry-shape.ts'
import { syntaxesFor } from '../../mirror/entry/extra-attributes.ts'
import type { RecordKind } from '../../mirror/touch.ts'
import { reasons } from '../reasons.ts'
import { statements } from '../statements.ts'

/** Where the directory shows an attribute; all empty: nowhere. */
export interface Place {
  ldapAttribute: string
  objectClass: string
  ldapSyntax: string
}

/** Names that mean something else in requests, filters and runs. */
const takenNames: Readonly<Record<RecordKind, ReadonlySet<string>>> = {
  user: new Set(
    [...userFieldNames, 'id', 'name', 'status', 'active', 'password', 'groups', 'roles', 'memberOf', 'departmentId']
      .concat(['source', 'sourceUserId', 'sourceUnionId', 'version', 'dn', 'entry', 'posixNumber'])
      .map((name) => name.toLowerCase()),
  ),
  group: new Set(
    [...groupFieldNames, 'id', 'name', 'type', 'groupType', 'parent', 'parentId', 'members', 'status', 'active']
      .concat(['source', 'sourceDeptId', 'sourceDeptParentId', 'version', 'dn', 'entry', 'posixNumber'])
      .map((name) => name.toLowerCase()),
  ),
}

/** @throws AppError (conflict) naming `name` for one that means something else, as `constructor` does in any object */
export const requireFreeName = (kind: RecordKind, name: string): void => {
  if (takenNames[kind].has(name.toLowerCase()) || name in Object.prototype) throw reasons.attribute_reserved.at('name')
}

/**
 * Attributes by which servers and applications decide who may sign in and what they may do, or that name an account
 * for an operating system: a value that a person could set for themselves would make them someone else. Operational
 * attributes of the server are refused by its schema besides.
 */
const protectedNames = new Set(
  [
    ...['objectClass', 'userPassword', 'authPassword', 'unicodePwd', 'dBCSPwd', 'userPKCS12', 'member', 'uniqueMember'],
    ...['memberOf', 'memberUid', 'isMemberOf', 'roleOccupant', 'entryUUID', 'entryDN', 'entryCSN', 'nsUniqueId', 'aci'],
    ...['nsAccountLock', 'nsRoleDN', 'nsRole', 'accountUnlockTime', 'userAccountControl', 'accountExpires'],
    ...['lockoutTime', 'adminCount', 'objectSid', 'objectGUID', 'sIDHistory', 'primaryGroupID', 'servicePrincipalName'],
    ...['sAMAccountName', 'userPrincipalName', 'uidNumber', 'gidNumber', 'homeDirectory', 'loginShell', 'gecos'],
    ...['sshPublicKey', 'sudoUser', 'sudoHost', 'sudoCommand', 'labeledURI', 'memberURL', 'ref', 'seeAlso', 'manager'],
  ].map((name) => name.toLowerCase()),
)
const protectedPrefixes = [
  'pwd',
  'password',
  'shadow',
  'samba',
  'steward',
  'krb',
  'olc',
  'nsslapd-',
  'msds-',
  'ms-ds-',
  'authz',
  'sudo',
  'ds-',
]

const isProtected = (name: string): boolean =>
  protectedNames.has(name) || protectedPrefixes.some((prefix) => name.startsWith(prefix))

const groupClassesWritten: readonly GroupClass[] = ['groupOfNames', 'groupOfUniqueNames']

const ownNames: Readonly<Record<RecordKind, ReadonlySet<string>>> = {
  user: new Set(userAttributeNames.map((name) => name.toLowerCase())),
  group: new Set(groupClassesWritten.flatMap(groupAttributeNames).map((name) => name.toLowerCase())),
}

const unfit = (field: 'ldapAttribute' | 'objectClass', problem: Statement): AppError =>
  reasons.ldap_unfit.at(field, { problem })

interface Wanted {
  kind: RecordKind
  type: AttributeType
  multiple: boolean
  ldapAttribute: string
  objectClass: string
}

/**
 * The place in the spelling of the directory.
 * @param schema null: the directory does not publish one, and only names can be checked
 * @throws AppError (conflict, invalid) naming `ldapAttribute` or `objectClass`
 */
export const requirePlace = (wanted: Wanted, groupClass: GroupClass, schema: DirectorySchema | null): Place => {
  const { kind, ldapAttribute, objectClass } = wanted
  if (ldapAttribute === '') {
    if (objectClass !== '') throw unfit('objectClass', statements.class_without_attribute())
    return { ldapAttribute: '', objectClass: '', ldapSyntax: '' }
  }
  const attribute = schema?.attribute(ldapAttribute)
  const names = [ldapAttribute.toLowerCase(), ...(attribute?.names ?? [])]
  if (names.some((name) => ownNames[kind].has(name) || isProtected(name))) {
    throw reasons.attribute_reserved.at('ldapAttribute')
  }
  const classProblem = /^(posix|shadow|samba|krb|simplesecurityobject|extensibleobject|ldappublickey|steward)/i.test(
    objectClass,
  )
  if (classProblem) throw reasons.attribute_reserved.at('objectClass')
  if (schema === null) return { ldapAttribute, objectClass, ldapSyntax: '' }
  if (attribute === undefined) throw unfit('ldapAttribute', statements.attribute_missing())
  requireFit(wanted, attribute)
  const auxiliary = requireClass(wanted, attribute, groupClass, schema)
  return { ldapAttribute: attribute.name, objectClass: auxiliary?.name ?? '', ldapSyntax: attribute.syntax }
}

const requireFit = ({ type, multiple }: Wanted, { operational, singleValue, syntax }: SchemaAttribute): void => {
  if (operational) throw unfit('ldapAttribute', statements.server_writes())
  if (multiple && singleValue) throw unfit('ldapAttribute', statements.one_value())
  if (syntax !== '' && !syntaxesFor[type].includes(syntax)) {
    throw unfit('ldapAttribute', statements.other_syntax({ syntax, type }))
  }
}

/** The auxiliary class; null: the classes that every entry of the kind has allow the attribute. */
const requireClass = (
  { kind, objectClass }: Wanted,
  { names }: SchemaAttribute,
  groupClass: GroupClass,
  schema: DirectorySchema,
): SchemaClass | null => {
  const isIn = (set: ReadonlySet<string>): boolean => names.some((name) => set.has(name))
  const allows = (each: SchemaClass | undefined): boolean => each !== undefined && (isIn(each.must) || isIn(each.may))
  if (objectClass === '') {
    const bases = kind === 'user' ? [personClasses.at(-1) ?? ''] : ['organizationalUnit', groupClass]
    const lacking = bases.filter((base) => !allows(schema.objectClass(base)))
    if (lacking.length === 0) return null
    throw unfit('objectClass', statements.needs_class({ classes: lacking.join(', ') }))
  }
  const found = schema.objectClass(objectClass)
  if (found === undefined) throw unfit('objectClass', statements.class_missing())
  if (!found.auxiliary) throw unfit('objectClass', statements.not_auxiliary())
  if (!allows(found)) throw unfit('objectClass', statements.not_allowed())
  const always = kind === 'user' ? ['uid', 'cn', 'sn', 'objectclass'] : ['objectclass']
  const missing = [...found.must].filter((name) => !always.includes(name) && !names.includes(name))
  if (missing.length > 0) throw unfit('objectClass', statements.requires_others({ attributes: missing.join(', ') }))
  return found
}
