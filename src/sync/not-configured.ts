import { AppError } from '../errors.ts'
import type { Slot } from '../sources/slot.ts'

const settings: Readonly<Record<Slot, string>> = {
  exta: 'ExtA is not configured: set EXTA_CONNECTOR and the settings of that connector',
  extb: 'ExtB is not configured: set EXTB_CONNECTOR and the settings of that connector',
  extc: 'ExtC is not configured: set EXTC_CONNECTOR and the settings of that connector',
  extldap: 'ExtLdap is not configured: set EXTLDAP_URL, EXTLDAP_BASE_DN, EXTLDAP_BIND_DN and EXTLDAP_BIND_PASSWORD',
}

/** The refusal of whatever needs a source that this installation has no settings for. */
export const notConfigured = (slot: Slot): AppError => new AppError('unavailable', settings[slot])
