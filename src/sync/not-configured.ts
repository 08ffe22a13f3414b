import type { AppError } from '../errors.ts'
import type { Slot } from '../sources/slot.ts'
import { reasons } from './reasons.ts'

const refusals = {
  exta: reasons.exta_not_configured,
  extb: reasons.extb_not_configured,
  extc: reasons.extc_not_configured,
  extldap: reasons.extldap_not_configured,
}

/** The refusal of operations that need a source without settings in this installation. */
export const notConfigured = (slot: Slot): AppError => refusals[slot]()
