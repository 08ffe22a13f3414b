import type { FakeCloud, FakeCloudOptions } from './cloud.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type DepartmentIdType, departmentIdAs, departmentIdTypes, userIdTypes } from './feishu-ids.ts'
import { feishuDepartment, feishuRoot, feishuUser, userIdAs } from './feishu-records.ts'
import { feishuError, feishuLimited, scopeMissing, success } from './feishu-replies.ts'
import { type FakeDepartment, rootDepartmentId } from './organisation-data.ts'
import type { OrganisationIndex } from './organisation-index.ts'
import { type CloudState, type FakeReply, type FakeRequest, type Operation, type Platform, pageOf } from './platform.ts'
import { startFakeCloud } from './server.ts'

/** Feishu's contacts; Lark's are the same. */
export const startFakeFeishu = (options: FakeCloudOptions): Promise<FakeCloud> => startFakeCloud(feishu, options)

const scopes = {
  all: 'contact:contact:readonly_as_app',
  base: 'contact:contact.base:readonly',
  departmentBase: 'contact:department.base:readonly',
  departmentTree: 'contact:department.organize:readonly',
  userBase: 'contact:user.base:readonly',
  userId: 'contact:user.employee_id:readonly',
  userDepartment: 'contact:user.department:readonly',
  userEmployee: 'contact:user.employee:readonly',
  email: 'contact:user.email:readonly',
  mobile: 'contact:user.phone:readonly',
}

/** Any one of these lets an app list people and departments. */
const listing = [scopes.all, scopes.base]

/** What is asked with a token that is good for it. */
const authorised =
  (answer: Operation['answer']): Operation['answer'] =>
  (request, cloud) => {
    const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const state = cloud.tokens.check(token)
    if (state !== 'good') return feishuError({ code: state === 'missing' ? 99991661 : 99991663 })
    if (!listing.some(cloud.may)) return scopeMissing(listing)
    return answer(request, cloud)
  }

interface Asked {
  departmentIdType: DepartmentIdType
  userIdType: (typeof userIdTypes)[number]
  size: number
  offset: number
  /** Names the list that page tokens are for. */
  list: string
}

/** The parameters that every list has, or the error for a wrong one. */
const readAsked = ({ path, query }: FakeRequest, maxPerPage: number): Asked | { refusal: FakeReply } => {
  const departmentIdType = departmentIdTypes.find(
    (type) => type === (query.get('department_id_type') ?? 'open_department_id'),
  )
  const userIdType = userIdTypes.find((type) => type === (query.get('user_id_type') ?? 'open_id'))
  if (departmentIdType === undefined || userIdType === undefined) return { refusal: feishuError({ code: 99992402 }) }
  const size = Number(query.get('page_size') ?? 10)
  if (!Number.isInteger(size) || size < 1 || size > maxPerPage) return { refusal: feishuError({ code: 40011 }) }
  const list = [path, query.get('department_id'), query.get('fetch_child')].join(' ')
  const offset = readCursor(list, query.get('page_token') ?? '')
  if (offset === undefined) return { refusal: feishuError({ code: 40012 }) }
  return { departmentIdType, userIdType, size, offset, list }
}

/** One page of a list, with what leads to the next. */
const paged = <T>(items: readonly T[], { offset, size, list }: Asked, { order, repeat }: CloudState) => {
  const { page, next } = pageOf(order(items), { offset, size, repeat })
  const more = next === undefined ? { has_more: false } : { has_more: true, page_token: writeCursor(list, next) }
  return { page, more }
}

/** Finds departments by the ids Feishu gave them; made once for each organisation as seen. */
const known = new WeakMap<OrganisationIndex, Record<DepartmentIdType, Map<string, string>>>()

const departmentBy = (type: DepartmentIdType, id: string, organisation: OrganisationIndex): string | undefined => {
  const ids = known.get(organisation) ?? {
    department_id: new Map(),
    open_department_id: new Map(),
  }
  if (!known.has(organisation)) {
    known.set(organisation, ids)
    for (const own of [rootDepartmentId, ...organisation.departments.keys()])
      for (const idType of departmentIdTypes) ids[idType].set(departmentIdAs(own, idType), own)
  }
  const own = ids[type].get(id)
  return own !== undefined && organisation.sees(own) ? own : undefined
}

const about = (
  request: FakeRequest,
  id: string,
  { organisation }: CloudState,
): { department?: string; page?: number } => {
  const asked = readAsked(request, Infinity)
  if ('refusal' in asked) return {}
  const department = departmentBy(asked.departmentIdType, id, organisation)
  return { page: Math.floor(asked.offset / asked.size) + 1, ...(department === undefined ? {} : { department }) }
}

