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

/** Whether an operation needs a token: its own `security`, else the document's. */
export const isSecured = ({ root, refuse }: Source, operation: JsonObject, path: Path): boolean => {
  const [security, at] =
    operation.security === undefined ? [root.security, ['security']] : [operation.security, [...path, 'security']]
  if (!Array.isArray(security)) {
    refuse(path, 'says neither here nor for all operations whether a token is needed')
    return true
  }
  const schemes = isObject(root.components) ? root.components.securitySchemes : undefined
  const [requirement, ...others] = security
  if (requirement === undefined) return false
  const [use, ...more] = entriesOf(requirement)
  const known = use !== undefined && isObject(schemes) && isBearer(schemes[use[0]]) && listOf(use[1]).length === 0
  if (!known || others.length > 0 || more.length > 0) refuse(at, 'expected [] or the one bearer scheme, without scopes')
  return true
}
