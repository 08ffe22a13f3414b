/** Sentinels that know which of several servers is the master. */
export interface Sentinels {
  /** A URL for each, without a password: theirs is a setting of its own. */
  urls: string[]
  /** What they call the servers that belong together. */
  name: string
  /** The URL of a server: user, password and database are the same on all. */
  urlOf(host: string, port: string): string
}

const form = /^(rediss?)-sentinel:\/\/((?:[^@/?#]*@)?)([^@/?#]+)\/([\w.-]+)(\/\d{1,4})?$/

/**
 * `redis-sentinel://user:password@one:26379,two:26379/name/0`; with `rediss-` TLS is used for sentinels and servers.
 * null: it is not such a URL.
 */
export const readSentinels = (url: string): Sentinels | null => {
  const [, scheme, user = '', hosts = '', name = '', database = ''] = form.exec(url) ?? []
  if (scheme === undefined || /%(?![\da-f]{2})/i.test(user)) return null
  const urls = hosts.split(',').map((host) => `${scheme}://${/:\d+$/.test(host) ? host : `${host}:26379`}`)
  if (!urls.every((each) => URL.canParse(each) && new URL(each).hostname !== '')) return null
  // Addresses of IPv6 are in brackets in a URL.
  const urlOf = (host: string, port: string): string =>
    `${scheme}://${user}${host.includes(':') ? `[${host}]` : host}:${port}${database}`
  return { urls, name, urlOf }
}
