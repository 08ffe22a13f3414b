import type { Statement } from '../../failures/statement.ts'
import type { ListManner, PlatformClient } from '../platform/client.ts'
import { someIdentified } from '../platform/identified.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { type Page, readPages } from '../platform/pages.ts'
import { Refusal } from '../platform/refusal.ts'
import { folder } from '../platform/url.ts'
import { statements } from '../statements.ts'
import { idsOnly, type WecomSettings } from './protocol.ts'

export const rootId = '1'

/** People in one response of ids. */
const pageSize = 10_000

export const wecomContacts = (client: PlatformClient, { url }: WecomSettings) => {
  const address = (path: string, query: Record<string, string> = {}): URL => {
    const full = new URL(`cgi-bin/${path}`, folder(url))
    full.search = new URLSearchParams(query).toString()
    return full
  }
  const rowsOf = (
    list: unknown,
    idField: string,
    what: Statement,
    { identify = someIdentified }: ListManner,
  ): JsonObject[] => {
    const rows = identify(list, idField, what)
    if (rows === null) throw client.malformed(what, statements.lacks_items({ field: idField }))
    return rows
  }

  return {
    /** Every visible department, in one response; without names where the app is limited to ids. */
    async departments(manner: ListManner): Promise<{ rows: JsonObject[]; named: boolean }> {
      const what = statements.the_departments()
      const read = async (path: string, list: string) => {
        const body = await client.call({ method: 'GET', url: address(path) }, { ...manner, what })
        return rowsOf(body[list], 'id', what, manner)
      }
      const named = await unlessIdsOnly(read('department/list', 'department'))
      if (named !== null) return { rows: named, named: true }
      return { rows: await read('department/simplelist', 'department_id'), named: false }
    },
    /** The people directly in one department, in one response; null: the app is limited to ids. */
    async members(department: string, manner: ListManner): Promise<JsonObject[] | null> {
      const what = statements.the_people({ department })
      const query = address('user/list', { department_id: department })
      const body = await unlessIdsOnly(client.call({ method: 'GET', url: query }, { ...manner, what }))
      return body && rowsOf(body.userlist, 'userid', what, manner)
    },
    /** The ids of all visible people, once for each of their departments. */
    ids(manner: ListManner): AsyncGenerator<readonly JsonObject[]> {
      const what = statements.the_ids()
      return readPages({
        first: '',
        idField: 'userid',
        platform: client.platform,
        what,
        async read(cursor: string): Promise<Page<string>> {
          const request = { method: 'POST', url: address('user/list_id'), body: { cursor, limit: pageSize } } as const
          const { dept_user, next_cursor } = await client.call(request, { ...manner, what })
          const rows = rowsOf(dept_user, 'userid', what, manner)
          // The last page has an empty one, or none.
          if (typeof (next_cursor ?? '') !== 'string') throw client.malformed(what, statements.lacks_next_page())
          return { rows, next: textAt(next_cursor) || null }
        },
      })
    },
  }
}

export type WecomContacts = ReturnType<typeof wecomContacts>

const unlessIdsOnly = async <T>(call: Promise<T>): Promise<T | null> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof Refusal && error.code === idsOnly) return null
    throw error
  }
}

/** The departments directly below the organisation, and those whose parent is not visible. */
export const topOf = (rows: readonly JsonObject[]): JsonObject[] => {
  const below = new Set(rows.map(({ id }) => idAt(id)).filter((id) => id !== rootId))
  return rows.filter(({ id, parentid }) => idAt(id) !== rootId && !below.has(idAt(parentid)))
}
