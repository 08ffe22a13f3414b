import { type Concern, when } from './concern.ts'
import { counted } from './wording.ts'

const list = 'GET /api/v1/security/devices'

export const devicesConcern: Concern = {
  id: 5,
  area: 'devices',
  name: 'Devices',
  description: 'Whether security devices send heartbeats, and their batteries',
  details({ devices: { total, offline, lowBattery, silent } }) {
    if (total === 0) return 'No device is registered'
    return `${counted(total, 'device')}: ${offline} offline, ${silent} silent, ${lowBattery} low on battery`
  },
  figures: ({ devices: { total, offline, silent, lowBattery } }) => ({ total, offline, silent, lowBattery }),
  find({ devices: { total, offline, lowBattery, silent } }) {
    const dark = total > 0 && offline * 2 >= total
    const description = `${offline} of ${counted(total, 'device')} ${offline === 1 ? 'is' : 'are'} offline.`
    return [
      ...when(dark, () => ({
        kind: 'devicesDark',
        description,
        suggestion: `So many at once suggest a failure of the network or the power: ${list} lists them.`,
        params: { count: offline, total },
      })),
      ...when(offline > 0 && !dark, () => ({
        kind: 'devicesOffline',
        description,
        suggestion: `Check it, or remove it if it is no longer in use: ${list} lists them.`,
        params: { count: offline, total },
      })),
      ...when(silent > 0, () => ({
        kind: 'devicesSilent',
        description: `${counted(silent, 'device')} with the status online ${silent === 1 ? 'has' : 'have'} sent no heartbeat for longer than DEVICE_TIMEOUT.`,
        suggestion: `Check whether heartbeats are sent: ${list} shows the last one of each.`,
        params: { count: silent },
      })),
      ...when(lowBattery > 0, () => ({
        kind: 'batteryLow',
        description: `The battery of ${counted(lowBattery, 'device')} is at 20 % or below.`,
        suggestion: `Charge or replace it: ${list} lists them.`,
        params: { count: lowBattery },
      })),
    ]
  },
}
