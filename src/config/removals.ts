import type { RemovalLimit } from '../sync/guard.ts'

/** `20,10%`; one of the two parts may be left out and then counts as zero. */
export const toRemovals = (value: string): RemovalLimit | undefined => {
  const [, records, percent] = /^(?:(\d{1,9})(?:\s*,\s*(?=.)|$))?(?:(\d{1,3}(?:\.\d{1,3})?)\s*%)?$/.exec(value) ?? []
  if ((records === undefined && percent === undefined) || Number(percent ?? 0) > 100) return undefined
  return { records: Number(records ?? 0), share: Number(percent ?? 0) / 100 }
}
