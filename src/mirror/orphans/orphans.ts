import { type SQL, sql } from 'drizzle-orm'
import { changeFor } from '../../access/committed.ts'
import { requirePresentFactor } from '../../access/step-up.ts'
import { withoutDeadlock } from '../../db/deadlock.ts'
import { keyOfAny } from '../../ldap/dn.ts'
import { dnHash } from '../comparison/orphan-records.ts'
import { adoptPlaces } from '../ledger/places.ts'
import { reachable } from '../reachable.ts'
import { reasons } from '../reasons.ts'
import { hashOf, isIn, type Orphan, type OrphanFilter, type Orphans, type Selection } from './orphan.ts'
import { entriesPerQuery, type OrphanSearch, type OrphansOptions, orphanSearch } from './orphan-search.ts'

/** Entries adopted or ignored by one request. */
const maxAtOnce = 50_000
const shownInPreview = 100

type Action = 'adopt' | 'ignore'

/** The entries that an administrator chose. */
const openSelection = ({ scan, named }: OrphanSearch) => {
  const collect = async (action: Action, filter: OrphanFilter): Promise<Orphan[]> => {
    const found: Orphan[] = []
    for await (const orphans of scan(filter)) {
      found.push(...orphans.filter((one) => !one.ignored && (action === 'ignore' || one.obstacle === null)))
      if (found.length > maxAtOnce) {
        throw reasons.too_many_entries({ limit: maxAtOnce })
      }
    }
    return found
  }

  const select = async (action: Action, selection: Selection): Promise<Orphan[]> => {
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
  return { collect, select }
}

export const openOrphans = (options: OrphansOptions): Orphans => {
  const { db, number } = options
  const search = orphanSearch(options)
  const { collect, select } = openSelection(search)
  return {
    list: reachable(async ({ state, ...filter }, { limit, offset }) => {
      const shown: Orphan[] = []
      let total = 0
      for await (const orphans of search.scan(filter)) {
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

    adopt: reachable(async (selection, user) => {
      const orphans = await select('adopt', selection)
      const records = await withoutDeadlock(() =>
        changeFor(db, user, async (tx) => {
          // Otherwise a stolen token could give an account that others know the password of a record of its own.
          await requirePresentFactor(tx, user)
          const adopted = await adoptPlaces(
            tx,
            number,
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

    ignore: reachable(async (selection, author, creator) => {
      const orphans = await select('ignore', selection)
      await changeFor(db, author, (tx) =>
        inParts(orphans, (part) =>
          tx.execute(sql`
            insert into ignored_entries (directory, dn_hash, dn, creator)
            select ${number}, hash, dn, ${creator} from ${hashedDns(part.map(({ dn }) => dn))} on conflict do nothing`),
        ),
      )
      return orphans.length
    }),

    stopIgnoring: reachable(async (dns, author) => {
      const rows = await changeFor(db, author, (tx) =>
        tx.execute(sql`
          delete from ignored_entries
          where directory = ${number} and dn_hash in (select hash from ${hashedDns(dns)}) returning dn_hash`),
      )
      return rows.length
    }),
  }
}

/** Without a directory there are no orphan entries. */
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

const hashedDns = (dns: readonly string[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(dns.map((dn) => ({ dn, hash: dnHash(dn) })))}::jsonb) as d(dn text, hash text)`

const inParts = async <T>(all: readonly T[], task: (part: readonly T[]) => Promise<unknown>): Promise<void> => {
  for (let start = 0; start < all.length; start += entriesPerQuery)
    await task(all.slice(start, start + entriesPerQuery))
}
