import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { Client } from 'ldapts'
import t from 'tap'
import { ldapTools, skipWithoutTools } from '../ldap-server/ldap-tools.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { configIdentity } from '../slapd-configuration.ts'
import { steward } from '../steward.ts'
import { accountsOf } from './accounts.ts'

// What people may see of declared attributes holds for people who are bound to the embedded directory, too.

t.test(
  'people do not read what only some roles see, or what is hidden from them',
  { skip: skipWithoutTools },
  async (t) => {
    const s = await steward(t)
    const { url = '', baseDn = '' } = s.mirror.address ?? {}
    const accounts = await accountsOf(s)
    const { id: role } = await s.take('addRole', { body: { name: 'payroll', keyword: 'payroll', sort: 2 } })
    const declare = (name: string, ldapAttribute: string, more: object = {}) =>
      s.take('declareAttribute', {
        body: { kind: 'user', name, labels: { en: name, 'zh-CN': name }, type: 'text', ldapAttribute, ...more },
      })
    const iban = await declare('iban', 'roomNumber', { seeRoles: [role] })
    const rating = await declare('rating', 'employeeType', { own: 'hidden' })
    await declare('plate', 'carLicense')
    const ann = await s.person('ann')
    const bob = await s.person('bob', { roleIds: [role] })
    const values = { iban: ['DE1'], rating: ['poor'], plate: ['B-X 1'] }
    await s.take('setPersonAttributes', { params: { id: ann.id }, body: { values } })
    const people = `ou=people,${baseDn}`
    const annDn = `uid=ann,${people}`
    const toolsOf = (bindDn: string, bindPassword: string) => ldapTools({ url, baseDn, bindDn, bindPassword })
    const wiki = await accounts.create({ name: 'wiki' })
    const radio = toolsOf(wiki.dn, wiki.password)
    const whole = await radio.search('-b', annDn, '-s', 'base')
    t.match(whole.stdout, /^roomNumber: DE1$/m, 'a service account reads what its filter gives it')
    t.match(whole.stdout, /^employeeType: poor$/m)

    for (const [dn, password] of [
      [annDn, ann.password],
      [`uid=bob,${people}`, bob.password],
    ] as const) {
      const tools = toolsOf(dn, password)
      for (const asked of [[], ['*', '+'], ['roomNumber', 'employeeType', 'carLicense'], ['@inetOrgPerson']]) {
        const { stdout } = await tools.search('-b', people, '(uid=ann)', ...asked)
        t.match(stdout, /^carLicense: B-X 1$/m, `${dn} ${asked}`)
        t.notMatch(stdout, /roomNumber|employeeType/i, `${dn} ${asked}`)
      }
      for (const filter of [
        ...['(roomNumber=*)', '(roomNumber=DE1)', '(roomNumber=D*)', '(ROOMNUMBER;x-a=*)', '(!(roomNumber=DE2))'],
        ...['(0.9.2342.19200300.100.1.6=DE1)', '(roomNumber:caseIgnoreMatch:=DE1)', '(:caseIgnoreMatch:=DE1)'],
        ...['(employeeType=poor)', '(!(employeeType=*))', '(|(cn=nothing)(employeeType>=a))'],
      ]) {
        t.same(await tools.names(filter), [], `${dn} ${filter}`)
      }
      for (const compared of ['roomNumber:DE1', 'roomNumber:DE2', 'employeeType:poor']) {
        t.equal((await tools.run('ldapcompare', [annDn, compared])).code, 50, compared)
      }
      const sorted = await tools.run('ldapsearch', ['-b', people, '-E', '!sss=roomNumber', '(uid=*)', '1.1'])
      t.equal(sorted.code, 12, 'the order would tell')
      t.equal((await tools.run('ldapcompare', [annDn, 'carLicense:B-X 1'])).code, 6)
    }

    await t.test('a changed declaration is in force at once, on open connections too', async (t) => {
      const client = new Client({ url, timeout: 10_000 })
      t.teardown(() => client.unbind().catch(() => {}))
      await client.bind(annDn, ann.password)
      const own = async () => (await client.search(annDn, { scope: 'base' })).searchEntries[0]
      const change = (id: number, body: object) => s.take('updateAttribute', { params: { id }, body })
      t.equal((await own())?.roomNumber, undefined)
      await change(iban.id, { seeRoles: [] })
      t.equal((await own())?.roomNumber, 'DE1')
      await change(iban.id, { seeRoles: [role] })
      await change(rating.id, { own: 'see' })
      t.equal((await own())?.roomNumber, undefined)
      t.equal((await own())?.employeeType, 'poor')
      await change(rating.id, { own: 'hidden', ldapAttribute: 'initials' })
      t.same(
        Object.keys((await own()) ?? {}).filter((name) => /roomNumber|employeeType|initials/i.test(name)),
        [],
      )
      const all = await Promise.all(Array.from({ length: 50 }, own))
      t.ok(all.every((entry) => entry?.carLicense === 'B-X 1' && entry.roomNumber === undefined))
      await s.db.execute(sql`update sessions set stepped_up_at = null`)
    })
  },
)

t.test('in OpenLDAP the rule of docs/attributes.md does it', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const { url, baseDn } = slapd
  const s = await steward(t, { directory: slapd })
  const accounts = await accountsOf(s)
  const labels = { en: 'Room', 'zh-CN': '房间' }
  await s.take('declareAttribute', {
    body: { kind: 'user', name: 'room', labels, type: 'text', own: 'hidden', ldapAttribute: 'roomNumber' },
  })
  const ann = await s.person('ann')
  await s.take('setPersonAttributes', { params: { id: ann.id }, body: { values: { room: ['7'] } } })
  const wiki = await accounts.create({ name: 'wiki' })
  const dn = `uid=ann,ou=people,${baseDn}`
  const page = readFileSync(new URL('../../docs/attributes.md', import.meta.url), 'utf8')
  const rule = /```ldif\n([^`]+)```/.exec(page)?.[1]?.replace('dc=example,dc=org', baseDn) ?? ''
  const reads = async (bindDn: string, bindPassword: string, attribute: string): Promise<boolean> =>
    (await ldapTools({ url, baseDn, bindDn, bindPassword }).search('-b', dn, attribute)).stdout.includes(
      `${attribute}:`,
    )
  t.equal(await reads(dn, ann.password, 'roomNumber'), true, 'without a rule')
  const changed = await ldapTools({ ...slapd, ...configIdentity }).run('ldapmodify', [], rule)
  t.equal(changed.code, 0, changed.stderr)
  t.equal(await reads(dn, ann.password, 'roomNumber'), false)
  t.equal(await reads(dn, ann.password, 'cn'), true)
  t.equal(await reads(wiki.dn, wiki.password, 'roomNumber'), true)
})
