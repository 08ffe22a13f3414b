import type { Test } from 'tap'
import { testDatabase } from '../database.ts'
import { ldapTools, type ServerUnderTest } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { steward, type TestSteward } from '../steward.ts'

// What the tests with directories beyond OpenLDAP have in common.

/** What a comparison without differences had to write. */
export const nothing = { added: 0, updated: 0, moved: 0, failed: 0 }

/** Compares all entries. @returns what had to be written */
export const compared = async (s: TestSteward): Promise<typeof nothing> => {
  const total = { ...nothing }
  for (const kind of ['users', 'groups'] as const) {
    const { added, updated, moved, failed } = await s.take('compareDirectory', { body: { kind } })
    for (const [name, count] of Object.entries({ added, updated, moved, failed }))
      total[name as keyof typeof total] += count
  }
  return total
}

/** A service with this directory, by its settings. */
export const officeWith = async <Server extends ServerUnderTest>(
  t: Test,
  server: Server,
  { env, password }: { env: Record<string, string>; password: string },
) => {
  const s = await steward(t, { directory: 'none', database: await testDatabase(t), env })
  return {
    ...s,
    server,
    tools: ldapTools(server),
    addGroup: async (groupName: string, groupType: 'ou' | 'cn', parentId = 0) =>
      (await s.take('addGroup', { body: { groupName, groupType, parentId } })).id,
    addUser: async (name: string, departmentId: number[], secret = password) =>
      (await s.take('addUser', { body: person(name, { departmentId, password: secret }) })).id,
  }
}
