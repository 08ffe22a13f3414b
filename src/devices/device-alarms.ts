import type { Alarm } from '../alerts/alarm.ts'

/** What an alarm needs to know of a device. */
export interface AlarmingDevice {
  id: number
  name: string
  location: string
}

export const offlineCause = (id: number): string => `device offline:${id}`
export const batteryCause = (id: number): string => `device battery:${id}`

/** One that flaps has one alert, until somebody handles it: coming back does not. */
export const offlineAlarm = (device: AlarmingDevice, why: string): Alarm => ({
  ...aboutOf(device),
  cause: offlineCause(device.id),
  title: 'Device offline',
  description: `${device.name} is offline: ${why}`,
})

export const batteryAlarm = (device: AlarmingDevice, battery: number): Alarm => ({
  ...aboutOf(device),
  cause: batteryCause(device.id),
  title: 'Battery low',
  description: `${device.name} has ${battery} % of its battery left`,
})

const aboutOf = ({ id, location }: AlarmingDevice) => ({ level: 'warning' as const, deviceId: id, location })
