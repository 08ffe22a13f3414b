/** Stands for the name of a constant where a value would be. */
export class Constant {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const width = 120

const printKey = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : printString(key))

const printString = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A value as a TypeScript expression: on one line where it fits, else one entry per line. */
export const printValue = (value: unknown, indent = '', used = indent.length): string => {
  if (value instanceof Constant) return value.name
  if (typeof value === 'string') return printString(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const parts = isList
    ? value.map((item) => printValue(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${printKey(key)}: ${printValue(item, inner, inner.length + key.length + 2)}`)
  if (parts.length === 0) return `${open}${close}`
  const gap = isList ? '' : ' '
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (!line.includes('\n') && used + line.length < width) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
