import type { SourceRecord } from '../source.ts'

/** A JSON object of a response; its fields are unknown. */
export type JsonObject = SourceRecord

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object at `value`; an empty one when `value` is not an object. */
export const objectAt = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const textAt = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Platforms write an id as a number or as a string; '' when it is neither. */
export const idAt = (value: unknown): string =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textAt(value)

/** The ids of a list, or a single id; empty ones are left out. */
export const idsAt = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(idAt).filter((id) => id !== '')

/**
 * The departments of a person, by their own record; the one that was asked for its people where the record has none. A
 * response that belongs to another department, as of a cache in between, makes no one a member of this one.
 */
export const departmentsOf = (own: unknown, asked: readonly string[]): string[] => {
  const stated = idsAt(own ?? [])
  return [...new Set(stated.length > 0 ? stated : asked)]
}
