import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { lockFolder } from '../db/embedded/lock.ts'
import { leaseOf } from '../db/lease.ts'
import { leases } from '../db/schema.ts'
import { ConfigError } from '../errors.ts'
import type { Logger } from '../log.ts'

// The ledger describes one directory. Two instances on one database that have an embedded directory each would write
// every entry into one of the two only, and neither would notice.

/** Seconds that another installation waits for an embedded directory that was not stopped. */
const lease = leaseOf(15)

const name = 'embedded directory'

/** Milliseconds between looks at the lease of another one. */
const pause = 500

interface Place {
  db: Db
  /** That of the embedded directory. */
  folder: string
}

const fileOf = (folder: string): string => join(folder, 'instance')

/** By which a directory is recognized when it is started again; '': it was never started. */
const idOf = (folder: string): string => (existsSync(fileOf(folder)) ? readFileSync(fileOf(folder), 'utf8') : '')

/**
 * Makes the embedded directory in the folder, which is locked, the only one on the database for as long as it is open.
 * @returns what ends it
 * @throws ConfigError if another one is open
 */
export const ownEmbedded = async ({ db, folder, log }: Place & { log: Logger }): Promise<() => Promise<void>> => {
  if (idOf(folder) === '') writeFileSync(fileOf(folder), randomUUID(), { mode: 0o600, flush: true })
  const owner = idOf(folder)
  const { leaseOwner, leaseUntil } = lease.taken(owner)
  await whenFree(db, async () => {
    const rows = await db.execute(sql`
      insert into ${leases} as l (name, lease_owner, lease_until) values (${name}, ${leaseOwner}, ${leaseUntil})
      on conflict (name) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
      where l.lease_until <= now() or l.lease_owner = ${owner} returning name`)
    return rows.length > 0
  })
  const isThis = sql`name = ${name}`
  const kept = lease.keepRow(db, leases, owner, isThis)
  kept.signal.addEventListener('abort', () =>
    log.error('another instance on this database has opened an embedded directory of its own: set LDAP_URL for both'),
  )
  return async () => {
    kept.end()
    await db.execute(sql`delete from ${leases} where ${isThis} and lease_owner = ${owner}`)
  }
}

/** @throws ConfigError if the embedded directory of another installation is open on the database */
export const requireNoEmbedded = async ({ db, folder }: Place): Promise<void> => {
  // The one that was here before, if no process has it.
  const release = await lockFolder(folder).catch(() => null)
  const own = release === null ? '' : idOf(folder)
  await release?.()
  await whenFree(db, async () => {
    const rows = await db.execute(sql`
      select from ${leases} where name = ${name} and lease_until > now() and lease_owner <> ${own}`)
    return rows.length === 0
  })
}

/** Waits for the end of a lease that is not renewed. @throws ConfigError when it is */
const whenFree = async (db: Db, isDone: () => Promise<boolean>): Promise<void> => {
  let first: string | null = null
  while (!(await isDone())) {
    const [row] = await db.execute<{ until: string }>(sql`
      select lease_until::text as until from ${leases} where name = ${name} and lease_until > now()`)
    first ??= row?.until ?? null
    if (row !== undefined && row.until !== first) throw inUse()
    await delay(pause)
  }
}

const inUse = (): ConfigError =>
  new ConfigError([
    'LDAP_URL: another instance of Steward has the embedded directory on this database; set LDAP_URL to one directory for all instances',
  ])
