import type { Statement } from '../../failures/statement.ts'
import type { Answer } from '../platform/exchange.ts'
import { idAt, textAt } from '../platform/json.ts'
import { growingPauses, type Protocol } from '../platform/protocol.ts'
import { folder } from '../platform/url.ts'
import { statements } from '../statements.ts'

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
const maxLimited = 5

const platform = 'Feishu'
const advice: Readonly<Record<string, Statement>> = {
  [noDepartmentAuthority]: statements.all_members(),
  '10003': statements.feishu_sign_in(),
  '10014': statements.feishu_sign_in(),
  '40011': statements.feishu_page_size(),
  '40012': statements.feishu_page_token(),
  '41050': statements.all_members(),
  '99991661': statements.token_lost({ platform }),
  '99991663': statements.feishu_token_refused(),
  [limited]: statements.app_calls_too_often({ platform }),
  '99991403': statements.calls_used_up(),
  '99991672': statements.feishu_permissions(),
}

export const feishuProtocol = ({ appId, appSecret, url }: FeishuSettings): Protocol => ({
  platform,
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
  advice: (code) => advice[code] ?? null,
})

/** The gateway returns the pause in seconds. */
const pausesFrom = (header: Answer['header']): readonly number[] => {
  const seconds = Number(header('x-ogw-ratelimit-reset') ?? Number.NaN)
  return seconds > 0 ? Array<number>(maxLimited).fill(seconds * 1000) : growingPauses
}
