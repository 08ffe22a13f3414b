import leven from 'leven'

/**
 * The name that was probably meant by one that is unknown; null: none is near.
 * @param names of which each may have been meant
 */
export const nearestName = (name: string, names: readonly string[]): string | null => {
  const letters = lettersOf(name)
  // One name of many is a guess: the nearest.
  const [nearest] = names
    .map((meant) => {
      const of = lettersOf(meant)
      return { meant, of, distance: leven(letters, of, { maxDistance: farthest + 1 }) }
    })
    .filter(({ of, distance }) => isNear(letters, of, distance))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.meant ?? null
}

/** Letters that are wrong, missing or too many. */
const farthest = 2
/** In a shorter name two wrong letters make another word. */
const longName = 10

const isNear = (one: string, other: string, distance: number): boolean =>
  distance < farthest || (distance === farthest && (other.length >= longName || sorted(one) === sorted(other)))

/** `LDAP_BIND_DN`, `LDAP_BINDDN` and `ldap-bind-dn` are the same. */
const lettersOf = (name: string): string => name.toUpperCase().replaceAll(/[^\dA-Z]/g, '')

/** Two letters that are exchanged count as two. */
const sorted = (text: string): string => [...text].sort().join('')
