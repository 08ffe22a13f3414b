/**
 * src/…/reasons.ts → docs/reasons.md: every reason with its text. With --check nothing is written: fails when the page is
 * stale, or when the documents of openapi/ list other reasons than the tables have.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { differences, type ListedReason, publishedReasons, reasonTables, statementTables } from './reasons/tables.ts'

const file = 'docs/reasons.md'

const tables = await reasonTables()
const statements = await statementTables()

const coded = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

const row = ({ code, status, text, one }: ListedReason): string =>
  `| \`${code}\` | ${status} | ${coded(text)}${one === undefined ? '' : `; for 1: ${coded(one)}`} |`

const page = [
  '# Reasons',
  '',
  'Every failure says why in two forms: a text for people (`msg` or `message`) and, for programs, `reason` with `params`.',
  '`reason` is one of the codes below; a code keeps its meaning for ever. `params` holds the values in its text by their',
  'names, as texts: those in braces below. So a client translates a failure by its code and values, and never reads the',
  'English text; the log names the code of each request that failed (`reason`).',
  'A value that can itself be translated is there a second time: `problem.0` is the JSON of the statement whose text is',
  '`problem`.',
  '',
  'Where fields are at fault, `data` lists each as `{field, message, reason, params}`; the `reason` and `params` of the',
  'whole are then those of the first, and its text begins with the name of the field. In lists whose entries have names,',
  'the value `item` is the name of the entry, and the text begins with `of {item}`.',
  '',
  'Made by `npm run generate` of the tables in `src/*/reasons.ts`.',
  ...[...tables.values()].flatMap((reasons) => [
    '',
    `## ${reasons[0]?.code.split('.', 1)[0]}`,
    '',
    '| reason | code | text |',
    '|---|---|---|',
    ...reasons.map(row),
  ]),
  '',
  '## Statements',
  '',
  'What reports say besides failures: the problems of runs, the diagnosis of a source, the suggestions of a day. Each has the',
  'form `{code, params, text}`, beside the text; a value in `params` may be a statement again.',
  '',
  '| statement | text |',
  '|---|---|',
  ...statements.map(({ code, text }) => `| \`${code}\` | ${coded(text)} |`),
  '',
].join('\n')

const problems = differences([...tables.values()].flat(), publishedReasons())

if (!process.argv.includes('--check')) writeFileSync(file, page)
else if (!existsSync(file) || readFileSync(file, 'utf8') !== page)
  problems.push(`${file} is stale: run npm run generate`)

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
