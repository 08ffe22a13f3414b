import type { Db } from '../../db/client.ts'
import type { Logger } from '../../runtime/log.ts'
import type { ExternalDirectory } from '../entry/directory-settings.ts'
import { claimDirectory } from './directory-claims.ts'
import type { Place } from './embedded-place.ts'

interface ExternalOptions {
  /** The number of the directory. */
  directory: number
  ldap: ExternalDirectory
  /** That of the embedded directory. */
  folder: string
  /** The database that other instances may use too; null: they cannot. */
  shared: Db | null
  log: Logger
}

/** Makes the directory the only one of its number on the database. @returns where it is, and how Steward binds to it */
export const openExternalPlace = async ({ directory, ldap, folder, shared, log }: ExternalOptions): Promise<Place> => {
  const claim = { directory, servers: [ldap.url, ...ldap.otherUrls], baseDn: ldap.baseDn }
  const release = shared === null ? async () => {} : await claimDirectory(claim, { db: shared, folder, log })
  return { ...ldap, server: ldap.url, publicUrl: ldap.url, ldapsUrl: null, close: release }
}
