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
 * The key of a distinguished name; null for what is not one. A value is asked for twice, to check it and to compare it,
 * and to read a long one takes milliseconds: so the last is remembered.
 */
export const keyOfDn = (text: string): string | null => {
  if (last.text !== text) last = { text, key: read(text) }
  return last.key
}
