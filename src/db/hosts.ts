/**
 * A URL of PostgreSQL for each of its hosts: `postgres://user@one:5432,two:5433/name` names two, of which one at a time
 * accepts changes. null: it is not such a URL.
 */
export const hostUrls = (url: string): URL[] | null => {
  const [, before = '', hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  const urls = hosts.split(',').map((host) => before + host + rest)
  // Among several, the driver cannot read an address of IPv6.
  const isName = (host: string): boolean => host !== '' && !host.includes('[')
  const isWhole = before !== '' && urls.every((each) => URL.canParse(each))
  return isWhole && (urls.length === 1 || hosts.split(',').every(isName)) ? urls.map((each) => new URL(each)) : null
}

/**
 * Of several hosts the one is used that accepts changes, unless the URL says otherwise. With `read-write` the driver would
 * take a standby of PostgreSQL 14 or newer.
 */
export const withTarget = (url: string): string => {
  const urls = hostUrls(url)
  const isChosen = urls === null || urls.length === 1 || urls[0]?.searchParams.has('target_session_attrs')
  return isChosen ? url : `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=primary`
}
