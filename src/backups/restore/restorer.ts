import { AsyncResource } from 'node:async_hooks'
import { isNull, sql } from 'drizzle-orm'
import { committedChange } from '../../access/committed.ts'
import type { Principals } from '../../access/principals.ts'
import { type Actor, highestRank, isAdministered, requireHighestRank } from '../../access/seniority.ts'
import { holdGrant } from '../../access/standing.ts'
import type { Database, Tx } from '../../db/client.ts'
import { mailCodes, sessions, stepUpCodes } from '../../db/schema.ts'
import { schemaVersion } from '../../db/schema-version.ts'
import { AppError } from '../../failures/errors.ts'
import type { Task } from '../../jobs/tasks.ts'
import { currentTime } from '../../runtime/clock.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import { failureText, isAboutFile } from '../file/failure-text.ts'
import { BackupFileError, otherFile } from '../file/file-error.ts'
import type { Trust } from '../file/header.ts'
import type { Manifest } from '../file/manifest.ts'
import { readBackup } from '../file/read.ts'
import { reasons } from '../reasons.ts'
import { keepOtherHashes } from './keep-other-hashes.ts'
import { keepPasswordIds } from './keep-password-ids.ts'
import { keepSecondFactors } from './keep-second-factors.ts'
import { loadBackup } from './load.ts'
import { lockTables, retryWhileTablesAreBusy } from './lock-tables.ts'
import { refuseNewer } from './refuse-newer.ts'
import { extentOf } from './restored-tables.ts'
import { touchEverything } from './touch-everything.ts'

export interface RestorerOptions {
  database: Pick<Database, 'db' | 'kind'>
  principals: Pick<Principals, 'announce' | 'drop'>
  /** BACKUP_KEY: the present one and the earlier ones. */
  secrets: readonly string[]
  /** BACKUP_UNPACK_LIMIT, bytes. */
  unpackLimit?: number
  log: Logger
  /** Creates what a start creates: data from before an update lacks the newer defaults. */
  seed: () => Promise<unknown>
}

/** A file to restore. */
export interface Source extends Pick<Trust, 'allowUnencrypted'> {
  /** Its name in errors. */
  name: string
  /** Its name in the log. */
  about: Readonly<Record<string, unknown>>
  file: string
  /** SHA-256 of the whole file when it was verified, in hex. */
  sha256: string
  /** The actor. */
  actor: Actor
}

export interface Replaced<Safety> {
  /** The result of `makeSafe`. */
  safety: Safety
  /** Rows that were loaded. */
  rows: number
  at: Date
}

/**
 * Replaces the data with that of a file: verifies the whole file, makes the safety backup, and loads in one
 * transaction. All sessions end; the directory follows.
 * @throws AppError forbidden where the actor does not have the highest rank, conflict naming the problem of the file;
 *   nothing is changed then
 * @param note told how far it is
 */
export type Restorer = <Safety>(
  source: Source,
  makeSafe: () => Promise<Safety>,
  note: Task['note'],
) => Promise<Replaced<Safety>>

export const restorer = (options: RestorerOptions): Restorer => {
  const { principals, secrets, unpackLimit, log, seed } = options
  const { db, kind } = options.database
  const change = committedChange({ db, principals })

  /**
   * From the moment at which the tables are taken all callers are looked up again, which waits for the commit: what has been
   * let in before is then asked again too, on whichever instance, and is not faster than the announcement at the commit.
   * It is sent outside of the transaction, and not waited for: those who wait for the tables may have all connections.
   */
  const askCallersAgain = AsyncResource.bind(() => {
    const all = { all: true } as const
    principals.drop(all)
    principals.announce(db, all).catch((error: unknown) => {
      log.debug({ error: errorRecord(error) }, 'the other instances did not hear of a restore before its end')
    })
  })

  /** @param unpacked the unpacked size when it was verified: no more is read */
  const replace = (
    { file, sha256, about, allowUnencrypted, actor }: Source,
    { unpacked, progress }: { unpacked: number; progress: (rows: number) => void },
  ) =>
    retryWhileTablesAreBusy(() =>
      change(actor, async (tx) => {
        await lockTables(tx, kind)
        askCallersAgain()
        // While their ids mean the same: afterwards the session has ended, and the roles are those of the file.
        await holdGrant(tx, actor)
        await requireHighestRank(tx, actor)
        const trusted = { file, secrets, allowUnencrypted, unpackLimit: unpacked, progress }
        const load = () => keepPasswordIds(tx, () => loadBackup(tx, trusted))
        const read = await keepOtherHashes(tx, () => keepSecondFactors(tx, load))
        refuseOther(sha256, read)
        if (!(await isAdministered(tx))) {
          throw new BackupFileError(`it contains no enabled user with an enabled role of sort ${highestRank}`)
        }
        await endAllSessions(tx)
        await touchEverything(tx)
        log.debug({ ...about, phase: 'committing' }, 'a backup has been loaded')
        return { read, callers: { all: true as const } }
      }),
    )

  return async (source, makeSafe, note) => {
    const { name, file, sha256, about, allowUnencrypted } = source
    try {
      log.debug({ ...about, phase: 'verifying' }, 'a backup is being verified')
      const verified = await readBackup({
        ...{ file, secrets, allowUnencrypted, unpackLimit },
        progress: (rows) => note('verifying', rows),
      })
      refuseOther(sha256, verified)
      refuseNewer(verified.manifest.schema, await schemaVersion(db))
      note('safety')
      log.debug({ ...about, phase: 'safety' }, 'a backup is made before another is restored')
      const safety = await makeSafe()
      log.debug({ ...about, phase: 'loading' }, 'a backup is being loaded')
      const total = Object.values(verified.manifest.tables).reduce((sum, { rows }) => sum + rows, 0)
      note('loading', 0, total)
      const progress = (rows: number): void => note('loading', rows, total)
      const { manifest } = (await replace(source, { unpacked: verified.unpacked, progress })).read
      log.warn({ ...about, phase: 'restored' }, 'a backup was restored')
      // The next start repeats what fails here; the data is replaced in any case.
      await seed().catch((error: unknown) => log.error({ error: errorRecord(error) }, 'what is missing was not added'))
      return { safety, rows: rowsOf(manifest), at: new Date(currentTime()) }
    } catch (error) {
      if (error instanceof AppError || !isAboutFile(error)) throw error
      throw reasons.not_restorable({ backup: name, problem: failureText(error) }, { cause: error })
    }
  }
}

const refuseOther = (proven: string, { sha256 }: { sha256: string }): void => {
  if (sha256 !== proven) throw otherFile()
}

/** Users may have changed: no session continues, and no code that was sent is valid. */
const endAllSessions = async (tx: Tx): Promise<void> => {
  await tx.update(sessions).set({ endedAt: sql`now()`, endReason: 'restore' }).where(isNull(sessions.endedAt))
  await tx.delete(mailCodes)
  await tx.delete(stepUpCodes)
}

const rowsOf = ({ tables }: Manifest): number =>
  Object.entries(tables).reduce((sum, [name, { rows }]) => (extentOf(name) === 'all' ? sum + rows : sum), 0)
