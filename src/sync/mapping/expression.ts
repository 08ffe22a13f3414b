import type { Statement } from '../../failures/statement.ts'
import { statements } from '../statements.ts'
import { ExpressionError, type Token, tokens } from './tokens.ts'

export { ExpressionError } from './tokens.ts'

/**
 * What a field is taken from. The grammar, in the notation of RFC 5234, with spaces anywhere between the words:
 *
 *     expression = operand *("??" operand)
 *     operand    = path / quoted / call
 *     path       = name *("." name / "[" 1*DIGIT "]" / "[" quoted "]")
 *     call       = ("lower" / "trim" / "pinyin") "(" expression ")"
 *                / ("before" / "join") "(" expression "," quoted ")"
 */
export type Expression =
  | { kind: 'literal'; text: string }
  /** Steps are names of fields, and positions in lists from 0. */
  | { kind: 'path'; steps: readonly (string | number)[] }
  | { kind: 'first'; operands: readonly Expression[] }
  | { kind: 'call'; name: FunctionName; argument: Expression; separator: string }

/** Whether a function has a separator. */
const functions = { lower: false, trim: false, pinyin: false, before: true, join: true } as const
export type FunctionName = keyof typeof functions

/** Characters. */
const longestExpression = 1024
const deepestNesting = 16
const longestIndex = 4

/**
 * Parses an expression.
 * @throws ExpressionError with what was expected, and the position
 */
export const parseExpression = (text: string): Expression => {
  if ([...text].length > longestExpression) {
    throw new ExpressionError(statements.goes_on({ limit: longestExpression }), longestExpression + 1)
  }
  const words = tokens(text)
  let next = 0
  let depth = 0

  const peek = (): Token => words[next] as Token
  const take = (kind: Token['kind']): Token | undefined => (peek().kind === kind ? words[next++] : undefined)
  const fail = (what: Statement, { kind, position }: Token = peek()): never => {
    throw new ExpressionError(statements[kind === 'end' ? 'expected_before_end' : 'expected']({ what }), position)
  }
  const expect = (kind: Token['kind'], what: Statement): Token => take(kind) ?? fail(what)

  const expression = (): Expression => {
    const operands = [operand()]
    while (take('??')) operands.push(operand())
    const [only] = operands
    return operands.length === 1 && only !== undefined ? only : { kind: 'first', operands }
  }
  const operand = (): Expression => {
    const quoted = take('quoted')
    if (quoted) return { kind: 'literal', text: quoted.text }
    const name = expect('name', statements.operand())
    return take('(') ? call(name) : path(name)
  }
  const path = (first: Token): Expression => {
    const steps: (string | number)[] = [first.text]
    for (;;) {
      if (take('.')) steps.push(expect('name', statements.field()).text)
      else if (take('[')) steps.push(index())
      else break
    }
    return { kind: 'path', steps }
  }
  const index = (): string | number => {
    const place = take('number') ?? take('quoted') ?? fail(statements.number_or_field())
    if (place.kind === 'number' && place.text.length > longestIndex)
      fail(statements.digits({ limit: longestIndex }), place)
    expect(']', statements.sign({ sign: ']' }))
    return place.kind === 'number' ? Number(place.text) : place.text
  }
  const call = (name: Token): Expression => {
    if (!isFunction(name.text)) return fail(statements.one_of({ names: Object.keys(functions).join(', ') }), name)
    if (++depth > deepestNesting) fail(statements.functions({ limit: deepestNesting }), name)
    const argument = expression()
    const separator = functions[name.text] ? separatorOf(name.text) : ''
    expect(')', functions[name.text] ? closing : orElse(closing))
    depth--
    return { kind: 'call', name: name.text, argument, separator }
  }
  const separatorOf = (name: FunctionName): string => {
    expect(',', orElse(statements.comma()))
    const separator = expect('quoted', statements.quoted())
    if (name === 'before' && separator.text === '') fail(statements.filled(), separator)
    return separator.text
  }

  const parsed = expression()
  if (peek().kind !== 'end') fail(orElse(statements.end()))
  return parsed
}

const closing = statements.sign({ sign: ')' })
const orElse = (other: Statement): Statement => statements.sign_or({ sign: '??', other })

const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name)
