import type { Test } from 'tap'
import type { ServerUnderTest } from '../../test/ldap-server/ldap-tools.ts'
import type { OwnServer } from '../../test/own-server.ts'
import type { Machine } from './machine.ts'
import type { SignInOptions } from './sign-ins.ts'

/** One that runs, as its page finds it. */
export interface RunningServer extends OwnServer, ServerUnderTest {
  /** Over TLS. */
  url: string
  caFile: string
  address: string
  /** Before the page is followed, on a machine that the server is on. */
  prepare?: (machine: Machine) => Promise<void>
}

/** A directory of others: Steward takes people over from it, or writes people to it. */
export interface OtherServer {
  /** The name of its page. */
  name: string
  /** Its host on the page. */
  host: string
  open: (t: Pick<Test, 'teardown'>) => Promise<RunningServer>
  /** Changes of people that Steward takes over, as LDIF. */
  source: {
    /** Names that people can have there. */
    names: readonly string[]
    dnOf: (name: string, base: string) => string
    add: (name: string, secret: string, base: string) => string
    rename: (from: string, to: string, base: string) => string
    disable: (name: string, base: string) => string
    enable: (name: string, base: string) => string
    addGroup: (name: string, members: readonly string[], base: string) => string
  }
  /** What people are there after Steward has written them. */
  target: {
    secret: string
    /** Passwords that it takes. */
    hostile: readonly string[]
    /** Names that it refuses, as its page says. */
    refused?: readonly string[]
    signIns?: SignInOptions
  }
}

/** A line of LDIF. */
export const line = (name: string, value: string): string => `${name}:: ${Buffer.from(value).toString('base64')}\n`
