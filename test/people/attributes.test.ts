import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { forgetRemovedAttributes } from '../../src/mirror/entry/removed-attributes.ts'
import type { CallInput } from '../contract/call.ts'
import { eventually } from '../eventually.ts'
import { ldapGate } from '../mirror/gate.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { openConsole, person, refused, unknownId } from './console.ts'

const open = async (t: Test) => {
  const s = await openConsole(t)
  const stepUp = () => s.db.execute(sql`update sessions set stepped_up_at = now()`)
  await stepUp()
  const declare = async (fields: object = {}, token = s.token) =>
    s.call('declareAttribute', {
      body: {
        kind: 'user',
        name: 'costCentre',
        labels: { en: 'Cost centre', 'zh-CN': '成本中心' },
        type: 'text',
        ...fields,
      },
      token,
    })
  const declared = async (fields: object = {}): Promise<number> => {
    const { code, msg, data } = await declare(fields)
    if (code !== 200) throw new Error(msg)
    return data.id
  }
  const set = (id: number, values: object, more: { version?: string; token?: string } = {}) => {
    const { token = s.token, ...version } = more
    return s.call('setPersonAttributes', { params: { id }, body: { values, ...version }, token })
  }
  const valuesOf = async (id: number, token = s.token) => {
    const { data } = await s.call('getPersonAttributes', { params: { id }, token })
    return Object.fromEntries(data.attributes.map(({ name, values }) => [name, values]))
  }
  const byId = (id: 'updateAttribute' | 'removeAttribute', which: number, input: CallInput = {}) =>
    s.call(id, { params: { id: which }, token: s.token, ...input })
  return { ...s, stepUp, declare, declared, set, valuesOf, byId }
}

t.test('two at once about the same place in the directory', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const gate = await ldapGate(t, slapd.url, 'subschemaSubentry', 'searches')
  const s = await steward(t, { directory: { ...slapd, url: gate.url } })
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  const labels = { en: 'Room', 'zh-CN': '房间' }
  const declare = (name: string, ldapAttribute: string) =>
    s.ask('declareAttribute', { body: { kind: 'user', name, labels, type: 'text', ldapAttribute } })
  /** Both have read the attribute before one of them writes. */
  const together = async <T>(calls: Promise<T>[]): Promise<T[]> => {
    await eventually(() => gate.waiting() >= calls.length, 'both ask the directory')
    gate.letPass(Number.POSITIVE_INFINITY)
    return Promise.all(calls)
  }
  gate.letPass(0)
  const declared = await together([declare('room', 'roomNumber'), declare('office', 'ROOMNUMBER')])
  t.same(declared.map(({ code }) => code).sort(), [200, 409])
  t.match(
    declared.find(({ code }) => code === 409),
    { data: [{ field: 'ldapAttribute', reason: 'people.ldap_attribute_taken' }] },
  )
  const { id } = declared.find(({ code }) => code === 200)?.data ?? { id: 0 }
  const update = (body: object) => s.ask('updateAttribute', { params: { id }, body })
  gate.letPass(0)
  const updated = await together([update({ ldapAttribute: 'employeeType' }), update({ ldapAttribute: 'carLicense' })])
  t.same(updated.map(({ code }) => code).sort(), [200, 409], 'the later one is told to read again')
  const { attributes } = await s.take('listAttributes')
  t.equal(attributes[0]?.ldapAttribute, updated[0]?.code === 200 ? 'employeeType' : 'carLicense')
})

