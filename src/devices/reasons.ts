import type { Clashes } from '../db/clashes.ts'
import { reasonsOf } from '../failures/reason-table.ts'

/** Why a device is not known, or cannot have its name. */
export const reasons = reasonsOf('devices', {
  device_not_found: { kind: 'not_found', text: 'device {id} does not exist' },
  unknown_token: { kind: 'unauthenticated', text: 'this token does not belong to a device' },
  name_taken: { kind: 'conflict', text: 'is already taken' },
})

export const deviceClashes: Clashes = { devices_name_key: () => reasons.name_taken.at('name') }
