import { DnSyntaxError, formatDn, parseDn } from './dn.ts'

/** A DN in our own spelling, by which the ledger knows it; text that is no DN as it is. */
export const spelled = (dn: string): string => {
  try {
    return formatDn(parseDn(dn))
  } catch (error) {
    if (error instanceof DnSyntaxError) return dn
    throw error
  }
}
