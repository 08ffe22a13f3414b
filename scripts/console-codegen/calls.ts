import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { printValue } from '../codegen/print.ts'

export const header = '// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.\n'

const needed = ({ schema }: Operation): string[] => {
  const required = (schema.querystring?.required ?? []) as string[]
  const properties = (schema.querystring?.properties ?? {}) as Record<string, { default?: unknown }>
  return required.filter((name) => properties[name]?.default === undefined)
}

/** How to call every operation, and the types of what is sent and answered. */
export const callsFile = (documents: readonly ContractDocument[]): string => {
  const calls = documents.flatMap((document) =>
    document.operations.map((operation): [string, object] => [
      operation.id,
      {
        method: operation.method,
        url: `${document.prefix}${operation.path}`,
      },
    ]),
  )
  const queries = documents.flatMap(({ operations }) =>
    operations
      .filter((operation) => needed(operation).length > 0)
      .map((operation) => [operation.id, needed(operation)]),
  ) as [string, string[]][]
  return [
    header +
      documents
        .map(({ name }) => `import type { operations as ${name}Operations } from '../../generated/${name}.types.ts'\n`)
        .join(''),
    '/** Every operation of every document by its id. */\n' +
      `export type Operations = ${documents.map(({ name }) => `${name}Operations`).join(' & ')}\n`,
    'export type OperationId = keyof typeof calls\n',
    '/** The query parameters that an operation needs; all others have a default or may be absent. */\n' +
      `export interface NeededQuery {\n${queries.map(([id, names]) => `  ${id}: ${names.map((name) => `'${name}'`).join(' | ')}\n`).join('')}}\n`,
    'export interface Call {\n' +
      "  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'\n" +
      '  /** Below BASE_PATH; names in braces are parameters. */\n' +
      '  url: string\n' +
      '}\n',
    `export const calls = ${printValue(Object.fromEntries(calls))} as const satisfies Record<string, Call>\n`,
  ].join('\n')
}
