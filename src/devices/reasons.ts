import type { Clashes } from '../db/clashes.ts'
import { reasonsOf } from '../reason-table.ts'

/** Why a device is not known, or cannot have its name. */
export const reasons = reasonsOf('devices', {
  device_not_found: { kind: 'not_found', text: 'there is no device {id}' },
  unknown_token: { kind: 'unauthenticated', text: 'this is the token of no device' },
  name_taken: { kind: 'conflict', text: 'is taken already' },
})

export const deviceClashes: Clashes = { devices_name_key: () => reasons.name_taken.at('name') }
