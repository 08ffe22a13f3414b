import { normalizeDn } from '../../ldap/dn.ts'

const read = (text: string): string | null => {
  try {
    return normalizeDn(text)
  } catch {
    return null
  }
}

let last: { text: string; key: string | null } = { text: '', key: '' }

/**
 * The key of a distinguished name; null for other text. A value is normalized twice, once to check it and once to
 * compare it, and a long one takes milliseconds: so the last result is cached.
 */
export const keyOfDn = (text: string): string | null => {
  if (last.text !== text) last = { text, key: read(text) }
  return last.key
}
