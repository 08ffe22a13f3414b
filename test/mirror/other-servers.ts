import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools, type ServerUnderTest } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import type { TestSamba } from '../samba.ts'
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

/** The settings with which a service mirrors into a domain controller. */
export const controllerSettings = (server: TestSamba): Record<string, string> => ({
  LDAP_KIND: 'active-directory',
  LDAP_URL: server.url,
  LDAP_CA_FILE: server.caFile,
  LDAP_BASE_DN: server.baseDn,
  LDAP_BIND_DN: server.bindDn,
  LDAP_BIND_PASSWORD: server.bindPassword,
  LDAP_TIMEOUT: '20s',
  // Some records are refused on purpose, and requests would wait for them.
  DIRECTORY_WAIT: '5s',
})

/** Waits until every record is in the directory, but for so many that it refuses. */
export const caughtUp = async (s: TestSteward, refused = 0, within = 40_000): Promise<void> => {
  let waiting: readonly { error: string; due: boolean }[] = []
  const look = async (): Promise<boolean> => {
    waiting = await s.db.execute<{ error: string; due: boolean }>(sql`
      select kind || ' ' || record_id || ': ' || error as error, next_at is not null as due from directory_entries
      where version <> synced_version`)
    return waiting.length === refused && waiting.every(({ due }) => !due)
  }
  await eventually(look, 'the directory has everything', within).catch((error: unknown) => {
    const [first] = waiting
    throw new Error(`${waiting.length} wait; ${first?.error}`, { cause: error })
  })
}
