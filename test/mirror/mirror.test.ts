import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { loadBackup } from '../../src/backups/restore/load.ts'
import { touchEverything } from '../../src/backups/restore/touch-everything.ts'
import { writeBackup } from '../../src/backups/write.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { isTried } from '../slapd-installation.ts'
import { adminPassword, steward } from '../steward.ts'

// The directory as the settings say, seen by an application that uses it.

t.test('on slapd', { skip: skipWithoutSlapd }, async (t) => {
  for (const { over, env, groupClass, member, needs } of [
    {
      over: 'LDAPS',
      env: { LDAP_GROUP_CLASS: 'groupOfUniqueNames', LDAP_PASSWORD_SCHEME: 'ssha512' },
      groupClass: 'groupOfUniqueNames',
      member: 'uniqueMember',
      needs: 'pw-sha2',
    },
    {
      over: 'StartTLS',
      env: { LDAP_STARTTLS: 'on', LDAP_PASSWORD_SCHEME: 'pbkdf2-sha512' },
      groupClass: 'groupOfNames',
      member: 'member',
      needs: 'pw-pbkdf2',
    },
  ]) {
    const skip = isTried(needs) ? false : `${needs} is not installed`
    t.test(`over ${over}, with ${env.LDAP_PASSWORD_SCHEME} and ${groupClass}`, { skip }, async (t) => {
      const slapd = await testSlapd(t, { tls: true })
      const url = over === 'LDAPS' ? slapd.ldapsUrl : slapd.url
      const settings = { LDAP_URL: url ?? '', LDAP_CA_FILE: slapd.caFile ?? '', ...env }
      const { call, token, logs } = await steward(t, { directory: slapd, env: settings })
      const team = await call('addGroup', { token, body: { groupName: 'Team', groupType: 'cn', parentId: 0 } })
      const empty = await call('addGroup', { token, body: { groupName: 'Empty', groupType: 'cn', parentId: 0 } })
      t.match([team, empty], [{ code: 0 }, { code: 0 }])
      const password = 'grün & 密码: soup of the day'
      const ada = person('ada', { departmentId: [team.data.id], password })
      t.match(await call('addUser', { token, body: ada }), { code: 0 })
      // On a busy machine the first connection may take longer than a request waits.
      const behind = { token, query: { syncState: 2 } }
      const left = async () =>
        (await call('listUsers', behind)).data.total + (await call('listGroups', behind)).data.total
      await eventually(async () => (await left()) === 0, 'the directory has everything')

      const dn = `uid=ada,ou=people,${slapd.baseDn}`
      const tools = ldapTools(slapd)
      t.equal((await tools.as(dn, password, 'ldapwhoami', [])).code, 0)
      t.equal((await tools.as(dn, 'wrong', 'ldapwhoami', [])).code, 49)
      t.match((await tools.search('-b', dn, '-s', 'base', 'userPassword')).stdout, /^userPassword:/m)
      const groups = (await tools.search('-b', slapd.baseDn, `(objectClass=${groupClass})`, member)).stdout
      t.match(groups, `dn: cn=Team,${slapd.baseDn}\n${member}: ${dn}\n`)
      t.match(groups, `dn: cn=Empty,${slapd.baseDn}\n${member}: cn=nobody,${slapd.baseDn}\n`)

      await tools.run('ldapdelete', [dn])
      t.match(await call('syncSqlUsers', { token, body: { userIds: [2] } }), { data: { added: 1, failed: 0 } })
      t.match(await call('syncSqlGroups', { token, body: {} }), { data: { total: 2, unchanged: 2, failed: 0 } })
      t.equal((await tools.as(dn, password, 'ldapwhoami', [])).code, 0, 'the hash is kept for a repair')
      t.notMatch(logs.join(''), /cannot sign in to the directory/)
    })
  }

  t.test('with LDAP_URL set to another directory every person is written to it', async (t) => {
    const [before, after] = [await testSlapd(t), await testSlapd(t)]
    const database = await testDatabase(t)
    const dataDir = t.testdir()
    const first = await steward(t, { directory: before, database, dataDir })
    const { call, token } = first
    const company = await call('addGroup', { token, body: { groupName: 'Company', groupType: 'ou', parentId: 0 } })
    const parentId = company.data.id
    const team = await call('addGroup', { token, body: { groupName: 'Team', groupType: 'cn', parentId } })
    for (const username of ['ada', 'ben', 'cleo']) {
      const body = person(username, { departmentId: [team.data.id], password: 'seven-quiet-lanterns' })
      t.match(await call('addUser', { token, body }), { code: 0 })
    }
    await before.stop()
    t.match(await call('deleteUsers', { token, body: { userIds: [2] } }), { code: 0 })
    await first.close()
    const second = await steward(t, { directory: after, database, dataDir })
    await becomesEqual(t, second, after)
    const [ben, root] = [`uid=ben,ou=people,${after.baseDn}`, `uid=admin,ou=people,${after.baseDn}`]
    t.equal((await ldapTools(after).as(ben, 'seven-quiet-lanterns', 'ldapwhoami', [])).code, 0)
    t.equal((await ldapTools(after).as(root, adminPassword, 'ldapwhoami', [])).code, 0)
  })

  t.test('after a restore into a new database the former entries still belong to their records', async (t) => {
    const slapd = await testSlapd(t)
    const first = await steward(t, { directory: slapd })
    const ids = []
    for (const username of ['ada', 'ben']) {
      const added = await first.call('addUser', { token: first.token, body: person(username) })
      ids.push(added.data.id)
    }
    await first.call('addGroup', { token: first.token, body: { groupName: 'Team', groupType: 'cn', parentId: 0 } })
    const tools = ldapTools(slapd)
    const room = (uid: string) =>
      `dn: uid=${uid},ou=people,${slapd.baseDn}\nchangetype: modify\nadd: roomNumber\nroomNumber: 7\n`
    for (const uid of ['ada', 'ben']) t.equal((await tools.run('ldapmodify', [], room(uid))).code, 0)
    const off = await first.call('changeUserStatus', { token: first.token, body: { id: ids[1], status: 2 } })
    t.match(off, { code: 0, msg: 'success' })
    await becomesEqual(t, first, slapd)
    await first.mirror.reconciler.compareEverything()
    const file = join(t.testdir(), 'backup')
    await writeBackup(first.db, { file, secret: null })
    await first.close()

    const second = await steward(t, { directory: slapd })
    const asked = { token: second.token, query: { username: 'admin' } }
    const refused = async () => {
      const [admin] = (await second.call('listUsers', asked)).data.users
      return admin?.syncState === 2 && /is not Steward's/.test(admin.syncError)
    }
    await eventually(refused, 'the entry of admin is not taken over')
    const [stranger] = [await second.call('addUser', { token: second.token, body: person('ada') })]
    t.equal(stranger.msg, 'saved; the directory follows')
    await second.db.transaction(async (tx) => {
      await loadBackup(tx, { file, secrets: [] })
      await touchEverything(tx)
    })
    const token = await second.signIn('admin', adminPassword)
    await becomesEqual(t, { call: second.call, token }, slapd)
    t.match((await tools.search('-b', `uid=ada,ou=people,${slapd.baseDn}`, 'roomNumber')).stdout, /roomNumber: 7/)
    t.match(await second.call('changeUserStatus', { token, body: { id: ids[1], status: 1 } }), { code: 0 })
    await becomesEqual(t, { call: second.call, token }, slapd)
    t.match((await tools.search('-b', `uid=ben,ou=people,${slapd.baseDn}`, 'roomNumber')).stdout, /roomNumber: 7/)
  })

  t.test('one that cannot verify our hashes is named at the start, with what to do', async (t) => {
    const slapd = await testSlapd(t, { argon2: false })
    const { call, token, logs } = await steward(t, { directory: slapd })
    t.match(await call('addUser', { token, body: person('ada') }), { code: 0 })
    t.match(logs.join(''), /people cannot sign in to the directory: .*load its argon2 module/)
  })
})

