import { type ParseArgsConfig, parseArgs } from 'node:util'
import { messageOf } from '../failures/caught-error.ts'
import { UsageError } from './usage-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

export interface CommandLineForm<O extends Options> {
  /** Printed behind what is wrong. */
  usage: string
  /** Without `--help` and `-h`, which every command has. */
  options?: O
  /** The largest number of arguments beside options. Default: 0. */
  max?: number
}

const help = { type: 'boolean', short: 'h' } as const

/**
 * Reads the arguments of a command. No message repeats an argument: one that is too many may be a URL with a password.
 * @param given without the names of the program and of the command
 * @returns null: help was requested
 * @throws UsageError for an argument too many, an option that the command does not have, and one that is given twice
 */
export const readCommandLine = <const O extends Options = Record<never, never>>(
  given: readonly string[],
  { usage, options, max = 0 }: CommandLineForm<O>,
) => {
  const { values, positionals, tokens } = parsed(given, { ...(options as O), help }, usage)
  if ('help' in values && values.help === true) return null
  if (positionals.length > max) throw new UsageError('An argument is too many.', usage)
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice.`, usage)
  return { values, positionals }
}

/** How a message calls an argument that names nothing: by itself if it is a word, since a URL may hold a password. */
export const calledName = (argument: string): string =>
  /^[\w-]{1,40}$/.test(argument) ? JSON.stringify(argument) : 'of that name'

const parsed = <const O extends Options>(given: readonly string[], options: O, usage: string) => {
  try {
    return parseArgs({ args: [...given], allowPositionals: true, tokens: true, options })
  } catch (error) {
    const text = messageOf(error)
    throw new UsageError(text.replace(/ To specify a positional argument .*$/s, ''), usage)
  }
}
