import { textProblem } from '../../contract/text.ts'
import { nameProblem } from '../../ldap/field-values.ts'
import type { Reason } from '../../reason-table.ts'
import { textPatterns, textRefusals } from '../../text/text-patterns.ts'
import type { RunKind } from '../sync.ts'

/** A field of ours that an expression can be given for. */
export interface Field {
  name: string
  /** Without it nothing can be made of a record. */
  required: boolean
  /** The value as it is taken over. */
  clean: (value: string) => string
  /** What is wrong with a value; null: nothing. */
  problem: (value: string) => string | null
}

type Kind = keyof typeof textPatterns

interface Rules {
  required?: boolean
  min?: number
  kind?: Kind
  rule?: (value: string) => Reason | null
}

/** Characters as the contract counts them: code points. A text that is far longer than it may be is not counted. */
const length = (text: string, limit: number): number => (text.length > 2 * limit ? text.length : [...text].length)

/** Spaces around an address or a number mean nothing; a line of nothing but spaces is empty. */
const cleaned = (kind: Kind, value: string): string => {
  const trimmed = value.trim()
  return trimmed === '' || kind === 'mail' || kind === 'mobile' ? trimmed : value
}

/** @param max characters */
const field = (name: string, max: number, { required = false, min = 0, kind = 'text', rule }: Rules = {}): Field => {
  const pattern = new RegExp(textPatterns[kind], 'u')
  return {
    name,
    required,
    clean: (value) => (kind === 'lines' ? value : cleaned(kind, value)),
    problem(value) {
      if (value === '' && min === 1) return 'must not be empty'
      if (min > 1 && length(value, min) < min) return `must have at least ${min} characters`
      if (value.length > max && length(value, max) > max) return `must have at most ${max} characters`
      if (!pattern.test(value)) return textRefusals.get(textPatterns[kind])?.row.text ?? 'is not valid'
      return (textProblem(value) ?? rule?.(value))?.row.text ?? null
    },
  }
}

/**
 * The fields of people and of groups, with the contract's lengths and patterns (AddUser, AddGroup in directory.yaml) but
 * for the nickname: people with long names are not left without one.
 */
export const fields: Readonly<Record<RunKind, readonly Field[]>> = {
  users: [
    field('username', 50, { required: true, min: 2, kind: 'name', rule: nameProblem }),
    field('nickname', 255),
    field('givenName', 50),
    field('mail', 100, { kind: 'mail' }),
    field('mobile', 50, { kind: 'mobile' }),
    field('jobNumber', 20),
    field('avatar', 2048, { kind: 'line' }),
    field('introduction', 255, { kind: 'lines' }),
    field('position', 128),
    field('postalAddress', 255, { kind: 'lines' }),
    field('departments', 512),
  ],
  groups: [
    field('groupName', 128, { required: true, min: 1, kind: 'name', rule: nameProblem }),
    field('remark', 128, { kind: 'lines' }),
  ],
}
