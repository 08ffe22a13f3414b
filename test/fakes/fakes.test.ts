import t from 'tap'
import type { FakeCloudOptions } from '../../scripts/fakes/cloud.ts'
import { startFakeDingtalk } from '../../scripts/fakes/dingtalk.ts'
import type { Fault } from '../../scripts/fakes/fault.ts'
import { startFakeFeishu } from '../../scripts/fakes/feishu.ts'
import { openDepartmentId, openId } from '../../scripts/fakes/feishu-ids.ts'
import { evolve, type FakePerson, generateOrganisation, type Organisation } from '../../scripts/fakes/organisation.ts'
import { startFakeWecom } from '../../scripts/fakes/wecom.ts'
import { eventually } from '../eventually.ts'
import { callersOf, dingtalkCaller, feishuCaller, wecomCaller } from './callers.ts'

const person = (id: string, departmentIds: string[], more: Partial<FakePerson> = {}): FakePerson => ({
  ...{ id, unionId: `u-${id}`, name: `Name of ${id}`, englishName: '', mail: `${id}@lanqiao.example`, mobile: '' },
  ...{ jobNumber: '', title: '', departmentIds, state: 'active', avatar: '', ...more },
})

/** The root with Ada in it; sales (2) with a south (3), and a workshop (4). */
const small: Organisation = {
  departments: [
    { id: '2', parentId: null, name: 'Sales' },
    { id: '3', parentId: '2', name: 'South' },
    { id: '4', parentId: null, name: 'Workshop' },
  ],
  people: [
    person('ada', ['']),
    person('bo', ['2', '3'], { mobile: '+8613812345678', jobNumber: 'E000001', title: 'Buyer' }),
    person('cy', ['3'], { state: 'disabled', mobile: '+4915112345678' }),
    person('di', ['4'], { state: 'invited' }),
    person('ed', ['4'], { state: 'left', leftAt: '2026-03-01T09:00:00Z' }),
  ],
}

const many: Organisation = {
  departments: [{ id: '2', parentId: null, name: 'All staff' }],
  people: Array.from({ length: 120 }, (_, index) => person(`p${index}`, ['2'])),
}

const starting =
  (start: typeof startFakeDingtalk) =>
  async (t: { teardown(run: () => unknown): void }, options: Partial<FakeCloudOptions> = {}) => {
    const cloud = await start({ organisation: small, ...options })
    t.teardown(() => cloud.close())
    return cloud
  }
const dingtalk = starting(startFakeDingtalk)
const feishu = starting(startFakeFeishu)
const wecom = starting(startFakeWecom)