t.test('an attribute is declared, filled, found, and shown in the directory', async (t) => {
  const s = await open(t)
  await s.declared({ ldapAttribute: 'roomnumber', maximum: 8, searched: true })
  await s.declared({ name: 'languages', multiple: true, ldapAttribute: 'preferredLanguage' }).then(
    () => t.fail('an attribute with one value was taken for several'),
    (error: Error) => t.match(error.message, /one value only/),
  )
  await s.declared({ name: 'plates', multiple: true, ldapAttribute: 'carLicense' })
  t.match((await s.call('listAttributes', { token: s.token })).data.attributes, [
    { name: 'costCentre', ldapAttribute: 'roomNumber', objectClass: '', own: 'see', maximum: 8 },
    { name: 'plates' },
  ])

  const ann = await s.addUser('ann')
  const bo = await s.addUser('bo')
  t.equal((await s.set(ann, { costCentre: ['47 (11)'], plates: ['B-X 1', 'b-x 1'] })).code, 200)
  t.same(await s.valuesOf(ann), { costCentre: ['47 (11)'], plates: ['B-X 1'] })
  t.same(await s.values(s.userDn('ann'), 'roomNumber'), ['47 (11)'])
  t.same(await s.values(s.userDn('ann'), 'carLicense'), ['B-X 1'])
  t.same(await s.values(s.userDn('bo'), 'roomNumber'), [])

  const found = async (query: NonNullable<CallInput['query']>) =>
    (await s.call('listPeople', { query, token: s.token })).data.people.map(({ id }) => id)
  t.same(await found({ attribute: 'costCentre=(11)' }), [ann])
  t.same(await found({ attribute: 'costCentre=' }), [ann])
  t.same(await found({ q: '7 (11' }), [ann])
  t.same(await found({ attribute: 'costCentre=%' }), [])
  t.same(await found({ attribute: 'plates=x' }), [ann])
  refused(t, await s.call('listPeople', { query: { attribute: 'shoe=1' }, token: s.token }), 400, 'attribute')
  const shown = await s.call('listPeople', { query: { show: 'plates,shoe,costCentre' }, token: s.token })
  t.match(shown.data.attributes, [
    { name: 'costCentre', multiple: false },
    { name: 'plates', multiple: true },
  ])
  t.same(new Map(shown.data.people.map(({ id, attributes }) => [id, attributes])).get(bo), {})
  t.same(
    shown.data.people.find(({ id }) => id === ann)?.attributes,
    { costCentre: ['47 (11)'], plates: ['B-X 1'] },
    'a list shows the values that it is asked for',
  )
  t.same((await s.call('listPeople', { query: { q: 'ann' }, token: s.token })).data.people[0]?.attributes, {})

  t.equal((await s.post('changeUserStatus', { id: ann, status: 2 })).code, 0)
  t.same(await s.values(s.userDn('ann', 'disabled'), 'roomNumber'), [], 'a disabled person has none in the directory')
  t.equal((await s.set(ann, { costCentre: ['48'] })).code, 200)
  t.equal((await s.post('changeUserStatus', { id: ann, status: 1 })).code, 0)
  t.same(await s.values(s.userDn('ann'), 'roomNumber'), ['48'], 'the present value comes back, not the earlier one')
  t.same(await s.values(s.userDn('ann'), 'carLicense'), ['B-X 1'])
  t.equal((await s.set(ann, { costCentre: [] })).code, 200)
  t.same(await s.values(s.userDn('ann'), 'roomNumber'), [])
  t.same(await s.valuesOf(bo), { costCentre: [], plates: [] })
})

t.test('values are checked by type and bounds, and refused by name', async (t) => {
  const s = await open(t)
  const labels = { en: 'x', 'zh-CN': 'x' }
  await s.declared({ name: 'size', type: 'integer', minimum: 30, maximum: 50, labels })
  await s.declared({ name: 'born', type: 'date', labels })
  await s.declared({ name: 'guest', type: 'boolean', labels })
  await s.declared({ name: 'code', minimum: 2, maximum: 4, labels, ldapAttribute: 'homePhone' })
  await s.declared({ name: 'tags', multiple: true, labels })
  const cy = await s.addUser('cy')
  const wrong: [string, string[], string][] = [
    ['size', ['29'], 'people.value_too_small'],
    ['size', ['51'], 'people.value_too_large'],
    ['size', ['4x'], 'people.value_not_integer'],
    ['size', ['40', '41'], 'people.value_single'],
    ['born', ['2026-02-30'], 'people.value_not_date'],
    ['guest', ['yes'], 'people.value_not_boolean'],
    ['code', ['a'], 'people.value_too_short'],
    ['code', ['abcde'], 'people.value_too_long'],
    ['code', ['号码'], 'people.value_not_ascii'],
    ['shoe', ['1'], 'people.attribute_unknown'],
  ]
  for (const [name, values, reason] of wrong) {
    const reply = await s.set(cy, { [name]: values })
    t.match(reply, { code: 400, data: [{ field: `values.${name}`, reason }] }, `${name} ${values}`)
  }
  t.equal((await s.set(cy, { tags: ['a\nb'] })).code, 400)
  const good = { size: ['+040'], born: ['2000-02-29'], guest: ['TRUE'], code: ['12'], tags: ['a', 'b', 'A'] }
  t.equal((await s.set(cy, good)).code, 200)
  t.same(await s.valuesOf(cy), { size: ['40'], born: ['2000-02-29'], guest: ['true'], code: ['12'], tags: ['a', 'b'] })
})

