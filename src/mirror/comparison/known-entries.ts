import { randomInt } from 'node:crypto'
import { indexIn, type NumberList } from '../../collections/sorted-numbers.ts'

/** What a comparison has found of the entry of a record; `unchanged`: its change number is unchanged. */
export type Found = 'nothing' | 'changed' | 'unchanged'

/**
 * The records that a comparison expects in the directory, in the order of their ids. A record is named by its place.
 * Records may be added and entries be noted by turns.
 */
export interface KnownEntries {
  size(): number
  /** @param id above those before */
  add(id: number, dn: string, entryCsn: string | null): void
  /** The place of the record whose entry has this DN; undefined: no record has it. */
  at(dn: string): number | undefined
  /** The place of the record; undefined: it is not known. */
  placeOf(id: number): number | undefined
  found(place: number): Found
  /** Notes that its entry was found with this change number; undefined: the server shows none. */
  note(place: number, entryCsn: string | undefined): void
  /** The ids of the records whose entry is not known to be unchanged. */
  suspects(): number[]
}

const states: readonly Found[] = ['nothing', 'changed', 'unchanged']
const [nothing, changed, unchanged] = [0, 1, 2]

/** Of this process: a program that writes entries cannot choose a DN with the hash of another one. */
const seed = randomInt(2 ** 32)

/**
 * A hash of 53 bits, the most that a number holds exactly. Two DNs of a million have the same in one of 20,000
 * comparisons. The record of one of them is then compared completely, as its change number differs.
 */
const hashOf = (text: string): number => {
  let [one, two] = [seed ^ 0x9e3779b9, seed ^ 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 2654435761)
    two = Math.imul(two ^ unit, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (two & 0x1fffff) * 2 ** 32 + (one >>> 0)
}

/** Numbers that are added one by one. */
const growing = () => {
  let values = new Float64Array(1024)
  let size = 0
  return {
    push(value: number): void {
      if (size === values.length) {
        const more = new Float64Array(2 * size)
        more.set(values)
        values = more
      }
      values[size++] = value
    },
    at: (place: number): number => values[place] as number,
    size: () => size,
  }
}

/** Finds the place of a number. A cell holds a place + 1; where two numbers would be in one cell, the next free one is taken. */
const tableOf = (numbers: NumberList) => {
  let cells = new Int32Array(0)
  let filled = 0
  const cellOf = (wanted: number): number => {
    let cell = wanted & (cells.length - 1)
    while (cells[cell] !== 0 && numbers.at((cells[cell] as number) - 1) !== wanted)
      cell = (cell + 1) & (cells.length - 1)
    return cell
  }
  /** Takes the numbers that were added since the last call. */
  const fill = (): void => {
    if (2 * numbers.size() >= cells.length) {
      cells = new Int32Array(2 ** Math.ceil(Math.log2(4 * numbers.size() + 2)))
      filled = 0
    }
    for (; filled < numbers.size(); filled++) cells[cellOf(numbers.at(filled))] = filled + 1
  }
  return {
    place(wanted: number): number | undefined {
      fill()
      const place = cells[cellOf(wanted)] as number
      return place === 0 ? undefined : place - 1
    },
  }
}

/** About 40 bytes for each record, whatever its texts are: a directory may have a million. */
export const openKnownEntries = (): KnownEntries => {
  const [ids, dns, csns] = [growing(), growing(), growing()]
  const byDn = tableOf(dns)
  let found = new Uint8Array(0)
  let next = 0
  return {
    size: ids.size,
    add(id, dn, entryCsn) {
      ids.push(id)
      dns.push(hashOf(dn))
      csns.push(entryCsn === null ? Number.NaN : hashOf(entryCsn))
    },
    /** A directory lists its entries in the order in which they were created, which is nearly the order of the records. */
    at(dn) {
      const hash = hashOf(dn)
      if (next >= dns.size() || dns.at(next) !== hash) {
        const place = byDn.place(hash)
        if (place === undefined) return undefined
        next = place
      }
      return next++
    },
    placeOf: (id) => indexIn(ids, id),
    found: (place) => states[found[place] ?? nothing] as Found,
    note(place, entryCsn) {
      if (place >= found.length) {
        const more = new Uint8Array(Math.max(ids.size(), 2 * found.length))
        more.set(found)
        found = more
      }
      found[place] = entryCsn !== undefined && csns.at(place) === hashOf(entryCsn) ? unchanged : changed
    },
    suspects() {
      const suspects: number[] = []
      for (let place = 0; place < ids.size(); place++) if (found[place] !== unchanged) suspects.push(ids.at(place))
      return suspects
    },
  }
}
