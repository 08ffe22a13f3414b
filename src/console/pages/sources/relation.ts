import type { Data } from '../../app/api.ts'
import { mappedGroupFields, mappedUserFields } from '../../generated/record-fields.ts'

export type Kind = 'users' | 'groups'
export type Relation = Data<'listFieldRelations'>[number]
export type Attributes = Readonly<Record<string, string>>
export type Mapped = Data<'previewMapping'>[number]

/** The fields that a source can fill; the first one is required. */
export const mappedFields = {
  users: [...mappedUserFields, 'posixNumber'],
  groups: [...mappedGroupFields, 'posixNumber'],
} as const satisfies Record<Kind, readonly string[]>

/** The flag of the field relation of a slot's people or departments: `exta_user`. */
export const flagOf = (source: string, kind: Kind): string => `${source}_${kind === 'users' ? 'user' : 'group'}`

/**
 * The fields of a relation in their order; others, which have no effect, come last.
 * @param known those that a source can fill
 */
export const inOrder = (known: readonly string[], attributes: Attributes): string[] => {
  const names = Object.keys(attributes)
  return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))]
}

export const isSame = (one: Attributes, other: Attributes): boolean => {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
