import type { FakeCloud, FakeCloudOptions } from './cloud.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { departmentNumber } from './department-number.ts'
import { rootDepartmentId } from './organisation-data.ts'
import type { OrganisationIndex } from './organisation-index.ts'
import { type FakeReply, type Operation, type Platform, pageOf, unpaged } from './platform.ts'
import { startFakeCloud } from './server.ts'
import { contactScopes, wecomDepartment, wecomDepartmentIds, wecomRoot, wecomUser } from './wecom-records.ts'
import { ok, wecomError } from './wecom-replies.ts'

/** WeCom's contacts. */
export const startFakeWecom = (options: FakeCloudOptions): Promise<FakeCloud> => startFakeCloud(wecom, options)

/** Names and details; without it an app is told ids alone. */
const details = 'contacts.details'

/** What is asked with a token that is good for it. */
const authorised =
  (answer: Operation['answer'], { ids }: { ids: boolean }): Operation['answer'] =>
  (request, cloud) => {
    const state = cloud.tokens.check(request.query.get('access_token'))
    if (state !== 'good') return wecomError({ code: { missing: 41001, unknown: 40014, expired: 42001 }[state] })
    if (!ids && (cloud.idsOnly || !cloud.may(details))) return wecomError({ code: 48002 })
    return answer(request, cloud)
  }

/** The visible departments below the one asked for, and that one too; all of them when none is. */
const departmentsFrom = (asked: string | null, organisation: OrganisationIndex) => {
  const { whole, departments, descendants, sees } = organisation
  if (asked === null || (asked === '1' && whole)) return [...(whole ? [wecomRoot] : []), ...departments.values()]
  const id = ownId(asked)
  const department = departments.get(id)
  return sees(id) && department !== undefined ? [department, ...descendants(id)] : undefined
}

const departmentList = (path: string, { ids }: { ids: boolean }): Operation => ({
  method: 'GET',
  path,
  subject: ({ query }) => ({ department: ownId(query.get('id') ?? '1'), page: 1 }),
  answer: authorised(
    ({ query }, cloud) => {
      const asked = query.get('id')
      if (asked !== null && !/^\d+$/.test(asked)) return wecomError({ code: 60123 })
      const found = departmentsFrom(asked, cloud.organisation)
      if (found === undefined) return refusal(cloud.organisation)
      const records = unpaged(found, cloud).map((department) =>
        cloud.reveal(ids ? wecomDepartmentIds(department) : wecomDepartment(department)),
      )
      return ok(ids ? { department_id: records } : { department: records })
    },
    { ids },
  ),
})

const departmentMembers: Operation = {
  method: 'GET',
  path: '/cgi-bin/user/list',
  subject: ({ query }) => ({ department: ownId(query.get('department_id') ?? ''), page: 1 }),
  answer: authorised(
    ({ query }, cloud) => {
      const asked = query.get('department_id') ?? ''
      if (!/^\d+$/.test(asked)) return wecomError({ code: 60123 })
      const id = ownId(asked)
      if (!cloud.organisation.sees(id)) return refusal(cloud.organisation)
      const members = unpaged(cloud.organisation.members(id), cloud)
      return ok({ userlist: members.map((person) => cloud.reveal(wecomUser(person, cloud))) })
    },
    { ids: false },
  ),
}

/** The id of every person, once for each of their departments; for apps that may see no more than that. */
const userIds: Operation = {
  method: 'POST',
  path: '/cgi-bin/user/list_id',
  subject: ({ body: { cursor, limit = maxUserIds } }) => ({
    page: Math.floor((readCursor('list_id', String(cursor ?? '')) ?? 0) / Number(limit)) + 1,
  }),
  answer: authorised(
    ({ body: { cursor = '', limit = maxUserIds } }, cloud) => {
      if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > maxUserIds)
        return wecomError({ code: 40058 })
      const offset = typeof cursor === 'string' ? readCursor('list_id', cursor) : undefined
      if (offset === undefined) return wecomError({ code: 40058 })
      const all = cloud.order(placements(cloud.organisation))
      const { page, next } = pageOf(all, { offset, size: limit, repeat: cloud.repeat })
      return ok({ next_cursor: next === undefined ? '' : writeCursor('list_id', next), dept_user: page })
    },
    { ids: true },
  ),
}

const maxUserIds = 10_000

const accessToken: Operation = {
  method: 'GET',
  path: '/cgi-bin/gettoken',
  forToken: true,
  answer: ({ query }, { credentials, tokens }) => {
    const [corpId, secret] = [query.get('corpid') ?? '', query.get('corpsecret') ?? '']
    if (corpId === '') return wecomError({ code: 41002 })
    if (secret === '') return wecomError({ code: 41004 })
    if (corpId !== credentials.corpId) return wecomError({ code: 40013 })
    if (secret !== credentials.secret) return wecomError({ code: 40001 })
    const { token, secondsLeft } = tokens.issue()
    return ok({ access_token: token, expires_in: secondsLeft })
  },
}

interface Placement {
  userid: string
  department: number
}

const placementsOf = new WeakMap<OrganisationIndex, readonly Placement[]>()

const placements = (organisation: OrganisationIndex): readonly Placement[] => {
  const found =
    placementsOf.get(organisation) ??
    organisation.people.flatMap(({ id, departmentIds }) =>
      departmentIds
        .filter(organisation.sees)
        .map((department) => ({ userid: id, department: departmentNumber(department) })),
    )
  placementsOf.set(organisation, found)
  return found
}

/** An app of smaller scope gets nothing about departments outside it. */
const refusal = ({ whole }: OrganisationIndex): FakeReply => wecomError({ code: whole ? 60003 : 60011 })

const ownId = (asked: string): string => (asked === '1' ? rootDepartmentId : asked)

const wecom: Platform = {
  credentials: { corpId: 'wwfakecorp0001', secret: 'a-secret-of-the-fake-wecom' },
  scopes: [details, ...contactScopes],
  operations: [
    accessToken,
    departmentList('/cgi-bin/department/list', { ids: false }),
    departmentList('/cgi-bin/department/simplelist', { ids: true }),
    departmentMembers,
    userIds,
  ],
  check: ({ departments }) => {
    for (const { id } of departments) departmentNumber(id)
  },
  error: wecomError,
  limited: ({ code = 45009, status }) => wecomError({ code, ...(status === undefined ? {} : { status }) }),
  expired: () => wecomError({ code: 42001 }),
  blockPage:
    '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center></body></html>',
}
