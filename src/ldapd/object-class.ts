import { LdapError, resultCode } from './result.ts'

interface ObjectClass {
  superior: string
  /** Attributes an entry of the class must have, by key. */
  must: readonly string[]
  auxiliary?: true
}

// There is no schema, but what an application relies on holds: an inetOrgPerson is a person, a group has a member.
const classes: Readonly<Record<string, ObjectClass>> = {
  person: { superior: 'top', must: ['cn', 'sn'] },
  organizationalperson: { superior: 'person', must: [] },
  inetorgperson: { superior: 'organizationalperson', must: [] },
  groupofnames: { superior: 'top', must: ['cn', 'member'] },
  groupofuniquenames: { superior: 'top', must: ['cn', 'uniquemember'] },
  organizationalunit: { superior: 'top', must: ['ou'] },
  organization: { superior: 'top', must: ['o'] },
  organizationalrole: { superior: 'top', must: ['cn'] },
  account: { superior: 'top', must: ['uid'] },
  dcobject: { superior: 'top', must: ['dc'], auxiliary: true },
  posixaccount: { superior: 'top', must: ['cn', 'uid', 'uidnumber', 'gidnumber', 'homedirectory'], auxiliary: true },
  posixgroup: { superior: 'top', must: ['cn', 'gidnumber'] },
  simplesecurityobject: { superior: 'top', must: ['userpassword'], auxiliary: true },
  extensibleobject: { superior: 'top', must: [], auxiliary: true },
}

/** The class and those above it, lower case. */
function* lineage(name: string): Generator<string> {
  for (let current = name; current !== ''; current = classes[current]?.superior ?? (current === 'top' ? '' : 'top')) {
    yield current
  }
}

/** Whether one of the classes is `wanted` or a subclass of it (all lower case). */
export const hasClass = (names: Iterable<string>, wanted: string): boolean => {
  for (const name of names) for (const each of lineage(name)) if (each === wanted) return true
  return false
}

/**
 * Checks what every entry owes its classes.
 * @throws LdapError objectClassViolation
 */
export const checkClasses = (names: readonly string[], has: (attribute: string) => boolean): void => {
  if (names.length === 0) throw new LdapError(resultCode.objectClassViolation, 'no objectClass attribute')
  if (names.every((name) => name === 'top' || classes[name]?.auxiliary)) {
    throw new LdapError(resultCode.objectClassViolation, 'no structural object class provided')
  }
  for (const name of names) {
    for (const each of lineage(name)) {
      const missing = classes[each]?.must.find((attribute) => !has(attribute))
      if (missing === undefined) continue
      throw new LdapError(resultCode.objectClassViolation, `object class '${name}' requires attribute '${missing}'`)
    }
  }
}
