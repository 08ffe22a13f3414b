import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Attributes } from '../../src/ldap/directory.ts'
import { hashAs } from '../../src/mirror/passwords/password-values.ts'
import type { CallInput } from '../contract/call.ts'
import { eventually } from '../eventually.ts'
import { heldOpen } from '../held-open.ts'
import { openConsole, unknownId } from '../people/console.ts'
import { postgresMissing } from '../postgres-server.ts'
import { isWaiting } from '../waiting-requests.ts'

// Entries that were in the directory before Steward, and what an administrator decides about them.

const c = await openConsole(t)
const { baseDn } = c.directory
const people = `ou=people,${baseDn}`

const { ask, take } = c
const add = (dn: string, attributes: Attributes) => c.directory.write({ kind: 'add', dn, attributes })
const person = (uid: string, more: Attributes = {}): Attributes => ({
  objectClass: ['inetOrgPerson'],
  ...{ uid: [uid], cn: ['Before'], sn: ['Before'], userPassword: ['theirs'] },
  ...more,
})
const shown = async (dn: string, ...names: string[]) => (await c.directory.read(dn, names))?.attributes
const listed = async (query: CallInput['query'] = {}): Promise<Record<string, string | null>> => {
  const { orphans } = await take('listOrphans', { query: { pageSize: 1000, ...query } })
  return Object.fromEntries(
    orphans.map(({ dn, recordName, obstacle }) => [dn.replace(`,${baseDn}`, ''), obstacle ?? recordName]),
  )
}
const states = async (): Promise<string[]> => {
  const users = (await c.get('listUsers', { syncState: 2 })).data.users
  const groups = (await c.get('listGroups', { syncState: 2 })).data.groups
  return [...users.map(({ username }) => username), ...groups.map(({ groupName }) => groupName)].sort()
}
const settled = async (expected: string[]): Promise<void> => {
  await eventually(async () => (await states()).join() === expected.join(), `only ${expected.join()} is behind`)
}

// This makes the units that hold the entries.
await c.mirror.reconciler.synchronize('user', 'pending')
await add(`uid=ann,${people}`, person('ann', { roomNumber: ['7'] }))
await add(`uid=svc-vpn,${people}`, person('svc-vpn', { objectClass: ['inetOrgPerson', 'simpleSecurityObject'] }))
await add(`uid=nobodys,${people}`, person('nobodys'))
await add(`ou=Company,${baseDn}`, { objectClass: ['organizationalUnit'], ou: ['Company'] })
const member = [`uid=ann,${people}`, `uid=nobodys,${people}`]
await add(`cn=Sales,ou=Company,${baseDn}`, { objectClass: ['groupOfNames'], cn: ['Sales'], member })

const company = await c.addGroup('Company', { groupType: 'ou' })
const sales = await c.addGroup('Sales', { parentId: company })
const ann = await c.addUser('ann', { departmentId: [sales] })
await c.addUser('svc-vpn')

/** Why a person cannot have the entry of a service. */
const classes = { code: 'mirror.foreign_classes', params: { classes: 'simpleSecurityObject' } }

