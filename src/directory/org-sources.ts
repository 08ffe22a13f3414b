import { AppError } from '../errors.ts'

const settings = {
  ExtA: 'EXTA_CONNECTOR and the settings of that connector',
  ExtB: 'EXTB_CONNECTOR and the settings of that connector',
  ExtC: 'EXTC_CONNECTOR and the settings of that connector',
  ExtLdap: 'EXTLDAP_URL, EXTLDAP_BASE_DN, EXTLDAP_BIND_DN and EXTLDAP_BIND_PASSWORD',
} as const

/** The refusal of an import from a source that this installation has no settings for. */
export const notConfigured = (source: keyof typeof settings): AppError =>
  new AppError('unavailable', `${source} is not configured: set ${settings[source]}`)
