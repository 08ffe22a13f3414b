import type { Directory } from '../../ldap/directory.ts'
import { matchingKey, parseDn } from '../../ldap/dn.ts'
import { present } from '../../ldap/filter.ts'
import { serviceAccountsDn } from '../entry/places.ts'

/** slapd with lastbind, and with a password policy. */
const useAttributes = ['authTimestamp', 'pwdLastSuccess']

/** A generalized time (RFC 4517 section 3.3.13) as servers write it, in UTC. */
const timeOf = (text: string): Date | null => {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:[.,]\d+)?Z$/.exec(text) ?? []
  if (year === undefined) return null
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}Z`)
}

/** What the server notes of binds, by name key of the account. @throws DirectoryError */
export const serviceLastUses = async (
  directory: Pick<Directory, 'search' | 'baseDn'>,
): Promise<ReadonlyMap<string, Date>> => {
  const found = new Map<string, Date>()
  const search = { scope: 'one', filter: present('objectClass'), attributes: useAttributes } as const
  for await (const page of directory.search(serviceAccountsDn(directory.baseDn), {
    ...search,
    attributes: [...useAttributes],
  })) {
    for (const { dn, attributes } of page) {
      const times = useAttributes.flatMap((name) => timeOf(attributes[name]?.[0] ?? '')?.getTime() ?? [])
      const name = parseDn(dn)[0]?.[0]?.value
      if (name !== undefined && times.length > 0) found.set(matchingKey(name), new Date(Math.max(...times)))
    }
  }
  return found
}
