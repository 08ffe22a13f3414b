import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../../concurrency/in-time.ts'
import type { Db } from '../../db/client.ts'
import { LeaseLostError } from '../../db/lease.ts'
import { DirectoryError, isUnavailable } from '../../ldap/directory-error.ts'
import { steadyTime } from '../../runtime/clock.ts'
import { errorRecord } from '../../runtime/log.ts'
import type { Availability } from '../availability.ts'
import { openSleeper } from '../sleeper.ts'
import { statements } from '../statements.ts'
import { type ServiceConvergeOptions, serviceConverge, type WriteEntry } from './service-converge.ts'
import { serviceLastUses } from './service-last-uses.ts'
import { serviceLedger } from './service-ledger.ts'

/** The entries of service accounts, in one directory. */
export interface ServiceEntries {
  /** Writes what is due, and waits for it for some time. @returns whether the entry is equal to the account by now */
  settle(id: number): Promise<boolean>
  /** Compares all entries with their accounts. @throws DirectoryError */
  compare(): Promise<void>
  /** When the accounts were last used, by name key, as far as the directory says. @throws DirectoryError */
  lastUses(): Promise<ReadonlyMap<string, Date>>
  /** Writes what is due, until it is stopped. */
  start(): void
  stop(): Promise<void>
}

interface ServiceEntriesOptions extends Omit<ServiceConvergeOptions, 'ledger'> {
  db: Db
  /** Milliseconds that a request waits. */
  timeout: number
  availability: Pick<Availability, 'ready' | 'pause' | 'reason'>
  lost: (error: DirectoryError) => Promise<void>
}

/** Milliseconds between searches for due accounts: passwords that expire, and what other instances changed. */
const pollInterval = 1000

/**
 * Makes the entries of service accounts equal to SQL. They are few, so that it is simpler than with people and groups:
 * one after the other. An instance holds those that it writes; one that was changed meanwhile is written once more.
 *
 * A row of the ledger stays after its account until the entry is gone.
 */
export const openServiceEntries = (options: ServiceEntriesOptions): ServiceEntries => {
  const { db, number, directory, timeout, availability, lost, log } = options
  const sleeper = openSleeper()
  let stopping = false
  let loop: Promise<void> = Promise.resolve()
  /** The end of the work in progress: there is one piece at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const ledger = serviceLedger({ db, number })
  const converge = serviceConverge({ ...options, ledger })

  const writeDue = async (all: boolean): Promise<void> => {
    await ledger.expire()
    const accounts = await ledger.due(all)
    if (accounts.length === 0) return
    await availability.ready()
    const kept = await ledger.take(accounts)
    const writeEntry: WriteEntry = (change) => directory.write(change, kept.confirm)
    try {
      for (const row of await ledger.held()) {
        if (stopping) return
        try {
          await ledger.settled(row, await converge(row, writeEntry))
        } catch (error) {
          if (!(error instanceof DirectoryError) || error.kind === 'unavailable') throw error
          const { id, attempts } = row
          if (attempts === 0) log.warn({ id: Number(id), reason: error.message }, 'a service account was refused')
          await ledger.refused(row, error)
        }
      }
    } catch (error) {
      // The rest is due again, for this or another instance.
      if (!(error instanceof LeaseLostError)) throw error
    } finally {
      kept.end()
      await ledger.releaseAll()
    }
  }

  const write = (all: boolean): Promise<void> => {
    const work = last.then(() => writeDue(all))
    last = work.catch(() => undefined)
    return work
  }

  const failed = async (error: unknown): Promise<void> => {
    if (!isUnavailable(error)) {
      log.error({ error: errorRecord(error) }, 'service accounts could not be written and are tried again')
      return
    }
    await lost(error)
    await ledger.explain(error.stated).catch(() => undefined)
  }

  return {
    async settle(id) {
      if (availability.pause() > 0) {
        await ledger.explain(availability.reason() ?? statements.not_answered_yet()).catch(() => undefined)
        return false
      }
      const deadline = steadyTime() + timeout
      for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
        await inTime(deadline - steadyTime(), write(false).catch(failed), () => undefined)
        const { isEqual, isHeld } = await ledger.stateOf(id)
        if (isEqual || !isHeld || steadyTime() + wait > deadline) return isEqual
        await delay(wait)
      }
    },
    compare: () => write(true),
    lastUses: () => serviceLastUses(directory),
    start() {
      const work = async (): Promise<void> => {
        while (!stopping) {
          if (availability.pause() === 0) await write(false).catch(failed)
          await sleeper.sleep(Math.max(pollInterval, availability.pause()))
        }
      }
      loop = work()
    },
    async stop() {
      stopping = true
      sleeper.wake()
      await loop
      await last
    },
  }
}
