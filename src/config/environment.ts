import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { messageOf } from '../failures/caught-error.ts'
import { ConfigError } from '../failures/errors.ts'
import { readTextFile } from '../files/text-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The `.env` file of the working directory, overlaid by the process's own environment.
 * @throws ConfigError when there is one that cannot be read
 */
export const readEnvironment = (folder = process.cwd()): Environment => {
  const file = resolve(folder, '.env')
  return existsSync(file) ? { ...parseEnv(textOf(file)), ...process.env } : process.env
}

const textOf = (file: string): string => {
  try {
    // Some editors begin a file with U+FEFF, which would be a part of the first name.
    return readTextFile(file).replace(/^\uFEFF/, '')
  } catch (error) {
    throw new ConfigError([`${file} cannot be read (${messageOf(error)})`])
  }
}
