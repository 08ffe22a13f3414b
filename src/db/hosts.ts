/**
 * A URL of PostgreSQL for each of its hosts: `postgres://user@one:5432,two:5433/name` names two, of which one at a time
 * accepts changes. null: it is not such a URL.
 */
export const hostUrls = (url: string): URL[] | null => {
  const [, before = '', hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? []
  const urls = hosts.split(',').map((host) => before + host + rest)
  const isWhole = before !== '' && urls.every((each) => URL.canParse(each))
  return isWhole && (urls.length === 1 || hosts.split(',').every((host) => host !== ''))
    ? urls.map((each) => new URL(each))
    : null
}

/** Which of several servers a URL wants; null: it does not say. */
export const targetOf = (url: string): string | null => {
  const [first] = hostUrls(url) ?? []
  return first?.searchParams.get('target_session_attrs') ?? null
}

/** `db1.example.com:5432`, for messages. */
export const placeOf = ({ host, port }: URL): string => (port === '' ? `${host}:5432` : host)

/** user@host:port,host:port/database, never the password. */
export const whereOf = (url: string): string => {
  const urls = hostUrls(url) ?? []
  const [first] = urls
  if (first === undefined) return 'the server'
  const { username, pathname } = first
  return `${username && `${decodeURIComponent(username)}@`}${urls.map(({ host }) => host)}${pathname}`
}
