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
    throw new ExpressionError(`expected at most ${longestExpression} characters; it goes on`, longestExpression + 1)
  }
  const words = tokens(text)
  let next = 0
  let depth = 0

  const peek = (): Token => words[next] as Token
  const take = (kind: Token['kind']): Token | undefined => (peek().kind === kind ? words[next++] : undefined)
  const fail = (expected: string, { kind, position }: Token = peek()): never => {
    throw new ExpressionError(`expected ${expected}${kind === 'end' ? ', not the end,' : ''}`, position)
  }
  const expect = (kind: Token['kind'], expected: string): Token => take(kind) ?? fail(expected)

  const expression = (): Expression => {
    const operands = [operand()]
    while (take('??')) operands.push(operand())
    const [only] = operands
    return operands.length === 1 && only !== undefined ? only : { kind: 'first', operands }
  }
  const operand = (): Expression => {
    const quoted = take('quoted')
    if (quoted) return { kind: 'literal', text: quoted.text }
    const name = expect('name', 'a field, a quoted text or a function')
    return take('(') ? call(name) : path(name)
  }
  const path = (first: Token): Expression => {
    const steps: (string | number)[] = [first.text]
    for (;;) {
      if (take('.')) steps.push(expect('name', 'a field').text)
      else if (take('[')) steps.push(index())
      else break
    }
    return { kind: 'path', steps }
  }
  const index = (): string | number => {
    const place = take('number') ?? take('quoted') ?? fail('a number or a quoted field')
    if (place.kind === 'number' && place.text.length > longestIndex) fail(`at most ${longestIndex} digits`, place)
    expect(']', 'a ]')
    return place.kind === 'number' ? Number(place.text) : place.text
  }
  const call = (name: Token): Expression => {
    if (!isFunction(name.text)) return fail(`one of ${Object.keys(functions).join(', ')}`, name)
    if (++depth > deepestNesting) fail(`at most ${deepestNesting} functions inside each other`, name)
    const argument = expression()
    const separator = functions[name.text] ? separatorOf(name.text) : ''
    expect(')', functions[name.text] ? 'a )' : 'a ?? or a )')
    depth--
    return { kind: 'call', name: name.text, argument, separator }
  }
  const separatorOf = (name: FunctionName): string => {
    expect(',', 'a ?? or a comma')
    const separator = expect('quoted', 'a quoted text')
    if (name === 'before' && separator.text === '') fail('a text that is not empty', separator)
    return separator.text
  }

  const parsed = expression()
  if (peek().kind !== 'end') fail('a ?? or the end')
  return parsed
}

const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name)
