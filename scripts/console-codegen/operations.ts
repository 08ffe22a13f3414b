import type { ContractDocument } from '../../src/contract/document.ts'
import { printValue } from '../codegen/print.ts'
import { header } from './calls.ts'

/** What the documents say of every operation: where it stands in them, and what it does. */
export const operationsFile = (documents: readonly ContractDocument[]): string => {
  const facts = documents.flatMap(({ name, operations }) =>
    operations.map(({ id, tag, summary, secured }): [string, object] => [
      id,
      { document: name, tag, summary, ...(!secured && { open: true }) },
    ]),
  )
  return [
    `${header}import type { OperationId } from './calls.ts'\n`,
    'export interface OperationFacts {\n' +
      '  document: string\n' +
      '  tag: string\n' +
      '  /** In English. */\n' +
      '  summary: string\n' +
      '  /** No role has to grant it. */\n' +
      '  open?: true\n' +
      '}\n',
    `export const operationFacts = ${printValue(Object.fromEntries(facts))} as const satisfies Record<OperationId, OperationFacts>\n`,
    "export type DocumentName = (typeof operationFacts)[OperationId]['document']\n" +
      "export type Tag = (typeof operationFacts)[OperationId]['tag']\n",
  ].join('\n')
}