t.test('what belongs to Steward or to the server cannot be declared', async (t) => {
  const s = await open(t)
  const refusals: [object, string, string][] = [
    [{ name: 'Mail'.toLowerCase() }, 'name', 'people.attribute_reserved'],
    [{ name: 'userName' }, 'name', 'people.attribute_reserved'],
    [{ name: 'constructor' }, 'name', 'people.attribute_reserved'],
    ...[
      ...['userPassword', 'member', 'memberOf', 'objectClass', 'entryUUID', 'pwdPolicySubentry', 'nsAccountLock'],
      ...['userAccountControl', 'uid', 'surname', 'rfc822Mailbox', 'UIDNUMBER', 'sshPublicKey', 'shadowExpire'],
    ].map((ldapAttribute): [object, string, string] => [
      { ldapAttribute },
      'ldapAttribute',
      'people.attribute_reserved',
    ]),
    [{ ldapAttribute: 'modifyTimestamp' }, 'ldapAttribute', 'people.ldap_unfit'],
    [{ ldapAttribute: 'noSuchThing' }, 'ldapAttribute', 'people.ldap_unfit'],
    [{ ldapAttribute: 'jpegPhoto' }, 'ldapAttribute', 'people.ldap_unfit'],
    [{ ldapAttribute: 'associatedDomain' }, 'objectClass', 'people.ldap_unfit'],
    [{ ldapAttribute: 'associatedDomain', objectClass: 'account' }, 'objectClass', 'people.ldap_unfit'],
    [{ ldapAttribute: 'dc', objectClass: 'posixAccount' }, 'objectClass', 'people.attribute_reserved'],
    [{ objectClass: 'domainRelatedObject' }, 'objectClass', 'people.ldap_unfit'],
    [{ minimum: 5, maximum: 4 }, 'maximum', 'people.attribute_bounds'],
    [{ type: 'date', minimum: 5 }, 'minimum', 'people.attribute_bounds'],
  ]
  for (const [fields, field, reason] of refusals) {
    t.match(await s.declare(fields), { data: [{ field, reason }] }, JSON.stringify(fields))
    t.match(await s.declare({ ...fields, dryRun: true }), { data: [{ field, reason }] })
  }
  t.match(await s.declare({ dryRun: true }), { code: 200, data: { id: 0 } })
  t.match(await s.call('listAttributes', { token: s.token }), { data: { attributes: { length: 0 } } })
  await s.declared({ ldapAttribute: 'roomNumber' })
  t.match(await s.declare({ name: 'COSTCENTRE'.toLowerCase() }), { code: 409, reason: 'people.attribute_taken' })
  const second = await s.declare({ name: 'other', ldapAttribute: 'ROOMNUMBER' })
  t.match(second, { code: 409, reason: 'people.ldap_attribute_taken' })
})

