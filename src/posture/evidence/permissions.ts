import { type Concern, when } from './concern.ts'
import { counted } from './wording.ts'

const manyDenied = 200
const someDenied = 20
const manyLimited = 50

export const permissionsConcern: Concern = {
  id: 2,
  area: 'permissions',
  name: 'Permissions',
  description: 'Requests of the last 24 hours that were denied, or refused by a rate limit',
  details: ({ requests: { denied, deniedCallers, limited } }) =>
    `${denied.toLocaleString('en')} denied to ${counted(deniedCallers, 'caller')}; ${limited.toLocaleString('en')} refused by a rate limit`,
  figures: ({ requests: { denied, deniedCallers, limited } }) => ({ denied, callers: deniedCallers, limited }),
  find({ requests: { denied, deniedCallers, mostDenied, limited } }) {
    const mostOfThem =
      mostDenied === null ? '' : `, most of them (${mostDenied.times}) to ${mostDenied.username || 'unknown callers'}`
    const description = `${counted(denied, 'request')} within 24 hours ${denied === 1 ? 'was' : 'were'} denied to ${counted(deniedCallers, 'caller')}${mostOfThem}.`
    const suggestion =
      'Check what was tried (GET /api/log/operation/list?status=403). Grant what the callers need (POST /api/role/updateapis), or disable the users who should not try it (POST /api/user/changeUserStatus).'
    const params = { count: denied, callers: deniedCallers }
    return [
      ...when(denied >= manyDenied, () => ({ kind: 'denialsMany', description, suggestion, params })),
      ...when(denied >= someDenied && denied < manyDenied, () => ({
        kind: 'denials',
        description,
        suggestion,
        params,
      })),
      ...when(limited >= manyLimited, () => ({
        kind: 'limits',
        description: `${counted(limited, 'request')} within 24 hours ${limited === 1 ? 'was' : 'were'} refused by a rate limit.`,
        suggestion: 'Check which callers send them: GET /api/log/operation/list?status=429.',
        params: { count: limited },
      })),
    ]
  },
}
