// Generated from openapi/*.yaml by scripts/codegen.ts. Do not edit.
import type { ContractDocument } from '../contract/document.ts'
import { directoryDocument } from './directory.ts'
import type { operations as directoryOperations } from './directory.types.ts'

export const documents: readonly ContractDocument[] = [directoryDocument]

/** Every operation of every document by its id. */
export type Operations = directoryOperations
