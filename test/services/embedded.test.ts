import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Client } from 'ldapts'
import t, { type Test } from 'tap'
import { eventually } from '../eventually.ts'
import { ldapTools, skipWithoutTools } from '../ldap-server/ldap-tools.ts'
import { steward } from '../steward.ts'
import { accountsOf } from './accounts.ts'

// Service accounts on the embedded directory, which applies their rights itself.

const codeOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 0,
    (error: { code: number }) => error.code,
  )

const open = async (t: Test, env: Record<string, string> = {}) => {
  const service = await steward(t, { env })
  const { url = '', baseDn = '' } = service.mirror.address ?? {}
  const accounts = await accountsOf(service)
  const bound = async (t: Test, dn: string, password: string): Promise<Client> => {
    const client = new Client({ url, timeout: 10_000 })
    t.teardown(() => client.unbind().catch(() => {}))
    await client.bind(dn, password)
    return client
  }
  const bind = (t: Test, dn: string, password: string): Promise<number> => codeOf(bound(t, dn, password))
  const names = async (client: Client, base = baseDn, filter = '(objectClass=*)'): Promise<string[]> =>
    (await client.search(base, { filter, attributes: ['1.1'] })).searchEntries.map(({ dn }) => dn).sort()
  const group = async (groupName: string, fields: object = {}): Promise<number> =>
    (await service.take('addGroup', { body: { groupName, groupType: 'cn', parentId: 0, ...fields } })).id
  return { service, baseDn, url, ...accounts, bound, bind, names, group }
}