t.test('a change of a declaration rests on what was read, and a misfit is said by its code', async (t) => {
  const s = await open(t)
  const id = await s.declared()
  const [read] = (await s.call('listAttributes', { token: s.token })).data.attributes
  t.match(read, { creator: 'admin', version: /^[0-9a-f]{32}$/ })
  const change = (body: object) => s.call('updateAttribute', { params: { id }, body, token: s.token })
  const first = await change({ maximum: 9, version: read?.version })
  t.match(first, { code: 200, data: { maximum: 9 } })
  t.match(await change({ maximum: 7, version: read?.version }), { code: 409, reason: 'db.changed_meanwhile' })
  t.match(await change({ searched: true, version: first.data.version }), {
    code: 200,
    data: { maximum: 9, searched: true },
  })
  const { data } = await s.declare({ name: 'domains', ldapAttribute: 'associatedDomain' })
  const [{ params }] = data as unknown as [{ params: Record<string, string> }]
  t.match(JSON.parse(params['problem.0'] ?? ''), {
    code: 'people.needs_class',
    params: { classes: 'inetOrgPerson' },
    text: params.problem,
  })
})

t.test('what people may not see of themselves no list, search or plan shows them', async (t) => {
  const s = await open(t)
  const { data: role } = await s.post('addRole', { name: 'desk', keyword: 'desk', sort: 2 })
  const apiIds = (await s.get('listApis')).data.apis.map(({ id }) => id)
  await s.post('updateRoleApis', { roleId: role.id, apiIds })
  const group = await s.addGroup('Desk')
  const [desk, eve] = [
    await s.person('desk', { roleIds: [role.id], departmentId: [group] }),
    await s.person('eve', { departmentId: [group] }),
  ]
  await s.stepUp()
  for (const own of ['hidden', 'see']) {
    await s.declared({
      name: `${own}Rating`,
      own,
      searched: true,
      ...(own === 'hidden' && { ldapAttribute: 'roomNumber' }),
    })
  }
  for (const { id } of [desk, eve]) {
    const values = { hiddenRating: ['excellent'], seeRating: ['average'] }
    t.equal((await s.set(id, values)).code, 200)
  }
  const both = [desk.id, eve.id]

  const find = async (id: 'listPeople' | 'listMembers', query: object, token = desk.token): Promise<number[]> => {
    const params = id === 'listMembers' ? { id: group } : {}
    const { data } = await s.call(id, { params, query: { ...query }, token })
    t.equal(data.total, data.people.length, 'the count says no more than the list')
    return data.people.map((person) => person.id).sort((a, b) => a - b)
  }
  for (const attribute of ['hiddenRating=excel', 'hiddenRating=']) {
    t.same(await find('listPeople', { attribute }), [eve.id], attribute)
    t.same(await find('listPeople', { attribute }, s.token), both, `${attribute} by the highest rank`)
  }
  t.same(await find('listPeople', { attribute: 'seeRating=aver' }), both)
  for (const list of ['listPeople', 'listMembers'] as const) {
    t.same(await find(list, { q: 'excel' }), [eve.id], `a search in ${list}`)
    t.same(await find(list, { q: 'averag' }), both)
    t.same(await find(list, { q: 'excel' }, s.token), both)
  }
  const { data } = await s.call('listPeople', { query: { show: 'hiddenRating,seeRating' }, token: desk.token })
  const shown = new Map(data.people.map(({ id, attributes }) => [id, attributes]))
  t.same(shown.get(desk.id), { seeRating: ['average'] })
  t.same(shown.get(eve.id), { hiddenRating: ['excellent'], seeRating: ['average'] })
  t.same(await s.valuesOf(desk.id, desk.token), { seeRating: ['average'] })

  for (const [source, field] of [
    ['exta', 'hiddenRating'],
    ['sql', 'roomNumber'],
  ] as const) {
    const [run] = await s.db.execute<{ id: string }>(sql`
      insert into runs (source, kind, state) values (${source}, 'users', 'planned') returning id`)
    const [before, after] = [{ [field]: 'excellent' }, { [field]: 'poor' }]
    await s.db.execute(sql`
      insert into run_changes (run_id, seq, action, source_id, record_id, name, name_key, before, after)
      select ${run?.id}, seq, 'update', seq, id, 'x', 'x', ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb
      from unnest(array[${desk.id}, ${eve.id}]::bigint[]) with ordinality as p (id, seq)`)
    const planned = await s.call('listRunChanges', { params: { id: Number(run?.id) }, token: desk.token })
    const covered = { before: { [field]: '***' }, after: { [field]: '***' } }
    t.match(planned.data.changes, [covered, { before, after }], `a plan of ${source}`)
  }
})

