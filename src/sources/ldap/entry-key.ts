import { DnSyntaxError, normalizeDn } from '../../ldap/dn.ts'

/** The key by which an entry is compared (see normalizeDn); '' for text that is not a DN. */
export const entryKey = (dn: string): string => {
  try {
    return normalizeDn(dn)
  } catch (error) {
    if (error instanceof DnSyntaxError) return ''
    throw error
  }
}

/** The key one level up: in a key an unescaped comma always ends an RDN. */
export const parentKey = (key: string): string => {
  const comma = key.indexOf(',')
  return comma < 0 ? '' : key.slice(comma + 1)
}

/** Whether an entry is `above` or below it. */
export const isBelow = (key: string, above: string): boolean =>
  key.endsWith(above) && (key.length === above.length || key[key.length - above.length - 1] === ',')
