import { randomBytes } from 'node:crypto'
import type { FakeReply } from './platform.ts'

/** The old API's words for its codes. */
const words: Readonly<Record<number, string>> = {
  [-1]: '系统繁忙',
  33012: '无效的USERID',
  400002: '参数错误',
  50004: '请求的部门id不在授权范围内',
  60003: '部门不存在',
  90002: '服务器调用频率超过限制',
  90018: '您的服务器调用钉钉开放平台所有接口的请求都被暂时禁用了',
  90019: '您的服务器调用钉钉开放平台当前接口的请求都被暂时禁用了',
  90020: '您的企业调用钉钉开放平台的接口次数已达到本月上限',
}

const subWords: Readonly<Record<string, string>> = {
  '40014': '不合法的access_token',
  '60011': '没有调用该接口的权限',
}

const requestId = (): string => randomBytes(6).toString('hex')

export const ok = (result: unknown): FakeReply => ({
  body: { errcode: 0, errmsg: 'ok', result, request_id: requestId() },
})

/** Errors of the old API come with HTTP 200. */
export const dingtalkError = ({
  code,
  subCode,
  message,
  status = 200,
}: {
  code: number
  subCode?: string
  message?: string
  status?: number
}): FakeReply => {
  const request_id = requestId()
  if (subCode === undefined)
    return { status, body: { errcode: code, errmsg: message ?? words[code] ?? 'error', request_id } }
  const sub_msg = message ?? subWords[subCode] ?? 'error'
  const errmsg = `ding talk error[subcode=${subCode},submsg=${sub_msg}]`
  return { status, body: { errcode: code, errmsg, sub_code: subCode, sub_msg, request_id } }
}

export const badParameter = (name: string): FakeReply => dingtalkError({ code: 400002, message: `参数错误: ${name}` })

/** Errors of the new API come with an HTTP status of their own and a word for a code. */
export const newApiError = (
  status: number,
  code: string,
  message: string,
  details: Record<string, unknown> = {},
): FakeReply => ({ status, body: { code, message, requestid: requestId().toUpperCase(), ...details } })

export const dingtalkLimited = (
  { code = 90018, status }: { code?: number; status?: number },
  newApi: boolean,
): FakeReply =>
  newApi
    ? newApiError(status ?? 403, 'Forbidden.AccessDenied.QpsLimitForAppkeyAndApi', words[code] ?? '限流')
    : dingtalkError({ code, ...(status === undefined ? {} : { status }) })
