import type { PasswordTerms } from '../passwords/password-merge.ts'
import { schemeOf } from '../passwords/password-values.ts'
import type { Item } from './item.ts'
import type { Sighting } from './sighting.ts'

/** The schemes of the passwords that these people get. */
export const schemesOf = (items: readonly Item[]): Set<string> =>
  new Set(items.flatMap(({ enabled, secret }) => (enabled && secret !== null ? [schemeOf(secret) ?? ''] : [])))

/** Where the directory does not verify the hash of the record: the schemes of the former one, which may stay. */
export const schemesHeld = ({ item, found }: Sighting, { of, digest }: PasswordTerms): string[] => {
  const isVerified = item.secret === null || of(schemeOf(item.secret) ?? '').verdict !== 'disproved'
  if (!item.enabled || isVerified) return []
  const held = (found?.entry.attributes.userPassword ?? []).filter((one) =>
    [`held ${digest(one)}`, `withheld ${digest(one)}`].some((state) => state === item.passwordDigest),
  )
  return held.flatMap((value) => schemeOf(value) ?? [])
}
