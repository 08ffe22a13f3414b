import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { parse } from 'yaml'
import * as tables from '../../src/db/schema.ts'
import {
  groupFieldNames,
  groupFields,
  mappedGroupFields,
  mappedUserFields,
  searchedGroupFields,
  searchedUserFields,
  type UserField,
  userFieldNames,
  userFields,
} from '../../src/db/tables/fields.ts'
import { posixNumberField } from '../../src/sync/mapping/fields.ts'
import { testDatabase } from '../database.ts'
import { engine } from '../sync/engine-service.ts'
import { department, person as sourcePerson } from '../sync/small-organisation.ts'
import { openConsole, person } from './console.ts'

// Every field that is declared, wherever it is to be seen. A field that is added is tried without being named here.

/** Where not just any text will do. */
const special: Partial<Record<UserField, (which: string) => string>> = {
  username: (which) => `${which}.walker`,
  mail: (which) => `${which}@walker.example`,
  mobile: (which) => (which === 'first' ? '13800138001' : '13900139002'),
}

const userTexts = (which: 'first' | 'other'): Record<UserField, string> =>
  Object.fromEntries(userFieldNames.map((name) => [name, special[name]?.(which) ?? `${which} ${name}`])) as Record<
    UserField,
    string
  >

const groupTexts = (which: 'first' | 'other') =>
  Object.fromEntries(groupFieldNames.map((name) => [name, `${which} ${name}`])) as Record<
    keyof typeof groupFields,
    string
  >

t.test('through the API', async (t) => {
  const s = await openConsole(t)

  t.test('a field of a person is set, shown, found and in the directory', async (t) => {
    const first = userTexts('first')
    const added = await s.post('addUser', person(first.username, first))
    t.equal(added.code, 0, added.msg)
    t.match(await s.showUser(first.username), first)

    const other = userTexts('other')
    const { id } = added.data
    t.equal((await s.post('updateUser', { id, departmentId: [], roleIds: [], ...other })).code, 0)
    t.match(await s.showUser(other.username), other)
    for (const name of searchedUserFields) {
      const found = await s.get('listUsers', { [name]: other[name].slice(1), pageSize: 10 })
      t.same(
        found.data.users.map(({ username }) => username),
        [other.username],
        `${name} finds them`,
      )
    }

    const shown = (place: string) =>
      Promise.all(
        userFieldNames.map(async (name) => {
          const { attribute } = userFields[name]
          return attribute && [name, await s.values(s.userDn(other.username, place), attribute)]
        }),
      )
    const mirrored = userFieldNames.filter((name) => userFields[name].attribute !== null)
    t.same(
      (await shown('people')).filter((each) => each !== null),
      mirrored.map((name) => [name, [other[name]]]),
      'the entry shows it',
    )
    t.equal((await s.post('changeUserStatus', { id, status: 2 })).code, 0)
    t.same(
      (await shown('disabled')).filter((each) => each !== null),
      mirrored.map((name) => [name, 'staysParked' in userFields[name] ? [other[name]] : []]),
      'that of a person who is disabled shows some',
    )
  })

  t.test('a field of a group is set, shown, found and in the directory', async (t) => {
    const first = groupTexts('first')
    const id = await s.addGroup(first.groupName, first)
    t.match(await s.showGroup(id), first)

    const other = groupTexts('other')
    t.equal((await s.post('updateGroup', { id, ...other })).code, 0)
    t.match(await s.showGroup(id), other)
    for (const name of searchedGroupFields) {
      const found = await s.get('listGroups', { [name]: other[name].slice(1), pageSize: 10 })
      t.same(
        found.data.groups.map((group) => group.id),
        [id],
        `${name} finds it`,
      )
    }
    for (const name of groupFieldNames) {
      const { attribute } = groupFields[name]
      if (attribute !== null) t.same(await s.values(s.groupDn(other.groupName), attribute), [other[name]], name)
    }
  })
})

t.test('a source fills what is declared as mapped, first and again', async (t) => {
  const database = await testDatabase(t)
  const organisation = { departments: [department('d1', 'Any')], people: [sourcePerson('p1')] }
  const { db, run } = await engine(t, { database, organisation })
  const relate = (flag: string, texts: Record<string, string>) => {
    const quoted = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.stringify(text)]))
    return db.execute(sql`
      update field_relations set attributes = ${JSON.stringify(quoted)}::jsonb where flag = ${flag}`)
  }
  const chosen = <Name extends string>(texts: Record<Name, string>, names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, texts[name]]))
  const here = async (table: 'users' | 'groups', id: string): Promise<Record<string, unknown> | undefined> => {
    const rows = table === 'users' ? await db.select().from(tables.users) : await db.select().from(tables.groups)
    return rows.find((row) => ('sourceUserId' in row ? row.sourceUserId : row.sourceDeptId) === id)
  }
  for (const [which, happened] of [
    ['first', 'added'],
    ['other', 'updated'],
  ] as const) {
    const users = chosen(userTexts(which), mappedUserFields)
    const groups = chosen(groupTexts(which), mappedGroupFields)
    await relate('exta_user', users)
    await relate('exta_group', groups)
    t.ok((await run('groups'))[happened] > 0, `a group is ${happened}`)
    t.equal((await run('users'))[happened], 1, `a person is ${happened}`)
    t.match(await here('groups', 'd1'), groups)
    t.match(await here('users', 'p1'), users)
  }
})

t.test('the contract names the fields that a source may fill', async (t) => {
  const { components } = parse(readFileSync(new URL('../../openapi/directory.yaml', import.meta.url), 'utf8'))
  const { description } = components.schemas.Attributes
  for (const name of [...mappedUserFields, ...mappedGroupFields, posixNumberField]) t.match(description, `\`${name}\``)
})
