import type { Statement } from '../../failures/statement.ts'
import type { ListManner, Manner, PlatformClient } from '../platform/client.ts'
import { someIdentified } from '../platform/identified.ts'
import { idAt, idsAt, type JsonObject, objectAt, textAt } from '../platform/json.ts'
import { type Page, readPages } from '../platform/pages.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Scope } from '../platform/scope.ts'
import { folder } from '../platform/url.ts'
import { statements } from '../statements.ts'
import { type FeishuSettings, noDepartmentAuthority } from './protocol.ts'

export const rootId = '0'

/** One kind of id everywhere: every department and person has one, and they are never reused. */
const idTypes = { department_id_type: 'open_department_id', user_id_type: 'open_id' }
const pageSize = 50

export const feishuContacts = (client: PlatformClient, { url }: FeishuSettings) => {
  const get = async (path: string, what: Statement, query: Record<string, string>, manner: Manner) => {
    const address = new URL(`open-apis/contact/v3/${path}`, folder(url))
    address.search = new URLSearchParams({ ...idTypes, ...query }).toString()
    const { data } = await client.call({ method: 'GET', url: address }, { ...manner, what })
    return objectAt(data)
  }
  const items = (path: string, what: Statement, query: Record<string, string>, idField: string, manner: ListManner) => {
    const { identify = someIdentified, ...rest } = manner
    return readPages({
      first: '',
      idField,
      platform: client.platform,
      what,
      async read(cursor: string): Promise<Page<string>> {
        const data = await get(path, what, { ...query, ...paging(cursor) }, rest)
        // Feishu omits an empty list.
        const rows = identify(data.items ?? [], idField, what)
        if (rows === null) throw client.malformed(what, statements.lacks_items({ field: idField }))
        return { rows, next: nextOf(data, what) }
      },
    })
  }
  const nextOf = ({ has_more, page_token }: JsonObject, what: Statement): string | null => {
    if (has_more === false) return null
    if (has_more !== true || textAt(page_token) === '') throw client.malformed(what, statements.lacks_next_page())
    return textAt(page_token)
  }
  /** Departments below one: directly, or on every level. */
  const departments = (
    id: string,
    levels: 'next' | 'all',
    manner: ListManner,
  ): AsyncGenerator<readonly JsonObject[]> => {
    const query = { fetch_child: String(levels === 'all') }
    const path = `departments/${encodeURIComponent(id)}/children`
    return items(path, statements.the_departments_below({ department: id }), query, 'open_department_id', manner)
  }

  return {
    /** With all members in it, this is what is directly below the root. */
    async scope(manner: Manner): Promise<Scope> {
      const what = statements.the_range()
      const scope: Scope = { departments: [], people: [] }
      const pages = readPages({
        first: '',
        idField: 'id',
        platform: client.platform,
        what,
        async read(cursor: string): Promise<Page<string>> {
          const data = await get('scopes', what, paging(cursor), manner)
          const departments = idsAt(data.department_ids ?? [])
          const people = idsAt(data.user_ids ?? [])
          scope.departments.push(...departments)
          scope.people.push(...people)
          return { rows: [...departments, ...people].map((id) => ({ id })), next: nextOf(data, what) }
        },
      })
      for await (const _ of pages);
      return scope
    },
    /** One department itself. */
    async department(id: string, manner: Manner): Promise<JsonObject> {
      const what = statements.the_department({ department: id })
      const { department } = await get(`departments/${encodeURIComponent(id)}`, what, {}, manner)
      const record = objectAt(department)
      if (idAt(record.open_department_id) === '') throw client.malformed(what, statements.lacks_department())
      return record
    },
    departments,
    /** The first page of what is directly below the root; null: the root is not visible to the app. */
    async belowRoot(manner: ListManner): Promise<readonly JsonObject[] | null> {
      try {
        const { value } = await departments(rootId, 'next', manner).next()
        return value ?? []
      } catch (error) {
        if (error instanceof Refusal && error.code === noDepartmentAuthority) return null
        throw error
      }
    },
    /** The people directly in one department. */
    members(id: string, manner: ListManner): AsyncGenerator<readonly JsonObject[]> {
      const query = { department_id: id }
      return items('users/find_by_department', statements.the_people({ department: id }), query, 'open_id', manner)
    },
  }
}

export type FeishuContacts = ReturnType<typeof feishuContacts>

const paging = (cursor: string): Record<string, string> => ({
  page_size: String(pageSize),
  ...(cursor !== '' && { page_token: cursor }),
})