t.test('DingTalk', async (t) => {
  t.test('gives out one token, and renews it when asked again', async (t) => {
    const cloud = await dingtalk(t)
    const { post } = callersOf(cloud)
    const first = await post('/v1.0/oauth2/accessToken', cloud.credentials)
    const second = await post('/v1.0/oauth2/accessToken', cloud.credentials)
    t.equal(first.body.expireIn, 7200)
    t.equal(second.body.accessToken, first.body.accessToken)
    const wrong = await post('/v1.0/oauth2/accessToken', { ...cloud.credentials, appSecret: 'another' })
    t.match(wrong, { status: 400, body: { code: 'invalidClientIdOrSecret', requestid: String } })
  })

  t.test('refuses missing, unknown and expired tokens with 88 and 40014, as HTTP 200', async (t) => {
    const cloud = await dingtalk(t, { tokenLifetime: 0.05 })
    const { post } = callersOf(cloud)
    const { ask } = await dingtalkCaller(cloud)
    const refused = { status: 200, body: { errcode: 88, sub_code: '40014', request_id: String } }
    await eventually(
      async () => (await ask('/topapi/v2/department/listsub', { dept_id: 1 })).body.errcode === 88,
      'the token expires',
    )
    t.match(await post('/topapi/v2/department/listsub', { dept_id: 1 }), refused)
    t.match(await ask('/topapi/v2/department/listsub', { dept_id: 1 }, 'made-up'), refused)
    t.match(await ask('/topapi/v2/department/listsub', { dept_id: 1 }), refused)
  })

  t.test('lists the next level only, and the root nowhere', async (t) => {
    const { below, ask } = await dingtalkCaller(await dingtalk(t))
    t.same(await below(1), [2, 4])
    t.same(await below(2), [3])
    t.same(await below(3), [])
    t.match((await ask('/topapi/v2/department/get', { dept_id: 3 })).body, {
      errcode: 0,
      result: { dept_id: 3, parent_id: 2, name: 'South' },
    })
  })

  t.test('lists direct members, once in each of their departments, and no person who left', async (t) => {
    const { members } = await dingtalkCaller(await dingtalk(t))
    const ids = async (department: number) => (await members(department)).list.map(({ userid }) => userid)
    t.same(await ids(1), ['ada'])
    t.same(await ids(2), ['bo'])
    t.same(await ids(3), ['bo', 'cy'])
    t.same(await ids(4), ['di'])
    const [bo, cy] = (await members(3)).list
    t.match(bo, { dept_id_list: [2, 3], mobile: '13812345678', state_code: '86', job_number: 'E000001', active: true })
    t.match(cy, { mobile: '15112345678', state_code: '49', active: false, title: '' })
  })

  t.test('pages by cursor, 100 at most', async (t) => {
    const { members, ask } = await dingtalkCaller(await dingtalk(t, { organisation: many }))
    const first = await members(2)
    t.match([first.list.length, first.has_more, first.next_cursor], [100, true, 100])
    const second = await members(2, 100)
    t.equal(second.list.length, 20)
    t.equal(second.has_more, false)
    t.notOk('next_cursor' in second)
    const parameters = { dept_id: 2, cursor: 0, size: 100 }
    for (const wrong of [{ size: 101 }, { size: 0 }, { cursor: '0' }, { dept_id: '2' }, { dept_id: undefined }]) {
      const { body } = await ask('/topapi/v2/user/list', { ...parameters, ...wrong })
      t.equal(body.errcode, 400002, JSON.stringify(wrong))
    }
    t.equal((await ask('/topapi/v2/user/list', { ...parameters, dept_id: 99 })).body.errcode, 60003)
  })

  t.test('leaves out fields and refuses calls without the permission', async (t) => {
    const cloud = await dingtalk(t, { scopes: ['qyapi_get_department_member', 'fieldEmail'] })
    const { members, ask, get, token } = await dingtalkCaller(cloud)
    const [bo] = (await members(2)).list
    t.equal(bo?.email, 'bo@lanqiao.example')
    t.notOk(bo !== undefined && 'mobile' in bo)
    const refused = await ask('/topapi/v2/department/listsub', { dept_id: 1 })
    t.match(refused.body, { errcode: 88, sub_code: '60011' })
    const leavers = await get(
      '/v1.0/contact/empLeaveRecords?startTime=2026-01-01T00:00:00Z&nextToken=0&maxResults=50',
      {
        'x-acs-dingtalk-access-token': token,
      },
    )
    t.match(leavers, { status: 403, body: { accessdenieddetail: { requiredScopes: ['Contact.User.Read'] } } })
  })

  t.test('tells who left, and when', async (t) => {
    const { get, token } = await dingtalkCaller(await dingtalk(t))
    const headers = { 'x-acs-dingtalk-access-token': token }
    const ask = (query: string) => get(`/v1.0/contact/empLeaveRecords?${query}`, headers)
    const all = await ask('startTime=2026-01-01T00:00:00Z&endTime=2026-12-31T00:00:00Z&nextToken=0&maxResults=50')
    t.match(all.body, { nextToken: '0', records: [{ userId: 'ed', leaveTime: '2026-03-01T09:00:00Z' }] })
    const later = await ask('startTime=2026-04-01T00:00:00Z&nextToken=0&maxResults=50')
    t.same(later.body.records, [])
    t.equal((await ask('startTime=yesterday&nextToken=0&maxResults=50')).status, 400)
    t.equal((await ask('startTime=2026-01-01T00:00:00Z&nextToken=0&maxResults=51')).status, 400)
    const stranger = await get('/v1.0/contact/empLeaveRecords', { 'x-acs-dingtalk-access-token': 'made-up' })
    t.match(stranger, { status: 401, body: { code: 'InvalidAuthentication' } })
  })

  t.test('shows an app of smaller scope its departments only', async (t) => {
    const { below, ask, get, token } = await dingtalkCaller(await dingtalk(t, { visible: ['2'] }))
    t.match((await get(`/auth/scopes?access_token=${token}`)).body, { auth_org_scopes: { authed_dept: [2] } })
    t.same(await below(2), [3])
    t.equal((await ask('/topapi/v2/department/listsub', { dept_id: 1 })).body.errcode, 50004)
    t.equal((await ask('/topapi/v2/user/list', { dept_id: 4, cursor: 0, size: 10 })).body.errcode, 50004)
  })
})

