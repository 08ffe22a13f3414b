import { orAborted } from '../../concurrency/abort.ts'
import { openConnection } from '../../ldap/connection-open.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import type { EntryShape } from '../../ldap/entry-decoder.ts'
import { findEntry, foundPages, type Page, type SearchScope } from '../../ldap/search.ts'
import { SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import { adviceFor } from './advice.ts'
import type { LdapSourceSettings } from './settings.ts'

export type Search = Omit<SearchScope, 'timeLimit'>

/** One connection to the directory, for one reading. */
export interface LdapReader {
  /**
   * All results of a search, page by page; the next page is requested while the last one is processed.
   * @throws SourceError when it could not be read to its end; the signal's reason when that aborts
   */
  pages<T>(search: Search, shape: EntryShape<T>, pageSize?: number): AsyncGenerator<Page<T>>
  /** One entry; null where it does not exist. @throws as `pages` */
  entry<T>(wanted: Omit<Search, 'scope' | 'filter'>, shape: EntryShape<T>): Promise<T | null>
  close(): void
}

/** The most entries that servers return at once by default. */
const largestPage = 1000

/**
 * Connects and binds. Nothing is retried: a lost connection ends the reading.
 * @throws SourceError, or the signal's reason
 */
export const openReader = async (settings: LdapSourceSettings, signal: AbortSignal): Promise<LdapReader> => {
  const timeLimit = Math.ceil(settings.timeout / 1000)
  const translated = (error: unknown): unknown => {
    if (signal.aborted) return signal.reason
    if (!(error instanceof DirectoryError)) return error
    return new SourceError(statements.directory_said({ problem: error.stated }), {
      advised: adviceFor(error),
      cause: error,
    })
  }

  signal.throwIfAborted()
  const opening = openConnection({ ...settings, credentials: 'EXTLDAP_BIND_DN/EXTLDAP_BIND_PASSWORD' })
  const connection = await orAborted(opening, signal).catch((error: unknown) => {
    // The connection may exist already, and no other code would close it.
    opening.then((late) => late.close()).catch(() => {})
    throw translated(error)
  })
  const close = (): void => {
    signal.removeEventListener('abort', close)
    connection.close()
  }
  signal.addEventListener('abort', close)

  return {
    async *pages(search, shape, pageSize = largestPage) {
      const pages = foundPages(connection, { ...search, timeLimit }, pageSize, shape)
      const ask = () => {
        const page = pages.next()
        page.catch(() => {})
        return page
      }
      let asked = ask()
      try {
        for (let page = await asked; page.done !== true; page = await asked) {
          signal.throwIfAborted()
          asked = ask()
          yield page.value
        }
        signal.throwIfAborted()
      } catch (error) {
        throw translated(error)
      } finally {
        // A caller that reads only the first page leaves a search open, and a server keeps one paged search per
        // connection: another search would have its cookie refused.
        await asked.catch(() => {})
      }
    },
    async entry(wanted, shape) {
      try {
        return await findEntry(connection, { ...wanted, timeLimit }, shape)
      } catch (error) {
        throw translated(error)
      }
    },
    close,
  }
}
