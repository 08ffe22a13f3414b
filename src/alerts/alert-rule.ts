export type AlertLevel = 'info' | 'warning' | 'danger'

/** What an alert is about, where that is a place or a device. */
export interface AlertSubject {
  /** Where it happened: an address, a source, the place of a device. */
  readonly location?: string
  readonly deviceId?: number
}

/** A rule of the table in alert-rules.ts. Its functions say by their parameters what a raising has to bring. */
export interface AlertRule {
  /** What raises it, as the table in docs/alerts-and-status.md says it. */
  readonly when: string
  readonly level: AlertLevel
  /** Two raisings with the same cause are one alert for as long as that is open. Stored, and unique among open alerts. */
  readonly cause: (parameters: never) => string
  readonly title: (parameters: never) => string
  readonly text: (parameters: never) => string
  readonly about?: (parameters: never) => AlertSubject
  /** When what is still wrong is raised again, which updates the open alert; null: each raising is an alert of its own. */
  readonly again: string | null
  /** What makes the service close it (see `closeAlert`); null: only an administrator does. */
  readonly closes: string | null
}
