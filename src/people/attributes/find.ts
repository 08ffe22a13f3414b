import { and, type Column, or, type SQL, sql } from 'drizzle-orm'
import type { Principal } from '../../contract/handler.ts'
import type { Db } from '../../db/client.ts'
import { containing, contains } from '../../db/like.ts'
import { users } from '../../db/schema.ts'
import type { components } from '../../generated/operations.types.ts'
import type { RecordKind } from '../../mirror/touch.ts'
import { reasons } from '../reasons.ts'
import { isShort } from '../short-search.ts'
import { type Declared, declaredOf, maySee } from './declared.ts'

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
 * Attributes that the caller may see in the records of others, and not in their own: a list has both kinds of records.
 */
export interface OwnHidden {
  names: readonly string[]
  /** The condition for a record that is not the caller's own. */
  ofOthers: SQL
}

/**
 * Whether one of these attributes contains the text; undefined: no search is made. The index needs three characters.
 * @param names those of searched attributes that the caller may see
 */
export const searchedIn = (
  attributes: Column,
  { searchedAttributes: names = [], ownHidden }: Partial<OfAttributes>,
  q: string,
): SQL | undefined => {
  if (isShort(q)) return undefined
  const isHidden = (name: string): boolean => ownHidden?.names.includes(name) ?? false
  const [open, hidden] = [names.filter((name) => !isHidden(name)), names.filter(isHidden)]
  return or(
    open.length > 0 ? valueContaining(attributes, open, q) : undefined,
    hidden.length > 0 ? and(ownHidden?.ofOthers, valueContaining(attributes, hidden, q)) : undefined,
  )
}

/** Whether the attribute contains the text, or has any value where the text is empty. */
export const filteredBy = (attributes: Column, { having, ownHidden }: Partial<OfAttributes>): SQL | undefined => {
  if (having === undefined) return undefined
  const { name, text } = having
  const has =
    text === ''
      ? sql`(${attributes} <> '{}'::jsonb and jsonb_array_length(coalesce(${attributes}->${name}::text, '[]')) > 0)`
      : valueContaining(attributes, [name], text)
  return ownHidden?.names.includes(name) ? and(ownHidden.ofOthers, has) : has
}

/** What a caller may see of declared attributes in a list. */
export interface SeenAttributes {
  /** Those that they may see in records of others, by name. */
  seen: readonly Declared[]
  /** Left out where no attribute is. */
  ownHidden?: OwnHidden
}

export const seenAttributes = async (db: Db, kind: RecordKind, user: Principal): Promise<SeenAttributes> => {
  const seen = (await declaredOf(db, kind)).filter((each) => maySee(each, user, 'others'))
  if (kind === 'group') return { seen }
  const names = seen.flatMap((each) => (maySee(each, user, 'own') ? [] : [each.name]))
  return names.length === 0 ? { seen } : { seen, ownHidden: { names, ofOthers: sql`${users.id} <> ${user.userId}` } }
}

/** Those attributes as a list tells of them. */
export const listed = ({ seen }: SeenAttributes): components['schemas']['ListedAttributes'] =>
  seen.map(({ name, labelEn, labelZh, type, multiple }) => ({
    name,
    labels: { en: labelEn, 'zh-CN': labelZh },
    type,
    multiple,
  }))

/** What a search looks into. */
export const searchedAmong = ({
  seen,
  ...rest
}: SeenAttributes): Pick<OfAttributes, 'searchedAttributes' | 'ownHidden'> => ({
  ...rest,
  searchedAttributes: seen.flatMap(({ name, searched }) => (searched ? [name] : [])),
})

/** What a query of a list says of declared attributes. */
export interface OfAttributes {
  having: Having
  /** The names of those that `q` is searched in. */
  searchedAttributes: readonly string[]
  /** The names of those whose values are shown. */
  shown: readonly string[]
  ownHidden?: OwnHidden
}

/**
 * A query of a list with what it says of declared attributes.
 * @param attributes those that the caller may see
 * @throws AppError (invalid) naming `attribute` for one that is not among them
 */
export const withAttributes = <Query extends { attribute?: string; show?: string }>(
  attributes: SeenAttributes,
  query: Query,
): Omit<Query, 'attribute' | 'show'> & Partial<OfAttributes> => {
  const { attribute, show, ...rest } = query
  const { seen } = attributes
  const asked = show?.split(',') ?? []
  const shown = seen.flatMap(({ name }) => (asked.includes(name) ? [name] : []))
  const known = { ...rest, ...searchedAmong(attributes), shown }
  if (!attribute) return known
  const at = attribute.indexOf('=')
  const [name, text] = [attribute.slice(0, at), attribute.slice(at + 1)]
  if (!seen.some((each) => each.name === name)) throw reasons.attribute_unknown.at('attribute')
  return { ...known, having: { name, text } }
}

/** The values of these attributes, by name, as JSON; those without a value are left out. */
export const shownValues = (
  attributes: Column,
  { shown: names = [], ownHidden }: Pick<Partial<OfAttributes>, 'shown' | 'ownHidden'>,
): SQL => {
  if (names.length === 0) return sql`'{}'::json`
  const isAmong = (some: readonly string[]): SQL =>
    sql`a.name in (select jsonb_array_elements_text(${JSON.stringify(some)}::jsonb))`
  const isOpen = ownHidden && sql`(${ownHidden.ofOthers} or not ${isAmong(ownHidden.names)})`
  return sql`(select coalesce(json_object_agg(a.name, a.list), '{}'::json) from jsonb_each(${attributes}) as a (name, list)
    where ${and(isAmong(names), isOpen)} and a.list <> '[]'::jsonb)`
}
