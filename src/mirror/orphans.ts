import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { withoutDeadlock } from '../db/deadlock.ts'
import type { Directory, Entry } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { keyOfAny } from '../ldap/dn.ts'
import { spelled } from '../ldap/spelling.ts'
import { searchGroups, searchUsers } from './drift.ts'
import { type GroupClass, groupClasses, personClasses } from './entry-shape.ts'
import { adoptPlaces } from './ledger-places.ts'
import { claimantsOf, dnHash, ignoredAmong, kindAt } from './orphan-records.ts'
import { isProbe } from './probe-entry.ts'
import { type ProtectedPlaces, protectedPlaces } from './protected-places.ts'
import { reasons } from './reasons.ts'
import { unfitFor } from './sighting.ts'
import type { RecordKind, Touched } from './touch.ts'

/** An entry of the directory that no record speaks for. */
export interface Orphan {
  dn: string
  kind: RecordKind
  objectClasses: string[]
  /** Whose it would become; null: no record has its name and place. */
  record: { id: number; name: string } | null
  /** Why it cannot be adopted; null: it can. */
  obstacle: string | null
  ignored: boolean
  uuid: string | null
  /** Its DN in our own spelling. */
  place: string
}

export interface OrphanFilter {
  kind?: RecordKind
  /** Part of the DN; upper and lower case are one. */
  text?: string
}

/** Which entries are meant: those named, or all that a preview showed. */
export type Selection = { dns: readonly string[] } | { filter: OrphanFilter; hash: string }

export type OrphanState = 'open' | 'adoptable' | 'ignored' | 'all'

export interface Preview {
  /** Of exactly these entries and whom they would belong to. */
  hash: string
  total: number
  orphans: Orphan[]
}

/** Entries that were never ours, and what an administrator decides about them. Methods throw AppError. */
export interface Orphans {
  list(
    filter: OrphanFilter & { state: OrphanState },
    page: { limit: number; offset: number },
  ): Promise<{ total: number; orphans: Orphan[] }>
  preview(action: 'adopt' | 'ignore', filter: OrphanFilter): Promise<Preview>
  /** From then on they are the entries of their records, which the reconciler makes them equal to. */
  adopt(selection: Selection): Promise<{ records: Touched[] }>
  ignore(selection: Selection, creator: string): Promise<number>
  /** @returns how many were ignored */
  stopIgnoring(dns: readonly string[]): Promise<number>
}

export interface OrphansOptions {
  db: Db
  directory: Directory
  groupClass: GroupClass
}

/** Entries adopted or ignored by one request. */
const mostAtOnce = 50_000
const shownInPreview = 100
const entriesPerQuery = 1000

