import { type Concern, when } from './concern.ts'
import { counted } from './wording.ts'

const list = 'GET /api/v1/security/devices'

export const devicesConcern: Concern = {
  id: 5,
  name: 'Devices',
  description: 'Whether security devices are heard of, and their batteries',
  details({ devices: { total, offline, lowBattery, silent } }) {
    if (total === 0) return 'No device is registered'
    return `${counted(total, 'device')}: ${offline} offline, ${silent} silent, ${lowBattery} low on battery`
  },
  find({ devices: { total, offline, lowBattery, silent } }) {
    const dark = total > 0 && offline * 2 >= total
    const description = `${offline} of ${counted(total, 'device')} ${offline === 1 ? 'is' : 'are'} offline.`
    return [
      ...when(dark, () => ({
        kind: 'devicesDark',
        description,
        suggestion: `So many at once point to their network or their power: ${list} names them.`,
      })),
      ...when(offline > 0 && !dark, () => ({
        kind: 'devicesOffline',
        description,
        suggestion: `See to it, or remove it where it is gone for good: ${list} names them.`,
      })),
      ...when(silent > 0, () => ({
        kind: 'devicesSilent',
        description: `${counted(silent, 'device')} said to be online ${silent === 1 ? 'has' : 'have'} not been heard of for longer than DEVICE_TIMEOUT.`,
        suggestion: `See whether heartbeats are sent: ${list} shows the last of each.`,
      })),
      ...when(lowBattery > 0, () => ({
        kind: 'batteryLow',
        description: `The battery of ${counted(lowBattery, 'device')} is at 20 % or below.`,
        suggestion: `Charge or replace it: ${list} names them.`,
      })),
    ]
  },
}
