import type { Statement } from '../../failures/statement.ts'
import { idAt, textAt } from '../platform/json.ts'
import { growingPauses, type Protocol } from '../platform/protocol.ts'
import { folder } from '../platform/url.ts'
import { statements } from '../statements.ts'

export interface WecomSettings {
  corpId: string
  secret: string
  /** https://qyapi.weixin.qq.com */
  url: string
}

/** This secret may only request ids, at least from this server's address. */
export const idsOnly = '48002'
/** The department is not visible to the app. */
export const noPermission: ReadonlySet<string> = new Set(['60011'])

const busy: ReadonlySet<string> = new Set(['-1', '45033'])
const limited = '45009'
const staleToken: ReadonlySet<string> = new Set(['40014', '42001'])
/** The limit per minute blocks for a minute; if a retry after that fails, it is the limit per hour. */
const limitedPauses: readonly number[] = [60_000, 60_000]

const platform = 'WeCom'
const vanished = statements.department_vanished()
const advice: Readonly<Record<string, Statement>> = {
  '-1': statements.busy({ platform }),
  '40001': statements.wecom_secret(),
  '40013': statements.wecom_corp(),
  '40014': statements.wecom_token_refused(),
  '41001': statements.token_lost({ platform }),
  '42001': statements.wecom_token_refused(),
  [limited]: statements.wecom_hour(),
  '45033': statements.wecom_crowded(),
  [idsOnly]: statements.wecom_contacts(),
  '60003': vanished,
  '60123': vanished,
  '60011': statements.whole_organisation(),
  '60020': statements.wecom_addresses(),
  '60111': statements.tell_unknown_person({ platform }),
}

export const wecomProtocol = ({ corpId, secret, url }: WecomSettings): Protocol => ({
  platform,
  rates: [{ calls: 10_000, window: 60_000 }],
  secrets: [secret],
  tokenRequest() {
    const address = new URL('cgi-bin/gettoken', folder(url))
    address.search = new URLSearchParams({ corpid: corpId, corpsecret: secret }).toString()
    return { method: 'GET', url: address }
  },
  issuedToken: ({ access_token: token, expires_in: lifetime }) =>
    typeof token === 'string' && typeof lifetime === 'number' ? { token, lifetime } : null,
  authorize(request, token) {
    const address = new URL(request.url)
    address.searchParams.set('access_token', token)
    return { ...request, url: address }
  },
  judge({ status, body }) {
    const code = idAt(body.errcode)
    const words = textAt(body.errmsg)
    if (code === '0') return { kind: 'ok', code, words }
    const found = { code: code || `HTTP ${status}`, words }
    if (busy.has(code)) return { kind: 'later', ...found, pauses: growingPauses }
    // The limit of a proxy or gateway before the platform has no code of the platform.
    if (code === limited || status === 429) return { kind: 'later', ...found, pauses: limitedPauses, forAll: true }
    return { kind: staleToken.has(code) ? 'stale' : 'refused', ...found }
  },
  advice: (code) => advice[code] ?? null,
})
