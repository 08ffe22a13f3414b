import { reasons as contract } from '../../contract/reasons.ts'
import type { Statement } from '../../failures/statement.ts'
import { reasonStated } from '../../failures/statement-table.ts'
import type { SourceRecord } from '../../sources/source.ts'
import { statements } from '../statements.ts'
import type { Expression, FunctionName } from './expression.ts'
import { pinyin } from './pinyin.ts'

/** Takes the place of a value that cannot be converted to text. */
export class Unusable {
  readonly stated: Statement

  constructor(stated: Statement) {
    this.stated = stated
  }
}

/**
 * The value of an expression for a record: a value of the record unchanged, a text, or an `Unusable`; undefined where
 * the record has no value. Reads only the record's own fields. Never throws.
 */
export const evaluate = (expression: Expression, record: SourceRecord): unknown => {
  switch (expression.kind) {
    case 'literal':
      return expression.text
    case 'path':
      return valueAt(record, expression.steps) ?? undefined
    case 'first':
      return firstFilled(expression.operands, record)
    case 'call': {
      const { name, argument, separator } = expression
      const value = evaluate(argument, record)
      if (name === 'join' && Array.isArray(value)) return joined(value, separator)
      const text = textOf(value)
      if (typeof text !== 'string') return text
      return name === 'pinyin' && text.length > longestName ? tooLong : functions[name](text, separator)
    }
  }
}

/** A value as the text of a field. Numbers and booleans are converted; lists and objects are not. */
export const textOf = (value: unknown): string | undefined | Unusable => {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      if (value === null || value instanceof Unusable) return value ?? undefined
      return Array.isArray(value) ? aList : anObject
    default:
      return undefined
  }
}

/**
 * Characters of a name that is read: 100,000 Chinese ones take a tenth of a second, and a page may have a thousand such
 * names. No field takes a text of this length.
 */
const longestName = 1000

const tooLong = new Unusable(reasonStated(contract.too_long, { count: longestName }))
const aList = new Unusable(statements.a_list())
const anObject = new Unusable(statements.an_object())

/** The first value that is not empty; if all are empty or absent, the last operand. */
const firstFilled = (operands: readonly Expression[], record: SourceRecord): unknown => {
  let value: unknown
  for (const operand of operands) {
    value = evaluate(operand, record)
    if (value !== undefined && value !== '') return value
  }
  return value
}

const valueAt = (record: SourceRecord, steps: readonly (string | number)[]): unknown => {
  let value: unknown = record
  for (const step of steps) {
    if (Array.isArray(value)) {
      if (typeof step === 'string') return aList
      value = value[step]
    } else if (typeof step === 'number') {
      // Where a platform may return several values, a single one can arrive without its list.
      if (step !== 0 || typeof value === 'object') return undefined
    } else {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
      value = (value as SourceRecord)[step]
    }
  }
  return value
}

const joined = (values: readonly unknown[], separator: string): string | Unusable => {
  const texts: string[] = []
  for (const value of values) {
    const text = textOf(value)
    if (text instanceof Unusable) return listOfLists
    if (text !== undefined && text !== '') texts.push(text)
  }
  return texts.join(separator)
}

const listOfLists = new Unusable(statements.a_list_of_lists())

const functions: Readonly<Record<FunctionName, (text: string, separator: string) => string>> = {
  lower: (text) => text.toLowerCase(),
  trim: (text) => text.trim(),
  pinyin,
  before(text, separator) {
    const end = text.indexOf(separator)
    return end === -1 ? text : text.slice(0, end)
  },
  // A single value where several are possible.
  join: (text) => text,
}