t.test('Feishu', async (t) => {
  t.test('gives out tokens with the seconds left, and says what is wrong with others', async (t) => {
    const cloud = await feishu(t)
    const { post, get } = callersOf(cloud)
    const token = (app_secret: string) =>
      post('/open-apis/auth/v3/tenant_access_token/internal', { app_id: cloud.credentials.appId, app_secret })
    const { body } = await token(cloud.credentials.appSecret ?? '')
    t.match(body, { code: 0, msg: 'ok', tenant_access_token: /^t-/, expire: 7200 })
    t.equal((await token('another')).body.code, 10014)
    const scopes = '/open-apis/contact/v3/scopes'
    t.match(await get(scopes), { status: 400, body: { code: 99991661 } })
    t.match(await get(scopes, { authorization: 'Bearer t-made-up' }), { status: 400, body: { code: 99991663 } })
    cloud.faults = [{ kind: 'expire' }]
    const headers = { authorization: `Bearer ${body.tenant_access_token}` }
    t.equal((await get(scopes, headers)).body.code, 99991663)
    t.equal((await get(scopes, headers)).body.code, 99991663)
  })

  t.test('lists everything below the root, each department after its parent', async (t) => {
    const { all } = await feishuCaller(await feishu(t))
    const rows = await all('departments/0/children', { fetch_child: 'true' })
    t.match(rows, [
      { name: 'Sales', parent_department_id: '0', open_department_id: openDepartmentId('2'), member_count: 1 },
      { name: 'South', parent_department_id: openDepartmentId('2'), status: { is_deleted: false } },
      { name: 'Workshop', department_id: '4' },
    ])
    const direct = await all('departments/0/children')
    t.same(
      direct.map(({ name }) => name),
      ['Sales', 'Workshop'],
    )
    const own = await all('departments/2/children', { department_id_type: 'department_id' })
    t.match(own, [{ parent_department_id: '2' }])
  })

  t.test('lists direct members, with a status and with numbers of every country', async (t) => {
    const { all } = await feishuCaller(await feishu(t))
    const south = await all('users/find_by_department', { department_id: openDepartmentId('3') })
    t.match(south, [
      {
        open_id: openId('bo'),
        user_id: 'bo',
        mobile: '+8613812345678',
        enterprise_email: '',
        department_ids: [openDepartmentId('2'), openDepartmentId('3')],
        status: { is_frozen: false, is_resigned: false, is_activated: true },
        job_title: 'Buyer',
      },
      { mobile: '+4915112345678', status: { is_frozen: true } },
    ])
    const workshop = await all('users/find_by_department', { department_id: openDepartmentId('4') })
    t.match(workshop, [{ status: { is_unjoin: true } }, { status: { is_resigned: true } }])
  })

  t.test('pages 50 at most, by tokens of its own', async (t) => {
    const { all, ask } = await feishuCaller(await feishu(t, { organisation: many }))
    const department_id = openDepartmentId('2')
    t.equal(new Set((await all('users/find_by_department', { department_id })).map(({ open_id }) => open_id)).size, 120)
    t.match(await ask('users/find_by_department', { department_id, page_size: '51' }), {
      status: 400,
      body: { code: 40011 },
    })
    const { body } = await ask('users/find_by_department', { department_id, page_size: '10' })
    const { page_token = '' } = body.data as { page_token?: string }
    t.equal((await ask('users/find_by_department', { department_id, page_token })).status, 200)
    const elsewhere = await ask('users/find_by_department', { department_id: '0', page_token })
    t.match(elsewhere, { status: 400, body: { code: 40012 } })
    t.match(await ask('users/find_by_department', { department_id: 'od-none' }), { status: 403, body: { code: 40004 } })
    t.equal((await ask('users/find_by_department', { department_id, user_id_type: 'mail' })).body.code, 99992402)
    t.equal((await ask('users/find_by_department')).body.code, 99992402)
  })

  t.test('tells the first level as the scope of all members, and keeps the root from others', async (t) => {
    const cloud = await feishu(t)
    const { ask } = await feishuCaller(cloud)
    const whole = { department_ids: ['2', '4'].map(openDepartmentId), user_ids: [openId('ada')], has_more: false }
    t.match((await ask('scopes')).body.data, whole)
    cloud.visible = ['3']
    t.match((await ask('scopes')).body.data, { department_ids: [openDepartmentId('3')], user_ids: { length: 0 } })
    t.match(await ask('departments/0/children'), { status: 403, body: { code: 40004 } })
    t.match((await ask(`departments/${openDepartmentId('3')}`)).body, { data: { department: { name: 'South' } } })
  })

  t.test('leaves out fields and refuses calls without the permission', async (t) => {
    const cloud = await feishu(t, { scopes: ['contact:contact.base:readonly', 'contact:user.base:readonly'] })
    const { all, ask } = await feishuCaller(cloud)
    const [bo] = await all('users/find_by_department', { department_id: openDepartmentId('2') })
    t.equal(bo?.name, 'Name of bo')
    for (const field of ['mobile', 'email', 'user_id', 'department_ids', 'employee_no'])
      t.notOk(bo !== undefined && field in bo, field)
    cloud.scopes = []
    t.match(await ask('scopes'), { status: 400, body: { code: 99991672 } })
  })

  t.test('says with HTTP 429 and its headers how long to wait', async (t) => {
    const cloud = await feishu(t)
    const { ask } = await feishuCaller(cloud)
    cloud.faults = [{ kind: 'limited', wait: 3 }]
    const { status, headers, body } = await ask('scopes')
    t.match([status, body.code], [429, 99991400])
    t.equal(headers.get('x-ogw-ratelimit-limit'), '50')
    t.equal(headers.get('x-ogw-ratelimit-reset'), '3')
    cloud.faults = [{ kind: 'limited', status: 400 }]
    t.equal((await ask('scopes')).status, 400)
    t.equal((await ask('scopes')).status, 200)
  })
})

