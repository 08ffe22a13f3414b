import { groupFieldNames, mappedGroupFields, mappedUserFields, userFieldNames } from '../../src/db/tables/fields.ts'

const listed = (names: readonly string[]): string => `[\n${names.map((name) => `  '${name}',\n`).join('')}] as const`

/** The texts that people and groups are made of, as src/db/tables/fields.ts declares them. */
export const recordFieldsFile = `// Generated from src/db/tables/fields.ts by scripts/console-codegen.ts. Do not edit.

/** The texts that a person is made of. */
export const userFields = ${listed(userFieldNames)}

/** The texts that a group is made of. */
export const groupFields = ${listed(groupFieldNames)}

/** Those of people that a source can fill; the first one is required. */
export const mappedUserFields = ${listed(mappedUserFields)}

/** Those of groups that a source can fill; the first one is required. */
export const mappedGroupFields = ${listed(mappedGroupFields)}

export type UserField = (typeof userFields)[number]
export type GroupField = (typeof groupFields)[number]
`
