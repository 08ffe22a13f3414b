import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import type { Operations } from '../../src/generated/documents.ts'
import { openDirectory } from '../../src/ldap/directory.ts'
import { rdn } from '../../src/ldap/dn.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { type CallInput, dataOf, type Reply } from '../contract/call.ts'
import { silent } from '../database.ts'
import { slapdAvailable, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'

type Id = keyof Operations

/** An id that no record has. */
export const unknownId = 987_654

/**
 * What an administrator at a console does, and a look into the directory behind it: a slapd where one is installed,
 * the embedded directory otherwise.
 */
export const openConsole = async (t: Test, { env = {} }: { env?: Record<string, string> } = {}) => {
  const slapd = slapdAvailable ? await testSlapd(t) : null
  const service = await steward(t, { directory: slapd ?? 'embedded', env })
  const { config, db, mirror, token: admin } = service
  if (mirror.address === null) throw new Error('The service has no directory')
  const { url, baseDn, bindDn } = mirror.address
  const bindPassword = slapd?.bindPassword ?? loadSecrets(config.dataDir, config).directoryPassword
  const connection = { url, bindDn, bindPassword, ca: null, startTls: false, timeout: 5000 }
  const directory = openDirectory({ ...connection, baseDn, log: silent })
  t.teardown(() => directory.close())

  /** Every reply there was. */
  const said: string[] = []
  const call: typeof service.call = async (id, input) => {
    const reply = await service.call(id, input)
    said.push(reply.body)
    return reply
  }
  const post = <I extends Id>(id: I, body: unknown, token = admin) => call(id, { body, token })
  const get = <I extends Id>(id: I, query: CallInput['query'] = {}, token = admin) => call(id, { query, token })

  return {
    ...service,
    slapd,
    directory,
    said,
    call,
    post,
    get,
    addUser: async (username: string, fields: object = {}): Promise<number> =>
      dataOf(await post('addUser', person(username, fields))).id,
    addGroup: async (groupName: string, fields: object = {}): Promise<number> =>
      dataOf(await post('addGroup', { groupName, groupType: 'cn', parentId: 0, ...fields })).id,
    showUser: async (username: string) =>
      (await get('listUsers', { username, pageSize: 1000 })).data.users.find((user) => user.username === username),
    showGroup: async (id: number) => (await get('listGroups')).data.groups.find((group) => group.id === id),
    roleId: async (keyword: string): Promise<number> => {
      const [row] = await db.execute<{ id: string }>(sql`select id from roles where keyword = ${keyword}`)
      return Number(row?.id)
    },
    userDn: (username: string, place = 'people') => `${rdn('uid', username)},ou=${place},${baseDn}`,
    groupDn: (name: string, type = 'cn') => `${rdn(type, name)},${baseDn}`,
    /** The values an entry has; null: the entry does not exist. */
    values: async (dn: string, attribute: string): Promise<string[] | null> => {
      const entry = await directory.read(dn, [attribute])
      return entry && (entry.attributes[attribute] ?? [])
    },
  }
}

/** What has to be said of a user, and what may be. */
export const person = (username: string, fields: object = {}) => ({
  username,
  nickname: username,
  mail: '',
  mobile: '',
  jobNumber: '',
  departmentId: [],
  roleIds: [],
  ...fields,
})

/** @param field the one named, or null where no field is to blame */
export const refused = (t: Test, { code, msg, data }: Reply, expected: number, field: string | null): void => {
  t.equal(code, expected, msg)
  if (field === null) t.equal(data, null)
  else t.match(data, [{ field }], msg)
}