t.test('WeCom', async (t) => {
  t.test('gives out tokens, and says what is wrong with others as HTTP 200', async (t) => {
    const cloud = await wecom(t)
    const { get } = callersOf(cloud)
    const { corpId = '', secret = '' } = cloud.credentials
    const token = async (query: Record<string, string>) =>
      (await get(`/cgi-bin/gettoken?${new URLSearchParams(query)}`)).body
    t.match(await token({ corpid: corpId, corpsecret: secret }), { errcode: 0, errmsg: 'ok', expires_in: 7200 })
    t.equal((await token({ corpid: 'another', corpsecret: secret })).errcode, 40013)
    t.equal((await token({ corpid: corpId, corpsecret: 'another' })).errcode, 40001)
    t.match(await get('/cgi-bin/department/list'), { status: 200, body: { errcode: 41001 } })
    t.equal((await get('/cgi-bin/department/list?access_token=made-up')).body.errcode, 40014)
    const { ask } = await wecomCaller(cloud)
    cloud.faults = [{ kind: 'expire' }]
    t.equal((await ask('department/list')).body.errcode, 42001)
    t.equal((await ask('department/list')).body.errcode, 42001)
  })

  t.test('lists all departments with the root, and their direct members with a status', async (t) => {
    const { ask } = await wecomCaller(await wecom(t))
    const { department } = (await ask('department/list')).body
    t.match(department, [
      { id: 1, parentid: 0 },
      { id: 2, parentid: 1, name: 'Sales', name_en: '', department_leader: { length: 0 } },
      { id: 3, parentid: 2 },
      { id: 4, parentid: 1 },
    ])
    const members = async (id: string) => (await ask('user/list', { department_id: id })).body.userlist
    t.match(await members('1'), [{ userid: 'ada', status: 1 }])
    t.match(await members('3'), [
      { userid: 'bo', department: [2, 3], mobile: '13812345678', position: 'Buyer', gender: '0', status: 1 },
      { userid: 'cy', status: 2 },
    ])
    t.match(await members('4'), [{ status: 4 }, { status: 5 }])
    t.equal((await ask('user/list', { department_id: '99' })).body.errcode, 60003)
    t.equal((await ask('user/list')).body.errcode, 60123)
  })

  t.test('shows an app of smaller scope several roots whose parents are not listed', async (t) => {
    const { ask } = await wecomCaller(await wecom(t, { visible: ['3', '4'] }))
    t.match((await ask('department/list')).body.department, [
      { id: 3, parentid: 2 },
      { id: 4, parentid: 1 },
    ])
    t.match((await ask('user/list', { department_id: '3' })).body.userlist, [{ department: [3] }, { department: [3] }])
    t.equal((await ask('user/list', { department_id: '2' })).body.errcode, 60011)
  })

  t.test('tells ids alone where no more is allowed, in pages', async (t) => {
    const cloud = await wecom(t, { faults: [{ kind: 'idsOnly' }] })
    const { ask, ids } = await wecomCaller(cloud)
    t.equal((await ask('department/list')).body.errcode, 48002)
    t.equal((await ask('user/list', { department_id: '1' })).body.errcode, 48002)
    const { department_id } = (await ask('department/simplelist')).body
    t.same(Object.keys((department_id as Record<string, unknown>[])[0] ?? {}), ['id', 'parentid', 'order'])
    const first = (await ids('', 4)).body
    t.match(first.dept_user, [
      { userid: 'ada', department: 1 },
      { userid: 'bo', department: 2 },
      { userid: 'bo', department: 3 },
      { userid: 'cy', department: 3 },
    ])
    const rest = (await ids(String(first.next_cursor), 4)).body
    t.match(rest, { next_cursor: '', dept_user: [{ userid: 'di' }, { userid: 'ed' }] })
    t.equal((await ids('', 10_001)).body.errcode, 40058)
    t.equal((await ids('made-up')).body.errcode, 40058)
  })

  t.test('withholds what apps made since 2022 do not get', async (t) => {
    const { ask } = await wecomCaller(await wecom(t, { scopes: ['contacts.details'] }))
    const [bo] = (await ask('user/list', { department_id: '2' })).body.userlist as Record<string, unknown>[]
    t.equal(bo?.name, 'Name of bo')
    for (const field of ['avatar', 'gender', 'mobile', 'email', 'biz_mail', 'address'])
      t.notOk(bo !== undefined && field in bo, field)
  })
})

