import { nearestName } from '../text/nearest-name.ts'

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
export const findMisspelled = (unknown: readonly string[], settings: readonly string[]): Misspelled[] =>
  unknown.flatMap((name) => {
    const meant = nearestName(name, settings)
    return meant === null ? [] : [{ name, meant }]
  })
