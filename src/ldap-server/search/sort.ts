import { resultCodes } from '../../ldap/result-code.ts'
import type { EntryView } from '../entries/view.ts'
import type { MayRead } from '../identity.ts'
import type { Sorting } from '../protocol/sort-control.ts'
import type { ResultCode } from '../result.ts'
import type { Work } from '../scheduling/work.ts'
import { type AttributeType, type Description, describe } from '../schema/attribute-types.ts'
import { findMatchingRule } from '../schema/matching-rules.ts'

interface SortKey {
  description: Description
  /** The form in which values are compared; null: that of the attribute's equality rule. */
  form: ((value: string | Buffer) => string) | null
  compare(a: string, b: string): number
  reverse: boolean
}

/** Why entries cannot be sorted so: told by the control of the answer. */
export class SortError extends Error {
  readonly code: ResultCode
  readonly attribute: string | null
  constructor(code: ResultCode, attribute: string | null) {
    super('the entries cannot be sorted')
    this.code = code
    this.attribute = attribute
  }
}

const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const orderOf = (type: AttributeType, rule: string | null, name: string): Pick<SortKey, 'form' | 'compare'> => {
  // slapd refuses to sort by cn without a named rule. Sorted by the text that is compared for equality is of more use.
  if (rule === null && type.equality) return { form: null, compare: type.ordering?.compare ?? textOrder }
  const found = rule === null ? null : findMatchingRule(rule)
  if (!found?.compare || !found.appliesTo.includes(type.syntax.oid)) {
    throw new SortError(resultCodes.inappropriateMatching, name)
  }
  return { form: found.key, compare: found.compare }
}

const sortKeys = ({ keys }: Sorting, mayRead: MayRead): SortKey[] =>
  keys.map(({ attribute, rule, reverse }) => {
    let description: Description
    try {
      description = describe(attribute)
    } catch {
      throw new SortError(resultCodes.noSuchAttribute, attribute)
    }
    // The order would tell what the reader may not see.
    if (!mayRead(description)) throw new SortError(resultCodes.noSuchAttribute, attribute)
    return { description, reverse, ...orderOf(description.type, rule, attribute) }
  })

/** The least value, as RFC 2891 section 2.2 asks for where there are several; null: the entry has none. */
const leastOf = (view: EntryView, { description, form, compare }: SortKey): string | null => {
  let least: string | null = null
  for (const { values } of view.find(description)) {
    for (const [key, value] of values) {
      const text = form === null ? key : form(value)
      if (least === null || compare(text, least) < 0) least = text
    }
  }
  return least
}

interface Row<T> {
  item: T
  keys: readonly (string | null)[]
}

const rowOrder =
  (keys: readonly SortKey[]) =>
  (a: Row<unknown>, b: Row<unknown>): number => {
    for (const [index, { compare, reverse }] of keys.entries()) {
      const [left, right] = [a.keys[index] ?? null, b.keys[index] ?? null]
      // An entry without a value comes after all others (RFC 2891 section 2.2), and in reverse before them.
      const order =
        left === null || right === null ? Number(left === null) - Number(right === null) : compare(left, right)
      if (order !== 0) return reverse ? -order : order
    }
    return 0
  }

const merged = async <T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number, work: Work) => {
  const result: T[] = []
  let at = 0
  for (const item of a) {
    for (let next = b[at]; next !== undefined && compare(next, item) < 0; next = b[at]) {
      result.push(next)
      at += 1
      work.spend(1)
      if (work.due) await work.rest()
    }
    result.push(item)
    work.spend(1)
    if (work.due) await work.rest()
  }
  for (; at < b.length; at += 1) result.push(b[at] as T)
  return result
}

/** Entries that the built-in sort gets at once: some tenths of a millisecond. */
const atOnce = 256

/**
 * Collects the entries of a search and sorts them. Other searches, and the rest of the process, get their turns between.
 * @param most entries that may be sorted; beyond it `sorted` throws
 * @throws SortError for an attribute or a rule that cannot be sorted by
 */
export const openSort = <T>(
  sorting: Sorting,
  { max, mayRead, work }: { max: number; mayRead: MayRead; work: Work },
) => {
  const keys = sortKeys(sorting, mayRead)
  const compare = rowOrder(keys)
  const rows: Row<T>[] = []
  return {
    /** @throws SortError where there are too many */
    add(item: T, view: EntryView): void {
      if (rows.length >= max) throw new SortError(resultCodes.adminLimitExceeded, null)
      rows.push({ item, keys: keys.map((key) => leastOf(view, key)) })
    },
    async sorted(): Promise<T[]> {
      let runs: Row<T>[][] = []
      while (rows.length > 0) {
        runs.push(rows.splice(-atOnce).sort(compare))
        work.spend(atOnce)
        if (work.due) await work.rest()
      }
      while (runs.length > 1) {
        const next: Row<T>[][] = []
        for (let at = 0; at < runs.length; at += 2) {
          next.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], compare, work))
        }
        runs = next
      }
      return (runs[0] ?? []).map(({ item }) => item)
    },
  }
}
