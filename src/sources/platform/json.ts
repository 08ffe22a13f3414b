import type { SourceRecord } from '../source.ts'

/** A JSON object of an answer; nothing is known of its fields. */
export type JsonObject = SourceRecord

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object at `value`; an empty one when there is none. */
export const objectAt = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The objects of a list; null when `value` is no list, or holds anything else. */
export const objectsAt = (value: unknown): JsonObject[] | null =>
  Array.isArray(value) && value.every(isObject) ? value : null

export const textAt = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Platforms write one id as a number here and as a string there; '' when it is neither. */
export const idAt = (value: unknown): string =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textAt(value)

/** The ids of a list, or the one id that stands alone; empty ones are left out. */
export const idsAt = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(idAt).filter((id) => id !== '')
