import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { configIdentity, type SlapdOptions } from '../slapd-configuration.ts'
import { steward } from '../steward.ts'
import { accountsOf } from './accounts.ts'

// Service accounts in an OpenLDAP of the installation: entries that it verifies itself, and the rules to paste.

const open = async (t: Test, options: SlapdOptions = {}, env: Record<string, string> = {}) => {
  const slapd = await testSlapd(t, options)
  const service = await steward(t, { directory: slapd, env })
  const accounts = await accountsOf(service)
  const tools = (dn: string, password: string, at: TestSlapd = slapd) =>
    ldapTools({ url: at.url, baseDn: at.baseDn, bindDn: dn, bindPassword: password })
  const bind = async (dn: string, password: string, at: TestSlapd = slapd): Promise<number | null> =>
    (await tools(dn, password, at).run('ldapwhoami', [])).code
  const root = tools(slapd.bindDn, slapd.bindPassword)
  const shown = (dn: string) => root.search('-b', dn, '-s', 'base', '*').then(({ stdout }) => stdout)
  return { slapd, service, ...accounts, tools, bind, root, shown }
}

t.test('an account is an entry that the server verifies', { skip: skipWithoutSlapd }, async (t) => {
  const s = await open(t)
  const { id, dn, password: first } = await s.create({ name: 'wiki', description: '维基', peopleFilter: '(uid=a*)' })
  t.match((await s.find(id)).sync, { state: 'synced', reason: null })
  t.match(await s.find(id), { dn, lastUsedAt: null, lastUseKnown: false })
  const entry = await s.shown(dn)
  for (const line of [/^objectClass: applicationProcess$/m, /^objectClass: simpleSecurityObject$/m, /^cn: wiki$/m]) {
    t.match(entry, line)
  }
  t.notMatch(entry, /steward|uid=a/i, 'the rights are not in the entry')
  t.equal(await s.bind(dn, first), 0)
  const { password: second } = await s.rotate(id)
  t.equal(await s.bind(dn, first), 0)
  t.equal(await s.bind(dn, second), 0)
  t.equal((await s.service.ask('endOldServicePassword', { params: { id } })).code, 200)
  t.equal(await s.bind(dn, first), 49)
  t.equal(await s.bind(dn, second), 0)
  const { password: third } = await s.rotate(id, { oldUntil: new Date(Date.now() + 1500).toISOString() })
  await eventually(async () => (await s.bind(dn, second)) === 49, 'the old one ends by itself')
  t.equal(await s.bind(dn, third), 0)

  await s.update(id, { name: 'wiki2' })
  const renamed = dn.replace('wiki', 'wiki2')
  t.equal(await s.bind(dn, third), 49)
  t.equal(await s.bind(renamed, third), 0)
  await s.update(id, { enabled: false })
  t.equal(await s.shown(renamed), '', 'a disabled account has no entry')
  await s.update(id, { enabled: true })
  t.equal(await s.bind(renamed, third), 0)
  t.equal((await s.service.ask('removeServiceAccount', { params: { id } })).code, 200)
  t.equal(await s.shown(renamed), '')
  t.same(await s.service.db.execute(sql`select from service_entries`), [])
})

