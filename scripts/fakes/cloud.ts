import type { Fault } from './fault.ts'
import type { Organisation } from './organisation-data.ts'

/** A platform's cloud on loopback. What is assigned here holds from the next request on. */
export interface FakeCloud {
  /** `http://127.0.0.1:port`; the two hosts of DingTalk are both this one. */
  url: string
  /** Assign another one rather than change this one: it is indexed when it is assigned. */
  organisation: Organisation
  /** What goes wrong; a fault leaves the list once it is used up. */
  faults: Fault[]
  /** The departments the app may see, each with all below it; null: the whole organisation. */
  visible: readonly string[] | null
  /** The permissions the app has, in the platform's words. */
  scopes: readonly string[]
  /** Every call so far. */
  calls: FakeCall[]
  /** What a connector must be configured with. */
  credentials: Record<string, string>
  close(): Promise<void>
}

export interface FakeCall {
  path: string
  /** Milliseconds since 1970. */
  at: number
  /** The HTTP status; 0 when there was no answer. */
  status: number
  /** The platform's code; 0 is success. The HTTP status where the body has no number for it. */
  code: number
  /** The kind of the fault that answered instead of the platform; empty without one. */
  fault: string
}

export interface FakeCloudOptions {
  organisation: Organisation
  credentials?: Record<string, string>
  faults?: Fault[]
  visible?: readonly string[] | null
  scopes?: readonly string[]
  /** Milliseconds before every answer. */
  latency?: number
  /** Calls within any second, above which the platform's limit code is answered. No limit by default. */
  callsPerSecond?: number
  /** Seconds a token lasts; 7200 by default. */
  tokenLifetime?: number
  /** Any free port by default. */
  port?: number
}
