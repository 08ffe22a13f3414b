import type { Attribute } from './entry.ts'
import type { Filter } from './filter.ts'
import { hasClass } from './object-class.ts'
import { compareKeys } from './value.ts'
import type { EntryView } from './view.ts'

/** True, false, or null for undefined: the three values of RFC 4511 section 4.5.1.7. */
type Truth = boolean | null

type Substrings = Extract<Filter, { kind: 'substrings' }>

const hasPieces = (key: string, { initial, any, final }: Substrings): boolean => {
  if (!key.startsWith(initial)) return false
  let from = initial.length
  for (const piece of any) {
    const at = key.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return key.length - final.length >= from && key.endsWith(final)
}

const some = (values: Iterable<string>, test: (key: string) => boolean): boolean => {
  for (const key of values) if (test(key)) return true
  return false
}

const holds = (attribute: Attribute, filter: Exclude<Filter, { kind: 'and' | 'or' | 'not' | 'undefined' }>): Truth => {
  const keys = attribute.values
  const { syntax } = attribute.type
  switch (filter.kind) {
    case 'present':
      return true
    case 'equal':
      return keys.has(filter.key) || (attribute.type.key === 'objectclass' && hasClass(keys.keys(), filter.key))
    case 'substrings':
      return some(keys.keys(), (key) => hasPieces(key, filter))
    case 'atLeast':
    case 'atMost': {
      if (compareKeys(syntax, filter.key, filter.key) === null) return null
      const sign = filter.kind === 'atLeast' ? 1 : -1
      return some(keys.keys(), (key) => (compareKeys(syntax, key, filter.key) ?? -sign) * sign >= 0)
    }
  }
}

/**
 * What the filter is of an entry.
 * @param visible whether its reader may know of an attribute; one he may not makes an assertion undefined
 */
export const evaluate = (filter: Filter, view: EntryView, visible: (attribute: Attribute) => boolean): Truth => {
  switch (filter.kind) {
    case 'undefined':
      return null
    case 'not': {
      const truth = evaluate(filter.filter, view, visible)
      return truth === null ? null : !truth
    }
    case 'and':
    case 'or': {
      const decisive = filter.kind === 'or'
      let result: Truth = !decisive
      for (const each of filter.filters) {
        const truth = evaluate(each, view, visible)
        if (truth === decisive) return decisive
        if (truth === null) result = null
      }
      return result
    }
    default: {
      let result: Truth = false
      for (const attribute of view.find(filter.description)) {
        const truth = visible(attribute) ? holds(attribute, filter) : null
        if (truth) return true
        if (truth === null) result = null
      }
      return result
    }
  }
}