t.test('people and roles see and change what they may', async (t) => {
  const s = await open(t)
  const { data: role } = await s.post('addRole', { name: 'desk', keyword: 'desk', sort: 2 })
  const { data: other } = await s.post('addRole', { name: 'payroll', keyword: 'payroll', sort: 2 })
  const entries = (await s.get('listApis')).data.apis.map(({ id }) => id)
  for (const roleId of [role.id, other.id]) await s.post('updateRoleApis', { roleId, apiIds: entries })
  const desk = await s.person('desk', { roleIds: [role.id] })
  const payroll = await s.person('payroll', { roleIds: [other.id] })
  await s.stepUp()
  const iban = await s.declared({ name: 'iban', seeRoles: [other.id], own: 'see', ldapAttribute: 'roomNumber' })
  await s.declared({ name: 'nickSign', own: 'edit', editRoles: [role.id] })
  await s.declared({ name: 'rating', own: 'hidden' })
  const eve = await s.person('eve', { roleIds: [await s.roleId('user')] })
  t.equal((await s.set(eve.id, { iban: ['DE1'], nickSign: ['E'], rating: ['good'] })).code, 200)

  t.same(await s.valuesOf(eve.id, desk.token), { nickSign: ['E'], rating: ['good'] })
  t.same(await s.valuesOf(eve.id, payroll.token), { iban: ['DE1'], nickSign: ['E'], rating: ['good'] })
  t.match(await s.set(eve.id, { iban: ['DE2'] }, desk), { code: 400, reason: 'people.attribute_unknown' })
  t.match(await s.set(eve.id, { nickSign: ['F'] }, payroll), { code: 403, reason: 'people.attribute_fixed' })
  t.equal((await s.set(eve.id, { nickSign: ['F'] }, desk)).code, 200)
  const hidden = await s.call('listPeople', { query: { attribute: 'iban=DE' }, token: desk.token })
  t.match(hidden, { code: 400, reason: 'people.attribute_unknown' }, 'a filter does not tell what is hidden')
  const { data: list } = await s.call('listPeople', { query: { show: 'iban' }, token: desk.token })
  t.notOk(
    list.attributes?.some(({ name }) => name === 'iban'),
    'nor does a list name it',
  )
  t.same([...new Set(list.people.map(({ attributes }) => JSON.stringify(attributes)))], ['{}'], 'nor show its values')

  const plans: { id: number; covered: object[] }[] = []
  const plan = async (id: number, token: string, query = {}) =>
    (await s.call('listRunChanges', { params: { id }, query, token })).data.changes
  for (const [source, field] of [
    ['exta', 'iban'],
    ['sql', 'roomNumber'],
  ] as const) {
    const [run] = await s.db.execute<{ id: string }>(sql`
      insert into runs (source, kind, state) values (${source}, 'users', 'planned') returning id`)
    const [before, after] = [
      { [field]: 'DE1', mail: 'a@b.c' },
      { [field]: 'DE2', mail: null },
    ]
    await s.db.execute(sql`
      insert into run_changes (run_id, seq, action, source_id, name, name_key, before, after)
      values (${run?.id}, 1, 'update', 'e', 'eve', 'eve', ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb)`)
    const covered = [{ before: { ...before, [field]: '***' }, after: { ...after, [field]: '***' } }]
    const id = Number(run?.id)
    for (const query of [{}, { pageNum: 1, pageSize: 5 }]) {
      t.match(await plan(id, desk.token, query), covered, `nor does a plan of ${source}`)
      for (const { token } of [payroll, s]) t.match(await plan(id, token, query), [{ before, after }])
    }
    plans.push({ id, covered })
  }

  const mine = await s.call('getMyAttributes', { token: eve.token })
  t.match(mine.data.attributes, [
    { name: 'iban', values: ['DE1'], change: false },
    { name: 'nickSign', values: ['F'], change: true },
  ])
  const setMine = (values: object) => s.call('setMyAttributes', { body: { values }, token: eve.token })
  t.match(await setMine({ iban: ['mine'] }), { code: 403, data: [{ field: 'values.iban' }] })
  t.match(await setMine({ rating: ['best'] }), { code: 400, reason: 'people.attribute_unknown' })
  t.equal((await setMine({ nickSign: ['Me'] })).code, 200)
  t.match(await s.declare({ name: 'x' }, desk.token), { code: 403, reason: 'access.strongest_only' })

  const { data } = await s.call('getPersonAttributes', { params: { id: eve.id }, token: s.token })
  t.equal((await setMine({ nickSign: ['Again'] })).code, 200)
  const stale = await s.set(eve.id, { iban: ['x'] }, { version: data.version })
  t.match(stale, { code: 409, data: [{ field: 'version' }] })

  const arePlansCovered = async (when: string): Promise<void> => {
    for (const { id, covered } of plans) t.match(await plan(id, desk.token), covered, when)
  }
  t.equal((await s.byId('removeAttribute', iban)).code, 200)
  await arePlansCovered('once the attribute is removed')
  await eventually(async () => {
    await forgetRemovedAttributes(s.db)
    return (await s.db.execute(sql`select from declared_attributes where removed_at is not null`)).length === 0
  }, 'nothing is left of the attribute')
  await arePlansCovered('once nothing is left of it')
  await s.declared({ name: 'iban', ldapAttribute: 'roomNumber' })
  await arePlansCovered('once another one has its name and place')
})

