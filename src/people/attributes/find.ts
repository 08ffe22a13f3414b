import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Principal } from '../../contract/handler.ts'
import type { Db } from '../../db/client.ts'
import { containing, contains } from '../../db/like.ts'
import { reasons } from '../reasons.ts'
import { isShort } from '../short-search.ts'
import { declaredOf, maySee, type RecordKind } from './declared.ts'

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

/**
 * A query of a list with the declared attributes that it is about, as far as the caller may see them.
 * @throws AppError (invalid) naming `attribute` for one that the caller does not know
 */
export const withAttributes = async <Query extends { q?: string; attribute?: string }>(
  db: Db,
  kind: RecordKind,
  query: Query,
  user: Principal,
): Promise<Omit<Query, 'attribute'> & { having?: Having; searchedAttributes?: string[] }> => {
  const { attribute, ...rest } = query
  if (!attribute && (query.q === undefined || isShort(query.q))) return rest
  const seen = (await declaredOf(db, kind)).filter((each) => maySee(each, user, 'others'))
  const searchedAttributes = seen.flatMap(({ name, searched }) => (searched ? [name] : []))
  if (!attribute) return { ...rest, searchedAttributes }
  const at = attribute.indexOf('=')
  const [name, text] = [attribute.slice(0, at), attribute.slice(at + 1)]
  if (!seen.some((each) => each.name === name)) throw reasons.attribute_unknown.at('attribute')
  return { ...rest, searchedAttributes, having: { name, text } }
}
