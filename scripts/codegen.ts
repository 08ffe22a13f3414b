/**
 * openapi/*.yaml → src/generated/*.ts and openapi/published/*.json. With --check nothing is written: fails when a file is
 * stale, missing, or should not be there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bringFolder } from './codegen/folder.ts'
import { type Contract, generate } from './codegen/generate.ts'
import { publish } from './codegen/publish.ts'
import { ContractError } from './codegen/source.ts'

const project = fileURLToPath(new URL('../', import.meta.url))
const contractFolder = new URL('../openapi/', import.meta.url)

const contracts: Contract[] = readdirSync(contractFolder)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    file: `openapi/${file}`,
    text: readFileSync(new URL(file, contractFolder), 'utf8'),
  }))

const check = process.argv.includes('--check')

try {
  const problems = [
    ...bringFolder(project, 'src/generated', await generate(contracts), { check }),
    ...bringFolder(project, 'openapi/published', publish(contracts), { check }),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
} catch (error) {
  if (!(error instanceof ContractError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
