import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Principal } from '../../contract/handler.ts'
import type { Db } from '../../db/client.ts'
import { containing, contains } from '../../db/like.ts'
import type { components } from '../../generated/operations.types.ts'
import { reasons } from '../reasons.ts'
import { isShort } from '../short-search.ts'
import { type Declared, declaredOf, maySee, type RecordKind } from './declared.ts'

/** A declared attribute and a part of its value; an empty text: any value. */
export interface Having {
  name: string
  text: string
}

/** A text as it stands in JSON, without the quotes: the index covers the values as one text. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const valueContaining = (attributes: Column, names: readonly string[], text: string): SQL => sql`(
  ${attributes} <> '{}'::jsonb and ${contains(sql`${attributes}::text`, inJson(text))} and exists (
    select from jsonb_each(${attributes}) as a (name, list) cross join lateral jsonb_array_elements_text(a.list) as v (text)
    where a.name in (select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))
      and v.text ilike ${containing(text)}))`

/**
 * Whether one of these attributes contains the text; null: no search is made. The index needs three characters.
 * @param names those of searched attributes that the caller may see
 */
export const searchedIn = (attributes: Column, names: readonly string[], q: string): SQL | undefined =>
  names.length === 0 || isShort(q) ? undefined : valueContaining(attributes, names, q)

/** Whether this attribute contains the text, or has any value where the text is empty. */
export const filteredBy = (attributes: Column, name: string, text: string): SQL =>
  text === ''
    ? sql`(${attributes} <> '{}'::jsonb and jsonb_array_length(coalesce(${attributes}->${name}::text, '[]')) > 0)`
    : valueContaining(attributes, [name], text)

/** The declared attributes that the caller may see in records of others, by name. */
export const seenAttributes = async (db: Db, kind: RecordKind, user: Principal): Promise<Declared[]> =>
  (await declaredOf(db, kind)).filter((each) => maySee(each, user, 'others'))

/** Those attributes as a list tells of them. */
export const listed = (seen: readonly Declared[]): components['schemas']['ListedAttributes'] =>
  seen.map(({ name, labelEn, labelZh, type, multiple }) => ({
    name,
    labels: { en: labelEn, 'zh-CN': labelZh },
    type,
    multiple,
  }))

/** The names of those that a search looks into. */
export const searchedAmong = (seen: readonly Declared[]): string[] =>
  seen.flatMap(({ name, searched }) => (searched ? [name] : []))

/** What a query of a list says of declared attributes. */
export interface OfAttributes {
  having: Having
  /** The names of those that `q` is searched in. */
  searchedAttributes: readonly string[]
  /** The names of those whose values are shown. */
  shown: readonly string[]
}

/**
 * A query of a list with what it says of declared attributes.
 * @param seen those that the caller may see
 * @throws AppError (invalid) naming `attribute` for one that is not among them
 */
export const withAttributes = <Query extends { attribute?: string; show?: string }>(
  seen: readonly Declared[],
  query: Query,
): Omit<Query, 'attribute' | 'show'> & Partial<OfAttributes> => {
  const { attribute, show, ...rest } = query
  const searchedAttributes = searchedAmong(seen)
  const asked = show?.split(',') ?? []
  const shown = seen.flatMap(({ name }) => (asked.includes(name) ? [name] : []))
  if (!attribute) return { ...rest, searchedAttributes, shown }
  const at = attribute.indexOf('=')
  const [name, text] = [attribute.slice(0, at), attribute.slice(at + 1)]
  if (!seen.some((each) => each.name === name)) throw reasons.attribute_unknown.at('attribute')
  return { ...rest, searchedAttributes, shown, having: { name, text } }
}

/** The values of these attributes, by name, as JSON; those without a value are left out. */
export const shownValues = (attributes: Column, names: readonly string[]): SQL =>
  names.length === 0
    ? sql`'{}'::json`
    : sql`(select coalesce(json_object_agg(a.name, a.list), '{}'::json) from jsonb_each(${attributes}) as a (name, list)
        where a.name in (select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)) and a.list <> '[]'::jsonb)`
