// The room ldap.
// The LDAP protocol as a client speaks it: DN and filter text, connection, session, search, write, transactions.
// It never reads the database, nor knows what a person is.

import type { Filter } from 'ldapts'
import type { Logger } from '../runtime/log.ts'
import {
  activeDirectoryShape,
  readInRanges,
  refusalOfPassword,
  sentDn,
  sentWrite,
  withIdAttribute,
  withIds,
} from './active-directory.ts'
import { type ConnectionOptions, openConnection } from './connection-open.ts'
import { DirectoryError } from './directory-error.ts'
import { familiarAttributes } from './familiar-attributes.ts'
import { readFeatures } from './features.ts'
import { PostReadControl, postReadOid, postReadValue } from './post-read.ts'
import { hasAllOf } from './replication.ts'
import { resultCodes } from './result-code.ts'
import { modestPage, readEntry, readWholeEntry, searchPages } from './search.ts'
import { openServers } from './servers.ts'
import { createSession, type DirectoryPool } from './session.ts'
import { statements } from './statements.ts'
import { tracedDirectory } from './traced-directory.ts'
import { runTransaction } from './transaction.ts'
import { describeWrite, prepareWrite, writeError } from './write-request.ts'

export { DirectoryError } from './directory-error.ts'

/** Attribute → values, as text. An absent or empty list means the attribute is absent. */
export type Attributes = Record<string, string[]>

export interface Entry {
  /** In the server's spelling: compare with sameDn, never as text. */
  dn: string
  /** Under the names the caller asked for, whatever case the server used. */
  attributes: Attributes
}

/** All user attributes of an entry, under the server's names for them, as octets. */
export interface WholeEntry {
  dn: string
  attributes: Map<string, Buffer[]>
}

/** One part of a modify (RFC 4511 section 4.6). `delete` and `replace` with no values remove the whole attribute. */
export interface Change {
  operation: 'add' | 'delete' | 'replace'
  attribute: string
  values: string[] | Buffer[]
}

export type Write =
  | { kind: 'add'; dn: string; attributes: Attributes }
  | { kind: 'modify'; dn: string; changes: Change[] }
  /** A new RDN (a single old value is dropped, several stay), a new parent, or both. Descendants move along. */
  | { kind: 'rename'; dn: string; newDn: string }
  | { kind: 'delete'; dn: string }

/** What the server can do beyond RFC 4511. */
export interface Features {
  /** LDAP transactions, RFC 5805. */
  transactions: boolean
  /** Whether entries carry `entryCSN`, which changes with every write to the entry. */
  entryCsn: boolean
  /** The vendor name that the server reports, or ''; for messages and logs. */
  vendor: string
}

export interface SearchOptions {
  /** The direct children of the base, or the base and everything below it. */
  scope: 'one' | 'sub'
  filter: Filter
  /** Attributes to return; empty: only DNs. */
  attributes: string[]
  /** Entries per page; default 1000, which is also the fallback where the server does not allow more. */
  pageSize?: number
}

/** Called right before a write is sent, or a transaction is committed. An error that it throws prevents that. */
export type BeforeWrite = () => void

/** An LDAP directory. Every method throws only DirectoryError and what `beforeWrite` throws. */
export interface Directory {
  readonly baseDn: string
  /** The DN that we bind as. */
  readonly bindDn: string
  /** Whether it is taken for an Active Directory: see active-directory.ts. Absent: false. */
  readonly isActiveDirectory?: boolean
  /** The URL of the server that is used now. */
  server(): string
  /**
   * Call it when the server cannot be used although it can be reached, such as one that accepts no changes.
   * @returns whether another server is used from now on
   */
  leaveServer(reason: string): boolean
  features(): Promise<Features>
  /** The entry, or null where it does not exist (noSuchObject). */
  read(dn: string, attributes: string[]): Promise<Entry | null>
  /** The entry with all its attributes, including those that other systems wrote. */
  readWhole(dn: string): Promise<WholeEntry | null>
  /** The entries, a page at a time, so that memory is bounded; no page where the base does not exist. */
  search(base: string, options: SearchOptions): AsyncIterable<Entry[]>
  /** @param added told the entryUUID of an entry that was added, by servers that return it at once (RFC 4527) */
  write(change: Write, beforeWrite?: BeforeWrite, added?: (entryUuid: string) => void): Promise<void>
  /**
   * All writes or none (RFC 5805); only where features().transactions. A refused write is thrown with its `index` where
   * the server tells. `unavailable` leaves open whether they were carried out. A transaction has a fixed cost of 50 ms,
   * so it pays from about a hundred writes on. Use it for adds and modifies, whose order does not matter. A write for
   * which `newIn` returns attributes must be sent alone first; otherwise the transaction is `refused` before sending.
   */
  transact(writes: Write[], beforeWrite?: BeforeWrite): Promise<void>
  /** The attributes of a write that the directory may not have stored yet (see familiar-attributes.ts). */
  newIn(write: Write): string[]
  /** What its connections do now. */
  pool(): DirectoryPool
  /** Called when the directory is reached for the first time, and whenever it is reached again after a loss. */
  onConnect(listener: () => void): void
  close(): Promise<void>
}

