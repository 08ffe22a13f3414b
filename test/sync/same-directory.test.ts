import t from 'tap'
import { openDirectory } from '../../src/ldap/directory.ts'
import { quiet } from '../mirror/quiet.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'

t.test('a directory full of people becomes Steward’s own', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const { baseDn: base } = slapd
  const theirs = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: quiet })
  t.teardown(() => theirs.close())
  const people = `ou=people,${base}`
  await theirs.write({ kind: 'add', dn: people, attributes: { objectClass: ['organizationalUnit'], ou: ['people'] } })
  for (const uid of ['ann', 'bob', 'cid']) {
    const names = { uid: [uid], cn: [`Name of ${uid}`], sn: [uid], mail: [`${uid}@example.org`] }
    const attributes = { objectClass: ['inetOrgPerson'], ...names, roomNumber: ['7'] }
    await theirs.write({ kind: 'add', dn: `uid=${uid},${people}`, attributes })
  }
  const settings = { EXTLDAP_URL: slapd.url, EXTLDAP_BASE_DN: base }
  const account = { EXTLDAP_BIND_DN: slapd.bindDn, EXTLDAP_BIND_PASSWORD: slapd.bindPassword }
  const { call, token } = await steward(t, { directory: slapd, env: { ...settings, ...account, DRIFT_INTERVAL: '1h' } })
  const sync = async () => (await call('syncExtLdapUsers', { token })).data
  const show = async (query = {}) => (await call('listUsers', { token, query })).data.users

  const problem = { reason: /is not Steward's/ }
  // The administrator, whom Steward itself wrote, is left out.
  t.match(await sync(), { state: 'done', total: 3, failed: 3, problems: [problem, problem, problem] })
  t.equal((await show({ syncState: 2 })).filter(({ syncError }) => syncError.includes("is not Steward's")).length, 3)
  const filter = { kind: 'user' as const }
  const preview = await call('previewOrphans', { token, body: { action: 'adopt', filter } })
  t.match(preview.data, { total: 3 })
  const { hash } = preview.data
  t.match(await call('adoptOrphans', { token, body: { filter, hash } }), { data: { total: 3 } })
  t.strictSame(await show({ syncState: 2 }), [])
  const entry = async (uid: string, unit = 'people') =>
    (await theirs.read(`uid=${uid},ou=${unit},${base}`, ['mail', 'roomNumber']))?.attributes
  t.strictSame(await entry('ann'), { mail: ['ann@example.org'], roomNumber: ['7'] })
  t.match(await sync(), { state: 'done', total: 3, unchanged: 3, added: 0, disabled: 0 }, 'no person has left')

  const [bob] = await show({ username: 'bob' })
  t.match(await call('changeUserStatus', { token, body: { id: bob?.id, status: 2 } }), { code: 0 })
  t.strictSame(await entry('bob', 'disabled'), {})
  t.match(await sync(), { state: 'done', added: 0, updated: 0 })
  t.match(await show({ username: 'bob' }), [{ status: 2, mail: 'bob@example.org' }])
  t.match(await call('changeUserStatus', { token, body: { id: bob?.id, status: 1 } }), { code: 0 })
  t.strictSame(await entry('bob'), { mail: ['bob@example.org'], roomNumber: ['7'] })
})

t.test('groups below one entry are not read as departments', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const { baseDn: base } = slapd
  const theirs = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: quiet })
  t.teardown(() => theirs.close())
  const attributes = { objectClass: ['organizationalUnit'], ou: ['Sales'] }
  await theirs.write({ kind: 'add', dn: `ou=Sales,${base}`, attributes })
  const settings = { EXTLDAP_URL: slapd.url, EXTLDAP_BASE_DN: base, LDAP_GROUP_LAYOUT: 'flat' }
  const account = { EXTLDAP_BIND_DN: slapd.bindDn, EXTLDAP_BIND_PASSWORD: slapd.bindPassword }
  const { call, token } = await steward(t, { directory: slapd, env: { ...settings, ...account, DRIFT_INTERVAL: '1h' } })
  const sync = async () => (await call('syncExtLdapDepts', { token })).data
  t.match(await sync(), { state: 'done', added: 2 }, 'with the group of the source')
  t.match((await call('syncSqlGroups', { token, body: {} })).data, { failed: 0 })
  t.ok(await theirs.read(`ou=groups,${base}`, []), 'the layout is flat')
  t.match(await sync(), { state: 'done', total: 1, added: 0, unchanged: 1 })
})