t.test(
  'what another program changes is repaired, and the entry of another program is left',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await open(t)
    const { dn, password, id } = await s.create({ name: 'mail', description: 'mail' })
    const modify = (ldif: string) => s.root.run('ldapmodify', [], ldif)
    const replace =
      'changetype: modify\nreplace: userPassword\nuserPassword: known\n-\nreplace: description\ndescription: x\n'
    t.equal((await modify(`dn: ${dn}\n${replace}`)).code, 0)
    // The first comparison after the start may find it before the one that is asked for here.
    await s.service.mirror.reconciler.compareEverything()
    t.equal(await s.bind(dn, 'known'), 49)
    t.equal(await s.bind(dn, password), 0)
    t.match(await s.shown(dn), /^description: mail$/m)

    t.equal((await s.root.run('ldapmodrdn', ['-r', dn, 'cn=moved'])).code, 0)
    await s.service.mirror.reconciler.compareEverything()
    t.equal(await s.shown(dn.replace('mail', 'moved')), '')
    t.equal(await s.bind(dn, password), 0)
    await s.root.run('ldapdelete', [dn])
    await s.service.mirror.reconciler.compareEverything()
    t.equal(await s.bind(dn, password), 0)

    const foreign = dn.replace('mail', 'theirs')
    const add = `dn: ${foreign}\nchangetype: add\nobjectClass: applicationProcess\ncn: theirs\n`
    t.equal((await modify(add)).code, 0)
    const theirs = await s.service.ask('createServiceAccount', { body: { name: 'theirs' } })
    t.match(theirs, { code: 200, msg: 'saved; the directory follows' })
    t.match((await s.find(theirs.data.id)).sync, { state: 'refused', reason: /another entry is already at cn=theirs/ })
    t.equal((await s.service.ask('removeServiceAccount', { params: { id: theirs.data.id } })).code, 200)
    t.match(await s.shown(foreign), /^cn: theirs$/m)
    t.equal((await s.service.ask('removeServiceAccount', { params: { id } })).code, 200)
    const orphans = await s.service.take('listOrphans')
    t.same(orphans.orphans, [])
  },
)

t.test(
  'a password that has ended is not valid, whatever the directory refuses',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await open(t)
    const { slapd } = s
    const { id, dn, password: first } = await s.create({ name: 'wiki' })
    const { password: second } = await s.rotate(id)
    await slapd.refuse('description', '#')
    await s.update(id, { description: '#' })
    await s.service.ask('endOldServicePassword', { params: { id } })
    await eventually(async () => (await s.bind(dn, first)) === 49, 'the first one has ended')
    t.equal(await s.bind(dn, second), 0)
    // Every hash has one.
    await slapd.refuse('userPassword', '$')
    const { password: third } = await s.rotate(id)
    await s.service.ask('endOldServicePassword', { params: { id } })
    await eventually(
      async () => (await s.bind(dn, second)) === 49,
      'so has the second one, although the third is refused',
    )
    await slapd.accept()
    await eventually(async () => (await s.bind(dn, third)) === 0, 'it is tried again')
    t.match(await s.shown(dn), /^description: #$/m)

    const book = `cn=book,${dn}`
    t.equal((await s.root.run('ldapadd', [], `dn: ${book}\nobjectClass: applicationProcess\ncn: book\n`)).code, 0)
    await s.update(id, { enabled: false })
    await eventually(async () => (await s.bind(dn, third)) !== 0, 'an entry that cannot be removed has no password')
    t.equal((await s.root.run('ldapdelete', [book])).code, 0)
    await eventually(async () => (await s.shown(dn)) === '', 'it is removed')
  },
)

t.test('nothing is lost while the directory is down', { skip: skipWithoutSlapd }, async (t) => {
  const s = await open(t, {}, { DIRECTORY_WAIT: '1s', LDAP_TIMEOUT: '2s' })
  const before = await s.create({ name: 'before' })
  const gone = await s.create({ name: 'gone' })
  await s.slapd.stop()
  const made = await s.service.ask('createServiceAccount', { body: { name: 'while-down' } })
  t.match(made, { code: 200, msg: 'saved; the directory follows' })
  t.match((await s.find(made.data.id)).sync, { state: 'waiting', reason: /\w/ })
  const rotated = await s.rotate(before.id, { keepOld: false })
  t.equal((await s.service.ask('removeServiceAccount', { params: { id: gone.id } })).code, 200)
  await s.slapd.start()
  await eventually(async () => (await s.bind(made.data.dn, made.data.password)) === 0, 'the new account arrives')
  await eventually(async () => (await s.bind(rotated.dn, rotated.password)) === 0, 'the new password arrives')
  t.equal(await s.bind(before.dn, before.password), 49)
  await eventually(async () => (await s.shown(gone.dn)) === '', 'the deleted account is gone')
  await eventually(async () => (await s.find(made.data.id)).sync.state === 'synced', 'the state is shown')
})