t.test('an account reads what its filters match, and nothing else', { skip: skipWithoutTools }, async (t) => {
  const s = await open(t)
  const editors = await s.group('Editors')
  await s.group('Payroll')
  await s.service.person('ann', { departmentId: [editors] })
  const bob = await s.service.person('bob')
  const cid = await s.service.person('cid', { departmentId: [editors] })
  await s.service.ask('changeUserStatus', { body: { id: cid.id, status: 2 } })
  const people = `ou=people,${s.baseDn}`
  const editorsDn = `cn=Editors,${s.baseDn}`
  const wiki = await s.create({ name: 'wiki', peopleFilter: `(memberOf=${editorsDn})` })
  t.equal(wiki.dn, `cn=wiki,ou=service-accounts,${s.baseDn}`)
  t.ok(wiki.password.length >= 22, 'at least 128 bits in base64')
  const tools = ldapTools({ url: s.url, baseDn: s.baseDn, bindDn: wiki.dn, bindPassword: wiki.password })

  await t.test('the people of its filter', async (t) => {
    t.same(await tools.names(), [s.baseDn, wiki.dn, people, `uid=ann,${people}`].sort())
    t.same(await tools.names('(uid=*)'), [`uid=ann,${people}`])
    t.same(await tools.names('-E', 'pr=1/noprompt', '(uid=*)'), [`uid=ann,${people}`])
    t.same(await tools.names('-E', 'sss=uid', '(uid=*)'), [`uid=ann,${people}`])
    const all = await tools.search('-b', s.baseDn, '(uid=ann)', '*', '+', 'userPassword')
    t.match(all.stdout, /^mail|^cn: ann$/m)
    t.match(all.stdout, `memberOf: ${editorsDn}`)
    t.notMatch(all.stdout, /userPassword/i)
    t.same(await tools.names('(userPassword=*)'), [])
  })

  await t.test('what it does not see does not exist for it', async (t) => {
    for (const dn of [
      ...[`uid=bob,${people}`, `cn=x,uid=bob,${people}`, `uid=nobody,${people}`, editorsDn],
      ...[`ou=disabled,${s.baseDn}`, `uid=cid,ou=disabled,${s.baseDn}`, `ou=service-accounts,${s.baseDn}`],
    ]) {
      const found = await tools.run('ldapsearch', ['-b', dn, '-s', 'base'])
      t.equal(found.code, 32, dn)
      const [, above = ''] = /^matchedDN: (.*)$/im.exec(found.stdout) ?? []
      t.ok([people, s.baseDn].includes(above), `${dn}: ${above} is one that it sees`)
      t.equal((await tools.run('ldapcompare', [dn, 'cn:x'])).code, 32, dn)
    }
    t.equal((await tools.run('ldapcompare', [`uid=ann,${people}`, 'uid:ann'])).code, 6)
    t.equal((await tools.run('ldapcompare', [`uid=ann,${people}`, 'userPassword:x'])).code, 50)
  })

  await t.test('it writes nothing, not even its own password', async (t) => {
    const change = `dn: ${wiki.dn}\nchangetype: modify\nreplace: stewardPeopleFilter\nstewardPeopleFilter: (uid=*)\n`
    t.equal((await tools.run('ldapmodify', [], change)).code, 50)
    t.equal((await tools.run('ldapdelete', [`uid=ann,${people}`])).code, 50)
    t.not((await tools.run('ldappasswd', ['-s', 'another long password'])).code, 0)
    t.not((await tools.run('ldappasswd', ['-s', 'another long password', `uid=ann,${people}`])).code, 0)
    t.equal(await s.bind(t, wiki.dn, wiki.password), 0)
    t.match((await tools.run('ldapwhoami', [])).stdout, `dn:${wiki.dn}`)
  })

  await t.test('groups, where it may read them', async (t) => {
    const groups = await s.create({ name: 'groups', people: false, groups: true, groupFilter: '(!(cn=Payroll))' })
    const reads = ldapTools({ url: s.url, baseDn: s.baseDn, bindDn: groups.dn, bindPassword: groups.password })
    t.same(await reads.names('(objectClass=groupOfNames)'), [editorsDn])
    t.same(await reads.names('(uid=*)'), [])
    t.equal((await reads.run('ldapsearch', ['-b', people, '-s', 'base'])).code, 32)
  })

  await t.test('a person does not see service accounts; a stranger sees nothing', async (t) => {
    const dn = `uid=bob,${people}`
    const asBob = ldapTools({ url: s.url, baseDn: s.baseDn, bindDn: dn, bindPassword: bob.password })
    const seen = await asBob.names()
    t.ok(seen.includes(editorsDn) && seen.includes(`uid=ann,${people}`))
    t.same(
      seen.filter((name) => name.includes('service-accounts')),
      [],
    )
    t.equal((await asBob.run('ldapsearch', ['-b', wiki.dn, '-s', 'base'])).code, 32)
    t.equal((await asBob.run('ldapcompare', [wiki.dn, 'cn:wiki'])).code, 32)
    t.equal((await tools.anonymously('ldapsearch', ['-b', s.baseDn])).code, 50)
    t.equal((await tools.anonymously('ldapcompare', [wiki.dn, 'cn:wiki'])).code, 50)
    for (const own of ['', 'cn=Subschema']) {
      t.equal((await tools.anonymously('ldapsearch', ['-b', own, '-s', 'base'])).code, 0, `"${own}"`)
    }
  })

  await t.test('a change of its filter is in force at once, on open connections too', async (t) => {
    const client = await s.bound(t, wiki.dn, wiki.password)
    t.same(await s.names(client, s.baseDn, '(uid=*)'), [`uid=ann,${people}`])
    await s.update(wiki.id, { peopleFilter: '(uid=bob)' })
    t.same(await s.names(client, s.baseDn, '(uid=*)'), [`uid=bob,${people}`])
    await s.update(wiki.id, { people: false })
    t.same(await s.names(client, s.baseDn, '(uid=*)'), [])
  })

  await t.test('records of people know nothing of it', async (t) => {
    await s.service.person('wiki')
    t.equal(await s.bind(t, wiki.dn, wiki.password), 0)
    const orphans = await s.service.take('listOrphans')
    t.same(orphans.orphans, [])
    const refused = await s.service.ask('addGroup', {
      body: { groupName: 'service-accounts', groupType: 'ou', parentId: 0 },
    })
    t.match(refused, { data: [{ field: 'groupName', reason: 'people.group_name_reserved' }] })
  })
})

