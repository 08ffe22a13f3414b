// Generated from openapi/*.yaml by scripts/codegen.ts. Do not edit.
import type { ContractDocument } from '../contract/document.ts'
import { dietDocument } from './diet.ts'
import type { operations as dietOperations } from './diet.types.ts'
import { directoryDocument } from './directory.ts'
import type { operations as directoryOperations } from './directory.types.ts'
import { operationsDocument } from './operations.ts'
import type { operations as operationsOperations } from './operations.types.ts'
import { securityDocument } from './security.ts'
import type { operations as securityOperations } from './security.types.ts'

export const documents: readonly ContractDocument[] = [dietDocument, directoryDocument, operationsDocument, securityDocument]

/** Every operation of every document by its id. */
export type Operations = dietOperations & directoryOperations & operationsOperations & securityOperations
