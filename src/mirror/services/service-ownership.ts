import { createHash } from 'node:crypto'
import type { Directory, Entry } from '../../ldap/directory.ts'
import { sameDn } from '../../ldap/dn.ts'
import { equals } from '../../ldap/filter.ts'
import { serviceAccountsDn } from '../entry/places.ts'
import { wholeOnly } from '../plan/ownership.ts'
import type { Account } from './service-ledger.ts'
import type { WantedEntry } from './service-shape.ts'

// An entry is ours if it has the id (entryUUID) that it had when it was added, or its DN where the server gives no id, or
// if it is what an interrupted add would have left. No other entry is changed or deleted.

const readAttributes = [
  ...['objectClass', 'cn', 'description', 'userPassword', 'stewardPeopleFilter', 'stewardGroupFilter'],
  ...['stewardReadsNtHashes', 'entryUUID'],
]

export const digestOf = (passwords: readonly string[]): string =>
  createHash('sha256')
    .update([...passwords].sort().join('\n'))
    .digest('hex')

export const uuidOf = (entry: Entry): string | null => entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null

const isSameDn = (one: string | null, other: string): boolean => one !== null && sameDn(one, other)

/** Whether an entry is what an interrupted add has left. */
const isAdded = (row: Account, { dn, attributes: { userPassword, objectClass = [] } }: Entry): boolean => {
  if (!isSameDn(row.target_dn, dn)) return false
  const isProofNeeded = row.target_digest?.endsWith(wholeOnly) === true
  if (userPassword !== undefined) {
    return `${digestOf(userPassword)}${isProofNeeded ? wholeOnly : ''}` === row.target_digest
  }
  return !isProofNeeded && objectClass.some((name) => name.toLowerCase() === 'applicationprocess')
}

export const isOurs = (row: Account, entry: Entry): boolean => {
  if (isAdded(row, entry)) return true
  const uuid = uuidOf(entry)
  return row.entry_uuid !== null && uuid !== null ? uuid === row.entry_uuid : isSameDn(row.dn, entry.dn)
}

/** The entry at the wanted DN, whosever it is, and those of the account elsewhere. */
export const findEntries = async (
  directory: Pick<Directory, 'read' | 'search' | 'baseDn'>,
  row: Account,
  wanted: WantedEntry | null,
): Promise<{ there: Entry | null; elsewhere: Entry[] }> => {
  const places = [wanted?.dn, row.dn, row.target_dn].flatMap((dn) => dn ?? [])
  const dns = places.filter((dn, index) => places.findIndex((other) => sameDn(other, dn)) === index)
  const entries = (await Promise.all(dns.map((dn) => directory.read(dn, readAttributes)))).flatMap((each) => each ?? [])
  const own = entries.filter((entry) => isOurs(row, entry))
  if (own.length === 0 && row.entry_uuid !== null) {
    // Another program may have renamed it.
    const search = { scope: 'one', filter: equals('entryUUID', row.entry_uuid), attributes: readAttributes } as const
    const pages = directory.search(serviceAccountsDn(directory.baseDn), { ...search, attributes: [...readAttributes] })
    for await (const page of pages) own.push(...page)
  }
  const isThere = ({ dn }: Entry): boolean => wanted !== null && sameDn(dn, wanted.dn)
  return { there: entries.find(isThere) ?? null, elsewhere: own.filter((entry) => !isThere(entry)) }
}