t.test('NT hashes are for an account with the right to them alone', { skip: skipWithoutTools }, async (t) => {
  const s = await open(t, { LDAP_NT_HASH: 'on' })
  const ann = await s.service.person('ann')
  const bob = await s.service.person('bob')
  const people = `ou=people,${s.baseDn}`
  const radius = await s.create({ name: 'radius', peopleFilter: '(uid=ann)', ntHashes: true })
  const wiki = await s.create({ name: 'wiki' })
  const groups = await s.create({ name: 'groups', people: false, groups: true, ntHashes: true })
  const as = ({ dn, password }: { dn: string; password: string }) =>
    ldapTools({ url: s.url, baseDn: s.baseDn, bindDn: dn, bindPassword: password })
  const hash = /^stewardNtHash: [\dA-F]{32}$/gm
  const readsOf = async (reader: { dn: string; password: string }): Promise<number> => {
    const asked = ['*', '+', '@stewardNtAccount', 'stewardNtHash']
    const all = await Promise.all(
      [[], ['*'], ['+'], ['stewardNtHash'], asked].map((each) => as(reader).search('-b', s.baseDn, '(uid=*)', ...each)),
    )
    return all.reduce((sum, { stdout }) => sum + (stdout.match(/stewardNtHash:/gi)?.length ?? 0), 0)
  }

  const shown = await as(radius).search('-b', s.baseDn, '(uid=*)', 'stewardNtHash')
  t.equal(shown.stdout.match(hash)?.length, 1, 'of the people that it reads')
  t.match(shown.stdout, `dn: uid=ann,${people}`)
  t.same(await as(radius).names('(stewardNtHash=*)'), [`uid=ann,${people}`])
  t.match((await s.find(radius.id)).ntHashes, true)

  const value = /stewardNtHash: (\w+)/.exec(shown.stdout)?.[1] ?? ''
  const others = [
    wiki,
    groups,
    { dn: `uid=bob,${people}`, password: bob.password },
    { dn: `uid=ann,${people}`, password: ann.password },
  ]
  for (const reader of others) {
    t.equal(await readsOf(reader), 0, reader.dn)
    for (const filter of [
      ...[
        '(stewardNtHash=*)',
        `(stewardNtHash=${value})`,
        `(stewardNtHash>=${value})`,
        `(stewardNtHash=${value.slice(0, 4)}*)`,
      ],
      ...['(!(stewardNtHash=*))', `(stewardNtHash:2.5.13.17:=${value})`, `(stewardNtHash;lang-en=*)`],
      ...['(2.25.147598484085554524231040182181244542599=*)', `(:2.5.13.17:=${value})`, `(:caseExactMatch:=${value})`],
    ]) {
      t.same(
        (await as(reader).names(filter)).filter((dn) => dn.startsWith('uid=')),
        [],
        `${reader.dn} ${filter}`,
      )
    }
    const compared = await as(reader).run('ldapcompare', [`uid=ann,${people}`, `stewardNtHash:${value}`])
    t.ok([32, 50].includes(compared.code ?? 0), `${reader.dn} compares: ${compared.code}`)
    const sorted = await as(reader).run('ldapsearch', ['-b', s.baseDn, '-E', '!sss=stewardNtHash', '(uid=*)', '1.1'])
    t.not(sorted.code, 0, `${reader.dn} sorts`)
    t.notMatch(sorted.stdout, /^dn: uid=/m)
  }
  t.equal((await as(wiki).anonymously('ldapsearch', ['-b', s.baseDn, '(stewardNtHash=*)'])).code, 50)

  await t.test('the right ends at once, on open connections too', async (t) => {
    const client = await s.bound(t, radius.dn, radius.password)
    const read = async () =>
      (await client.search(people, { filter: '(uid=ann)', attributes: ['stewardNtHash'] })).searchEntries[0]
        ?.stewardNtHash
    t.ok(await read())
    await s.update(radius.id, { ntHashes: false })
    t.notOk(String((await read()) ?? '').length)
    await s.service.db.execute(sql`update sessions set stepped_up_at = null`)
    const given = await s.service.ask('updateServiceAccount', { params: { id: radius.id }, body: { ntHashes: true } })
    t.equal(given.code, 401, 'to give it needs a step-up')
  })
})

