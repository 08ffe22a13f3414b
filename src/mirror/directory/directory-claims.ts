import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db, Queryable } from '../../db/client.ts'
import { lockFolder } from '../../db/embedded/lock.ts'
import { leaseOf } from '../../db/lease.ts'
import { takeLock } from '../../db/locks.ts'
import { leases } from '../../db/schema.ts'
import { ConfigError } from '../../failures/errors.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import { mainDirectory } from '../touch.ts'
import { type DirectoryPlace, isSameDirectory } from './same-directory.ts'

// The ledger describes one directory per number. Two instances on one database whose settings name different ones would
// write every entry into one of the two only, and neither would notice. So each instance claims what it writes to.

/** Seconds that a start waits for an instance that was not stopped. */
const lease = leaseOf(15)

/** Milliseconds between looks at the claims of others. */
const pause = 500

/** What an instance writes to. The server of an embedded directory is `embedded` and the id of that one. */
interface Claim extends DirectoryPlace {
  /** Its number. */
  directory: number
}

const idFile = (folder: string): string => join(folder, 'instance')

/** By which the embedded directory in the folder is recognized when it is started again; '': it was never started. */
const readId = (folder: string): string => (existsSync(idFile(folder)) ? readFileSync(idFile(folder), 'utf8') : '')

const embedded = (id: string): string => `embedded ${id}`

const isEmbedded = (server: string | undefined): boolean => server?.startsWith('embedded ') === true

/** What the embedded directory in the folder, which is locked, is called in claims. */
export const embeddedServer = (folder: string): string => {
  if (readId(folder) === '') writeFileSync(idFile(folder), randomUUID(), { mode: 0o600, flush: true })
  return embedded(readId(folder))
}

/** That of the embedded directory which no process has open; null: there is no such directory. */
const idleServer = async (folder: string): Promise<string | null> => {
  const release = await lockFolder(folder).catch(() => null)
  const id = release === null ? '' : readId(folder)
  await release?.()
  return id === '' ? null : embedded(id)
}

const prefixOf = (directory: number): string => `directory ${directory} of `

interface Rival extends DirectoryPlace {
  name: string
  until: string
}

/** What other instances have claimed that is not the same. */
const rivalsOf = async (tx: Queryable, claim: Claim): Promise<Rival[]> => {
  const rows = await tx.execute<{ name: string; claimed: string; until: string }>(sql`
    select name, lease_owner as claimed, lease_until::text as until from ${leases}
    where name like ${`${prefixOf(claim.directory)}%`} and lease_until > now()`)
  return rows
    .map(({ name, claimed, until }): Rival => ({ ...(JSON.parse(claimed) as DirectoryPlace), name, until }))
    .filter((other) => !isSameDirectory(other, claim))
}

const refusalOf = (directory: number, { servers }: DirectoryPlace): string => {
  const setting = directory === mainDirectory ? 'LDAP_URL' : `LDAP_${directory}_URL`
  const [first = ''] = servers
  return isEmbedded(first)
    ? `${setting}: another instance of Steward has the embedded directory on this database; set ${setting} to one directory for all instances`
    : `${setting}: another instance of Steward on this database writes to the directory at ${first}; set ${setting} and the base DN to one directory for all instances, or stop the others first`
}

/** The numbers of the directories that instances which live have claimed. */
export const claimedDirectories = async (tx: Queryable): Promise<number[]> => {
  const rows = await tx.execute<{ number: number }>(sql`
    select distinct split_part(name, ' ', 2)::int as number from ${leases}
    where name like 'directory % of %' and lease_until > now()`)
  return rows.map(({ number }) => number)
}

interface ClaimOptions {
  db: Db
  /** Of the embedded directory of this installation, in use or not. */
  folder: string
  log: Logger
}

/**
 * Claims a directory until the instance ends, so that others with another one are refused. Waits for claims that are not
 * renewed, as after a kill.
 * @returns what ends the claim
 * @throws ConfigError if another instance on the database writes to another directory of this number
 */
export const claimDirectory = async (claim: Claim, { db, folder, log }: ClaimOptions): Promise<() => Promise<void>> => {
  const name = `${prefixOf(claim.directory)}${randomUUID()}`
  const owner = JSON.stringify({ servers: claim.servers, baseDn: claim.baseDn } satisfies DirectoryPlace)
  // What was said of the embedded directory of this installation comes from a process that was killed: the folder is
  // locked by this one, or by no process.
  const stale = claim.servers.find(isEmbedded) ?? (await idleServer(folder))
  const { leaseOwner, leaseUntil } = lease.taken(owner)
  const take = (): Promise<Rival[]> =>
    db.transaction(async (tx) => {
      await takeLock(tx, 'directoryClaims')
      await tx.execute(sql`
        delete from ${leases} where name like ${`${prefixOf(claim.directory)}%`}
          and (lease_until <= now() or strpos(lease_owner, ${JSON.stringify(stale)}) > 0)`)
      const rivals = await rivalsOf(tx, claim)
      if (rivals.length === 0) {
        await tx.execute(sql`
          insert into ${leases} (name, lease_owner, lease_until) values (${name}, ${leaseOwner}, ${leaseUntil})`)
      }
      return rivals
    })
  await whenTaken(claim.directory, take, log)

  const isThis = sql`name = ${name}`
  const kept = lease.keepRow(db, leases, owner, isThis)
  kept.signal.addEventListener('abort', () => {
    take().then(
      ([rival]) => rival && log.error(refusalOf(claim.directory, rival)),
      () => undefined,
    )
  })
  return async () => {
    kept.end()
    await db
      .execute(sql`delete from ${leases} where ${isThis}`)
      .catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'a lease was not ended'))
  }
}

/** Tries until there are no rivals. @throws ConfigError when one of them renews its claim */
const whenTaken = async (directory: number, take: () => Promise<Rival[]>, log: Logger): Promise<void> => {
  const first = new Map<string, string>()
  for (;;) {
    const rivals = await take()
    const renewed = rivals.find(({ name, until }) => first.has(name) && first.get(name) !== until)
    if (renewed !== undefined) throw new ConfigError([refusalOf(directory, renewed)])
    if (rivals.length === 0) return
    if (first.size === 0) log.info({ directory }, 'waits for the end of an instance that writes to another directory')
    for (const { name, until } of rivals) if (!first.has(name)) first.set(name, until)
    await delay(pause)
  }
}