t.test('the rules, pasted into slapd, limit the account', { skip: skipWithoutSlapd }, async (t) => {
  const s = await open(t, { memberof: true })
  const { baseDn } = s.slapd
  const { service } = s
  const group = async (groupName: string): Promise<number> =>
    (await service.take('addGroup', { body: { groupName, groupType: 'cn', parentId: 0 } })).id
  const editors = await group('Editors "A\\B"')
  await group('Payroll')
  await service.person('ann', { departmentId: [editors] })
  await service.person('bob')
  const cid = await service.person('cid', { departmentId: [editors] })
  await service.ask('changeUserStatus', { body: { id: cid.id, status: 2 } })
  const people = `ou=people,${baseDn}`
  const shown = (await s.root.names('(cn=Editors*)'))[0] ?? ''
  const inFilter = 'cn=Editors \\5c"A\\5c5cB\\5c22'
  const wiki = await s.create({ name: 'wiki', peopleFilter: `(memberOf=${inFilter},${baseDn})` })
  const both = await s.create({ name: 'both', groups: true, peopleFilter: '(uid=b*)', groupFilter: '(!(cn=Payroll))' })
  const none = await s.create({ name: 'none', people: false })
  const as = ({ dn, password }: typeof wiki) => s.tools(dn, password)
  t.ok((await as(none).names('(uid=*)')).length > 0, 'without the rules each account reads what all users may')

  for (const { id } of [wiki, both, none]) {
    const { enforced, rules, ldif } = await service.take('getServiceAccountRules', { params: { id } })
    t.notOk(enforced)
    t.ok(rules.every((rule) => ldif.includes(rule) || ldif.includes('::')))
    const pasted = await s.tools(configIdentity.bindDn, configIdentity.bindPassword).run('ldapmodify', [], ldif)
    t.equal(pasted.code, 0, pasted.stderr)
  }

  t.same(await as(wiki).names(), [baseDn, people, `uid=ann,${people}`].sort())
  t.same(await as(both).names('(uid=*)'), [`uid=bob,${people}`])
  t.same(await as(both).names('(objectClass=groupOfNames)'), [shown])
  t.same(await as(none).names(), [baseDn])
  for (const account of [wiki, both, none]) {
    const all = await as(account).search('-b', baseDn, '*', '+')
    t.notMatch(all.stdout, /userPassword|pwd/i)
    t.same(await as(account).names('(userPassword=*)'), [])
    const change = (dn: string) => `dn: ${dn}\nchangetype: modify\nreplace: userPassword\nuserPassword: x\n`
    for (const dn of [account.dn, `uid=ann,${people}`]) {
      t.ok([32, 50].includes((await as(account).run('ldapmodify', [], change(dn))).code ?? 0), 'it cannot write')
    }
    t.equal(await s.bind(account.dn, account.password), 0)
  }
  const bob = s.tools(`uid=bob,${people}`, 'bob has a password')
  t.ok((await bob.names('(uid=*)')).includes(`uid=ann,${people}`), 'others read as before')
})