t.test('what a role sees and changes is given only by those who see and change it', async (t) => {
  const s = await open(t)
  const apis = (await s.get('listApis')).data.apis
  const entry = (method: string) =>
    apis
      .filter((api) => api.method === method && api.path === '/v1/operations/people/{id}/attributes')
      .map(({ id }) => id)
  const role = async (keyword: string, sort: number, apiIds: number[]): Promise<number> => {
    const { id } = (await s.post('addRole', { name: keyword, keyword, sort })).data
    await s.post('updateRoleApis', { roleId: id, apiIds })
    return id
  }
  const desk = await role(
    'desk',
    2,
    apis.map(({ id }) => id),
  )
  const [sees, edits, plain] = await Promise.all([
    role('sees', 10, entry('GET')),
    role('edits', 11, [...entry('GET'), ...entry('PUT')]),
    role('plain', 12, entry('GET')),
  ])
  const dora = await s.person('dora', { roleIds: [desk] })
  const hanna = await s.person('hanna', { roleIds: [sees] })
  const petra = await s.person('petra', { roleIds: [plain] })
  await s.stepUp()
  const salary = await s.declared({ name: 'salary', seeRoles: [sees] })
  const grade = await s.declared({ name: 'grade', editRoles: [edits] })

  let made = 0
  const give = (...roleIds: number[]) => {
    made += 1
    return s.post('addUser', person(`puppet${made}`, { roleIds, password: 'puppets have a password' }), dora.token)
  }
  const rename = (id: number, roleIds: number[], mail: string) =>
    s.post('updateUser', { id, departmentId: [], roleIds, mail }, dora.token)
  const reset = (id: number) =>
    s.call('resetUserPassword', { params: { id }, body: { way: 'shown' }, token: dora.token })
  const enable = (id: number, keyword: string) =>
    s.post('updateRole', { id, name: keyword, keyword, status: 1 }, dora.token)

  refused(t, await give(sees), 403, 'roleIds.0')
  refused(t, await give(plain, edits), 403, 'roleIds.1')
  refused(t, await rename(petra.id, [plain, sees], ''), 403, 'roleIds.1')
  refused(t, await rename(hanna.id, [sees], 'dora@example.org'), 403, 'mail')
  t.match(await reset(hanna.id), { code: 403, reason: 'access.password_signs_in' })
  t.equal((await s.post('updateRole', { id: edits, name: 'edits', keyword: 'edits', status: 2 })).code, 0)
  refused(t, await enable(edits, 'edits'), 403, 'status')
  t.equal((await give(plain)).code, 0, 'a role that no attribute names is given as before')

  await s.stepUp()
  t.equal((await s.byId('updateAttribute', salary, { body: { seeRoles: [sees, desk] } })).code, 200)
  t.equal((await s.byId('updateAttribute', grade, { body: { editRoles: [desk, edits] } })).code, 200)
  t.equal((await enable(edits, 'edits')).code, 0)
  t.equal((await give(sees, edits)).code, 0, 'a caller who sees and changes as much gives the roles')
  t.equal((await rename(hanna.id, [sees], 'dora@example.org')).code, 0)
  t.equal((await reset(hanna.id)).code, 200)
})

