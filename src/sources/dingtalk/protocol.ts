import type { Statement } from '../../failures/statement.ts'
import type { Answer } from '../platform/exchange.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { growingPauses, type Protocol, type Verdict } from '../platform/protocol.ts'
import { folder } from '../platform/url.ts'
import { statements } from '../statements.ts'

export interface DingtalkSettings {
  appKey: string
  appSecret: string
  /** Of the old API, https://oapi.dingtalk.com */
  url: string
  /** Of the new API, https://api.dingtalk.com */
  apiUrl: string
}

/** The department is not visible to the app. */
export const outOfScope = '50004'
export const noPermission: ReadonlySet<string> = new Set([outOfScope, '60011'])

const busy = '-1'
const limited: ReadonlySet<string> = new Set(['90002', '90018', '90019'])
const staleToken: ReadonlySet<string> = new Set(['40014', '42001'])
/** The code of a refusal whose reason is in sub_code. */
const refused = '88'
/** Our code for responses of the filter in front of the API, which have no code of the API. */
const blocked = 'blocked'

const platform = 'DingTalk'
const advice: Readonly<Record<string, Statement>> = {
  [busy]: statements.busy({ platform }),
  [blocked]: statements.dingtalk_blocked(),
  '33012': statements.tell_unknown_person({ platform }),
  '40014': statements.dingtalk_token_refused(),
  [outOfScope]: statements.dingtalk_scope(),
  '60003': statements.department_vanished(),
  '60011': statements.dingtalk_permissions(),
  '60020': statements.dingtalk_addresses(),
  '90002': statements.dingtalk_limits(),
  '90018': statements.app_calls_too_often({ platform }),
  '90019': statements.organisation_calls_too_often({ platform }),
  '90020': statements.calls_used_up(),
}
const signInAdvice = statements.dingtalk_sign_in()

export const dingtalkProtocol = ({ appKey, appSecret, apiUrl }: DingtalkSettings): Protocol => ({
  platform,
  rates: [{ calls: 20, window: 1000 }],
  secrets: [appSecret],
  tokenRequest: () => ({
    method: 'POST',
    url: new URL('v1.0/oauth2/accessToken', folder(apiUrl)),
    body: { appKey, appSecret },
  }),
  issuedToken: ({ accessToken, expireIn }) =>
    typeof accessToken === 'string' && typeof expireIn === 'number' ? { token: accessToken, lifetime: expireIn } : null,
  authorize(request, token) {
    const url = new URL(request.url)
    url.searchParams.set('access_token', token)
    return { ...request, url }
  },
  judge: (answer) => (isFilter(answer.body) ? blockade(waitOf(answer.body)) : verdictOf(answer)),
  // An address that called too often gets a web page for a while.
  judgeUnreadable: (answer) =>
    answer.page && answer.status < 500
      ? blockade(null)
      : { kind: 'later', code: '', words: statements.no_json({ shape: answer.shape }), pauses: growingPauses },
  advice: (code) => advice[code] ?? (/^[a-z]/i.test(code) ? signInAdvice : null),
})

/** The old API returns `errcode`, the new one `code`; a success of the new one has neither. */
const verdictOf = ({ status, body }: Answer & { body: JsonObject }): Verdict => {
  const { errcode, errmsg, sub_code, sub_msg, code, message } = body
  const first = idAt(errcode ?? code)
  const detailed = first === refused && idAt(sub_code) !== ''
  const effective = detailed ? idAt(sub_code) : first
  const words = textAt(detailed ? sub_msg : (errmsg ?? message))
  if (effective === '0' || (effective === '' && status === 200)) return { kind: 'ok', code: '0', words }
  const found = { code: effective || `HTTP ${status}`, words }
  if (effective === busy) return { kind: 'later', ...found, pauses: growingPauses }
  if (limited.has(effective) || status === 429 || /qps|throttl/i.test(effective))
    return { kind: 'later', ...found, pauses: growingPauses, forAll: true }
  return { kind: staleToken.has(effective) ? 'stale' : 'refused', ...found }
}

/** `{"status":1111,"wait":5,"source":"x5"}`: a response of the filter in front of the API. */
const isFilter = (body: JsonObject): boolean =>
  body.errcode === undefined && body.code === undefined && typeof body.status === 'number'
const waitOf = ({ wait }: JsonObject): number | null => (typeof wait === 'number' ? wait : null)

/** The block lasts five minutes, whatever its first response says; the pauses add up to that. */
const blockade = (seconds: number | null): Verdict => ({
  kind: 'later',
  code: blocked,
  words: statements.too_many_calls(),
  pauses: [Math.min(seconds ?? 5, 60) * 1000, 60_000, 240_000],
  forAll: true,
})