t.test('the rules, entry by entry, with names and filters of every kind', { skip: skipWithoutSlapd }, async (t) => {
  const s = await open(t, { memberof: true })
  const { baseDn } = s.slapd
  const { service } = s
  const group = async (groupName: string, parentId = 0, groupType = 'cn'): Promise<number> =>
    (await service.take('addGroup', { body: { groupName, groupType, parentId } })).id
  const unit = await group('R&D "x"', 0, 'ou')
  const editors = await group('Editors (A\\B) *', unit)
  const payroll = await group('Payroll, "by * write"')
  await group('people') // beside ou=people
  for (const [name, departmentId] of [
    ['ann', [editors]],
    ['o"hara', [editors]],
    ['by dn.exact="x" write', [editors, payroll]],
    ['a\\b)(uid=*', [payroll]],
    ['王小明', []],
  ] as const) {
    await service.take('addUser', { body: person(name, { departmentId: [...departmentId] }) })
  }
  const gone = await service.take('addUser', { body: person('gone', { departmentId: [editors] }) })
  await service.ask('changeUserStatus', { body: { id: gone.id, status: 2 } })
  const [people, disabled] = [`ou=people,${baseDn}`, `ou=disabled,${baseDn}`]
  const memberOf = async (name: string): Promise<string> => {
    const [dn = ''] = await s.root.names(`(cn=${name}*)`)
    return `(memberOf=${dn.replace(/[\\*()]/g, (character) => `\\${character.charCodeAt(0).toString(16)}`)})`
  }

  const rights = [
    { people: true, peopleFilter: await memberOf('Editors') },
    { people: true, peopleFilter: '(uid=o"hara)', groups: true, groupFilter: '(cn=Payroll, "by \\2a write")' },
    { people: true, peopleFilter: '(|(uid=a\\5cb\\29\\28uid=\\2a)(uid=王小明))', groups: true },
    { people: false, groups: true, groupFilter: '(!(ou=R&D "x"))' },
    {
      people: true,
      peopleFilter: '(uid=by dn.exact="x" write)',
      groups: true,
      groupFilter: '(cn=Editors \\28A\\5cB\\29 \\2a)',
    },
    { people: true, peopleFilter: '(cn=\\22 by \\2a write)' },
  ]
  const accounts = []
  for (const [index, right] of rights.entries())
    accounts.push({ ...right, ...(await s.create({ name: `app-${index}`, ...right })) })
  const config = s.tools(configIdentity.bindDn, configIdentity.bindPassword)
  for (const { id } of accounts) {
    const { ldif } = await service.take('getServiceAccountRules', { params: { id } })
    const pasted = await config.run('ldapmodify', [], ldif)
    t.equal(pasted.code, 0, `${ldif}\n${pasted.stderr}`)
  }

  const all = await s.root.names('(objectClass=*)')
  t.ok(all.length >= 20)
  const isGroup = '(|(objectClass=groupOfNames)(objectClass=organizationalUnit))'
  for (const { dn, password, people: readsPeople, peopleFilter = '', groups = false, groupFilter = '' } of accounts) {
    // What it is to see, as the root reads it with the same filters.
    const seen = new Set([baseDn])
    if (readsPeople)
      for (const each of [people, ...(await s.root.names('-b', people, '-s', 'one', peopleFilter))]) seen.add(each)
    if (groups) {
      const units = [people, disabled, `ou=service-accounts,${baseDn}`]
      const found = await s.root.names(`(&${isGroup}${groupFilter})`)
      for (const each of found) if (each !== baseDn && !units.includes(each)) seen.add(each)
    }
    const label = `${peopleFilter} ${groupFilter}`
    t.ok(seen.size > (peopleFilter.includes('by \\2a') ? 1 : 2), `${label}: the filters match something`)
    const reads = s.tools(dn, password)
    t.same(await reads.names('(objectClass=*)'), [...seen].sort(), label)
    for (const each of all) {
      const [read, compared] = [
        await reads.run('ldapsearch', ['-LLL', '-b', each, '-s', 'base', '(objectClass=*)', '*', '+']),
        await reads.run('ldapcompare', [each, 'objectClass:top']),
      ]
      const isBare = each === baseDn || (each === people && readsPeople)
      t.equal(/^dn:/m.test(read.stdout), seen.has(each), `${label} reads ${each}`)
      t.equal([5, 6].includes(compared.code ?? 0), seen.has(each), `${label} compares ${each}`)
      if (isBare)
        t.notMatch(read.stdout, /^(?!dn|objectClass|[^:]*:? ?$)\w+:/m, 'of what holds others it sees the classes')
      t.notMatch(read.stdout, /userPassword/i)
      const changed = await reads.run(
        'ldapmodify',
        [],
        `dn:: ${Buffer.from(each).toString('base64')}\nchangetype: modify\nreplace: description\ndescription: x\n`,
      )
      t.ok([32, 50].includes(changed.code ?? 0), `${label} does not write ${each}`)
    }
  }
})

