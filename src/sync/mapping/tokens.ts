import type { Statement } from '../../failures/statement.ts'
import { statements } from '../statements.ts'

/** The text is not an expression. */
export class ExpressionError extends Error {
  readonly stated: Statement
  /** The position of the problem, from 1; one more than the length means the end. */
  readonly position: number

  constructor(stated: Statement, position: number) {
    super(`${stated.text} at character ${position}`)
    this.name = 'ExpressionError'
    this.stated = stated
    this.position = position
  }
}

const expected = (what: Statement, position: number): ExpressionError =>
  new ExpressionError(statements.expected({ what }), position)

const signs = ['??', '(', ')', '[', ']', '.', ','] as const
type Sign = (typeof signs)[number]

export interface Token {
  kind: 'name' | 'number' | 'quoted' | 'end' | Sign
  /** As it is written; for a quoted text its meaning. */
  text: string
  /** Its first character, from 1. */
  position: number
}

const space = /\s*/y
const name = /[\p{L}_$][\p{L}\p{M}\p{N}_$-]*/uy
const number = /\d+/y
const unescaped = /[^\\'"]+/y

/** The characters after a backslash, with their meanings. */
const escapes: Readonly<Record<string, string>> = { '\\': '\\', "'": "'", '"': '"', n: '\n', t: '\t' }

/**
 * The tokens of an expression; the last one is its end.
 * @throws ExpressionError
 */
export const tokens = (expression: string): Token[] => {
  const found: Token[] = []
  let index = 0

  const positionOf = (at: number): number => [...expression.slice(0, at)].length + 1
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = index
    const [matched = ''] = pattern.exec(expression) ?? []
    index += matched.length
    return matched
  }
  const quoted = (): string => {
    const start = index
    const quote = expression[index++]
    let text = ''
    for (;;) {
      text += match(unescaped)
      const character = expression[index]
      if (character === undefined) throw expected(statements.closing_quote(), positionOf(start))
      index++
      if (character === quote) return text
      if (character !== '\\') {
        text += character
        continue
      }
      const meant = escapes[expression[index] ?? '']
      if (meant === undefined) {
        throw expected(statements.one_of({ names: String.raw`\\ \' \" \n \t` }), positionOf(index - 1))
      }
      text += meant
      index++
    }
  }
  const next = (): Pick<Token, 'kind' | 'text'> => {
    const character = expression[index]
    if (character === undefined) return { kind: 'end', text: '' }
    if (character === '"' || character === "'") return { kind: 'quoted', text: quoted() }
    const sign = signs.find((each) => expression.startsWith(each, index))
    if (sign !== undefined) {
      index += sign.length
      return { kind: sign, text: sign }
    }
    const digits = match(number)
    if (digits !== '') return { kind: 'number', text: digits }
    const text = match(name)
    if (text !== '') return { kind: 'name', text }
    const unexpected = String.fromCodePoint(expression.codePointAt(index) ?? 0)
    throw new ExpressionError(statements.unexpected({ character: JSON.stringify(unexpected) }), positionOf(index))
  }

  for (;;) {
    match(space)
    const position = positionOf(index)
    const token = { ...next(), position }
    found.push(token)
    if (token.kind === 'end') return found
  }
}