export interface DirectoryOptions extends ConnectionOptions {
  /** More servers of the same directory, in their order: the next one is used while `url` cannot be. */
  otherUrls?: readonly string[]
  baseDn: string
  /** Whether the servers are an Active Directory. Default: false. */
  isActiveDirectory?: boolean
  /** Whether a preferred server is of use again, asked before it is returned to; default: always. */
  isUsable?: (url: string) => Promise<boolean>
  /** Milliseconds between attempts to return to a preferred server; default 30 s. */
  returnInterval?: number
  /** Connections that requests are pipelined over, all writes over one; default 2. Searches and transactions have own ones. */
  poolSize?: number
  /** false: transactions are not used although the server offers them. */
  transactions?: boolean
  log: Logger
}

/** Connects on the first request, and again on the first request after a connection was lost. */
export const openDirectory = (options: DirectoryOptions): Directory => {
  const { baseDn, isActiveDirectory = false } = options
  const timeLimit = Math.ceil(options.timeout / 1000)
  const familiar = familiarAttributes()
  const toServer = isActiveDirectory ? sentDn : (dn: string): string => dn
  const servers = openServers({
    urls: [options.url, ...(options.otherUrls ?? [])],
    connect: (url) => openConnection({ ...options, url }),
    canReplace: async (preferred, current) =>
      (await options.isUsable?.(preferred)) !== false &&
      (await hasAllOf(options, { ahead: current, behind: preferred, timeLimit })),
    switched: () => {
      familiar.forget()
      session.renew('another server of the directory is used now')
    },
    log: options.log,
    returnInterval: options.returnInterval ?? 30_000,
  })
  const session = createSession({
    open: async () => {
      const connection = await servers.open()
      // After a loss, another server may answer.
      connection.onEnd((_, closed) => closed || familiar.forget())
      return connection
    },
    size: options.poolSize ?? 2,
    inFlight: 64,
    pause: 250,
    log: options.log,
  })
  const read: Directory['read'] = (dn, attributes) =>
    session.read((connection) => (isActiveDirectory ? readInRanges : readEntry)(connection, dn, attributes, timeLimit))
  let features: Promise<Features> | null = null
  session.onUp(() => {
    features = null
  })
  const learnFeatures = async (): Promise<Features> => {
    try {
      const { complete, ...known } = await readFeatures(read, baseDn)
      if (!complete) features = null
      return { ...known, transactions: known.transactions && options.transactions !== false }
    } catch (error) {
      features = null
      throw error
    }
  }

  const refuseNew = (writes: readonly Write[]): void => {
    for (const [index, write] of writes.entries()) {
      const [first] = familiar.newIn(write)
      if (first === undefined) continue
      const reason = statements.first_in_transaction({ attribute: first, what: describeWrite(write) })
      throw new DirectoryError('refused', reason, { index })
    }
  }

  return tracedDirectory({
    baseDn,
    bindDn: options.bindDn,
    isActiveDirectory,
    server: servers.current,
    leaveServer: servers.leave,
    read,
    readWhole: (dn) => session.read((connection) => readWholeEntry(connection, toServer(dn), timeLimit)),
    newIn: familiar.newIn,

    features() {
      features ??= learnFeatures()
      return features
    },

    async *search(base, { scope, filter, attributes, pageSize = modestPage }) {
      const { connection, release } = await session.exclusive()
      try {
        yield* isActiveDirectory
          ? searchPages(
              connection,
              {
                base: sentDn(base),
                scope,
                filter: withIds(filter),
                attributes: withIdAttribute(attributes),
                timeLimit,
              },
              Math.min(pageSize, modestPage),
              activeDirectoryShape(attributes),
            )
          : searchPages(connection, { base, scope, filter, attributes, timeLimit }, pageSize)
      } finally {
        release()
      }
    },

    async write(change, beforeWrite, added) {
      if (change.kind === 'modify' && change.changes.length === 0) return
      const build = prepareWrite(
        isActiveDirectory ? sentWrite(change) : change,
        toServer,
      )(change.kind === 'add' && added && !isActiveDirectory ? [new PostReadControl('entryUUID')] : [])
      const answer = await session.write((connection) => {
        beforeWrite?.()
        return connection.request(build)
      })
      if (answer.code !== resultCodes.success) throw refusalOfPassword(writeError(answer, change), change)
      familiar.learn(change)
      const entryUuid = postReadValue(answer.controls.get(postReadOid), 'entryUUID')
      if (entryUuid !== null) added?.(entryUuid.toLowerCase())
    },

    async transact(writes, beforeWrite) {
      if (writes.length === 0) return
      const { connection, release } = await session.exclusive()
      try {
        refuseNew(writes)
        await runTransaction(connection, writes, beforeWrite)
      } finally {
        release()
      }
    },

    pool: session.pool,
    onConnect: (listener) => session.onUp(listener),
    async close() {
      servers.close()
      session.close()
    },
  })
}
