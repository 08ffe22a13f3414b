import type { Slot } from '../sources/slot.ts'
import type { Source } from '../sources/source.ts'
import { reasons } from './reasons.ts'

const refusals = {
  exta: reasons.exta_not_configured,
  extb: reasons.extb_not_configured,
  extc: reasons.extc_not_configured,
  extldap: reasons.extldap_not_configured,
}

/** What each slot is connected to; null: it is not configured. */
export type SourcesBySlot = Readonly<Record<Slot, Source | null>>

/** @throws AppError (unavailable) when the slot has no settings in this installation */
export const requireConfigured = (sources: SourcesBySlot, slot: Slot): Source => {
  const source = sources[slot]
  if (source === null) throw refusals[slot]()
  return source
}