t.test('two passwords are valid while applications change over', async (t) => {
  const s = await open(t)
  const { id, dn, password: first } = await s.create({ name: 'mail' })
  const old = await s.bound(t, dn, first)
  await eventually(async () => (await s.find(id)).lastUsedAt !== null, 'its use was written')
  const { password: second } = await s.rotate(id)
  t.not(second, first)
  t.equal(await s.bind(t, dn, first), 0)
  const current = await s.bound(t, dn, second)
  t.same(await s.names(old, s.baseDn, '(cn=mail)'), [dn], 'who is connected stays connected')

  const used = await eventually(async () => {
    const { passwords } = await s.find(id)
    return passwords.every(({ lastUsedAt }) => lastUsedAt !== null) && passwords
  }, 'the use of each password was written')
  t.equal(used.length, 2)
  t.match(await s.service.ask('rotateServicePassword', { params: { id }, body: {} }), {
    code: 409,
    reason: 'services.two_passwords',
  })

  t.equal((await s.service.ask('endOldServicePassword', { params: { id } })).code, 200)
  t.equal(await s.bind(t, dn, first), 49)
  t.equal(await s.bind(t, dn, second), 0)
  t.not(await codeOf(s.names(old)), 0, 'a connection with the old one has ended')
  t.same(await s.names(current, s.baseDn, '(cn=mail)'), [dn], 'one with the new one has not')
  t.match(await s.service.ask('endOldServicePassword', { params: { id } }), {
    code: 409,
    reason: 'services.no_old_password',
  })

  const { password: third } = await s.rotate(id, { oldUntil: new Date(Date.now() + 1500).toISOString() })
  t.equal(await s.bind(t, dn, second), 0)
  await eventually(async () => (await s.bind(t, dn, second)) === 49, 'the old one ends by itself')
  t.equal(await s.bind(t, dn, third), 0)
  t.equal((await s.find(id)).passwords.length, 1)

  await s.rotate(id)
  const { password: last } = await s.rotate(id, { keepOld: false })
  t.equal(await s.bind(t, dn, third), 49)
  t.equal(await s.bind(t, dn, last), 0)
  const past = await s.service.ask('rotateServicePassword', {
    params: { id },
    body: { oldUntil: '2020-01-01T00:00:00Z' },
  })
  t.match(past, { code: 400, data: [{ field: 'oldUntil', reason: 'services.until_past' }] })

  const said = `${JSON.stringify(await s.service.take('listServiceAccounts'))}${s.service.logs.join('\n')}`
  for (const password of [first, second, third, last]) t.notOk(said.includes(password), 'no password is shown again')
  const stored = await s.service.db.execute(sql`select * from service_passwords`)
  t.match(stored, [{ password_hash: /^\$argon2id\$/ }])
})

t.test('an account that is disabled or deleted is out at once', async (t) => {
  const s = await open(t)
  const { id, dn, password } = await s.create({ name: 'vpn' })
  const client = await s.bound(t, dn, password)
  const { version } = await s.find(id)
  await s.update(id, { enabled: false, version })
  t.not(await codeOf(s.names(client)), 0, 'its open connection has ended')
  t.equal(await s.bind(t, dn, password), 49)
  t.match(await s.service.ask('updateServiceAccount', { params: { id }, body: { enabled: true, version } }), {
    code: 409,
    data: [{ field: 'version' }],
  })
  await s.update(id, { enabled: true })
  t.equal(await s.bind(t, dn, password), 0)

  await s.update(id, { name: 'VPN-2' })
  t.equal(await s.bind(t, dn, password), 49)
  t.equal(await s.bind(t, `cn=vpn-2,ou=service-accounts,${s.baseDn}`, password), 0)
  const again = await s.bound(t, `cn=vpn-2,ou=service-accounts,${s.baseDn}`, password)
  t.equal((await s.service.ask('removeServiceAccount', { params: { id } })).code, 200)
  t.not(await codeOf(s.names(again)), 0)
  t.equal((await s.service.ask('removeServiceAccount', { params: { id } })).code, 404)
  t.same(await s.service.db.execute(sql`select from service_entries`), [])
})

t.test('wrong passwords do not lock an application out', async (t) => {
  const s = await open(t)
  const { dn, password } = await s.create({ name: 'printer' })
  for (let attempt = 0; attempt < 12; attempt++) t.equal(await s.bind(t, dn, `guess ${attempt}`), 49)
  t.equal(await s.bind(t, dn, password), 0)
})

