import type { AttributeMap } from './entry.ts'

const nothing: ReadonlySet<number> = new Set()

/** Which entries hold a value, for one attribute type. A value that one entry holds costs no set of its own. */
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

  /** Follows an entry from what it was to what it is; null where it was or is not there. */
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
