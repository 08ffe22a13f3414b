/**
 * openapi/*.yaml → src/generated/*.ts. With --check nothing is written: fails when a file is stale, missing, or should
 * not be there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareFolder, updateFolder } from './codegen/folder.ts'
import { type Contract, generate } from './codegen/generate.ts'
import { ContractError } from './codegen/source.ts'

const contractFolder = new URL('../openapi/', import.meta.url)
const generatedFolder = fileURLToPath(new URL('../src/generated', import.meta.url))

const contracts: Contract[] = readdirSync(contractFolder)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    file: `openapi/${file}`,
    text: readFileSync(new URL(file, contractFolder), 'utf8'),
  }))

try {
  const difference = compareFolder(generatedFolder, await generate(contracts))
  if (process.argv.includes('--check')) {
    const { stale, surplus } = difference
    for (const [file] of stale) console.error(`src/generated/${file} is stale: run npm run generate`)
    for (const file of surplus) console.error(`src/generated/${file} should not be there: run npm run generate`)
    if (stale.length + surplus.length > 0) process.exitCode = 1
  } else updateFolder(generatedFolder, difference)
} catch (error) {
  if (!(error instanceof ContractError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
