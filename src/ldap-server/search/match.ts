import type { Attribute } from '../entries/entry.ts'
import type { EntryView } from '../entries/view.ts'
import type { MayRead } from '../identity.ts'
import type { Assertion, Filter } from '../protocol/filter.ts'
import type { Work } from '../scheduling/work.ts'
import type { MatchingRule } from '../schema/matching-rules.ts'
import { hasClass } from '../schema/object-classes.ts'
import { findPiece } from './find-piece.ts'

/** True, false, or null for undefined: the three values of RFC 4511 section 4.5.1.7. */
type Truth = boolean | null

type Of<K extends Assertion['kind']> = Extract<Assertion, { kind: K }>

const hasPieces = (key: string, { initial, any, final }: Of<'substrings'>): boolean => {
  if (!key.startsWith(initial)) return false
  let from = initial.length
  for (const piece of any) {
    const at = findPiece(key, piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return key.length - final.length >= from && key.endsWith(final)
}

const some = <T>(values: Iterable<T>, test: (value: T) => boolean): boolean => {
  for (const value of values) if (test(value)) return true
  return false
}

/** The cost of testing one attribute, in comparisons of two short texts. */
const costOf = (attribute: Attribute, assertion: Assertion): number => {
  if (assertion.kind === 'present' || assertion.kind === 'equal') return 1
  if (assertion.kind === 'extensible' && assertion.rule === attribute.type.equality) return 1
  const { values } = attribute
  const pieces = assertion.kind === 'substrings' ? assertion.any.length + 1 : 4
  let characters = 0
  for (const key of values.keys()) characters += key.length
  return 1 + pieces * values.size + Math.floor((pieces * characters) / 256)
}

const holds = (attribute: Attribute, assertion: Exclude<Assertion, { kind: 'extensible' }>): boolean => {
  const keys = attribute.values
  switch (assertion.kind) {
    case 'present':
      return true
    case 'equal':
      return keys.has(assertion.key) || (attribute.type.key === 'objectclass' && hasClass(keys.keys(), assertion.key))
    case 'substrings':
      return some(keys.keys(), (key) => hasPieces(key, assertion))
    case 'atLeast':
      return some(keys.keys(), (key) => assertion.compare(key, assertion.key) >= 0)
    case 'atMost':
      return some(keys.keys(), (key) => assertion.compare(key, assertion.key) <= 0)
  }
}

const isComparable = ({ appliesTo }: MatchingRule, { type }: Pick<Attribute, 'type'>): boolean =>
  appliesTo.includes(type.syntax.oid)

const holdsByRule = (attribute: Attribute, { rule, key }: Of<'extensible'>): boolean =>
  attribute.type.equality === rule
    ? attribute.values.has(key) || (attribute.type.key === 'objectclass' && hasClass(attribute.values.keys(), key))
    : some(attribute.values.values(), (value) => rule.key(value) === key)

/** Whether a value of the entry's name matches (`dn` in `(ou:dn:=people)`). */
const holdsOfName = (view: EntryView, { description, rule, key }: Of<'extensible'>): boolean =>
  view
    .namingValues()
    .some(
      ({ type, value }) =>
        (description === null || type.key === description.type.key || description.type.subtypes.has(type.key)) &&
        isComparable(rule, { type }) &&
        rule.key(value) === key,
    )

const extensibleTruth = (assertion: Of<'extensible'>, view: EntryView, work: Work): boolean => {
  const { description } = assertion
  const attributes = description === null ? view.userAttributes() : view.find(description)
  for (const attribute of attributes) {
    if (!isComparable(assertion.rule, attribute)) continue
    work.spend(costOf(attribute, assertion))
    if (holdsByRule(attribute, assertion)) return true
  }
  if (!assertion.dn) return false
  work.spend(view.namingValues().length)
  return holdsOfName(view, assertion)
}

const assertionTruth = (assertion: Assertion, view: EntryView, mayRead: MayRead, work: Work): Truth => {
  // An assertion about an attribute that may not be read is undefined for every entry. One about several attributes, by
  // their supertype (`name` of `title`) or by a rule without an attribute, is about those that the view has: were it
  // undefined where one of them is hidden, its negation would tell which entries have that one.
  if (assertion.description !== null && !mayRead(assertion.description)) return null
  if (assertion.kind === 'extensible') return extensibleTruth(assertion, view, work)
  for (const attribute of view.find(assertion.description)) {
    work.spend(costOf(attribute, assertion))
    if (holds(attribute, assertion)) return true
  }
  return false
}

/**
 * The value of the filter for an entry. It yields when another search has its turn, and continues from there.
 * @param mayRead whether the reader may know of an attribute; an assertion about any other attribute is undefined
 */
function* evaluate(filter: Filter, view: EntryView, mayRead: MayRead, work: Work): Generator<void, Truth> {
  switch (filter.kind) {
    case 'undefined':
      work.spend(1)
      if (work.due) yield
      return null
    case 'not': {
      const truth: Truth = yield* evaluate(filter.filter, view, mayRead, work)
      return truth === null ? null : !truth
    }
    case 'and':
    case 'or': {
      const decisive = filter.kind === 'or'
      let result: Truth = !decisive
      for (const each of filter.filters) {
        const truth: Truth = yield* evaluate(each, view, mayRead, work)
        if (truth === decisive) return decisive
        if (truth === null) result = null
      }
      return result
    }
    default: {
      const truth = assertionTruth(filter, view, mayRead, work)
      work.spend(1)
      if (work.due) yield
      return truth
    }
  }
}

/** Whether the filter is true for an entry; other searches get their turns meanwhile. */
export const matches = async (filter: Filter, view: EntryView, mayRead: MayRead, work: Work): Promise<boolean> => {
  const steps = evaluate(filter, view, mayRead, work)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value === true
    await work.rest()
  }
}
