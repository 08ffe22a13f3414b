import { entriesOf, isObject, type Json, type JsonObject, listOf, type Path, type Source } from './source.ts'

/** A bearer token in `Authorization`. */
const isBearer = (scheme: Json | undefined): boolean =>
  isObject(scheme) &&
  ((scheme.type === 'http' && scheme.scheme === 'bearer') ||
    (scheme.type === 'apiKey' && scheme.in === 'header' && scheme.name === 'Authorization'))

/** The session of the web console: the one cookie that the runtime reads (see console-cookie.ts). */
const isConsole = (scheme: Json | undefined): boolean =>
  isObject(scheme) && scheme.type === 'apiKey' && scheme.in === 'cookie' && scheme.name === 'steward'

const schemesOf = (root: JsonObject): Json | undefined =>
  isObject(root.components) ? root.components.securitySchemes : undefined

/** Refuses schemes that the runtime would not check. */
export const verifySecuritySchemes = ({ root, refuse }: Source): void => {
  for (const [name, scheme] of entriesOf(schemesOf(root))) {
    if (isBearer(scheme) || isConsole(scheme)) continue
    refuse(['components', 'securitySchemes', name], 'only a bearer token and the cookie steward are supported')
  }
}

/** One way to call an operation: by a scheme, or (null) without any. undefined: it is neither. */
const wayOf = (schemes: Json | undefined, requirement: Json): string | null | undefined => {
  if (!isObject(requirement)) return undefined
  const [use, ...more] = entriesOf(requirement)
  if (use === undefined) return null
  const [name, scopes] = use
  const known = isObject(schemes) && (isBearer(schemes[name]) || isConsole(schemes[name]))
  return known && more.length === 0 && listOf(scopes).length === 0 ? name : undefined
}

/**
 * Whether an operation needs a signed-in user: its own `security`, else the document's. The runtime takes the user's
 * bearer token and the console's cookie for the same operations, so an operation of users declares all ways of its
 * document. A token is optional where `{}` is allowed beside it, and where it is of another scheme than the document's
 * it is not a user's: both are for the handler to check. They are declared all the same, because a generated client
 * sends no token to an operation that declares none.
 */
export const isSecured = ({ root, refuse }: Source, operation: JsonObject, path: Path): boolean => {
  const [security, at] =
    operation.security === undefined ? [root.security, ['security']] : [operation.security, [...path, 'security']]
  if (!Array.isArray(security)) {
    refuse(path, 'says neither here nor for all operations whether a token is needed')
    return true
  }
  if (security.length === 0) return false
  const schemes = schemesOf(root)
  const ways = security.map((requirement) => wayOf(schemes, requirement))
  const named = ways.filter((way) => typeof way === 'string')
  const optional = ways.length > 1 && ways.at(-1) === null
  if (named.length + (optional ? 1 : 0) !== ways.length || new Set(named).size !== named.length) {
    refuse(at, 'expected [], or different schemes without scopes, one in each entry, and {} at the end where optional')
  }
  const ofUsers = listOf(root.security).map((requirement) => wayOf(schemes, requirement))
  const isForUsers = operation.security === undefined || named.some((way) => ofUsers.includes(way))
  if (isForUsers && !optional && operation.security !== undefined && root.security !== undefined) {
    if (ofUsers.some((way) => !ways.includes(way))) refuse(at, 'expected every scheme that the document has for users')
  }
  return !optional && (root.security === undefined || isForUsers)
}