const visibleScope: Operation = {
  method: 'GET',
  path: '/open-apis/contact/v3/scopes',
  subject: (request, cloud) => about(request, '', cloud),
  answer: authorised((request, cloud) => {
    const asked = readAsked(request, 100)
    if ('refusal' in asked) return asked.refusal
    // An app that may see all is told the first level, and the people directly under the root.
    const people = cloud.organisation.members(rootDepartmentId)
    const both = [
      ...cloud.organisation.roots.map(({ id }) => ({ department: departmentIdAs(id, asked.departmentIdType) })),
      ...people.map((person) => ({ user: userIdAs(person, asked.userIdType) })),
    ]
    const { page, more } = paged(both, asked, cloud)
    return success({
      department_ids: page.flatMap((one) => ('department' in one ? [one.department] : [])),
      user_ids: page.flatMap((one) => ('user' in one ? [one.user] : [])),
      group_ids: [],
      ...more,
    })
  }),
}

/** A department with what the app may see of it. */
const departmentRecord = (department: FakeDepartment, type: DepartmentIdType, cloud: CloudState) => {
  const may = (scope: string): boolean => cloud.may(scopes.all) || cloud.may(scope)
  const visible = { base: may(scopes.departmentBase), tree: may(scopes.departmentTree) }
  return cloud.reveal(feishuDepartment(department, type, cloud, visible))
}

const oneDepartment: Operation = {
  method: 'GET',
  path: '/open-apis/contact/v3/departments/{id}',
  subject: (request, cloud) => about(request, request.segments.id ?? '', cloud),
  answer: authorised((request, cloud) => {
    const asked = readAsked(request, Infinity)
    if ('refusal' in asked) return asked.refusal
    const id = departmentBy(asked.departmentIdType, request.segments.id ?? '', cloud.organisation)
    if (id === undefined) return feishuError({ code: 40004 })
    const department = cloud.organisation.departments.get(id) ?? feishuRoot
    return success({ department: departmentRecord(department, asked.departmentIdType, cloud) })
  }),
}

const childDepartments: Operation = {
  method: 'GET',
  path: '/open-apis/contact/v3/departments/{id}/children',
  subject: (request, cloud) => about(request, request.segments.id ?? '', cloud),
  answer: authorised((request, cloud) => {
    const asked = readAsked(request, 50)
    if ('refusal' in asked) return asked.refusal
    const all = request.query.get('fetch_child') ?? 'false'
    if (all !== 'true' && all !== 'false') return feishuError({ code: 99992402 })
    const id = departmentBy(asked.departmentIdType, request.segments.id ?? '', cloud.organisation)
    if (id === undefined) return feishuError({ code: 40004 })
    const below = all === 'true' ? cloud.organisation.descendants(id) : cloud.organisation.children(id)
    const { page, more } = paged(below, asked, cloud)
    const items = page.map((department) => departmentRecord(department, asked.departmentIdType, cloud))
    return success({ ...more, ...(items.length === 0 ? {} : { items }) })
  }),
}

const departmentMembers: Operation = {
  method: 'GET',
  path: '/open-apis/contact/v3/users/find_by_department',
  subject: (request, cloud) => about(request, request.query.get('department_id') ?? '', cloud),
  answer: authorised((request, cloud) => {
    const asked = readAsked(request, 50)
    if ('refusal' in asked) return asked.refusal
    const wanted = request.query.get('department_id')
    if (wanted === null) return feishuError({ code: 99992402 })
    const id = departmentBy(asked.departmentIdType, wanted, cloud.organisation)
    if (id === undefined) return feishuError({ code: 40004 })
    const { page, more } = paged(cloud.organisation.members(id), asked, cloud)
    const may = (scope: string): boolean => cloud.may(scopes.all) || cloud.may(scope)
    const visible = {
      base: may(scopes.userBase),
      department: may(scopes.userDepartment),
      employee: may(scopes.userEmployee),
      userId: cloud.may(scopes.userId),
      email: cloud.may(scopes.email),
      mobile: cloud.may(scopes.mobile),
    }
    const items = page.map((person) => cloud.reveal(feishuUser(person, asked.departmentIdType, cloud, visible)))
    return success({ ...more, ...(items.length === 0 ? {} : { items }) })
  }),
}

const tenantAccessToken: Operation = {
  method: 'POST',
  path: '/open-apis/auth/v3/tenant_access_token/internal',
  forToken: true,
  answer: ({ body: { app_id, app_secret } }, { credentials, tokens }) => {
    if (typeof app_id !== 'string' || typeof app_secret !== 'string') return feishuError({ code: 10003 })
    if (app_id !== credentials.appId) return feishuError({ code: 10003, status: 200 })
    if (app_secret !== credentials.appSecret) return feishuError({ code: 10014 })
    const { token, secondsLeft } = tokens.issue()
    return { body: { code: 0, msg: 'ok', tenant_access_token: token, expire: secondsLeft } }
  },
}

const feishu: Platform = {
  credentials: { appId: 'cli_fakefeishu0001', appSecret: 'a-secret-of-the-fake-feishu' },
  scopes: Object.values(scopes),
  operations: [tenantAccessToken, visibleScope, oneDepartment, childDepartments, departmentMembers],
  error: feishuError,
  limited: feishuLimited,
  expired: () => feishuError({ code: 99991663 }),
  blockPage: `<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>`,
}
