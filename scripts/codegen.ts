/**
 * openapi/*.yaml → src/generated/*.ts and openapi/published/*.json. With --check nothing is written: fails when a file is
 * stale, missing, or should not be there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareFolder, updateFolder } from './codegen/folder.ts'
import { type Contract, generate } from './codegen/generate.ts'
import { publish } from './codegen/publish.ts'
import { ContractError } from './codegen/source.ts'

const project = new URL('../', import.meta.url)
const contractFolder = new URL('openapi/', project)

const contracts: Contract[] = readdirSync(contractFolder)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    file: `openapi/${file}`,
    text: readFileSync(new URL(file, contractFolder), 'utf8'),
  }))

const bring = (folder: string, files: ReadonlyMap<string, string>): void => {
  const path = fileURLToPath(new URL(folder, project))
  const difference = compareFolder(path, files)
  if (!process.argv.includes('--check')) {
    updateFolder(path, difference)
    return
  }
  const { stale, surplus } = difference
  for (const [file] of stale) console.error(`${folder}/${file} is stale: run npm run generate`)
  for (const file of surplus) console.error(`${folder}/${file} should not be there: run npm run generate`)
  if (stale.length + surplus.length > 0) process.exitCode = 1
}

try {
  bring('src/generated', await generate(contracts))
  bring('openapi/published', publish(contracts))
} catch (error) {
  if (!(error instanceof ContractError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
