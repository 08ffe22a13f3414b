import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { adoptDirectory } from '../../src/mirror/directory/identity.ts'
import { serviceLedger } from '../../src/mirror/services/service-ledger.ts'
import { digestOf, isOurs } from '../../src/mirror/services/service-ownership.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { accountsOf } from './accounts.ts'

// LDAP_URL gets another spelling, or another server with the same base, while changes of service accounts are on their way.

const skip = skipWithoutSlapd
t.setTimeout(240_000)

const bind = async (at: TestSlapd, dn: string, password: string): Promise<number | null> =>
  (await ldapTools({ url: at.url, baseDn: at.baseDn, bindDn: dn, bindPassword: password }).run('ldapwhoami', [])).code

const office = async (t: Test) => {
  const database = await testDatabase(t)
  const start = async (directory: TestSlapd, env: Record<string, string> = {}) => {
    const service = await steward(t, { database, directory, env: { DIRECTORY_WAIT: '500ms', ...env } })
    return { ...service, ...(await accountsOf(service)) }
  }
  const waiting = async (): Promise<boolean> => {
    const rows = await database.db.execute(sql`
      select from service_accounts a full join service_entries e on e.account_id = a.id
      where e.synced_version is distinct from a.version`)
    return rows.length > 0
  }
  return { database, start, settled: () => eventually(async () => !(await waiting()), 'nothing waits') }
}

t.test('another spelling of the same server', { skip }, async (t) => {
  const slapd = await testSlapd(t)
  const { start, settled, database } = await office(t)
  const one = await start(slapd)
  const kept = await one.create({ name: 'kept' })
  const turned = await one.create({ name: 'turned' })
  const disabled = await one.create({ name: 'disabled' })
  const begun = await one.create({ name: 'begun' })
  const renamed = await one.create({ name: 'renamed' })
  const deleted = await one.create({ name: 'deleted' })
  const all = [kept, turned, disabled, begun, renamed, deleted]
  for (const { dn, password } of all) t.equal(await bind(slapd, dn, password), 0)
  await slapd.readOnly(true)
  const { password } = await one.rotate(turned.id, { keepOld: false })
  await one.update(disabled.id, { enabled: false })
  await one.update(renamed.id, { name: 'other' })
  await one.ask('removeServiceAccount', { params: { id: deleted.id } })
  await one.close()
  // As a kill after the add leaves it.
  const values = (await slapd.ldapsearch('-b', begun.dn, 'userPassword')).match(/userPassword:: (.*)/)?.[1] ?? ''
  const digest = digestOf([Buffer.from(values, 'base64').toString()])
  await database.db.execute(sql`
    update service_entries set dn = null, entry_uuid = null, target_dn = ${begun.dn}, target_digest = ${digest}
    where account_id = ${begun.id}`)
  await slapd.readOnly(false)
  for (const { dn, password } of all) t.equal(await bind(slapd, dn, password), 0, 'nothing has arrived')

  await start(slapd, { LDAP_URL: slapd.url.replace('127.0.0.1', 'localhost') })
  await settled()
  for (const { dn, password } of [kept, begun]) t.equal(await bind(slapd, dn, password), 0)
  t.equal(await bind(slapd, turned.dn, password), 0)
  t.equal(await bind(slapd, renamed.dn.replace('renamed', 'other'), renamed.password), 0)
  for (const { dn, password } of [turned, disabled, renamed, deleted]) t.equal(await bind(slapd, dn, password), 49, dn)
})

t.test('another server, with entries of others at the same places', { skip }, async (t) => {
  const [first, second] = [await testSlapd(t), await testSlapd(t)]
  const { start } = await office(t)
  const one = await start(first)
  const made = [
    await one.create({ name: 'taken' }),
    await one.create({ name: 'gone' }),
    await one.create({ name: 'new' }),
  ]
  const [taken, gone, fresh] = made
  await first.readOnly(true)
  await one.ask('removeServiceAccount', { params: { id: gone?.id ?? 0 } })
  await one.close()
  const unit = `ou=service-accounts,${second.baseDn}`
  const theirs = (name: string) => `
dn: cn=${name},${unit}
objectClass: applicationProcess
objectClass: simpleSecurityObject
cn: ${name}
userPassword: theirs
`
  const root = ldapTools({ ...second })
  const ldif = `dn: ${unit}\nobjectClass: organizationalUnit\n${theirs('taken')}${theirs('gone')}`
  t.equal((await root.run('ldapadd', [], ldif)).code, 0)

  const two = await start(second)
  await eventually(
    async () => (await bind(second, fresh?.dn ?? '', fresh?.password ?? '')) === 0,
    'what is free is added',
  )
  await eventually(async () => (await two.find(taken?.id ?? 0)).sync.state === 'refused', 'what is taken is not')
  for (const name of ['taken', 'gone']) t.equal(await bind(second, `cn=${name},${unit}`, 'theirs'), 0)
  t.equal(await bind(second, taken?.dn ?? '', taken?.password ?? ''), 49)
})

t.test('a server without entries gets the service accounts again', { skip }, async (t) => {
  const [first, second] = [await testSlapd(t), await testSlapd(t)]
  const { start, settled } = await office(t)
  const one = await start(first)
  const { dn, password } = await one.create({ name: 'wiki' })
  const { id } = await one.create({ name: 'gone' })
  await first.readOnly(true)
  await one.ask('removeServiceAccount', { params: { id } })
  await one.close()
  await start(second)
  await settled()
  t.equal(await bind(second, dn, password), 0)
})

t.test(
  'what an interrupted add may have left on another server, for an account that had an entry or none',
  async (t) => {
    const { db } = await testDatabase(t)
    const baseDn = 'dc=example,dc=org'
    const at = (server: string) =>
      adoptDirectory(db, { server, baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
    await at('ldap://one.example')
    const dn = `cn=wiki,ou=service-accounts,${baseDn}`
    for (const [id, uuid] of [null, 'e1c9a1f0-0000-1000-8000-000000000000'].entries()) {
      await db.execute(sql`
      insert into service_entries (directory, account_id, entry_uuid, target_dn, target_digest)
      values (1, ${id}, ${uuid}, ${dn}, ${digestOf(['ours'])})`)
    }
    const { take, held } = serviceLedger({ db, number: 1 })
    const own = async (userPassword?: string[]): Promise<boolean[]> => {
      const kept = await take([0, 1])
      kept.end()
      const objectClass = ['applicationProcess', 'simpleSecurityObject']
      const attributes = { objectClass, cn: ['wiki'], ...(userPassword && { userPassword }) }
      return (await held()).map((row) => isOurs(row, { dn, attributes }))
    }
    t.same(await own(), [true, true], 'there the DN was free')
    for (const server of ['ldap://two.example', 'ldap://three.example']) {
      await at(server)
      t.same(await own(), [false, false], 'a namesake whose password is hidden')
      t.same(await own(['theirs']), [false, false], 'one with another password')
      t.same(await own(['ours']), [true, true])
    }
  },
)
