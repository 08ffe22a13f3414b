import type { FakeReply } from './platform.ts'

/** Errors come with HTTP 200. */
const words: Readonly<Record<number, string>> = {
  [-1]: 'system busy',
  40001: 'invalid credential',
  40013: 'invalid corpid',
  40014: 'invalid access_token',
  40058: 'invalid parameter',
  40066: 'invalid url',
  41001: 'access_token missing',
  41002: 'corpid missing',
  41004: 'corpsecret missing',
  42001: 'access_token expired',
  43001: 'require GET method',
  43002: 'require POST method',
  45009: 'api freq out of limit',
  45033: 'api concurrent out of limit',
  48002: 'api forbidden',
  60003: 'department not found',
  60011: 'no privilege to access/modify contact/party/agent',
  60020: 'not allow to access from your ip',
  60111: 'userid not found',
  60123: 'invalid party id',
}

export const ok = (data: Record<string, unknown>): FakeReply => ({ body: { errcode: 0, errmsg: 'ok', ...data } })

export const wecomError = ({
  code,
  message = words[code] ?? 'error',
  status = 200,
}: {
  code: number
  message?: string
  status?: number
}): FakeReply => {
  const hint = `hint: [${Math.floor(Date.now() / 1000)}_1_fake], from ip: 127.0.0.1`
  const more = `more info at https://open.work.weixin.qq.com/devtool/query?e=${code}`
  return { status, body: { errcode: code, errmsg: `${message}, ${hint}, ${more}` } }
}
