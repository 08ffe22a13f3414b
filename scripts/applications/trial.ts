import type { Machine } from './machine.ts'
import type { Directory, Office } from './office.ts'

/** What is tried on a machine after it has followed the page. */
export interface Trial {
  machine: Machine
  office: Office
  directory: Directory
  /** That of the service account of the page. */
  password: string
  /** A name for what is made in this trial only: others run at the same time. */
  tag: string
  /** Says what holds, or notes that it does not. */
  expect(holds: boolean, what: string): void
}

export interface Application {
  /** The name of its page, and of its service account. */
  name: string
  /** Other pages that are followed before. */
  after?: readonly string[]
  /** The application whose ports it uses too: they do not run at the same time. */
  portsOf?: string
  /** Files that say what went wrong. */
  logs: string
  /** Before the page is followed. */
  prepare?: (trial: Trial) => Promise<void>
  check: (trial: Trial) => Promise<void>
}
