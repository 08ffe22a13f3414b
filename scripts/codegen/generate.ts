import { emitDocument, emitIndex, emitTypes } from './emit.ts'
import { refuseUnknownExtensions } from './extensions.ts'
import { translateDocument } from './operations.ts'
import { ContractError, readSource } from './source.ts'
import { typesOf } from './types.ts'

export interface Contract {
  /** `directory` for `openapi/directory.yaml` */
  name: string
  /** The file's name as problems report it. */
  file: string
  /** The YAML text. */
  text: string
}

/**
 * Turns the contract's documents into the files of `src/generated`: file name → content, in a fixed order.
 * @throws ContractError with all problems of all documents.
 */
export const generate = async (contracts: readonly Contract[]): Promise<Map<string, string>> => {
  const files = new Map<string, string>()
  const problems: string[] = []
  const owners = new Map<string, string>()
  for (const { name, file, text } of contracts) {
    const source = readSource(name, file, text)
    if (source.problems.length === 0) {
      refuseUnknownExtensions(source)
      const translated = translateDocument(source)
      for (const { id, path, method } of translated.document.operations) {
        const owner = owners.get(id)
        if (owner !== undefined) {
          source.refuse(['paths', path, method.toLowerCase(), 'operationId'], `${id} is taken by ${owner}`)
        }
        owners.set(id, `${file} ${method} ${path}`)
      }
      if (source.problems.length === 0) {
        files.set(`${name}.ts`, emitDocument(translated))
        files.set(`${name}.types.ts`, emitTypes(name, await typesOf(source.root)))
      }
    }
    problems.push(...source.problems)
  }
  if (problems.length > 0) throw new ContractError(problems)
  files.set('documents.ts', emitIndex(contracts.map(({ name }) => name)))
  return files
}
