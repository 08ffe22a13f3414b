import type { Statement } from '../../failures/statement.ts'
import type { ListManner, Manner, PlatformClient } from '../platform/client.ts'
import { someIdentified } from '../platform/identified.ts'
import { idAt, idsAt, type JsonObject, objectAt } from '../platform/json.ts'
import { readPages } from '../platform/pages.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Scope } from '../platform/scope.ts'
import { folder } from '../platform/url.ts'
import { statements } from '../statements.ts'
import { type DingtalkSettings, outOfScope } from './protocol.ts'

export const rootId = '1'

const pageSize = 100

/** The calls of DingTalk's contacts API for a snapshot. */
export const dingtalkContacts = (client: PlatformClient, { url }: DingtalkSettings) => {
  const post = (path: string, what: Statement, body: JsonObject, manner: Manner): Promise<JsonObject> =>
    client.call({ method: 'POST', url: new URL(path, folder(url)), body }, { ...manner, what })

  /** The departments directly below one, in one response. */
  const children = async (department: string, manner: ListManner): Promise<JsonObject[]> => {
    const { identify = someIdentified, ...rest } = manner
    const what = statements.the_departments_below({ department })
    const { result } = await post('topapi/v2/department/listsub', what, ask(department), rest)
    const rows = identify(result, 'dept_id', what)
    if (rows === null) throw client.malformed(what, statements.lacks_departments())
    return rows
  }

  return {
    children,
    /** The departments directly below the root; null: the app may not see the root. */
    async belowRoot(manner: ListManner): Promise<JsonObject[] | null> {
      try {
        return await children(rootId, manner)
      } catch (error) {
        if (error instanceof Refusal && error.code === outOfScope) return null
        throw error
      }
    },
    async scope(manner: Manner): Promise<Scope> {
      const request = { method: 'GET', url: new URL('auth/scopes', folder(url)) } as const
      const { auth_org_scopes } = await client.call(request, { ...manner, what: statements.the_range() })
      const { authed_dept, authed_user } = objectAt(auth_org_scopes)
      return { departments: idsAt(authed_dept ?? []), people: idsAt(authed_user ?? []) }
    },
    /** One department itself. */
    async department(department: string, manner: Manner): Promise<JsonObject> {
      const what = statements.the_department({ department })
      const { result } = await post('topapi/v2/department/get', what, ask(department), manner)
      const record = objectAt(result)
      if (idAt(record.dept_id) === '') throw client.malformed(what, statements.lacks_department())
      return record
    },
    /** The people directly in one department, page by page. */
    members(department: string, manner: ListManner): AsyncGenerator<readonly JsonObject[]> {
      const { identify = someIdentified, ...rest } = manner
      const what = statements.the_people({ department })
      return readPages({
        first: 0,
        idField: 'userid',
        platform: client.platform,
        what,
        async read(cursor: number) {
          const body = { dept_id: Number(department), cursor, size: pageSize }
          const { result } = await post('topapi/v2/user/list', what, body, rest)
          const { list, has_more, next_cursor } = objectAt(result)
          const rows = identify(list, 'userid', what)
          if (rows === null) throw client.malformed(what, statements.lacks_people())
          if (has_more === false) return { rows, next: null }
          if (has_more !== true || typeof next_cursor !== 'number')
            throw client.malformed(what, statements.lacks_next_page())
          return { rows, next: next_cursor }
        },
      })
    },
  }
}

export type DingtalkContacts = ReturnType<typeof dingtalkContacts>

const ask = (department: string): JsonObject => ({ dept_id: Number(department), language: 'zh_CN' })
