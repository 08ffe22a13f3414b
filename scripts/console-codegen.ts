/**
 * The contract → src/console/generated: how to call each operation, what it is, the fields of its form, its validator,
 * the fields of people and groups, and the codes of failures. It reads what scripts/codegen.ts made, so it runs after it. With --check nothing is
 * written: fails when a file is stale, missing, or should not be there.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { alertRules } from '../src/alerts/alert-rules.ts'
import { documents } from '../src/generated/documents.ts'
import { bringFolder } from './codegen/folder.ts'
import type { JsonObject } from './codegen/source.ts'
import { callsFile } from './console-codegen/calls.ts'
import { formFile, formTypesFile } from './console-codegen/forms.ts'
import { operationsFile } from './console-codegen/operations.ts'
import { alertRulesFile, reasonsFile, statementsFile } from './console-codegen/reasons.ts'
import { recordFieldsFile } from './console-codegen/record-fields.ts'
import { validatorFile } from './console-codegen/validators.ts'
import { reasonTables, statementTables } from './reasons/tables.ts'

const project = new URL('../', import.meta.url)

const published = new Map(
  documents.map(({ name }): [string, JsonObject] => [
    name,
    JSON.parse(readFileSync(new URL(`openapi/published/${name}.json`, project), 'utf8')),
  ]),
)

const files = new Map<string, string>([
  ['calls.ts', callsFile(documents)],
  ['form.ts', formTypesFile],
  ['operations.ts', operationsFile(documents)],
  ['record-fields.ts', recordFieldsFile],
  ['statement-codes.ts', statementsFile(await statementTables())],
  ['alert-rules.ts', alertRulesFile(Object.keys(alertRules))],
  ['reason-codes.ts', reasonsFile([...(await reasonTables()).values()].flat())],
])
for (const document of documents) {
  for (const operation of document.operations) {
    if (operation.schema.body === undefined) continue
    files.set(`forms/${operation.id}.ts`, formFile(operation, published.get(document.name) ?? {}))
    files.set(`validators/${operation.id}.ts`, validatorFile(operation))
  }
}

const problems = bringFolder(fileURLToPath(project), 'src/console/generated', files, {
  check: process.argv.includes('--check'),
})
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
