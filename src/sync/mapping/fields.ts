import { mailProblem, mobileProblem, nameProblem } from '../../ldap/field-values.ts'
import type { RunKind } from '../sync.ts'

/** A field of ours that an expression can be given for. */
export interface Field {
  name: string
  /** Without it nothing can be made of a record. */
  required: boolean
  /** What is wrong with a value; null: nothing. */
  problem: (value: string) => string | null
}

interface Rules {
  required?: boolean
  min?: number
  lines?: boolean
  rule?: (value: string) => string | null
}

/** Neither SQL nor the directory holds a NUL or half of a surrogate pair; nobody sees any other control character. */
const unwanted = /[\p{Cc}\p{Surrogate}]/u
const unwantedInLines = /(?![\t\n\r])[\p{Cc}\p{Surrogate}]/u

/** Characters as the contract counts them: code points. A text that is far longer than it may be is not counted. */
const length = (text: string, limit: number): number => (text.length > 2 * limit ? text.length : [...text].length)

/** @param max characters */
const field = (name: string, max: number, { required = false, min = 0, lines = false, rule }: Rules = {}): Field => {
  const refused = lines ? unwantedInLines : unwanted
  return {
    name,
    required,
    problem(value) {
      if (value === '' && min === 1) return 'must not be empty'
      if (min > 1 && length(value, min) < min) return `must have at least ${min} characters`
      if (value.length > max && length(value, max) > max) return `must have at most ${max} characters`
      if (refused.test(value)) return 'must not contain control characters or halves of characters'
      return rule?.(value) ?? null
    },
  }
}

/**
 * The fields of people and of groups, with the contract's lengths (AddUser, AddGroup in directory.yaml) but for the
 * nickname: people with long names are not left without one.
 */
export const fields: Readonly<Record<RunKind, readonly Field[]>> = {
  users: [
    field('username', 50, { required: true, min: 2, rule: nameProblem }),
    field('nickname', 255),
    field('givenName', 50),
    field('mail', 100, { rule: mailProblem }),
    field('mobile', 50, { rule: mobileProblem }),
    field('jobNumber', 20),
    field('avatar', 2048),
    field('introduction', 255, { lines: true }),
    field('position', 128),
    field('postalAddress', 255, { lines: true }),
    field('departments', 512),
  ],
  groups: [
    field('groupName', 128, { required: true, min: 1, rule: nameProblem }),
    field('remark', 128, { lines: true }),
  ],
}
