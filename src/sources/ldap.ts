import { linked } from '../concurrency/abort.ts'
import type { Logger } from '../runtime/log.ts'
import { diagnoseLdap } from './ldap/diagnosis.ts'
import { readDepartments, readUsers } from './ldap/organisation.ts'
import { type MirrorPlace, ownEntries } from './ldap/own-entries.ts'
import { type LdapReader, openReader } from './ldap/reader.ts'
import { type LdapSourceSettings, readSubject } from './ldap/settings.ts'
import type { Sight } from './ldap/subtree.ts'
import { rootId } from './ldap/tree.ts'
import { inBatches } from './platform/batches.ts'
import { type Reading, type Source, SourceError } from './source.ts'
import { statements } from './statements.ts'

export type { LdapSourceSettings } from './ldap/settings.ts'

export interface LdapSourceOptions {
  log: Logger
  /** The directory that this service mirrors to; its own entries are never read as the source's. */
  mirror?: MirrorPlace | null
}

/**
 * An organisation in a directory: organizational units and groups are its departments. Entries are identified by
 * `entryUUID` (RFC 4530), in Active Directory by `objectGUID`.
 *
 * Records are `{dn, uid: 'ann', mail: ['a@example.org', 'ann@example.org'], …}`: the text of an attribute with one
 * value, a list for several, under the standard names, whatever the server calls them. Records never contain passwords
 * and other secrets, pictures or certificates.
 */
export const ldapSource = (settings: LdapSourceSettings, { log, mirror = null }: LdapSourceOptions): Source => {
  const closing = new AbortController()

  /** A connection of its own for every reading: a server keeps one paged search per connection. */
  async function* through<Row>(
    { signal, gap, note }: Reading,
    read: (sight: Sight) => AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<readonly Row[]> {
    const subject = readSubject(settings)
    const isOwn = ownEntries(settings, mirror)
    const either = linked(signal, closing.signal)
    const started = performance.now()
    let reader: LdapReader | null = null
    try {
      reader = await openReader(settings, either.signal)
      yield* read({ reader, subject, isOwn, gap, ...(note && { note }) })
      log.debug({ milliseconds: Math.round(performance.now() - started) }, 'The directory of the organisation was read')
    } finally {
      reader?.close()
      either.release()
    }
  }

  return {
    connector: 'ldap',
    rootId,
    departments: (reading) => inBatches(through(reading, readDepartments)),
    users: (reading) => inBatches(through(reading, readUsers)),
    diagnose: (signal) => diagnoseLdap(settings, mirror, signal),
    async close() {
      closing.abort(new SourceError(statements.closed(), { advised: null }))
    },
  }
}
