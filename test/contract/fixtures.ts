import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { generate } from '../../scripts/codegen/generate.ts'
import type { ContractDocument } from '../../src/contract/document.ts'

const folder = new URL('../fixtures/contract/', import.meta.url)

export const fixtureText = (name: string): string => readFileSync(new URL(`${name}.yaml`, folder), 'utf8')

/** The files that codegen generates from fixture contracts: file name → content. */
export const generateFixtures = (...names: string[]): Promise<Map<string, string>> =>
  generate(names.map((name) => ({ name, file: `${name}.yaml`, text: fixtureText(name) })))

const imported = new Map<string, Promise<ContractDocument<never>>>()

/** A generated fixture as the service would import it. */
export const fixtureDocument = (name: string): Promise<ContractDocument<never>> => {
  const document = imported.get(name) ?? importFixture(name)
  imported.set(name, document)
  return document
}

const importFixture = async (name: string): Promise<ContractDocument<never>> => {
  const source = (await generateFixtures(name)).get(`${name}.ts`) ?? ''
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  const module: Record<string, ContractDocument<never>> = await import(
    `data:text/javascript,${encodeURIComponent(outputText)}`
  )
  return module[`${name}Document`] as ContractDocument<never>
}
