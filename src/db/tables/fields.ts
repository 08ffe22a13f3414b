import { text } from 'drizzle-orm/pg-core'
import { optional } from './columns.ts'

const required = () => text().notNull()

/**
 * A text that people or groups are made of. It is declared here once; what it may hold (length, pattern) is said by the
 * contract, in AddUser and AddGroup of directory.yaml. Records, inputs, filters of lists, the search index, field
 * relations, plans and runs of sources, and directory entries follow from both, or do not compile.
 */
interface Field {
  column: ReturnType<typeof optional> | ReturnType<typeof required>
  /** Whether the field relation of a source may fill it. */
  mapped: boolean
  /** Characters that are taken from a source where callers may send fewer: a long name is not lost. */
  longestMapped?: number
  /** Whether lists are filtered by a part of it; the search index covers it then. */
  searched: boolean
  /** The unique index, where no two records have the same. */
  unique?: string
  /**
   * The attribute that the directory entry shows it in and that shows nothing else; null: the entry does not show it.
   * Where a field that has values gets one, raise `shapeVersion` (see mirror/entry/entry-shape.ts).
   */
  attribute: string | null
  /** The attribute has the syntax Postal Address. */
  postal?: true
  /** It stays on the entry of a person who is disabled. */
  staysParked?: true
}

type Fields = Readonly<Record<string, Field>>

export const userFields = {
  username: {
    column: required(),
    unique: 'users_username_key',
    mapped: true,
    searched: true,
    attribute: 'uid',
    staysParked: true,
  },
  nickname: {
    column: required(),
    mapped: true,
    longestMapped: 255,
    searched: true,
    attribute: 'displayName',
    staysParked: true,
  },
  givenName: { column: optional(), mapped: true, searched: true, attribute: 'givenName', staysParked: true },
  mail: { column: optional(), unique: 'users_mail_key', mapped: true, searched: true, attribute: 'mail' },
  mobile: { column: optional(), unique: 'users_mobile_key', mapped: true, searched: true, attribute: 'mobile' },
  jobNumber: {
    column: optional(),
    unique: 'users_job_number_key',
    mapped: true,
    searched: true,
    attribute: 'employeeNumber',
    staysParked: true,
  },
  avatar: { column: optional(), mapped: true, searched: false, attribute: null },
  introduction: { column: optional(), mapped: true, searched: false, attribute: 'description' },
  position: { column: optional(), mapped: true, searched: false, attribute: 'title' },
  postalAddress: { column: optional(), mapped: true, searched: false, attribute: 'postalAddress', postal: true },
  /** A text of its own; the entry shows the names of the groups instead. */
  departments: { column: optional(), mapped: true, searched: false, attribute: null },
} as const satisfies Fields

export const groupFields = {
  /** `ou` or `cn` on the entry, by the type of the group. */
  groupName: { column: required(), unique: 'groups_name_key', mapped: true, searched: true, attribute: null },
  remark: { column: optional(), mapped: true, searched: true, attribute: 'description' },
} as const satisfies Fields

type NamesWith<Declared extends Fields, Property extends Partial<Field>> = {
  [Name in keyof Declared & string]: Declared[Name] extends Property ? Name : never
}[keyof Declared & string]

export type UserField = keyof typeof userFields
export type GroupField = keyof typeof groupFields
export type SearchedUserField = NamesWith<typeof userFields, { searched: true }>
export type SearchedGroupField = NamesWith<typeof groupFields, { searched: true }>
export type MappedUserField = NamesWith<typeof userFields, { mapped: true }>
export type MappedGroupField = NamesWith<typeof groupFields, { mapped: true }>
export type MirroredUserField = NamesWith<typeof userFields, { attribute: string }>
export type MirroredGroupField = NamesWith<typeof groupFields, { attribute: string }>
/** Fields of which no two people have the same value. */
export type UniqueUserField = NamesWith<typeof userFields, { unique: string }>
export type UniqueGroupField = NamesWith<typeof groupFields, { unique: string }>

/** The declared fields for which this is so, in the order they are declared in. */
const namesWith = <Name extends string>(fields: Fields, wanted: (field: Field) => boolean): readonly Name[] =>
  Object.entries(fields).flatMap(([name, field]) => (wanted(field) ? [name as Name] : []))

export const userFieldNames = namesWith<UserField>(userFields, () => true)
export const groupFieldNames = namesWith<GroupField>(groupFields, () => true)
export const searchedUserFields = namesWith<SearchedUserField>(userFields, ({ searched }) => searched)
export const searchedGroupFields = namesWith<SearchedGroupField>(groupFields, ({ searched }) => searched)
export const mappedUserFields = namesWith<MappedUserField>(userFields, ({ mapped }) => mapped)
export const mappedGroupFields = namesWith<MappedGroupField>(groupFields, ({ mapped }) => mapped)
export const mirroredUserFields = namesWith<MirroredUserField>(userFields, ({ attribute }) => attribute !== null)
export const mirroredGroupFields = namesWith<MirroredGroupField>(groupFields, ({ attribute }) => attribute !== null)

/** The fields of which no two records have the same value, by their index. */
export const uniqueFields: Readonly<Record<string, string>> = Object.fromEntries(
  [userFields, groupFields].flatMap((fields: Fields) =>
    Object.entries(fields).flatMap(([name, { unique }]) => (unique === undefined ? [] : [[unique, name]])),
  ),
)

type ColumnsOf<Declared extends Fields> = { -readonly [Name in keyof Declared]: Declared[Name]['column'] }

/** What the table is made with. */
export const columnsOf = <Declared extends Fields>(fields: Declared): ColumnsOf<Declared> =>
  Object.fromEntries(Object.entries(fields).map(([name, { column }]) => [name, column])) as ColumnsOf<Declared>