t.test('an attribute names roles that exist, and those stay', async (t) => {
  const s = await open(t)
  const { id } = (await s.post('addRole', { name: 'payroll', keyword: 'payroll' })).data
  const fields = { name: 'iban', seeRoles: [id], editRoles: [id, unknownId] }
  for (const dryRun of [true, false]) refused(t, await s.declare({ ...fields, dryRun }), 404, 'editRoles.1')
  const iban = await s.declared({ name: 'iban', seeRoles: [id] })
  refused(t, await s.byId('updateAttribute', iban, { body: { seeRoles: [unknownId] } }), 404, 'seeRoles.0')

  const remove = () => s.post('deleteRoles', { roleIds: [id] })
  const held = await remove()
  refused(t, held, 409, 'roleIds.0')
  t.match(held, { reason: 'access.role_named', params: { name: 'iban', id: String(id) } })
  t.equal((await s.byId('updateAttribute', iban, { body: { seeRoles: [], editRoles: [id] } })).code, 200)
  refused(t, await remove(), 409, 'roleIds.0')
  t.equal((await s.byId('removeAttribute', iban)).code, 200)
  t.equal((await remove()).code, 0, 'an attribute that is removed holds nothing')
})

t.test('an attribute that names a role that is gone is changed like any other', async (t) => {
  const s = await open(t)
  const { id } = (await s.post('addRole', { name: 'desk', keyword: 'desk' })).data
  const iban = await s.declared({ name: 'iban', seeRoles: [id] })
  // As an earlier version left it.
  await s.db.execute(sql`update declared_attributes set see_roles = ${JSON.stringify([unknownId])}::jsonb`)
  const change = (body: object) => s.byId('updateAttribute', iban, { body })
  const both = await change({ searched: true, seeRoles: [unknownId, id], editRoles: [unknownId] })
  t.match(both, { code: 200, data: { searched: true, seeRoles: [unknownId, id] } })
  refused(t, await change({ seeRoles: [unknownId, id, unknownId + 1] }), 404, 'seeRoles.2')
  t.equal((await change({ seeRoles: [id], editRoles: [] })).code, 200)
  refused(t, await change({ seeRoles: [id, unknownId] }), 404, 'seeRoles.1')
})

t.test(
  'a class comes and goes with its attribute, and what other tools wrote stays',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await open(t)
    const fay = await s.addUser('fay')
    const gil = await s.addUser('gil')
    const dn = s.userDn('gil')
    // Another tool's values, before Steward knows the attribute, and in the same class.
    await s.directory.write({
      kind: 'modify',
      dn,
      changes: [
        { operation: 'add', attribute: 'objectClass', values: ['domainRelatedObject'] },
        { operation: 'add', attribute: 'associatedDomain', values: ['theirs.example'] },
      ],
    })
    const id = await s.declared({
      name: 'domains',
      multiple: true,
      ldapAttribute: 'associatedDomain',
      objectClass: 'DOMAINRELATEDOBJECT',
    })
    await s.post('syncSqlUsers', { userIds: [fay, gil] })
    t.same(await s.values(dn, 'associatedDomain'), ['theirs.example'])
    t.equal((await s.set(fay, { domains: ['a.example', 'b.example'] })).code, 200)
    t.same(await s.values(s.userDn('fay'), 'associatedDomain'), ['a.example', 'b.example'])
    t.ok((await s.values(s.userDn('fay'), 'objectClass'))?.includes('domainRelatedObject'))

    t.match(await s.byId('removeAttribute', id), { code: 200, data: { records: 1 } })
    t.same(await s.values(s.userDn('fay'), 'associatedDomain'), [])
    t.notOk((await s.values(s.userDn('fay'), 'objectClass'))?.includes('domainRelatedObject'))
    t.same(await s.values(dn, 'associatedDomain'), ['theirs.example'])
    await eventually(async () => {
      await forgetRemovedAttributes(s.db)
      const [row] = await s.db.execute<{ left: number }>(sql`
      select (select count(*) from declared_attributes)::int
        + (select count(*) from users where attributes <> '{}')::int as left`)
      return row?.left === 0
    }, 'nothing remains of it')
    // Now the attribute is free for other tools, on that entry too.
    const free = { kind: 'modify', dn: s.userDn('fay') } as const
    await s.directory.write({
      ...free,
      changes: [
        { operation: 'add', attribute: 'objectClass', values: ['domainRelatedObject'] },
        { operation: 'add', attribute: 'associatedDomain', values: ['free.example'] },
      ],
    })
    await s.post('syncSqlUsers', { userIds: [fay, gil] })
    t.same(await s.values(s.userDn('fay'), 'associatedDomain'), ['free.example'])
    t.same(await s.valuesOf(gil), {})
  },
)

