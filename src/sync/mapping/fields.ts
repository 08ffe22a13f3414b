import type { Schema } from '../../contract/document.ts'
import { reasons as contract } from '../../contract/reasons.ts'
import { textProblem } from '../../contract/text.ts'
import { mappedGroupFields, mappedUserFields, userFields } from '../../db/tables/fields.ts'
import type { Statement } from '../../failures/statement.ts'
import { reasonStated, statementOf } from '../../failures/statement-table.ts'
import { directoryDocument } from '../../generated/directory.ts'
import { nameProblem } from '../../ldap/field-values.ts'
import { usableNumber } from '../../mirror/ledger/posix-numbers.ts'
import { acceptedValues, type Bounds } from '../../people/attributes/values.ts'
import { textPatterns, textRefusals } from '../../text/text-patterns.ts'
import type { RunKind } from '../run-request.ts'
import { statements } from '../statements.ts'

/** A field of ours that can be mapped. */
export interface Field {
  name: string
  /** It takes a list too, each value in a line of the text. */
  multiple?: boolean
  /** Without it a record cannot be imported. */
  required: boolean
  /** The value in the form that is imported. */
  clean: (value: string) => string
  /** The problem of a value; null: it is valid. */
  problem: (value: string) => Statement | null
}

/** The fields that identify records by name. */
export const nameFields = { users: 'username', groups: 'groupName' } as const

interface Rules {
  min: number
  /** Characters. */
  max: number
  pattern: string
}

const isRecord = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** What the contract allows for a new record. */
const contractRules = (operationId: 'addUser' | 'addGroup', name: string): Rules => {
  const body = directoryDocument.operations.find(({ id }) => id === operationId)?.schema.body
  const schema = isRecord(body?.properties) ? body.properties[name] : undefined
  const { minLength = 0, maxLength, pattern } = isRecord(schema) ? schema : {}
  if (typeof minLength !== 'number' || typeof maxLength !== 'number' || typeof pattern !== 'string') {
    throw new Error(`${operationId} in directory.yaml needs a maxLength and a pattern for ${name}`)
  }
  return { min: minLength, max: maxLength, pattern }
}

/** The length as the contract counts it: in code points. A text that is far too long is not counted. */
const length = (text: string, limit: number): number => (text.length > 2 * limit ? text.length : [...text].length)

/** Spaces around an address or a number mean nothing; a line of spaces alone is empty. */
const cleaned = (pattern: string, value: string): string => {
  if (pattern === textPatterns.lines) return value
  const trimmed = value.trim()
  return trimmed === '' || pattern === textPatterns.mail || pattern === textPatterns.mobile ? trimmed : value
}

const field = (name: string, required: boolean, { min, max, pattern }: Rules): Field => {
  const expected = new RegExp(pattern, 'u')
  return {
    name,
    required,
    clean: (value) => cleaned(pattern, value),
    problem(value) {
      if (value === '' && min === 1) return reasonStated(contract.empty)
      if (min > 1 && length(value, min) < min) return reasonStated(contract.too_short, { count: min })
      if (value.length > max && length(value, max) > max) return reasonStated(contract.too_long, { count: max })
      if (!expected.test(value)) {
        const refusal = textRefusals.get(pattern)
        return refusal === undefined ? statements.not_valid() : reasonStated(refusal)
      }
      const found = textProblem(value) ?? (required ? nameProblem(value) : null)
      return found === null ? null : reasonStated(found)
    },
  }
}

const userRules = (name: (typeof mappedUserFields)[number]): Rules => {
  const rules = contractRules('addUser', name)
  const declared = userFields[name]
  return 'longestMapped' in declared ? { ...rules, max: declared.longestMapped } : rules
}

/** Characters of the fields that name records. */
export const longestNames: Readonly<Record<RunKind, number>> = {
  users: userRules(nameFields.users).max,
  groups: contractRules('addGroup', nameFields.groups).max,
}

/** The field by which a source gives the number of a POSIX account or group; see posix-numbers.ts. */
export const posixNumberField = 'posixNumber'

const posixNumber: Field = {
  name: posixNumberField,
  required: false,
  clean: (value) => value.trim(),
  problem: (value) => (value === '' || usableNumber(value) !== null ? null : statements.not_posix_number()),
}

/** The fields of people and of groups that a source may fill, with the contract's lengths and patterns. */
export const fields: Readonly<Record<RunKind, readonly Field[]>> = {
  users: [...mappedUserFields.map((name) => field(name, name === nameFields.users, userRules(name))), posixNumber],
  groups: [
    ...mappedGroupFields.map((name) => field(name, name === nameFields.groups, contractRules('addGroup', name))),
    posixNumber,
  ],
}

/** A declared attribute as a field: its values are the lines of the text. */
export const declaredField = (declared: Bounds & { name: string }): Field => {
  const check = (text: string) => acceptedValues(declared.name, text.split('\n'), declared)
  return {
    name: declared.name,
    required: false,
    multiple: declared.multiple,
    clean: (text) => {
      const { values, problems } = check(text)
      return problems.length === 0 ? values.join('\n') : text
    },
    problem: (text) => {
      const [found] = check(text).problems
      return found === undefined ? null : statementOf(found)
    },
  }
}
