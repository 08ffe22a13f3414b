import type { Identity } from './identity.ts'
import type { OpenPages } from './search/open-pages.ts'

/** The transport that a connection came over. */
export interface Origin {
  address: string
  /** The socket that only this process's user can reach: attempts to bind over it are not counted. */
  trusted: boolean
  /** Whether what is sent cannot be overheard: it is encrypted, or does not leave this machine. */
  confidential: boolean
}

/** A connection as the directory sees it. */
export interface Session extends Origin {
  identity: Identity
  pages: OpenPages
  /** Ends the connection and all its operations at once. */
  end(reason: string): void
  /** Whether it has ended. */
  ended: boolean
}
