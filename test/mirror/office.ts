import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import { openDirectory } from '../../src/ldap/directory.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import type { TestSlapd } from '../slapd.ts'
import { steward, type TestStewardOptions } from '../steward.ts'

/** A service on slapd or, without one, on the embedded directory, and a connection of its own to that directory. */
export const openOffice = async (t: Test, options: TestStewardOptions & { slapd?: TestSlapd | undefined }) => {
  const { slapd, ...others } = options
  const s = await steward(t, { directory: slapd ?? 'embedded', ...others })
  const { address } = s.mirror
  if (address === null) throw new Error('The service has no directory')
  const bindPassword = slapd?.bindPassword ?? loadSecrets(s.config.dataDir, s.config).directoryPassword
  const directory = openDirectory({ ...address, bindPassword, ca: null, startTls: false, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  return {
    ...s,
    directory,
    baseDn: address.baseDn,
    settled: () =>
      eventually(async () => {
        const [row] = await s.db.execute<{ count: string }>(
          sql`select count(*) from directory_entries where version <> synced_version`,
        )
        return row?.count === '0'
      }, 'everything is in the directory'),
    addGroup: async (groupName: string, parentId = 0, groupType = 'cn'): Promise<number> =>
      (await s.take('addGroup', { body: { groupName, groupType, parentId } })).id,
    addUser: async (name: string, departmentId: number[]): Promise<number> =>
      (await s.take('addUser', { body: person(name, { departmentId }) })).id,
  }
}
