/**
 * src/alerts/alert-rules.ts → the table of alerts in docs/alerts-and-status.md. With --check nothing is written: fails
 * when the table is stale, or when no file of src names one of the rules.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AlertRule } from '../src/alerts/alert-rule.ts'
import { alertRules } from '../src/alerts/alert-rules.ts'

const file = 'docs/alerts-and-status.md'
const begin = '<!-- Made of src/alerts/alert-rules.ts by npm run generate. -->'
const end = '<!-- End of what is made. -->'

const rules: [name: string, rule: AlertRule][] = Object.entries(alertRules)

const table = [
  '| What happens | Level | Raised again | Closed by `system` |',
  '|---|---|---|---|',
  ...rules.map(
    ([, { when, level, again, closes }]) =>
      `| ${when} | ${level} | ${again ?? 'no: each is an alert of its own'} | ${closes ?? '–'} |`,
  ),
].join('\n')

const document = readFileSync(file, 'utf8')
const [before, after] = [document.split(begin)[0], document.split(end)[1]]
if (before === undefined || after === undefined)
  throw new Error(`${file} has no place for the table: ${begin} … ${end}`)
const current = `${before}${begin}\n\n${table}\n\n${end}${after}`

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('alert-rules.ts'))
  .map((path) => readFileSync(join('src', path), 'utf8'))
/** Other things have some of these names too: it is named where the alert is made, or in a file that makes one by a variable. */
const raises = (source: string, name: string): boolean =>
  new RegExp(`(alertOf\\([^)]*|\\brule: )'${name}'`).test(source) ||
  (source.includes('alertOf(rule,') && source.includes(`'${name}'`))
const unraised = rules.filter(([name]) => !sources.some((source) => raises(source, name)))
for (const [name] of unraised) console.error(`src/alerts/alert-rules.ts has ${name}, which is raised nowhere`)
if (unraised.length > 0) process.exitCode = 1

if (!process.argv.includes('--check')) writeFileSync(file, current)
else if (document !== current) {
  console.error(`${file} is stale: run npm run generate`)
  process.exitCode = 1
}
