import type { FakeCloud, FakeCloudOptions } from './cloud.ts'
import { departmentNumber } from './department-number.ts'
import { dingtalkDepartment, dingtalkRoot, dingtalkUser, leaveRecord } from './dingtalk-records.ts'
import { badParameter, dingtalkError, dingtalkLimited, newApiError, ok } from './dingtalk-replies.ts'
import { rootDepartmentId } from './organisation-data.ts'
import { type CloudState, type FakeReply, type Operation, type Platform, pageOf, unpaged } from './platform.ts'
import { startFakeCloud } from './server.ts'

/** DingTalk's contacts: the old API and the new one on one host. */
export const startFakeDingtalk = (options: FakeCloudOptions): Promise<FakeCloud> => startFakeCloud(dingtalk, options)

const scopes = {
  departments: 'qyapi_get_department_list',
  members: 'qyapi_get_department_member',
  mobile: 'fieldMobile',
  email: 'fieldEmail',
  leavers: 'Contact.User.Read',
}

/** What is asked of the old API with a token that is good for it; otherwise its own words for what is wrong. */
const oldApi =
  (scope: string | null, answer: Operation['answer']): Operation['answer'] =>
  (request, cloud) => {
    const token = cloud.tokens.check(request.query.get('access_token'))
    if (token !== 'good') return dingtalkError({ code: 88, subCode: '40014' })
    if (scope !== null && !cloud.may(scope)) return dingtalkError({ code: 88, subCode: '60011' })
    return answer(request, cloud)
  }

/** The department asked for: its id here, or the platform's refusal. */
const departmentOf = (dept_id: unknown, { organisation }: CloudState): { id: string } | { refusal: FakeReply } => {
  if (!Number.isInteger(dept_id)) return { refusal: badParameter('dept_id') }
  const id = dept_id === 1 ? rootDepartmentId : String(dept_id)
  if (organisation.sees(id)) return { id }
  // An app of smaller scope is told nothing about what is outside.
  return { refusal: dingtalkError({ code: organisation.whole ? 60003 : 50004 }) }
}

/** A call about departments, whose names come in the language asked for. */
const aboutDepartment = (
  path: string,
  { fallback, answer }: { fallback?: number; answer: (id: string, cloud: CloudState) => unknown },
): Operation => ({
  method: 'POST',
  path,
  subject: ({ body }) => ({ department: subject(body.dept_id ?? fallback), page: 1 }),
  answer: oldApi(scopes.departments, ({ body: { dept_id = fallback, language = 'zh_CN' } }, cloud) => {
    if (language !== 'zh_CN' && language !== 'en_US') return badParameter('language')
    const asked = departmentOf(dept_id, cloud)
    return 'refusal' in asked ? asked.refusal : ok(answer(asked.id, cloud))
  }),
})

const subDepartments = aboutDepartment('/topapi/v2/department/listsub', {
  fallback: 1,
  answer: (id, cloud) =>
    unpaged(cloud.organisation.children(id), cloud).map((department) =>
      cloud.reveal(dingtalkDepartment(department, cloud)),
    ),
})

const oneDepartment = aboutDepartment('/topapi/v2/department/get', {
  answer: (id, cloud) =>
    cloud.reveal(dingtalkDepartment(cloud.organisation.departments.get(id) ?? dingtalkRoot, cloud)),
})

const departmentMembers: Operation = {
  method: 'POST',
  path: '/topapi/v2/user/list',
  subject: ({ body: { dept_id, cursor, size } }) => ({
    department: subject(dept_id),
    page: Math.floor(Number(cursor) / Number(size)) + 1,
  }),
  answer: oldApi(scopes.members, (request, cloud) => {
    const { cursor, size } = request.body
    if (!isWhole(cursor, 0, Number.MAX_SAFE_INTEGER)) return badParameter('cursor')
    if (!isWhole(size, 1, 100)) return badParameter('size')
    const asked = departmentOf(request.body.dept_id, cloud)
    if ('refusal' in asked) return asked.refusal
    const present = cloud.organisation.members(asked.id).filter(({ state }) => state !== 'left')
    const { page, next } = pageOf(cloud.order(present), { offset: cursor, size, repeat: cloud.repeat })
    const visibleFields = { mobile: cloud.may(scopes.mobile), email: cloud.may(scopes.email) }
    return ok({
      has_more: next !== undefined,
      ...(next === undefined ? {} : { next_cursor: next }),
      list: page.map((person) => cloud.reveal(dingtalkUser(person, asked.id, cloud, visibleFields))),
    })
  }),
}

