/** Something that somebody has to look at. */
export interface Alarm {
  /** What is behind it, the same for every repeat, such as `attempts account li.na`. */
  readonly cause: string
  readonly title: string
  readonly description: string
  readonly level: 'info' | 'warning' | 'danger'
  /** Where it happened: an address, a source, the place of a device. */
  readonly location?: string
  readonly deviceId?: number
}

/**
 * Raises an alert, or updates the open one of the same cause. Never throws and never waits for more than SQL: what goes
 * wrong is logged. Not for use inside a transaction: that writes its alerts itself (raise-alerts.ts).
 */
export type RaiseAlarm = (alarm: Alarm) => Promise<void>
