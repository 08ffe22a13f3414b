/**
 * Looks for habits of writing that readers stumble over, in comments, texts and documents alike. The list is words.json:
 * a pattern, what to write instead, and the lines in which it is right.
 *
 *     tsx scripts/check-words.ts [FILE...]
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Habit {
  /** A regular expression, matched against each line; case matters. */
  pattern: string
  instead: string
  /** A regular expression: a line that matches it is right. */
  unless?: string
}

const { habits, files } = JSON.parse(readFileSync(new URL('./words.json', import.meta.url), 'utf8')) as {
  habits: Habit[]
  /** The files to read, and with `:!` those to leave out, as `git ls-files` takes them. */
  files: string[]
}

const given = process.argv.slice(2)
const leftOut = files.filter((pathspec) => pathspec.startsWith(':!'))
const listed = given.length > 0 ? [...given, ...leftOut] : files
const read = execFileSync('git', ['ls-files', '--', ...listed], { encoding: 'utf8' })
const rules = habits.map(({ pattern, unless, instead }) => ({
  pattern: new RegExp(pattern),
  unless: unless === undefined ? null : new RegExp(unless),
  instead,
}))

let found = 0
for (const file of read.split('\n').filter((name) => name !== '')) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const { pattern, unless, instead } of rules) {
      const [words] = pattern.exec(line) ?? []
      if (words === undefined || unless?.test(line)) continue
      found += 1
      console.error(`${file}:${index + 1}: "${words}": ${instead}`)
    }
  }
}
if (found > 0) {
  console.error(`${found} lines to rewrite (scripts/words.json)`)
  process.exitCode = 1
}
