import { entriesOf, isObject, type Json, type JsonObject, listOf, type Path, type Source } from './source.ts'

/** A bearer token in `Authorization` is the only way to sign in. */
const isBearer = (scheme: Json | undefined): boolean =>
  isObject(scheme) &&
  ((scheme.type === 'http' && scheme.scheme === 'bearer') ||
    (scheme.type === 'apiKey' && scheme.in === 'header' && scheme.name === 'Authorization'))

/** Refuses schemes that the runtime would not check. */
export const verifySecuritySchemes = ({ root, refuse }: Source): void => {
  const schemes = isObject(root.components) ? root.components.securitySchemes : undefined
  for (const [name, scheme] of entriesOf(schemes)) {
    if (!isBearer(scheme)) refuse(['components', 'securitySchemes', name], 'only a bearer token is supported')
  }
}

/**
 * Whether an operation needs a user's token: its own `security`, else the document's. A token is optional where `{}` is
 * allowed beside it, and where it is of another scheme than the document's it is not a user's: both are the handler's to
 * look at. They are declared all the same, because a generated client sends no token to an operation that declares none.
 */
export const isSecured = ({ root, refuse }: Source, operation: JsonObject, path: Path): boolean => {
  const [security, at] =
    operation.security === undefined ? [root.security, ['security']] : [operation.security, [...path, 'security']]
  if (!Array.isArray(security)) {
    refuse(path, 'says neither here nor for all operations whether a token is needed')
    return true
  }
  const schemes = isObject(root.components) ? root.components.securitySchemes : undefined
  const [requirement, alternative, ...others] = security
  if (requirement === undefined) return false
  const [use, ...more] = entriesOf(requirement)
  const known = use !== undefined && isObject(schemes) && isBearer(schemes[use[0]]) && listOf(use[1]).length === 0
  const optional = isObject(alternative) && Object.keys(alternative).length === 0
  if (!known || more.length > 0 || others.length > 0 || (alternative !== undefined && !optional)) {
    refuse(at, 'expected [], one bearer scheme without scopes, or that and {}')
  }
  const ofUsers = root.security === undefined || entriesOf(listOf(root.security)[0])[0]?.[0] === use?.[0]
  return !optional && ofUsers
}
