import { keyOfAny } from '../../ldap/dn.ts'

/** Where a directory is. */
export interface DirectoryPlace {
  /** URLs that lead to it, or a name of an embedded one. */
  servers: readonly string[]
  baseDn: string
}

const defaultPorts: Readonly<Record<string, string>> = { 'ldap:': '389', 'ldaps:': '636' }

/** A URL without what does not tell servers apart: the protocol and its port, the case, the slash at its end. */
const serverKey = (server: string): string => {
  if (!URL.canParse(server)) return server
  const { protocol, hostname, port } = new URL(server)
  const name = hostname.toLowerCase()
  return port === '' || port === defaultPorts[protocol] ? name : `${name}:${port}`
}

/** Whether two DNs are spellings of the same base. */
export const isSameBase = (one: string, other: string): boolean => keyOfAny(one) === keyOfAny(other)

/** The same servers in another order, or one more of them, are the same directory. */
export const isSameDirectory = (one: DirectoryPlace, other: DirectoryPlace): boolean => {
  const keys = new Set(one.servers.map(serverKey))
  return isSameBase(one.baseDn, other.baseDn) && other.servers.some((server) => keys.has(serverKey(server)))
}
