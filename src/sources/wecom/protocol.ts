import { idAt, textAt } from '../platform/json.ts'
import { growingPauses, type Protocol } from '../platform/protocol.ts'
import { folder } from '../platform/url.ts'

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

const vanished = 'A department vanished while the organisation was read; the next run will see it as it is then.'
const advice: Readonly<Record<string, string>> = {
  '-1': 'WeCom is busy; try again later.',
  '40001': 'Check the secret, and that it belongs to this organisation.',
  '40013': 'Check the corp id.',
  '40014': 'WeCom does not take its own access token; check the address of WeCom.',
  '41001': 'Check the address of WeCom: the access token did not arrive there.',
  '42001': 'WeCom does not take its own access token; check the address of WeCom.',
  [limited]: 'The organisation calls WeCom more often than it may; try again in an hour.',
  '45033': 'Too much calls WeCom at the same time for this organisation; try again later.',
  [idsOnly]: 'Use the secret of an app that may read the contacts; this one may not.',
  '60003': vanished,
  '60123': vanished,
  '60011': 'Widen the range of departments that the app may see to the whole organisation.',
  '60020': 'Add this server’s address to the app’s list of trusted addresses (the message names the address).',
  '60111': 'Tell WeCom: it does not know a person that it named itself.',
}

export const wecomProtocol = ({ corpId, secret, url }: WecomSettings): Protocol => ({
  platform: 'WeCom',
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
    if (code === limited) return { kind: 'later', ...found, pauses: limitedPauses, forAll: true }
    return { kind: staleToken.has(code) ? 'stale' : 'refused', ...found }
  },
  advice: (code) => advice[code] ?? '',
})
