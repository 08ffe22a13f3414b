/**
 * openapi/*.yaml → src/generated/*.ts. With --check nothing is written: fails when a file is stale, missing, or should
 * not be there.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Contract, generate } from './codegen/generate.ts'
import { ContractError } from './codegen/source.ts'

const root = new URL('../', import.meta.url)
const contractFolder = new URL('openapi/', root)
const generatedFolder = new URL('src/generated/', root)

const contracts: Contract[] = readdirSync(contractFolder)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    file: `openapi/${file}`,
    text: readFileSync(new URL(file, contractFolder), 'utf8'),
  }))

const main = async (): Promise<void> => {
  const files = await generate(contracts)
  mkdirSync(generatedFolder, { recursive: true })
  const existing = readdirSync(generatedFolder)
  const stale = [...files].filter(
    ([file, content]) => !existing.includes(file) || readFileSync(new URL(file, generatedFolder), 'utf8') !== content,
  )
  const surplus = existing.filter((file) => !files.has(file))
  if (process.argv.includes('--check')) {
    for (const [file] of stale) console.error(`src/generated/${file} is stale: run npm run generate`)
    for (const file of surplus) console.error(`src/generated/${file} should not be there: run npm run generate`)
    if (stale.length + surplus.length > 0) process.exitCode = 1
    return
  }
  for (const [file, content] of stale) writeFileSync(new URL(file, generatedFolder), content)
  for (const file of surplus) rmSync(new URL(file, generatedFolder))
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ContractError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
