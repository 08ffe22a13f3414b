import type { Answer } from '../platform/exchange.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { growingPauses, type Protocol, type Verdict } from '../platform/protocol.ts'
import { folder } from '../platform/url.ts'

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

const advice: Readonly<Record<string, string>> = {
  [busy]: 'DingTalk is busy; try again later.',
  [blocked]: 'DingTalk blocks this server’s address for five minutes, for too many calls; try again after that.',
  '33012': 'Tell DingTalk: it does not know a person that it named itself.',
  '40014':
    'DingTalk does not take its own token; check the app key and that EXT…_URL and EXT…_API_URL belong together.',
  [outOfScope]: 'Widen the range of departments that the app may see (contacts permission scope) to all employees.',
  '60003': 'A department vanished while the organisation was read; the next run will see it as it is then.',
  '60011':
    'Grant the app qyapi_get_department_list, qyapi_get_department_member and qyapi_get_member, and all employees as its range.',
  '60020': 'Add this server’s address to the app’s list of allowed addresses.',
  '90002': 'DingTalk limits calls from everywhere at the moment; try again later.',
  '90018': 'The app calls DingTalk more often than it may; see what else uses this app, or try again later.',
  '90019': 'The organisation calls DingTalk more often than it may; see what else calls it, or try again later.',
  '90020': 'The organisation’s calls of this month are used up; buy more, or wait for the next month.',
}
const signInAdvice = 'Check the app key and the app secret, and that the app is published.'

export const dingtalkProtocol = ({ appKey, appSecret, apiUrl }: DingtalkSettings): Protocol => ({
  platform: 'DingTalk',
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
      : { kind: 'later', code: '', words: `no JSON (${answer.shape})`, pauses: growingPauses },
  advice: (code) => advice[code] ?? (/^[a-z]/i.test(code) ? signInAdvice : ''),
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
  words: 'too many calls from this address',
  pauses: [Math.min(seconds ?? 5, 60) * 1000, 60_000, 240_000],
  forAll: true,
})
