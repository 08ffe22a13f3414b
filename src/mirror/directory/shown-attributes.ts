import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { declaredAttributes } from '../../db/schema.ts'
import { ConfigError } from '../../failures/errors.ts'
import type { Logger } from '../../runtime/log.ts'
import { nearestName } from '../../text/nearest-name.ts'
import type { ShownAttributes } from '../entry/directory-settings.ts'
import type { EntryForm } from '../entry/entry-form.ts'
import { sshKeyAttribute } from '../entry/ssh-keys.ts'
import { mainDirectory } from '../touch.ts'

export interface ShownAttributesOptions {
  db: Db
  /** The number of the directory. */
  number: number
  form: Pick<EntryForm, 'userAttributeNames'>
  /** LDAP_ATTRIBUTES */
  attributes: ShownAttributes
  log: Pick<Logger, 'warn'>
}

/** In a shorter name one other letter makes another attribute: `o` and `ou`. */
const telling = 4

/**
 * Looks for names of LDAP_ATTRIBUTES that entries do not have: what is left out is removed from all of them, so that a name
 * which is almost right would cost everyone what was meant. Any other may be that of an attribute that is declared later.
 * @throws ConfigError naming those that are almost another one, which is not listed
 */
export const requireKnownAttributes = async (options: ShownAttributesOptions): Promise<void> => {
  const { db, number, form, attributes, log } = options
  if (attributes === null || attributes === 'all') return
  const setting = number === mainDirectory ? 'LDAP_ATTRIBUTES' : `LDAP_${number}_ATTRIBUTES`
  const declared = await db.execute<{ name: string }>(sql`
    select ${declaredAttributes.ldapAttribute} as name from ${declaredAttributes}
    where ${declaredAttributes.kind} = 'user' and ${declaredAttributes.ldapAttribute} <> ''`)
  const names = [...form.userAttributeNames, sshKeyAttribute, ...declared.map(({ name }) => name)]
  const known = new Set(names.map((name) => name.toLowerCase()))
  const listed = new Set(attributes.map((name) => name.toLowerCase()))
  const unknown = [...listed].filter((name) => !known.has(name))
  const unlisted = names.filter((name) => !listed.has(name.toLowerCase()))
  const problems = unknown.flatMap((name) => {
    const meant = name.length < telling ? null : nearestName(name, unlisted)
    return meant === null
      ? []
      : [`${setting}: entries have no attribute ${name}; did you mean ${meant}, which they would lose?`]
  })
  if (problems.length > 0) throw new ConfigError(problems)
  if (unknown.length > 0) log.warn({ attributes: unknown }, `${setting} names attributes that entries do not have`)
}
