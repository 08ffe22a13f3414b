import type { Answer } from '../platform/exchange.ts'
import { idAt, textAt } from '../platform/json.ts'
import { growingPauses, type Protocol } from '../platform/protocol.ts'
import { folder } from '../platform/url.ts'

export interface FeishuSettings {
  appId: string
  appSecret: string
  /** https://open.feishu.cn or https://open.larksuite.com */
  url: string
}

/** Only apps that may see all members may see the root. */
export const noDepartmentAuthority = '40004'
/** The department, or every member of it, is not visible to the app. */
export const noPermission: ReadonlySet<string> = new Set([noDepartmentAuthority, '41050'])
/** A department with too many descendants is not listed on all levels at once. */
export const tooMuchBelow = '43010'

const limited = '99991400'
const staleToken: ReadonlySet<string> = new Set(['99991661', '99991663'])
/** Attempts after a rate limit; each response says how long to wait. */
const mostLimited = 5

const advice: Readonly<Record<string, string>> = {
  [noDepartmentAuthority]: 'Set the range of contacts that the app may see to all members.',
  '10003': 'Check the app id and the app secret.',
  '10014': 'Check the app id and the app secret.',
  '40011': 'Feishu does not take a page size it documents; tell Feishu.',
  '40012': 'Feishu does not take its own page token, maybe because reading took too long; try again.',
  '41050': 'Set the range of contacts that the app may see to all members.',
  '99991661': 'Check the address of Feishu: the access token did not arrive there.',
  '99991663': 'Feishu does not take its own access token; check that the address is the one of this app’s edition.',
  [limited]: 'The app calls Feishu more often than it may; see what else uses this app, or try again later.',
  '99991403': 'The organisation’s calls of this month are used up; buy more, or wait for the next month.',
  '99991672':
    'Grant the app contact:contact:readonly_as_app (or contact:contact.base:readonly and contact:department.base:readonly) and publish a version of it.',
}

export const feishuProtocol = ({ appId, appSecret, url }: FeishuSettings): Protocol => ({
  platform: 'Feishu',
  rates: [
    { calls: 50, window: 1000 },
    { calls: 1000, window: 60_000 },
  ],
  secrets: [appSecret],
  tokenRequest: () => ({
    method: 'POST',
    url: new URL('open-apis/auth/v3/tenant_access_token/internal', folder(url)),
    body: { app_id: appId, app_secret: appSecret },
  }),
  issuedToken: ({ tenant_access_token: token, expire }) =>
    typeof token === 'string' && typeof expire === 'number' ? { token, lifetime: expire } : null,
  authorize: (request, token) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
  judge({ status, header, body }) {
    const code = idAt(body.code)
    const words = textAt(body.msg)
    if (code === '0' && status < 400) return { kind: 'ok', code, words }
    const found = { code: code || `HTTP ${status}`, words }
    if (code === limited || status === 429) return { kind: 'later', ...found, pauses: pausesFrom(header), forAll: true }
    return { kind: staleToken.has(code) ? 'stale' : 'refused', ...found }
  },
  advice: (code) => advice[code] ?? '',
})

/** The gateway returns the pause in seconds. */
const pausesFrom = (header: Answer['header']): readonly number[] => {
  const seconds = Number(header('x-ogw-ratelimit-reset') ?? Number.NaN)
  return seconds > 0 ? Array<number>(mostLimited).fill(seconds * 1000) : growingPauses
}
