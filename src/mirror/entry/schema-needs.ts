import type { DirectorySchema } from './directory-schema.ts'
import type { DirectoryProfile } from './directory-settings.ts'
import { entryForm } from './entry-form.ts'
import { personClasses } from './entry-shape.ts'

type Needs = Pick<DirectoryProfile, 'groupClass' | 'attributes' | 'posix'>

/** A class and an attribute that every server has, whether it publishes them or not. */
const [top, itsClasses] = ['top', 'objectClass']

/**
 * What entries of people and groups need that a schema does not have: object classes, and attributes that the class of people
 * does not allow. What settings add to that (POSIX accounts) is not shown where it is lacking; without these nothing is written.
 */
export const lackingIn = (schema: DirectorySchema, { groupClass, attributes }: Needs): string[] => {
  const { userAttributeNames, groupAttributeNames, groupClasses, shows } = entryForm('', groupClass, null, attributes)
  const classes = [...personClasses, ...groupClasses('cn'), ...groupClasses('ou')]
  const person = schema.objectClass(personClasses.at(-1) ?? '')
  const isAllowed = (name: string): boolean => {
    const [key = ''] = schema.attribute(name)?.names ?? []
    return person === undefined || person.must.has(key) || person.may.has(key)
  }
  const isThere = (name: string): boolean => schema.attribute(name) !== undefined
  const lacking = [
    ...classes.filter((name) => name !== top && schema.objectClass(name) === undefined),
    ...userAttributeNames.filter((name) => name !== itsClasses && shows(name) && !(isThere(name) && isAllowed(name))),
    ...groupAttributeNames.filter((name) => name !== itsClasses && !isThere(name)),
  ]
  return [...new Set(lacking)]
}

/** The same of POSIX accounts and groups, which would not be shown. */
export const posixLackingIn = (schema: DirectorySchema, { posix }: Needs): string[] => {
  if (posix === null) return []
  const classes = [...(posix.accounts === 'none' ? [] : ['posixAccount']), 'posixGroup']
  return classes.filter((name) => schema.objectClass(name) === undefined)
}