const authorisedScopes: Operation = {
  method: 'GET',
  path: '/auth/scopes',
  answer: oldApi(null, (_request, cloud) => {
    const { whole, roots } = cloud.organisation
    return {
      body: {
        errcode: 0,
        errmsg: 'ok',
        auth_user_field: [
          'name',
          ...(cloud.may(scopes.mobile) ? ['mobile'] : []),
          ...(cloud.may(scopes.email) ? ['email'] : []),
        ],
        condition_field: [],
        auth_org_scopes: { authed_user: [], authed_dept: whole ? [1] : roots.map(({ id }) => departmentNumber(id)) },
      },
    }
  }),
}

const accessToken: Operation = {
  method: 'POST',
  path: '/v1.0/oauth2/accessToken',
  forToken: true,
  answer: ({ body: { appKey, appSecret } }, { credentials, tokens }) => {
    if (typeof appKey !== 'string' || typeof appSecret !== 'string')
      return newApiError(400, 'MissingParameter', 'appKey and appSecret are mandatory for this action.')
    if (appKey !== credentials.appKey || appSecret !== credentials.appSecret)
      return newApiError(400, 'invalidClientIdOrSecret', '无效的clientId或者clientSecret')
    const { token, secondsLeft } = tokens.issue({ renew: true })
    return { body: { accessToken: token, expireIn: secondsLeft } }
  },
}

const leaveRecords: Operation = {
  method: 'GET',
  path: '/v1.0/contact/empLeaveRecords',
  subject: ({ query }) => ({ page: Math.floor(Number(query.get('nextToken')) / Number(query.get('maxResults'))) + 1 }),
  answer: ({ query, headers }, cloud) => {
    const token = headers['x-acs-dingtalk-access-token']
    if (cloud.tokens.check(typeof token === 'string' ? token : null) !== 'good')
      return newApiError(401, 'InvalidAuthentication', '不合法的access_token')
    if (!cloud.may(scopes.leavers))
      return newApiError(403, 'Forbidden.AccessDenied.AccessTokenPermissionDenied', '没有调用该接口的权限', {
        accessdenieddetail: { requiredScopes: [scopes.leavers] },
      })
    const start = instant(query.get('startTime'))
    const end = instant(query.get('endTime') ?? new Date().toISOString())
    const offset = Number(query.get('nextToken') ?? Number.NaN)
    const size = Number(query.get('maxResults') ?? Number.NaN)
    if (start === null || end === null)
      return newApiError(400, 'invalidTime', 'startTime and endTime are ISO 8601 in UTC')
    if (!isWhole(offset, 0, Number.MAX_SAFE_INTEGER))
      return newApiError(400, 'invalidNextToken', 'nextToken is invalid')
    if (!isWhole(size, 1, 50)) return newApiError(400, 'invalidMaxResults', 'maxResults is 1 to 50')
    const leavers = cloud.organisation.people
      .map(leaveRecord)
      .filter((record) => record !== null)
      .filter(({ leaveTime }) => Date.parse(leaveTime) >= start && Date.parse(leaveTime) <= end)
    const { page, next } = pageOf(cloud.order(leavers), { offset, size, repeat: cloud.repeat })
    return { body: { nextToken: String(next ?? '0'), records: page.map((record) => cloud.reveal({ ...record })) } }
  },
}

const subject = (id: unknown): string => (id === 1 ? rootDepartmentId : String(id))

const isWhole = (value: unknown, least: number, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= max

const instant = (text: string | null): number | null =>
  text !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : null

const isNewApi = (path: string): boolean => path.startsWith('/v1.0/')

const dingtalk: Platform = {
  credentials: { appKey: 'dingfakeappkey0001', appSecret: 'a-secret-of-the-fake-dingtalk' },
  scopes: Object.values(scopes),
  operations: [accessToken, authorisedScopes, subDepartments, oneDepartment, departmentMembers, leaveRecords],
  check: ({ departments }) => {
    for (const { id } of departments) departmentNumber(id)
  },
  error: (fault, path) =>
    isNewApi(path)
      ? newApiError(fault.status ?? 400, String(fault.code), fault.message ?? 'error')
      : dingtalkError(fault),
  limited: (fault, path) => dingtalkLimited(fault, isNewApi(path)),
  expired: (path) =>
    isNewApi(path)
      ? newApiError(401, 'InvalidAuthentication', '不合法的access_token')
      : dingtalkError({ code: 88, subCode: '40014' }),
  blockPage: `<!doctype html><html><head><meta charset="utf-8"><title>405</title></head><body><h1>405</h1>
<p>很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。</p></body></html>`,
}
