import type { AttributeMap } from './entry.ts'

const nothing: ReadonlySet<number> = new Set()

/** The entries that have a value, for one attribute type. A value of a single entry does not allocate a set. */
export class ValueIndex {
  readonly #attribute: string
  readonly #ids = new Map<string, number | Set<number>>()

  /** @param attribute the key of the attribute's description */
  constructor(attribute: string) {
    this.#attribute = attribute
  }

  get(value: string): ReadonlySet<number> {
    const ids = this.#ids.get(value)
    return ids === undefined ? nothing : typeof ids === 'number' ? new Set([ids]) : ids
  }

  /** Updates the index from the old to the new attributes of an entry; null where it did not or does not exist. */
  update(id: number, before: AttributeMap | null, after: AttributeMap | null): void {
    const old = before?.get(this.#attribute)?.values
    const current = after?.get(this.#attribute)?.values
    if (old === current) return
    for (const value of old?.keys() ?? []) if (!current?.has(value)) this.#remove(value, id)
    for (const value of current?.keys() ?? []) if (!old?.has(value)) this.#add(value, id)
  }

  #add(value: string, id: number): void {
    const ids = this.#ids.get(value)
    if (ids === undefined) this.#ids.set(value, id)
    else if (typeof ids === 'number') this.#ids.set(value, new Set([ids, id]))
    else ids.add(id)
  }

  #remove(value: string, id: number): void {
    const ids = this.#ids.get(value)
    if (typeof ids === 'object' && ids.size > 1) ids.delete(id)
    else this.#ids.delete(value)
  }
}