t.test('orphan entries are listed with the record they fit, or the reason why they fit none', async (t) => {
  await settled(['Company', 'Sales', 'ann', 'svc-vpn'])
  t.match((await c.showUser('ann'))?.syncError, /^the entry uid=ann,.* is not Steward's: .*orphans\/adopt/)
  t.match((await c.showUser('svc-vpn'))?.syncError, /cannot be adopted: .* does not write: simpleSecurityObject/)
  // The same in a form that can be translated, and what helps rests on its code.
  const entry = async (id: number) => (await take('getPerson', { params: { id } })).entry
  const vpn = (await c.showUser('svc-vpn'))?.id ?? 0
  t.match((await c.showUser('svc-vpn'))?.syncStated, { code: 'mirror.not_ours_unfit', params: { reason: classes } })
  t.match(await entry(ann), {
    stated: { code: 'mirror.not_ours', params: { dn: `uid=ann,${people}` } },
    cure: 'adopt_orphan',
  })
  t.match(await entry(vpn), { stated: { code: 'mirror.not_ours_unfit' }, cure: 'change_record' })
  const { orphans } = await take('listOrphans', { query: { text: 'svc-vpn' } })
  t.match(orphans, [{ stated: classes }])
  const { people: synced } = await take('changePeople', { body: { action: 'sync', ids: [ann] } })
  t.match(synced, [{ result: 'refused', stated: { code: 'mirror.not_ours' } }])
  t.strictSame(await listed(), {
    'uid=ann,ou=people': 'ann',
    'uid=svc-vpn,ou=people': 'it has object classes that Steward does not write: simpleSecurityObject',
    'uid=nobodys,ou=people': 'no person or group has its name and place: add one, or ignore it',
    'ou=Company': 'Company',
    'cn=Sales,ou=Company': 'Sales',
  })
  t.strictSame(Object.keys(await listed({ kind: 'group' })), ['ou=Company', 'cn=Sales,ou=Company'])
  t.strictSame(Object.keys(await listed({ text: 'UID=ANN' })), ['uid=ann,ou=people'])
  t.strictSame(Object.keys(await listed({ state: 'adoptable', kind: 'user' })), ['uid=ann,ou=people'])
  t.match(await take('listOrphans', { query: { pageNum: 2, pageSize: 2 } }), { total: 5, orphans: { length: 2 } })
})

t.test('only a role of sort 1 sees them and decides, whatever was granted', async (t) => {
  const { data } = await c.post('addRole', { name: 'Helpers', keyword: 'helpers', sort: 2, status: 1 })
  const { apis } = (await c.get('listApis', { path: '/orphans' })).data
  t.equal(apis.length, 5)
  await c.post('updateRoleApis', { roleId: data.id, apiIds: apis.map(({ id }) => id) })
  const { token } = await c.person('helper', { roleIds: [data.id] })
  const body = { dns: [`uid=ann,${people}`] }
  for (const [id, input] of [
    ['listOrphans', {}],
    ['previewOrphans', { body: { action: 'adopt', filter: {} } }],
    ['adoptOrphans', { body }],
    ['ignoreOrphans', { body }],
    ['heedOrphans', { body }],
  ] as const) {
    t.match(await c.call(id, { token, ...input }), { status: 403, msg: /only a user with a role of sort 1/ }, id)
  }
})

t.test(
  'a caller who loses that rank while the directory is searched decides nothing',
  { skip: postgresMissing },
  async (t) => {
    const { id } = await take('addRole', { body: { name: 'Chiefs', keyword: 'chiefs', sort: 1 } })
    const { apis } = (await c.get('listApis', { path: '/orphans' })).data
    await take('updateRoleApis', { body: { roleId: id, apiIds: apis.map((api) => api.id) } })
    const { token } = await c.person('chief', { roleIds: [id] })
    const body = { dns: [`uid=ann,${people}`] }
    for (const operation of ['adoptOrphans', 'ignoreOrphans'] as const) {
      await c.db.execute(sql`update roles set sort = 1 where id = ${id}`)
      const losing = await heldOpen(c.db, async (tx) => {
        await tx.execute(sql`lock table ignored_entries in access exclusive mode`)
        await tx.execute(sql`update roles set sort = 2 where id = ${id}`)
      })
      const answer = c.call(operation, { token, body })
      await eventually(() => isWaiting(c.db), 'it waits for what it has found')
      await losing.end()
      t.match(await answer, { status: 403, reason: 'access.strongest_only' }, operation)
    }
  },
)

t.test('an administrator proves the second factor before an account gets the password of a record', async (t) => {
  const dn = `uid=ann,${people}`
  const { id, token } = await c.person('boss', { roleIds: [1] })
  await c.db.execute(sql`update users set mail = 'boss@example.org' where id = ${id}`)
  const { hash } = await take('previewOrphans', { body: { action: 'adopt', filter: { text: 'uid=ann' } } })
  for (const body of [{ dns: [dn] }, { filter: { text: 'uid=ann' }, hash }, { dns: [`uid=nowhere,${people}`] }]) {
    t.match(await c.call('adoptOrphans', { token, body }), {
      status: 401,
      data: { required: 'second_factor', methods: ['mail'] },
    })
  }
  t.same(await shown(dn, 'userPassword'), { userPassword: ['theirs'] })
})

t.test('if one entry cannot be adopted, the request is refused and adopts none', async (t) => {
  const adopt = async (dns: string[]) => ask('adoptOrphans', { body: { dns } })
  const both = [`uid=ann,${people}`, `UID=SVC\\2dVPN , OU=People,${baseDn}`]
  const unfit = await adopt(both)
  t.match(unfit, { status: 409, data: [{ field: 'dns.1', message: /simpleSecurityObject/ }] })
  t.match(JSON.parse(unfit.params?.['problem.0'] ?? '{}'), classes, 'why it cannot be adopted can be translated')
  t.match(await adopt([`uid=nobodys,${people}`]), { status: 409, data: [{ field: 'dns.0' }] })
  t.match(await adopt([`uid=nowhere,${people}`]), { status: 404, data: [{ field: 'dns.0' }] })
  t.match(await adopt(['no dn']), { status: 400, data: [{ field: 'dns.0' }] })
  t.match(await adopt([`uid=admin,${people}`]), { status: 409, data: [{ message: /belongs to a record/ }] })
  for (const dn of [baseDn, people, baseDn.split(',').slice(1).join(',')]) {
    t.match((await adopt([dn])).status, /^(404|409)$/, dn)
  }
  const filter = { kind: 'user' }
  t.match(await ask('adoptOrphans', { body: { filter } }), { status: 400, data: [{ field: 'hash' }] })
  t.match(await ask('adoptOrphans', { body: { hash: '0'.repeat(64) } }), { status: 400, data: [{ field: 'filter' }] })
  t.match(await ask('adoptOrphans', { body: { filter, dns: both } }), { status: 400, data: [{ field: 'dns' }] })
  t.match(await ask('adoptOrphans', { body: { filter, hash: '0'.repeat(64) } }), { status: 409 })
  const preview = await take('previewOrphans', { body: { action: 'adopt', filter } })
  t.match(preview, { total: 1, orphans: [{ recordId: ann, recordName: 'ann', obstacle: null }] })
  const { hash } = preview
  t.match(await ask('adoptOrphans', { body: { filter: {}, hash } }), { status: 409 }, 'another filter')
  t.match(await ask('ignoreOrphans', { body: { filter, hash } }), { status: 409 }, 'another action')
  await c.directory.write({ kind: 'delete', dn: `uid=ann,${people}` })
  await add(`uid=ann,${people}`, person('ann', { roomNumber: ['7'] }))
  t.match(await ask('adoptOrphans', { body: { filter, hash } }), { status: 409 }, 'another entry in its place')
  t.match(await shown(`uid=ann,${people}`, 'cn'), { cn: ['Before'] })
  await settled(['Company', 'Sales', 'ann', 'svc-vpn'])
})

t.test('an adopted entry follows its record at once, and keeps other attributes', async (t) => {
  const { hash, total } = await take('previewOrphans', { body: { action: 'adopt', filter: {} } })
  t.equal(total, 3)
  t.match(await take('adoptOrphans', { body: { filter: {}, hash } }), { total: 3 })
  await settled(['svc-vpn'])
  t.match(await shown(`uid=ann,${people}`, 'cn', 'roomNumber'), { cn: ['ann'], roomNumber: ['7'] })
  t.strictSame((await shown(`cn=Sales,ou=Company,${baseDn}`, 'member'))?.member, [`uid=ann,${people}`])
  t.match((await c.showUser('ann'))?.syncError, /password in the directory breaks the rules .* left there/)
  t.match(await ask('adoptOrphans', { body: { filter: {}, hash } }), { status: 409 })
  t.match(await c.post('deleteUsers', { userIds: [ann] }), { code: 0 })
  t.equal(await shown(`uid=ann,${people}`, 'cn'), undefined, 'it is the record’s from then on')
})

t.test('an adopted entry keeps its password where the record has none', async (t) => {
  const known = 'seven-quiet-lanterns'
  const hashed = (await hashAs('SSHA512', known, async () => '')) ?? ''
  const found = { with: hashed, without: hashed, old: '{CRYPT}$6$salt$hash' }
  for (const [name, value] of Object.entries(found)) {
    await add(`uid=pw-${name},${people}`, person(`pw-${name}`, { userPassword: [value] }))
    await c.addUser(`pw-${name}`, name === 'with' ? { password: 'eight-quiet-lanterns' } : {})
  }
  const dns = Object.keys(found).map((name) => `uid=pw-${name},${people}`)
  t.match(await take('adoptOrphans', { body: { dns } }), { total: 3 })
  await settled(['svc-vpn'])
  const codeOf = async (username: string) => (await c.call('login', { body: { username, password: known } })).code
  await eventually(async () => (await codeOf('pw-without')) === 0, 'it is the password of the person here, too')
  t.equal(await codeOf('pw-with'), 401, 'the password of the record counts')
  t.equal(await codeOf('pw-old'), 401)
  t.strictSame((await shown(`uid=pw-old,${people}`, 'userPassword'))?.userPassword, [found.old])
  t.match((await c.showUser('pw-old'))?.syncError, /a hash \(CRYPT\) that cannot be verified here: it is left there/)
  t.notSame((await shown(`uid=pw-with,${people}`, 'userPassword'))?.userPassword, [hashed])
  const ids = await Promise.all(Object.keys(found).map(async (name) => (await c.showUser(`pw-${name}`))?.id))
  t.match(await c.post('deleteUsers', { userIds: ids }), { code: 0 })
})

t.test('an ignored orphan is not reported any more, until an administrator heeds it', async (t) => {
  const reported = async () => c.mirror.reconciler.synchronize('user', 'all')
  const dn = `uid=nobodys,${people}`
  t.match(await reported(), { skipped: 2 })
  const { hash } = await take('previewOrphans', { body: { action: 'ignore', filter: { text: 'NOBODYS' } } })
  const body = { filter: { text: 'NOBODYS' }, hash }
  t.match(await take('ignoreOrphans', { body }), { total: 1 })
  t.match(await reported(), { skipped: 1 })
  t.strictSame(Object.keys(await listed()), ['uid=svc-vpn,ou=people'])
  t.strictSame(Object.keys(await listed({ state: 'ignored' })), ['uid=nobodys,ou=people'])
  t.match(await take('ignoreOrphans', { body: { dns: [dn] } }), { total: 1 })
  t.match(await take('heedOrphans', { body: { dns: [`UID=Nobodys,OU=PEOPLE,${baseDn}`] } }), { total: 1 })
  t.match(await take('heedOrphans', { body: { dns: [dn] } }), { total: 0 })
  t.match(await reported(), { skipped: 2 })
  t.match(await c.post('deleteUsers', { userIds: [unknownId] }), { code: 404 })
  t.match(await shown(dn, 'cn'), { cn: ['Before'] })
})
