/**
 * Passwords in clear text, in memory and for a short time: Active Directory takes no hashes, so its entry gets the
 * password at the moment it is set, or used to sign in to Steward. They are found by the hash that is stored of them, so
 * that one which was replaced meanwhile is not found.
 */
export interface FreshPasswords {
  /** @param value what the record holds of it: see `StoredPassword` */
  keep(value: string, password: string): void
  /** null: it is not known, or not any more. */
  of(value: string): string | null
}

/** Milliseconds; a directory that is down for longer gets the password at the next sign-in. */
const usual = 30_000
/** At once; the oldest gives way. */
const most = 2000

/** @param wanted whether a directory needs them; otherwise none is kept */
export const freshPasswords = (wanted: boolean, keptFor = usual): FreshPasswords => {
  const known = new Map<string, { password: string; timer: NodeJS.Timeout }>()
  const forget = (value: string): void => {
    clearTimeout(known.get(value)?.timer)
    known.delete(value)
  }
  return {
    keep(value, password) {
      if (!wanted) return
      forget(value)
      known.set(value, { password, timer: setTimeout(() => forget(value), keptFor).unref() })
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) forget(oldest)
    },
    of: (value) => known.get(value)?.password ?? null,
  }
}
