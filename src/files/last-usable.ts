/**
 * What `read` gives now, or what was usable last where it fails: files of certificates are replaced while Steward runs, and one of
 * two may be there already.
 * @param first what it gave already; default: it is called now
 * @throws what `read` throws now
 */
export const lastUsable = <T>(read: () => T, first = read()): (() => T) => {
  let last = first
  return () => {
    try {
      last = read()
    } catch {
      // Where the last one is of no use any more, the server says so.
    }
    return last
  }
}
