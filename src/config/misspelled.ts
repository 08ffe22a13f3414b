import leven from 'leven'

/** A variable with a name that is unknown, and the setting that was probably meant. */
export interface Misspelled {
  name: string
  meant: string
}

/** As it is said to an administrator. */
export const describeMisspelled = ({ name, meant }: Misspelled): string =>
  `${name}: unknown, and ignored; did you mean ${meant}?`

/**
 * Which variables look like settings, and are unknown: `LDAP_BINDDN`, `BACKUP_KEYS`. Most others belong to other programs.
 * @param unknown names that are set
 * @param settings names of all settings
 */
export const findMisspelled = (unknown: readonly string[], settings: readonly string[]): Misspelled[] => {
  const known = settings.map((meant) => ({ meant, letters: lettersOf(meant) }))
  return unknown.flatMap((name) => {
    const letters = lettersOf(name)
    // One setting of many is a guess: the nearest.
    const [nearest] = known
      .map(({ meant, letters: of }) => ({
        meant,
        letters: of,
        distance: leven(letters, of, { maxDistance: farthest + 1 }),
      }))
      .filter((one) => isNear(letters, one.letters, one.distance))
      .sort((a, b) => a.distance - b.distance)
    return nearest === undefined ? [] : [{ name, meant: nearest.meant }]
  })
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
