import { parentKey, type StoredEntry } from './entry.ts'
import { ValueIndex } from './value-index.ts'

/** Attributes whose equality look-ups do not read every entry. */
const indexed = ['uid', 'cn', 'mail', 'member', 'uniquemember', 'memberuid'] as const

/** Called with an entry before and after a change; null after its removal. */
export type Listener = (before: StoredEntry, after: StoredEntry | null) => void

/**
 * All entries in memory. It keeps names, children and indexes consistent; the caller checks whether a change is
 * allowed. Its iterators are live: they continue over changes, and return an entry that did not change exactly once.
 */
export class DirectoryTree {
  readonly suffix: string
  readonly #entries = new Map<number, StoredEntry>()
  readonly #ids = new Map<string, number>()
  readonly #children = new Map<string, Set<number>>()
  readonly #indexes = new Map(indexed.map((attribute) => [attribute as string, new ValueIndex(attribute)]))
  readonly #optioned = new Set<number>()
  readonly #listeners = new Set<Listener>()
  #lastId = 0

  /** @param suffix the key of the base DN */
  constructor(suffix: string) {
    this.suffix = suffix
  }

  /** Ids of entries with an attribute that has options (`cn;lang-fr`): these values are not in the indexes. */
  get optioned(): ReadonlySet<number> {
    return this.#optioned
  }

  /** The listener is called for every entry that is replaced or removed. */
  onChange(listener: Listener): void {
    this.#listeners.add(listener)
  }

  get size(): number {
    return this.#entries.size
  }

  get nextId(): number {
    return this.#lastId + 1
  }

  get(key: string): StoredEntry | undefined {
    const id = this.#ids.get(key)
    return id === undefined ? undefined : this.#entries.get(id)
  }

  byId(id: number): StoredEntry | undefined {
    return this.#entries.get(id)
  }

  /** In the order they were added. */
  entries(): IterableIterator<StoredEntry> {
    return this.#entries.values()
  }

  hasChildren(key: string): boolean {
    return (this.#children.get(key)?.size ?? 0) > 0
  }

  *children(key: string): Generator<StoredEntry> {
    for (const id of this.#children.get(key) ?? []) {
      const child = this.#entries.get(id)
      if (child) yield child
    }
  }

  *descendants(key: string): Generator<StoredEntry> {
    for (const child of this.children(key)) {
      yield child
      yield* this.descendants(child.key)
    }
  }

  /** The entries that have the value, or null where the attribute has no index. */
  holding(attribute: string, value: string): ReadonlySet<number> | null {
    return this.#indexes.get(attribute)?.get(value) ?? null
  }

  /** Adds a new entry, or replaces the one with its id, whatever its name was. */
  put(entry: StoredEntry): void {
    const before = this.#entries.get(entry.id)
    if (before && before.key !== entry.key) this.#unname(before)
    if (before?.key !== entry.key) this.#name(entry)
    this.#entries.set(entry.id, entry)
    this.#lastId = Math.max(this.#lastId, entry.id)
    for (const index of this.#indexes.values()) index.update(entry.id, before?.attributes ?? null, entry.attributes)
    if ([...entry.attributes.keys()].some((key) => key.includes(';'))) this.#optioned.add(entry.id)
    else this.#optioned.delete(entry.id)
    if (before) this.#tell(before, entry)
  }

  #tell(before: StoredEntry, after: StoredEntry | null): void {
    for (const listener of this.#listeners) listener(before, after)
  }

  remove(entry: StoredEntry): void {
    this.#unname(entry)
    this.#entries.delete(entry.id)
    this.#optioned.delete(entry.id)
    for (const index of this.#indexes.values()) index.update(entry.id, entry.attributes, null)
    this.#tell(entry, null)
  }

  #name({ id, key }: StoredEntry): void {
    this.#ids.set(key, id)
    const parent = parentKey(key)
    const siblings = this.#children.get(parent)
    if (siblings) siblings.add(id)
    else this.#children.set(parent, new Set([id]))
  }

  #unname({ id, key }: StoredEntry): void {
    // After a swap of names the key may already be another entry's.
    if (this.#ids.get(key) === id) this.#ids.delete(key)
    const parent = parentKey(key)
    const siblings = this.#children.get(parent)
    siblings?.delete(id)
    if (siblings?.size === 0) this.#children.delete(parent)
  }
}