t.test('faults', async (t) => {
  const start = async (t: Parameters<typeof dingtalk>[0], faults: Fault[], organisation = many) => {
    const cloud = await dingtalk(t, { organisation })
    const caller = await dingtalkCaller(cloud)
    cloud.faults = faults
    const list = (cursor = 0): Promise<Response> =>
      fetch(`${cloud.url}/topapi/v2/user/list?access_token=${caller.token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ dept_id: 2, cursor, size: 50 }),
      })
    return { cloud, list, ...caller }
  }

  t.test('fire on the nth call, so many times, and leave the list', async (t) => {
    const { cloud, ask } = await start(t, [
      { kind: 'error', code: -1, nth: 2, times: 2, path: '/topapi/v2/department/listsub' },
    ])
    const codes: unknown[] = []
    for (let call = 0; call < 5; call++)
      codes.push((await ask('/topapi/v2/department/listsub', { dept_id: 1 })).body.errcode)
    t.same(codes, [0, -1, -1, 0, 0])
    t.same(cloud.faults, [])
    t.match(cloud.calls.slice(-4), [{ code: -1, fault: 'error' }, { code: -1 }, { code: 0, fault: '' }, { code: 0 }])
  })

  t.test('hit one page of one department, for ever', async (t) => {
    const { members, ask } = await start(t, [{ kind: 'error', code: -1, department: '2', page: 3, times: Infinity }])
    t.equal((await members(2, 0, 50)).list.length, 50)
    t.equal((await members(2, 50, 50)).list.length, 50)
    for (let call = 0; call < 4; call++)
      t.equal((await ask('/topapi/v2/user/list', { dept_id: 2, cursor: 100, size: 50 })).body.errcode, -1)
    t.same((await members(1)).list, [])
  })

  t.test('speak the codes of quotas and limits', async (t) => {
    const faults: Fault[] = [90018, 90019, 90020].map((code) => ({ kind: 'limited', code }))
    const { ask } = await start(t, faults)
    for (const code of [90018, 90019, 90020])
      t.match(await ask('/topapi/v2/department/listsub', {}), { status: 200, body: { errcode: code } })
    const cloud = await wecom(t)
    const caller = await wecomCaller(cloud)
    cloud.faults = [{ kind: 'limited' }]
    t.equal((await caller.ask('department/list')).body.errcode, 45009)
  })

  t.test('break answers: HTML, a block, a reset, a body that ends too early', async (t) => {
    const { list } = await start(t, [
      { kind: 'html' },
      { kind: 'html', status: 502 },
      { kind: 'blocked' },
      { kind: 'reset' },
      { kind: 'truncated' },
      { kind: 'cut' },
    ])
    const page = await list()
    t.match([page.status, page.headers.get('content-type')], [200, 'text/html'])
    t.match(await page.text(), /^<!doctype html>/)
    t.equal((await list()).status, 502)
    t.same(await (await list()).json(), { status: 1111, wait: 5, source: 'x5' })
    await t.rejects(list())
    await t.rejects((await list()).text())
    const cut = await list()
    t.match(await cut.clone().text(), /^\{"errcode":0/)
    await t.rejects(cut.json(), SyntaxError)
    t.match(await (await list()).json(), { errcode: 0 })
  })

  t.test('answer slowly, or never', async (t) => {
    const { list, cloud } = await start(t, [{ kind: 'silent' }])
    await t.rejects(fetch(`${cloud.url}/auth/scopes`, { signal: AbortSignal.timeout(300) }), { name: 'TimeoutError' })
    cloud.faults = [{ kind: 'slow', delay: 80 }]
    const before = performance.now()
    t.equal((await list()).status, 200)
    t.ok(performance.now() - before >= 75)
  })

  t.test('end the token in the middle of a list, until a new one is asked for', async (t) => {
    const { list, signIn, token } = await start(t, [{ kind: 'expire', page: 2 }])
    t.match(await (await list()).json(), { errcode: 0 })
    t.match(await (await list(50)).json(), { errcode: 88, sub_code: '40014' })
    t.match(await (await list(50)).json(), { errcode: 88 })
    t.not(await signIn(), token)
  })

  t.test('lead to the same page again', async (t) => {
    const { members } = await start(t, [{ kind: 'repeat', page: 2 }])
    const first = await members(2, 50, 50)
    t.match(first, { has_more: true, next_cursor: 50 })
    const again = await members(2, 50, 50)
    t.same(again.list, first.list)
    t.equal(again.next_cursor, 100)
  })

  t.test('shuffle lists without losing a person', async (t) => {
    const { members, cloud } = await start(t, [])
    const read = async () => [...(await members(2)).list, ...(await members(2, 100)).list].map(({ userid }) => userid)
    const usual = await read()
    cloud.faults = [{ kind: 'shuffle', seed: 5 }]
    const other = await read()
    t.notSame(other, usual)
    t.same(await read(), other)
    t.same([...other].sort(), [...usual].sort())
  })

  t.test('hide departments, withhold fields, empty everything, leave ids', async (t) => {
    const { members, below, cloud, ask } = await start(t, [{ kind: 'hide', departments: ['2'] }], small)
    t.same(await below(1), [4])
    t.equal((await ask('/topapi/v2/user/list', { dept_id: 3, cursor: 0, size: 10 })).body.errcode, 60003)
    cloud.faults = [{ kind: 'scope', visible: ['2'] }]
    t.equal((await ask('/topapi/v2/department/listsub', { dept_id: 1 })).body.errcode, 50004)
    cloud.faults = [{ kind: 'withhold', fields: ['name', 'title'] }]
    const [bo] = (await members(2)).list
    t.equal(bo?.userid, 'bo')
    t.notOk(bo !== undefined && ('name' in bo || 'title' in bo))
    cloud.faults = [{ kind: 'idsOnly' }]
    t.same((await members(2)).list, [{ userid: 'bo', unionid: 'u-bo', dept_id_list: [2, 3] }])
    cloud.faults = [{ kind: 'empty' }]
    t.same(await below(1), [])
    t.same((await members(1)).list, [])
    cloud.faults = []
    t.same(await below(1), [2, 4])
  })

  t.test('a rate above the limit is answered with the limit’s code', async (t) => {
    const cloud = await dingtalk(t, { callsPerSecond: 5 })
    const { ask } = await dingtalkCaller(cloud)
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('/topapi/v2/department/listsub', {})))
    t.equal(replies.filter(({ body }) => body.errcode === 0).length, 5)
    t.equal(replies.filter(({ body }) => body.errcode === 90018).length, 3)
    await eventually(
      async () => (await ask('/topapi/v2/department/listsub', {})).body.errcode === 0,
      'a second later it answers again',
    )
  })
})

t.test('a fake serves the organisation it is given meanwhile', async (t) => {
  const cloud = await dingtalk(t)
  const { below } = await dingtalkCaller(cloud)
  t.same(await below(1), [2, 4])
  cloud.organisation = many
  t.same(await below(1), [2])
  t.throws(() => {
    cloud.organisation = { departments: [{ id: 'sales', parentId: null, name: 'Sales' }], people: [] }
  }, /numbered from 2/)
})

const repeated = (values: readonly string[]): string[] => {
  const seen = new Set([''])
  return values.filter((value) => value !== '' && (seen.has(value) || !seen.add(value)))
}

/** What an organisation may never be, however it came about. */
const faultsOf = ({ departments, people }: Organisation): string[] => {
  const known = new Map(departments.map((department) => [department.id, department]))
  const levelOf = (id: string): number => {
    let level = 0
    for (let at = known.get(id); at !== undefined && level <= 20; at = known.get(at.parentId ?? '')) level += 1
    return level
  }
  return [
    ...repeated(departments.map(({ id }) => id)).map((id) => `department ${id} twice`),
    ...repeated(people.map(({ id }) => id.toLowerCase())).map((id) => `person ${id} twice`),
    ...departments
      .filter(({ parentId }) => parentId !== null && !known.has(parentId))
      .map(({ id }) => `${id} is nowhere`),
    ...departments.filter(({ id }) => levelOf(id) > 8).map(({ id }) => `${id} is too deep`),
    ...people.filter(({ departmentIds }) => departmentIds.length === 0).map(({ id }) => `${id} is nowhere`),
    ...people
      .filter(({ departmentIds }) => departmentIds.some((id) => id !== '' && !known.has(id)))
      .map(({ id }) => `${id} is in no department there is`),
  ]
}

const problemsOf = ({ departments, people }: Organisation): string[] => [
  ...repeated(people.map(({ mail }) => mail)),
  ...repeated(people.map(({ mobile }) => mobile)),
  ...repeated(people.map(({ jobNumber }) => jobNumber)),
  ...repeated(departments.map(({ parentId, name }) => `${parentId} ${name}`)),
  ...people.filter(({ mail }) => mail === '').map(({ id }) => `${id} has no mail`),
]

t.test('generated organisations', async (t) => {
  t.test('are the same for the same seed, and others for others', async (t) => {
    const options = { seed: 7, people: 500, departments: 60 }
    t.same(generateOrganisation(options), generateOrganisation(options))
    const other = generateOrganisation({ ...options, seed: 8 })
    t.not(JSON.stringify(other), JSON.stringify(generateOrganisation(options)))
  })

  t.test('have everything that makes organisations hard', async (t) => {
    const organisation = generateOrganisation({ seed: 1, people: 3000, departments: 600 })
    const { departments, people } = organisation
    t.same([people.length, departments.length, faultsOf(organisation)], [3000, 600, []])
    const share = (fits: (one: FakePerson) => boolean): number => people.filter(fits).length / people.length
    t.ok(share(({ departmentIds }) => departmentIds.length > 1) > 0.03, 'people in several departments')
    t.ok(share(({ mobile }) => mobile === '') > 0.02 && share(({ mail }) => mail === '') > 0.02, 'gaps')
    t.ok(share(({ departmentIds }) => departmentIds.includes('')) > 0, 'people in the root')
    t.ok(repeated(people.map(({ name }) => name)).length > 20, 'namesakes')
    for (const state of ['active', 'disabled', 'left', 'invited']) t.ok(share((one) => one.state === state) > 0, state)
    for (const column of ['mobile', 'mail'] as const) {
      const twice = repeated(people.map((one) => one[column])).length
      t.ok(twice > 0 && twice < people.length / 50, `${column} twice: ${twice}`)
    }
    const written = [...people, ...departments].map(({ name }) => name)
    for (const part of [/,/, /\+/, /"/, /\\/, /^#/, /\p{Script=Han}/u, /\p{Extended_Pictographic}/u, /^\s/, /.{60}/u])
      t.ok(
        written.some((name) => part.test(name)),
        String(part),
      )
    t.ok(repeated(departments.map(({ parentId, name }) => `${parentId} ${name}`)).length > 0, 'siblings of one name')
    const parents = new Map<string, Set<string | null>>()
    for (const { name, parentId } of departments) parents.set(name, (parents.get(name) ?? new Set()).add(parentId))
    t.ok(
      [...parents.values()].some(({ size }) => size > 3),
      'one name under many parents',
    )
  })

  t.test('are as deep as wanted', async (t) => {
    for (const depth of [1, 3, 8]) {
      const { departments } = generateOrganisation({ seed: 2, people: 0, departments: 200, depth })
      const parents = new Map(departments.map(({ id, parentId }) => [id, parentId]))
      const level = (id: string | null | undefined): number => (id ? 1 + level(parents.get(id)) : 0)
      t.equal(Math.max(...departments.map(({ id }) => level(id))), depth)
    }
  })

  t.test('are tidy without oddities, also after years', async (t) => {
    let organisation = generateOrganisation({ seed: 3, people: 800, departments: 150, oddities: false })
    t.same([...faultsOf(organisation), ...problemsOf(organisation)], [])
    for (let year = 1; year <= 5; year++) {
      organisation = evolve(organisation, year, 200)
      t.same([...faultsOf(organisation), ...problemsOf(organisation)], [], `year ${year}`)
    }
  })

  t.test('grow to 100,000 people and 5,000 departments', async (t) => {
    const { people, departments } = generateOrganisation({ seed: 4, people: 100_000, departments: 5000 })
    t.same([people.length, departments.length], [100_000, 5000])
  })
})

t.test('an evolved organisation', async (t) => {
  const before = generateOrganisation({ seed: 5, people: 400, departments: 80 })
  const copy = structuredClone(before)
  const after = evolve(before, 1, 300)

  t.test('leaves the former one alone and is the same for the same seed', async (t) => {
    t.same(before, copy)
    t.same(evolve(before, 1, 300), after)
    t.not(JSON.stringify(evolve(before, 2, 300)), JSON.stringify(after))
    t.same(faultsOf(after), [])
  })

  t.test('has every kind of change in it', async (t) => {
    const earlier = new Map(before.people.map((one) => [one.id, one]))
    const later = new Map(after.people.map((one) => [one.id, one]))
    const kept = after.people.flatMap((one) => {
      const was = earlier.get(one.id)
      return was === undefined ? [] : [{ one, was }]
    })
    const some = (name: string, fits: (pair: { one: FakePerson; was: FakePerson }) => boolean): void => {
      t.ok(kept.some(fits), name)
    }
    t.ok(
      after.people.some(({ id }) => !earlier.has(id)),
      'joiners',
    )
    t.ok(
      before.people.some(({ id }) => !later.has(id)),
      'people who are gone',
    )
    some('leavers', ({ one, was }) => one.state === 'left' && was.state !== 'left')
    some('returners', ({ one, was }) => one.state === 'active' && was.state !== 'active')
    some('new names', ({ one, was }) => one.name !== was.name)
    some('new titles', ({ one, was }) => one.title !== was.title)
    some('moves', ({ one, was }) => one.departmentIds.join() !== was.departmentIds.join())
    some('numbers of others', ({ one, was }) => {
      if (one.mobile === '' || one.mobile === was.mobile) return false
      return before.people.some((other) => other.id !== one.id && other.mobile === one.mobile)
    })
    const departments = new Map(before.departments.map((one) => [one.id, one]))
    t.ok(
      after.departments.some(({ id }) => !departments.has(id)),
      'new departments',
    )
    t.ok(
      before.departments.some(({ id }) => !after.departments.some((one) => one.id === id)),
      'closed departments',
    )
    const was = (id: string) => departments.get(id)
    t.ok(
      after.departments.some(({ id, name }) => was(id) && was(id)?.name !== name),
      'renamed departments',
    )
    t.ok(
      after.departments.some(({ id, parentId }) => was(id) && was(id)?.parentId !== parentId),
      'moved departments',
    )
  })

  t.test('gives no id out a second time', async (t) => {
    const knownIds = new Set(before.people.map(({ id }) => id))
    let organisation = before
    for (let year = 1; year <= 10; year++) {
      const next = evolve(organisation, year, 200)
      const present = new Set(organisation.people.map(({ id }) => id))
      const joined = next.people.map(({ id }) => id).filter((id) => !present.has(id))
      t.ok(joined.length > 0)
      t.same(
        joined.filter((id) => knownIds.has(id)),
        [],
      )
      for (const id of joined) knownIds.add(id)
      organisation = next
    }
  })
})
