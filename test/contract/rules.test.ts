import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const diet = readFileSync(new URL('../../openapi/diet.yaml', import.meta.url), 'utf8')

/** Schemas from which generators make wrong types, each as a change to a valid document. */
const changes: Record<string, [from: string, to: string]> = {
  'operation-description': [
    "      description: The caller's own plan; 404 for a date without one. 400 for a date that does not exist in the calendar.\n",
    '',
  ],
  'body-is-named': ["schema: { $ref: '#/components/schemas/SetMealStatus' }", 'schema: { type: object }'],
  'numbers-have-names': ['      x-enum-varnames: [Success]\n', ''],
  'one-type': ["      type: [array, 'null']", "      type: [array, object, 'null']"],
  'distinct-component-names': ['    MealListResponse:\n', '    Meal:\n'],
  'declared-headers': ['        Vary: { $ref: ', '        Alter: { $ref: '],
}

t.test('a document that generators of clients get wrong is refused', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-rules-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const broken = Object.entries(changes).reduce((text, [rule, [from, to]]) => {
    t.ok(text.includes(from), rule)
    return text.replace(from, to)
  }, diet)
  const renamed = broken.replaceAll("responses/MealListResponse'", "responses/Meal'").replaceAll('CalendarDate', 'Date')
  const file = join(folder, 'diet.yaml')
  writeFileSync(file, renamed)
  const options = ['lint', '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet', file]
  const { stdout } = await run('node_modules/.bin/spectral', options).catch((error: { stdout: string }) => error)
  const found = (JSON.parse(stdout) as { code: string; message: string }[]).map(
    ({ code, message }) => `${code}: ${message}`,
  )
  t.same(found.toSorted(), [
    'body-is-named: the schema of a body must be a $ref',
    'declared-headers: may carry Vary and does not say so',
    'distinct-component-names: Date hides a built-in type',
    'distinct-component-names: Meal is the name of one of the responses too',
    'numbers-have-names: an enum of numbers needs x-enum-varnames',
    'oas3-unused-component: Potentially unused component has been detected.',
    'one-type: expected one type, or one and null',
    'operation-description: Operation "description" must be present and non-empty string.',
  ])
})
