import type { FakeCloud } from '../../scripts/fakes/cloud.ts'

export interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** Calls a fake as a client would, without any of a client's care. */
export const callersOf = (cloud: FakeCloud) => {
  const send = async (path: string, init?: RequestInit): Promise<Answer> => {
    const reply = await fetch(`${cloud.url}${path}`, init)
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> }
  }
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => send(path, { headers })
  const post = (path: string, body: unknown): Promise<Answer> =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { get, post }
}

/** DingTalk's old API with a fresh token; `ask` answers what the platform says. */
export const dingtalkCaller = async (cloud: FakeCloud) => {
  const { post, get } = callersOf(cloud)
  const signIn = async (): Promise<string> =>
    String((await post('/v1.0/oauth2/accessToken', cloud.credentials)).body.accessToken)
  const token = await signIn()
  const ask = (path: string, body: Record<string, unknown>, by = token) => post(`${path}?access_token=${by}`, body)
  const members = async (dept_id: number, cursor = 0, size = 100): Promise<DingtalkPage> => {
    const { body } = await ask('/topapi/v2/user/list', { dept_id, cursor, size })
    return body.result as DingtalkPage
  }
  const below = async (dept_id: number): Promise<number[]> => {
    const { body } = await ask('/topapi/v2/department/listsub', { dept_id, language: 'zh_CN' })
    return (body.result as { dept_id: number }[]).map((row) => row.dept_id)
  }
  return { token, signIn, ask, members, below, get }
}

export interface DingtalkPage {
  has_more: boolean
  next_cursor?: number
  list: Record<string, unknown>[]
}

export const feishuCaller = async (cloud: FakeCloud) => {
  const { post, get } = callersOf(cloud)
  const { appId: app_id, appSecret: app_secret } = cloud.credentials
  const { body } = await post('/open-apis/auth/v3/tenant_access_token/internal', { app_id, app_secret })
  const token = String(body.tenant_access_token)
  const ask = (path: string, query: Record<string, string> = {}): Promise<Answer> =>
    get(`/open-apis/contact/v3/${path}?${new URLSearchParams(query)}`, { authorization: `Bearer ${token}` })
  /** All pages of a list. */
  const all = async (path: string, query: Record<string, string> = {}): Promise<Record<string, unknown>[]> => {
    const items: Record<string, unknown>[] = []
    for (let page_token: string | undefined = ''; page_token !== undefined; ) {
      const answer: Answer = await ask(path, { page_size: '50', ...query, ...(page_token && { page_token }) })
      const data = answer.body.data as { items?: Record<string, unknown>[]; has_more: boolean; page_token?: string }
      items.push(...(data.items ?? []))
      page_token = data.has_more ? data.page_token : undefined
    }
    return items
  }
  return { token, ask, all, get }
}

export const wecomCaller = async (cloud: FakeCloud) => {
  const { post, get } = callersOf(cloud)
  const { corpId: corpid = '', secret: corpsecret = '' } = cloud.credentials
  const { body } = await get(`/cgi-bin/gettoken?${new URLSearchParams({ corpid, corpsecret })}`)
  const access_token = String(body.access_token)
  const ask = (path: string, query: Record<string, string> = {}): Promise<Answer> =>
    get(`/cgi-bin/${path}?${new URLSearchParams({ access_token, ...query })}`)
  const ids = async (cursor = '', limit = 10_000) =>
    post(`/cgi-bin/user/list_id?access_token=${access_token}`, { cursor, limit })
  return { token: access_token, ask, ids, get }
}