for (const lastBind of ['own', 'overlay'] as const) {
  t.test(`the last use, where slapd notes it: ${lastBind}`, { skip: skipWithoutSlapd }, async (t) => {
    const s = await open(t, { lastBind })
    const { id, dn, password } = await s.create({ name: 'wiki' })
    t.match(await s.find(id), { lastUsedAt: null, lastUseKnown: false }, 'an account that was not used')
    const before = Date.now()
    t.equal(await s.bind(dn, 'wrong'), 49)
    t.match(await s.find(id), { lastUsedAt: null, lastUseKnown: false }, 'a refused bind is no use')
    t.equal(await s.bind(dn, password), 0)
    const { lastUsedAt, lastUseKnown } = await s.find(id)
    t.ok(lastUseKnown)
    const at = Date.parse(lastUsedAt ?? '')
    t.ok(at >= before - 1000 && at <= Date.now(), `${lastUsedAt} is when it was used`)
    await s.service.mirror.reconciler.compareEverything()
    t.notOk(
      s.service.logs.some((line) => line.includes('had drifted')),
      'what slapd notes is no drift',
    )
    await s.update(id, { name: 'wiki2' })
    t.match((await s.find(id)).sync, { state: 'synced' })
    t.equal(await s.bind(dn.replace('wiki', 'wiki2'), password), 0)
    t.ok((await s.find(id)).lastUseKnown)
  })
}

t.test('the rules give NT hashes to accounts with the right alone', { skip: skipWithoutSlapd }, async (t) => {
  const s = await open(t, { ntHash: true }, { LDAP_NT_HASH: 'on' })
  const { baseDn } = s.slapd
  const people = `ou=people,${baseDn}`
  await s.service.person('ann')
  await s.service.person('bob')
  const paste = async (id: number): Promise<void> => {
    const { ldif } = await s.service.take('getServiceAccountRules', { params: { id } })
    const pasted = await s.tools(configIdentity.bindDn, configIdentity.bindPassword).run('ldapmodify', [], ldif)
    t.equal(pasted.code, 0, pasted.stderr)
  }
  const hashes = async ({ dn, password }: { dn: string; password: string }): Promise<number> =>
    (await s.tools(dn, password).search('-b', baseDn, '(uid=*)', '*', 'stewardNtHash')).stdout.match(
      /^stewardNtHash: \w{32}$/gm,
    )?.length ?? 0
  const wiki = await s.create({ name: 'wiki' })
  const wifi = await s.create({ name: 'wifi', peopleFilter: '(uid=a*)', ntHashes: true })
  const vpn = await s.create({ name: 'vpn', ntHashes: true })
  const bob = { dn: `uid=bob,${people}`, password: 'bob has a password' }
  t.equal(await hashes(bob), 3, 'without the rules every user of the directory reads them')
  for (const each of [wifi, wiki]) await paste(each.id)
  await paste(vpn.id)
  for (const [reader, count] of [
    [wiki, 0],
    [wifi, 2],
    [vpn, 3],
    [bob, 0],
  ] as const) {
    t.equal(await hashes(reader), count, reader.dn)
    const found = await s.tools(reader.dn, reader.password).names('(stewardNtHash=*)')
    t.equal(found.length, count, `${reader.dn} by a filter`)
  }
  const late = await s.create({ name: 'late', ntHashes: true })
  await paste(late.id)
  t.equal(await hashes(late), 3)
  t.equal(await hashes(vpn), 3, 'whose rules were pasted before')
  t.equal(await hashes(bob), 0)
  // Steward still writes them.
  const next = await s.service.person('cid')
  t.ok(next.id)
  t.equal(await hashes(vpn), 4)
})