t.test('an attribute moves to another one of the directory, and drift is repaired', async (t) => {
  const s = await open(t)
  const id = await s.declared({ ldapAttribute: 'roomNumber' })
  const hal = await s.addUser('hal')
  await s.set(hal, { costCentre: ['7'] })
  t.equal((await s.byId('updateAttribute', id, { body: { ldapAttribute: 'employeeType', searched: true } })).code, 200)
  t.same(await s.values(s.userDn('hal'), 'roomNumber'), [])
  t.same(await s.values(s.userDn('hal'), 'employeeType'), ['7'])
  await s.directory.write({
    kind: 'modify',
    dn: s.userDn('hal'),
    changes: [{ operation: 'replace', attribute: 'employeeType', values: ['8'] }],
  })
  await s.post('syncSqlUsers', { userIds: [hal] })
  t.same(await s.values(s.userDn('hal'), 'employeeType'), ['7'])
  t.equal((await s.byId('updateAttribute', id, { body: { ldapAttribute: '' } })).code, 200)
  t.same(await s.values(s.userDn('hal'), 'employeeType'), [])
  t.same(await s.valuesOf(hal), { costCentre: ['7'] })
})

t.test('groups of both types have attributes', async (t) => {
  const s = await open(t)
  await s.declared({ kind: 'group', name: 'budget', type: 'integer', ldapAttribute: 'businessCategory' })
  const id = await s.addGroup('Rowers')
  const unit = await s.addGroup('Unit', { groupType: 'ou' })
  for (const group of [id, unit]) {
    const reply = await s.call('setDepartmentAttributes', {
      params: { id: group },
      body: { values: { budget: ['100'] } },
      token: s.token,
    })
    t.equal(reply.code, 200, reply.msg)
  }
  t.same(await s.values(s.groupDn('Rowers'), 'businessCategory'), ['100'])
  t.same(await s.values(s.groupDn('Unit', 'ou'), 'businessCategory'), ['100'])
  const read = await s.call('getDepartmentAttributes', { params: { id }, token: s.token })
  t.match(read.data.attributes, [{ name: 'budget', values: ['100'], change: true }])
  const found = async (query: NonNullable<CallInput['query']>) =>
    (await s.call('listDepartments', { query, token: s.token })).data
  const { attributes, departments } = await found({ attribute: 'budget=10', show: 'budget', parent: unit })
  t.match(attributes, [{ name: 'budget', labels: {}, type: 'integer', multiple: false }])
  t.match(departments, [
    { name: 'Rowers', attributes: { budget: ['100'] }, path: [{ id }] },
    { name: 'Unit', attributes: { budget: ['100'] } },
  ])
  t.same(
    (await found({ attribute: 'budget=1', q: 'row' })).departments.map((each) => each.id),
    [id],
  )
  t.same((await found({ attribute: 'budget=7' })).departments, [])
  t.same((await found({})).departments[0]?.attributes, {})
  refused(t, await s.call('listDepartments', { query: { attribute: 'shoe=1' }, token: s.token }), 400, 'attribute')
})
