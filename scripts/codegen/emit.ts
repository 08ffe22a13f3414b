import type { Operation } from '../../src/contract/document.ts'
import type { Translated } from './operations.ts'
import { Constant, printValue } from './print.ts'

const header = (source: string): string => `// Generated from ${source} by scripts/codegen.ts. Do not edit.\n`

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const handlerType = ({ id, secured, stream, media }: Operation): string => {
  const operation = `operations['${id}']`
  const streamed = stream === undefined ? '' : `, Streamable<Data<${operation}>, '${stream}'>`
  const answer = media === undefined ? streamed : ', Content'
  return `${secured ? 'Handler' : 'PublicHandler'}<${operation}${answer}>`
}

const handlersInterface = (group: string, operations: readonly Operation[]): string => {
  const methods = operations.map(
    (operation) =>
      `  /** ${operation.summary.replaceAll('*/', '* /')} — ${operation.method} ${operation.path} */\n` +
      `  ${operation.id}: ${handlerType(operation)}\n`,
  )
  return `export interface ${pascalCase(group)}Handlers {\n${methods.join('')}}\n`
}

/** `src/generated/<name>.ts`: handler interfaces, shared schemas and the document itself. */
export const emitDocument = ({ document, constants }: Translated): string => {
  const { name, operations } = document
  const groups = [...new Set(operations.map(({ group }) => group))]
  const all = `${pascalCase(name)}Handlers`
  const handlers = operations.map(handlerType).join()
  const types = ['Content', 'Data', 'Handler', 'PublicHandler', 'Streamable'].filter((type) =>
    new RegExp(`\\b${type}[<>]`).test(handlers),
  )
  const declared = constants.map(([constant, schema]) => {
    const head = `const ${constant} = `
    return `${head}${printValue(schema, '', head.length)}\n`
  })
  const parts = [
    header(`openapi/${name}.yaml`) +
      `import type { ContractDocument } from '../contract/document.ts'\n` +
      `import type { ${types.join(', ')} } from '../contract/handler.ts'\n` +
      `import type { operations } from './${name}.types.ts'\n\n` +
      `export type { components, operations } from './${name}.types.ts'\n`,
    ...groups.map((group) =>
      handlersInterface(
        group,
        operations.filter((operation) => operation.group === group),
      ),
    ),
    `export interface ${all} {\n${groups.map((group) => `  ${group}: ${pascalCase(group)}Handlers\n`).join('')}}\n`,
    ...declared,
    `export const ${name}Document: ContractDocument<${all}> = ${printValue(document)}\n`,
  ]
  return parts.join('\n')
}

/** `src/generated/<name>.types.ts` */
export const emitTypes = (name: string, types: string): string => `${header(`openapi/${name}.yaml`)}${types}`

/** `src/generated/documents.ts`: all documents, for what concerns every operation. */
export const emitIndex = (names: readonly string[]): string => {
  const imports = names.map(
    (name) =>
      `import { ${name}Document } from './${name}.ts'\n` +
      `import type { operations as ${name}Operations } from './${name}.types.ts'\n`,
  )
  const list = names.map((name) => new Constant(`${name}Document`))
  return [
    `${header('openapi/*.yaml')}import type { ContractDocument } from '../contract/document.ts'\n${imports.join('')}`,
    `export const documents: readonly ContractDocument[] = ${printValue(list)}\n`,
    '/** Every operation of every document by its id. */\n' +
      `export type Operations = ${names.map((name) => `${name}Operations`).join(' & ')}\n`,
  ].join('\n')
}
