/** The parts of a definition of the schema, as RFC 4512 section 4.1 writes it. */
export interface Definition {
  oid: string
  /** By keyword; a flag has no values. */
  parts: ReadonlyMap<string, readonly string[]>
}

const token = /\s*(?:'([^']*)'|([()$])|([^\s()$']+))/y

const flags: ReadonlySet<string> = new Set([
  ...['ABSTRACT', 'STRUCTURAL', 'AUXILIARY', 'OBSOLETE'],
  ...['SINGLE-VALUE', 'COLLECTIVE', 'NO-USER-MODIFICATION'],
])

/** @throws Error for a mistake in the text, which is part of this program */
export const parseDefinition = (text: string): Definition => {
  const tokens: string[] = []
  for (token.lastIndex = 0; token.lastIndex < text.trimEnd().length; ) {
    const found = token.exec(text)
    if (!found) throw new Error(`not a definition of the schema: ${text}`)
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  const [open, oid = '', ...rest] = tokens
  if (open !== '(' || rest.pop() !== ')') throw new Error(`not a definition of the schema: ${text}`)
  const parts = new Map<string, readonly string[]>()
  while (rest.length > 0) {
    const keyword = rest.shift() ?? ''
    if (flags.has(keyword)) parts.set(keyword, [])
    else if (rest[0] === '(') {
      const end = rest.indexOf(')')
      parts.set(
        keyword,
        rest.splice(0, end + 1).filter((each) => !'()$'.includes(each)),
      )
    } else parts.set(keyword, rest.splice(0, 1))
  }
  return { oid, parts }
}
