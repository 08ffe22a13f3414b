export type AlertLevel = 'info' | 'warning' | 'danger'

/** The place or the device that an alert is about. */
export interface AlertSubject {
  /** Where it happened: an IP address, a source, or the location of a device. */
  readonly location?: string
  readonly deviceId?: number
}

/** A rule of the table in alert-rules.ts. The parameters of its functions are what the caller that raises it has to pass. */
export interface AlertRule {
  /** What raises it, as the table in docs/alerts-and-status.md says it. */
  readonly when: string
  readonly level: AlertLevel
  /** While an alert with this cause is open, raising it again updates it. Stored, and unique among open alerts. */
  readonly cause: (parameters: never) => string
  readonly title: (parameters: never) => string
  readonly text: (parameters: never) => string
  readonly about?: (parameters: never) => AlertSubject
  /** When a problem that continues is raised again, which updates the open alert; null: each raising creates an alert. */
  readonly again: string | null
  /** When the service closes it (see `closeAlert`); null: only an administrator closes it. */
  readonly closes: string | null
}
