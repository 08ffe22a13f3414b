import { causesOf, codeOf } from '../failures/caught-error.ts'
import { lackOf, lacks } from './lack.ts'

/** The errors for which waiting does not help, by SQLSTATE. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refused the password',
  '28000': 'refused the login',
  '3D000': 'has no such database',
  '42501': 'does not let this user create what the schema needs',
}

/** Why a server refused a connection, to be said after its address; undefined: it did not, or waiting may help. */
export const refusalOf = (error: unknown): string | undefined => {
  const code = firstCodeOf(error)
  if (isCertificateCode(code)) return `has a certificate that is not accepted (${code})${adviceFor(code)}`
  if (isUnsupportedParameter(error)) return 'is PgBouncer: set DATABASE_DIRECT_URL to PostgreSQL itself'
  return Object.hasOwn(refusals, code) ? refusals[code] : undefined
}

/** What Node says of a certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes, and of its names. */
const isCertificateCode = (code: string): boolean =>
  /^(UNABLE_TO_|CERT_|CRL_|ERROR_IN_|ERR_TLS_CERT_)|SELF_SIGNED_CERT|^(INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)$/.test(
    code,
  )

/** What to do where the code alone does not say it. */
const adviceFor = (code: string): string =>
  /SELF_SIGNED|^UNABLE_TO_/.test(code) ? ': name the file of its authority in sslrootcert' : ''

/** Whether a connection failed because of its TLS: the other side has none, another version, or no trusted certificate. */
export const isTlsCode = (code: string): boolean =>
  isCertificateCode(code) || code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')

/** PgBouncer refuses what it cannot restore for the next client of a connection. */
export const isUnsupportedParameter = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter')

/** The first code that an error or a cause of it has; empty: none has one. */
export const firstCodeOf = (error: unknown): string => {
  for (const cause of causesOf(error)) {
    const code = codeOf(cause)
    if (code !== undefined) return code
  }
  return ''
}

/** The words of the error, or of the cause of it, that has a code. */
const messageOf = (error: unknown, code: string): string => {
  const found = [...causesOf(error)].find((cause) => codeOf(cause) === code)
  return found instanceof Error ? found.message : ''
}

/** Why a server cannot be used, to be said after its address. */
export const describeFailure = (error: unknown): string => {
  const code = firstCodeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `has no address in the DNS (${code})`
  const lack = lackOf(error)
  if (lack !== null) return lacks[lack].text
  // It answered: the code alone says nothing.
  if (code.startsWith('XX')) return `has an internal error (${code}: ${messageOf(error, code)})`
  const reason = code === '' && error instanceof Error ? error.message : code
  return refusalOf(error) ?? `does not answer (${reason})`
}
