import { DnSyntaxError, formatDn, parseDn } from './dn.ts'

/** A DN in our own spelling, the key of the ledger; text that is not a DN is returned unchanged. */
export const spelled = (dn: string): string => {
  try {
    return formatDn(parseDn(dn))
  } catch (error) {
    if (error instanceof DnSyntaxError) return dn
    throw error
  }
}
