import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'
import { type Description, describe, describeAny } from '../schema/attribute-types.ts'
import type { Value } from '../value.ts'
import { checkSchema } from './check-schema.ts'
import type { AttributeMap } from './entry.ts'
import { storedValueKey, valueKey } from './value-key.ts'

/**
 * How names and values become attributes. What clients send must follow the schema. What is stored already was admitted
 * before, perhaps when there was no schema, and is accepted unchanged.
 */
export interface AdmissionRules {
  describe(name: string): Description
  /** @throws LdapError invalidAttributeSyntax where it is not a value of that type */
  key(description: Description, value: Value, index: number): string
  /** Checks the whole entry against its classes; see check-schema.ts. */
  check(attributes: AttributeMap, before: AttributeMap | null): void
  /** Whether a change that does not fit the entry is refused. */
  strict: boolean
}

/** Of changes that clients ask for. */
export const clientRules: AdmissionRules = {
  describe,
  key(description, value, index) {
    const key = valueKey(description.type, value)
    if (key !== null) return key
    throw new LdapError(resultCodes.invalidAttributeSyntax, `${description.name}: value #${index} invalid per syntax`)
  },
  check: checkSchema,
  strict: true,
}

/** Of what is stored already. */
export const storedRules: AdmissionRules = {
  describe: describeAny,
  key: ({ type }, value) => storedValueKey(type, value),
  check: () => {},
  strict: false,
}
