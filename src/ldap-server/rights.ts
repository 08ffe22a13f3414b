import { FilterSyntaxError } from '../ldap/filter-text.ts'
import { resultCodes } from '../ldap/result-code.ts'
import { parentKey, type StoredEntry } from './entries/entry.ts'
import { dnKeyOf, isBelow } from './entries/locate.ts'
import type { DirectoryTree } from './entries/tree.ts'
import { type entryViews, everyAttribute } from './entries/view.ts'
import { type Identity, type MayRead, mayRead } from './identity.ts'
import { BerError } from './protocol/ber.ts'
import { compileFilter } from './protocol/compile-filter.ts'
import type { Filter } from './protocol/filter.ts'
import { LdapError } from './result.ts'
import type { Work } from './scheduling/work.ts'
import { describe, describeAny } from './schema/attribute-types.ts'
import { matches } from './search/match.ts'
import { toOctets } from './value.ts'

/** Where the entries of each kind are. Groups may be everywhere else. */
export interface Layout {
  people: string
  disabled: string
  /** Where groups are in the flat layout. */
  groups: string
  serviceAccounts: string
}

/** What the entry of a service account says that it may read; null: nothing of that kind. */
interface Readable {
  people: Filter | null
  groups: Filter | null
}

/** The classes that groups have. */
export const groupFilter =
  '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=organizationalUnit)(objectClass=posixGroup))'

const filterOf = ({ attributes }: StoredEntry, name: string, within = ''): Filter | null => {
  const [value] = attributes.get(describe(name).key)?.values.values() ?? []
  if (value === undefined) return null
  const text = toOctets(value).toString('utf8')
  try {
    return compileFilter(within === '' ? text : `(&${within}${text})`)
  } catch (error) {
    // Nothing may be read by a filter that cannot be read itself.
    if (error instanceof FilterSyntaxError || error instanceof LdapError || error instanceof BerError) return null
    throw error
  }
}

/** The names of the attributes that people who are bound may not read, neither their own nor those of others. */
export type HiddenFromPeople = () => Promise<readonly string[]>

/** Which entries a reader sees: for all others an entry that they do not see does not exist. */
export interface Rights {
  /** Call it before each operation that reads: what is hidden from people is decided elsewhere. */
  prepare(identity: Identity): Promise<void>
  isServiceAccount(entryKey: string): boolean
  sees(identity: Identity, entry: StoredEntry, work: Work): Promise<boolean>
  /** Of the entries that a reader sees, the attributes that they may know of. */
  mayRead(identity: Identity): MayRead
  /**
   * The entry of that name.
   * @throws LdapError noSuchObject, also for an entry that the reader does not see: with the deepest entry above the
   *   name that they see, so that the answer is that for a name that does not exist
   */
  find(identity: Identity, dn: string, work: Work): Promise<StoredEntry>
}

export interface RightsOptions {
  /** null: there are no service accounts. */
  layout: Layout | null
  hiddenFromPeople: HiddenFromPeople
  views: ReturnType<typeof entryViews>
}

/**
 * The root DN sees everything, and a person everything but the service accounts. A service account sees the people and
 * groups that the filters in its own entry match, and the entries that these are found below; of NT hashes only one
 * knows that is given the right. The filters are read at each operation: a change of the entry is in force at once.
 */
export const openRights = (tree: DirectoryTree, { layout, hiddenFromPeople, views }: RightsOptions): Rights => {
  const keys = layout && {
    people: dnKeyOf(layout.people),
    disabled: dnKeyOf(layout.disabled),
    groups: dnKeyOf(layout.groups),
    serviceAccounts: dnKeyOf(layout.serviceAccounts),
  }
  const known = new WeakMap<StoredEntry, Readable>()
  let hidden: ReadonlySet<string> = new Set()

  const readable = (account: StoredEntry): Readable => {
    const before = known.get(account)
    if (before) return before
    const found = {
      people: filterOf(account, 'stewardPeopleFilter'),
      groups: filterOf(account, 'stewardGroupFilter', groupFilter),
    }
    known.set(account, found)
    return found
  }

  const isServiceAccount = (key: string): boolean =>
    keys !== null && key !== keys.serviceAccounts && isBelow(key, keys.serviceAccounts)

  const seesAsService = async (account: StoredEntry, entry: StoredEntry, work: Work): Promise<boolean> => {
    if (keys === null) return false
    if (entry.id === account.id || entry.key === tree.suffix) return true
    if (isBelow(entry.key, keys.serviceAccounts) || isBelow(entry.key, keys.disabled)) return false
    const { people, groups } = readable(account)
    if (entry.key === keys.people) return people !== null
    if (entry.key === keys.groups) return groups !== null
    const filter = isBelow(entry.key, keys.people) ? (parentKey(entry.key) === keys.people ? people : null) : groups
    return filter !== null && matches(filter, views(entry, everyAttribute), everyAttribute, work)
  }

  const isPerson = (identity: Identity): boolean =>
    identity !== null && !identity.root && !isServiceAccount(tree.byId(identity.id)?.key ?? '')

  const sees: Rights['sees'] = async (identity, entry, work) => {
    if (keys === null || identity === null || identity.root) return true
    const account = tree.byId(identity.id)
    if (account === undefined) return false
    if (isServiceAccount(account.key)) return seesAsService(account, entry, work)
    return !isBelow(entry.key, keys.serviceAccounts)
  }

  const readsNtHashes = (identity: Identity): boolean => {
    const account = identity === null || identity.root ? undefined : tree.byId(identity.id)
    if (account === undefined || !isServiceAccount(account.key)) return false
    const [value] = account.attributes.get(describe('stewardReadsNtHashes').key)?.values.values() ?? []
    return value !== undefined && toOctets(value).toString('utf8') === 'TRUE'
  }

  return {
    async prepare(identity) {
      if (!isPerson(identity)) return
      const names = await hiddenFromPeople()
      hidden = new Set(names.map((name) => describeAny(name).type.key))
    },
    isServiceAccount,
    sees,
    mayRead: (identity) =>
      mayRead(
        identity,
        () => readsNtHashes(identity),
        (key) => hidden.has(key) && isPerson(identity),
      ),
    async find(identity, dn, work) {
      const wanted = dnKeyOf(dn)
      for (let key = wanted; isBelow(key, tree.suffix); key = parentKey(key)) {
        const entry = tree.get(key)
        if (entry === undefined || !(await sees(identity, entry, work))) continue
        if (key === wanted) return entry
        throw new LdapError(resultCodes.noSuchObject, '', entry.dn)
      }
      throw new LdapError(resultCodes.noSuchObject)
    },
  }
}