export const openOrphans = ({ db, directory, groupClass }: OrphansOptions): Orphans => {
  const { baseDn } = directory
  const kindOf = kindAt(baseDn)

  /** What is an orphan among these entries, and what may become of each. */
  const judge = async (places: ProtectedPlaces, entries: readonly Entry[]): Promise<Orphan[]> => {
    const claimed = await claimedAmong(db, entries)
    const left = entries.filter((entry) => !claimed.has(entry) && !isProbe(entry.dn))
    const dns = left.map(({ dn }) => dn)
    const [claimantOf, ignored] = [await claimantsOf(db, baseDn, dns), await ignoredAmong(db, dns)]
    return left.map((entry): Orphan => {
      const { dn, attributes } = entry
      const claimant = claimantOf(dn)
      const classes = claimant?.kind === 'group' ? groupClasses(claimant.groupType ?? '', groupClass) : personClasses
      const own = places.reasonOf(entry) ?? (places.holdsAccount(dn) ? 'LDAP_BIND_DN is below this entry' : null)
      const unclaimed = 'no person or group has its name and place: add one, or ignore it'
      const obstacle =
        own ??
        (claimant === null
          ? unclaimed
          : claimant.dn === null
            ? unfitFor(entry, classes)
            : `its record has an entry of its own at ${claimant.dn}`)
      return {
        ...{ dn, kind: kindOf(dn), objectClasses: attributes.objectClass ?? [], obstacle },
        record: claimant && { id: claimant.id, name: claimant.name },
        ignored: ignored.has(dn),
        uuid: attributes.entryUUID?.[0]?.toLowerCase() ?? null,
        place: claimant?.place ?? spelled(dn),
      }
    })
  }

  async function* scan({ kind, text = '' }: OrphanFilter): AsyncGenerator<Orphan[]> {
    const places = await protectedPlaces(directory)
    const part = text.toLowerCase()
    const wanted = ['objectClass', 'entryUUID']
    for (const each of kind === undefined ? (['user', 'group'] as const) : [kind]) {
      for await (const page of each === 'user' ? searchUsers(directory, wanted) : searchGroups(directory, wanted)) {
        const matching = page.filter(({ dn }) => dn.toLowerCase().includes(part))
        for (let start = 0; start < matching.length; start += entriesPerQuery) {
          yield await judge(places, matching.slice(start, start + entriesPerQuery))
        }
      }
    }
  }

  const collect = async (action: 'adopt' | 'ignore', filter: OrphanFilter): Promise<Orphan[]> => {
    const found: Orphan[] = []
    for await (const orphans of scan(filter)) {
      found.push(...orphans.filter((one) => !one.ignored && (action === 'ignore' || one.obstacle === null)))
      if (found.length > mostAtOnce) {
        throw reasons.too_many_entries({ limit: mostAtOnce })
      }
    }
    return found
  }

  const named = async (dns: readonly string[]): Promise<Orphan[]> => {
    const places = await protectedPlaces(directory)
    const entries = await Promise.all(
      dns.map(async (dn, index) => {
        const entry = await directory.read(dn, ['objectClass', 'entryUUID']).catch((error: unknown) => {
          if (!(error instanceof DirectoryError) || error.kind !== 'refused') throw error
          throw reasons.dn_unreadable.at(`dns.${index}`, { problem: error.message })
        })
        if (entry === null) throw reasons.entry_not_found.at(`dns.${index}`)
        return entry
      }),
    )
    const distinct = [...new Map(entries.map((entry) => [keyOfAny(entry.dn), entry])).values()]
    const orphans = await judge(places, distinct)
    const found = new Set(orphans.map(({ dn }) => keyOfAny(dn)))
    const index = entries.findIndex(({ dn }) => !found.has(keyOfAny(dn)))
    if (index >= 0) throw reasons.entry_of_record.at(`dns.${index}`)
    return orphans
  }

  const select = async (action: 'adopt' | 'ignore', selection: Selection): Promise<Orphan[]> => {
    if ('dns' in selection) {
      const orphans = await named(selection.dns)
      const refused = action === 'adopt' ? orphans.find(({ obstacle }) => obstacle !== null) : undefined
      if (refused !== undefined) {
        const index = selection.dns.findIndex((dn) => keyOfAny(dn) === keyOfAny(refused.dn))
        throw reasons.not_adoptable.at(`dns.${Math.max(0, index)}`, { problem: refused.obstacle ?? '' })
      }
      return orphans
    }
    const orphans = await collect(action, selection.filter)
    if (hashOf(action, orphans) !== selection.hash) {
      throw reasons.preview_outdated.at('hash')
    }
    return orphans
  }

  return {
    list: reachable(async ({ state, ...filter }, { limit, offset }) => {
      const shown: Orphan[] = []
      let total = 0
      for await (const orphans of scan(filter)) {
        for (const orphan of orphans.filter((one) => isIn(state, one))) {
          if (total >= offset && shown.length < limit) shown.push(orphan)
          total++
        }
      }
      return { total, orphans: shown }
    }),

    preview: reachable(async (action, filter) => {
      const orphans = await collect(action, filter)
      return { hash: hashOf(action, orphans), total: orphans.length, orphans: orphans.slice(0, shownInPreview) }
    }),

    adopt: reachable(async (selection) => {
      const orphans = await select('adopt', selection)
      const records = await withoutDeadlock(() =>
        db.transaction(async (tx) => {
          const adopted = await adoptPlaces(
            tx,
            orphans.flatMap(({ kind, record, place, uuid }) =>
              record ? [{ kind, id: record.id, dn: place, uuid }] : [],
            ),
          )
          if (adopted.length === orphans.length) return adopted
          throw reasons.entry_found_meanwhile()
        }),
      )
      return { records }
    }),

    ignore: reachable(async (selection, creator) => {
      const orphans = await select('ignore', selection)
      await inParts(orphans, (part) =>
        db.execute(sql`
          insert into ignored_entries (dn_hash, dn, creator)
          select hash, dn, ${creator} from ${hashedDns(part.map(({ dn }) => dn))} on conflict do nothing`),
      )
      return orphans.length
    }),

    stopIgnoring: reachable(async (dns) => {
      const rows = await db.execute(sql`
        delete from ignored_entries where dn_hash in (select hash from ${hashedDns(dns)}) returning dn_hash`)
      return rows.length
    }),
  }
}

/** What there is to see and decide without a directory: nothing. */
export const noOrphans: Orphans = {
  list: async () => ({ total: 0, orphans: [] }),
  preview: async (action) => ({ hash: hashOf(action, []), total: 0, orphans: [] }),
  adopt: async () => nowhere(),
  ignore: async () => nowhere(),
  stopIgnoring: async () => nowhere(),
}

const nowhere = (): never => {
  throw reasons.no_directory()
}

const isIn = (state: OrphanState, { ignored, obstacle }: Orphan): boolean => {
  if (state === 'all') return true
  if (state === 'ignored') return ignored
  return !ignored && (state === 'open' || obstacle === null)
}

const hashOf = (action: string, orphans: readonly Orphan[]): string => {
  const lines = orphans.map(({ dn, uuid, kind, record }) => JSON.stringify([keyOfAny(dn), uuid, kind, record?.id ?? 0]))
  return createHash('sha256').update(`${action}\n`).update(lines.sort().join('\n')).digest('hex')
}

const hashedDns = (dns: readonly string[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(dns.map((dn) => ({ dn, hash: dnHash(dn) })))}::jsonb) as d(dn text, hash text)`

const inParts = async <T>(all: readonly T[], task: (part: readonly T[]) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < all.length; start += entriesPerQuery)
    await task(all.slice(start, start + entriesPerQuery))
}

/** Those that a record speaks for. */
const claimedAmong = async (db: Db, entries: readonly Entry[]): Promise<ReadonlySet<Entry>> => {
  if (entries.length === 0) return new Set()
  const places = entries.map(({ dn }, index) => ({ index, dn: spelled(dn) }))
  const rows = await db.execute<{ index: number }>(sql`
    select p.index from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(index int, dn text)
    where exists (select from directory_entries e where lower(e.dn) = lower(p.dn))
      or exists (select from directory_entries e where lower(e.target_dn) = lower(p.dn))`)
  return new Set(rows.flatMap(({ index }) => entries[index] ?? []))
}

/** What the directory does not answer is not the fault of the request. */
const reachable =
  <Args extends readonly unknown[], T>(task: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    try {
      return await task(...args)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      throw reasons.directory_silent({ problem: error.message }, { cause: error })
    }
  }
