import { statementsOf } from '../failures/statement-table.ts'

/** Why a device is offline. */
export const statements = statementsOf('devices', {
  signed_off: 'it signed off',
  silent: 'nothing was heard of it for {seconds} s',
})