t.test('a start names the port or the address that the directory cannot have, and nothing stays locked', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-data-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  for (const [name, value, problem] of [
    ['EMBEDDED_LDAP_PORT', String(port), new RegExp(`^EMBEDDED_LDAP_PORT: .*${port}.* in use`)],
    ['EMBEDDED_LDAPS_PORT', String(port), new RegExp(`^EMBEDDED_LDAPS_PORT: .*${port}.* in use`)],
    // An address for documentation (RFC 5737): no machine has it.
    ['EMBEDDED_LDAP_HOST', '203.0.113.9', /^EMBEDDED_LDAP_HOST: .* is not an address of this machine/],
  ] as const) {
    const started = steward(t, { dataDir, env: { [name]: value } })
    await t.rejects(started, { name: 'ConfigError', problems: [problem] })
  }
  t.match(await (await steward(t, { dataDir })).call('ping'), { code: 0 })
})

t.test('without a directory changes are saved, and every record says why it has no entry', async (t) => {
  const { call, token } = await steward(t, { directory: 'none' })
  t.match(await call('addUser', { token, body: person('ada') }), { code: 0, msg: 'success' })
  const { data } = await call('listUsers', { token, query: { username: 'ada' } })
  t.match(data.users, [
    {
      syncState: 2,
      syncError: /^no directory is configured: set LDAP_URL/,
      syncStated: { code: 'mirror.nowhere', params: {} },
    },
  ])
  const run = await call('syncSqlGroups', { token, body: {} })
  t.match(run.data, { total: 0, problems: [{ reason: 'no directory is configured', advice: /LDAP_URL/ }] })
})