t.test('only the highest rank, with a step-up where secrets or rights are made', async (t) => {
  const s = await open(t)
  const { id } = await s.create({ name: 'a' })
  const role = await s.service.take('addRole', {
    body: { name: 'clerk', keyword: 'clerk', sort: 5, status: 1, remark: '' },
  })
  await s.service.db.execute(
    sql`insert into role_apis (role_id, api_id) select ${role.id}, id from api_entries on conflict do nothing`,
  )
  const { token } = await s.service.person('weak', { roleIds: [role.id] })
  await s.stepUp()
  const inputs = {
    createServiceAccount: { body: { name: 'b' } },
    updateServiceAccount: { params: { id }, body: { description: 'x' } },
    rotateServicePassword: { params: { id }, body: {} },
    endOldServicePassword: { params: { id } },
    removeServiceAccount: { params: { id } },
  } as const
  for (const [operation, input] of Object.entries(inputs)) {
    const reply = await s.service.call(operation as keyof typeof inputs, { ...input, token })
    t.match(reply, { code: 403, msg: /only a user with a role of sort 1/ }, operation)
  }
  await s.service.db.execute(sql`update sessions set stepped_up_at = null`)
  const update = (body: object) => s.service.ask('updateServiceAccount', { params: { id }, body })
  t.equal((await update({ description: 'y' })).code, 200)
  t.equal((await update({ enabled: false })).code, 200)
  for (const body of [{ enabled: true }, { peopleFilter: '(uid=x)' }, { groups: true }, { name: 'c' }]) {
    t.equal((await update(body)).code, 401, JSON.stringify(body))
  }
  t.equal((await s.service.ask('createServiceAccount', { body: { name: 'd' } })).code, 401)
  t.equal((await s.service.ask('rotateServicePassword', { params: { id }, body: {} })).code, 401)
  await eventually(async () => {
    const { entries } = await s.service.take('listLogEntries', { query: { record: `serviceAccount:${id}` } })
    return entries.length >= 2
  }, 'the changes are in the operation log')
})

t.test('names and filters that cannot be are refused where they go wrong', async (t) => {
  const s = await open(t)
  await s.create({ name: 'Taken' })
  for (const name of [
    '',
    ' ',
    'a b',
    'a,ou=x',
    'a\u0000',
    '../x',
    'a=b',
    '名字',
    '-a',
    'a-',
    'x'.repeat(65),
    'a*',
    'a)(cn=b',
  ]) {
    t.equal((await s.service.ask('createServiceAccount', { body: { name } })).code, 400, JSON.stringify(name))
  }
  const taken = await s.service.ask('createServiceAccount', { body: { name: 'tAKEN' } })
  t.match(taken, { code: 409, data: [{ field: 'name', reason: 'services.name_taken' }] })
  const wrong: [string, RegExp | null][] = [
    ['uid=x', /at character 1 /],
    ['(uid=x', /at character 7 /],
    ['(&(uid=x)(=y))', /at character 12 /],
    ['(uid=x)(uid=y)', /at character 8 /],
    ['(uid=a\\zz)', /two hex digits/],
    ['(|'.repeat(200) + ')'.repeat(200), /too deeply nested/],
    ['(noSuchThing=1)', /no attribute noSuchThing/],
    ['(&(uid=x)(!(costCenter;x=1)))', /no attribute costCenter/],
    ['(uid=\u0000)', null],
    [`(uid=${'x'.repeat(1000)})`, null],
  ]
  for (const [filter, problem] of wrong) {
    for (const field of ['peopleFilter', 'groupFilter']) {
      const reply = await s.service.ask('createServiceAccount', { body: { name: 'n', [field]: filter } })
      t.match(reply, { code: 400, data: [{ field, ...(problem && { message: problem }) }] }, filter.slice(0, 40))
    }
  }
  const id = (await s.create({ name: 'n', peopleFilter: '(|(uid=x)(cn=ü*)(memberOf=cn=a\\2cb,dc=x))' })).id
  t.match((await s.find(id)).sync, { state: 'synced' })
})

t.test('two at once: one name, two passwords at most', async (t) => {
  const s = await open(t)
  const made = await Promise.all(
    ['same', 'Same', 'SAME'].map((name) => s.service.ask('createServiceAccount', { body: { name } })),
  )
  t.same(made.map(({ code }) => code).sort(), [200, 409, 409])
  const { id } = await s.create({ name: 'other' })
  const rotated = await Promise.all(
    [1, 2, 3].map(() => s.service.ask('rotateServicePassword', { params: { id }, body: {} })),
  )
  t.same(rotated.map(({ code }) => code).sort(), [200, 409, 409])
  await sleep(0)
  t.equal((await s.find(id)).passwords.length, 2)
})
