import { sql } from 'drizzle-orm'
import { type ContractDocument, entryPath } from '../contract/document.ts'
import type { Db } from '../db/client.ts'
import { reasons as missing } from '../db/reasons.ts'
import { apiEntries, roles, userRoles, users } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { grantsEntry } from './administrator-role.ts'
import { everybodys } from './may-call.ts'
import { reasons } from './reasons.ts'

type Schemas = components['schemas']
type Grant = Schemas['Grant']
type GrantList = Schemas['GrantList']
type Named = Schemas['NamedRecord']

/** Of roles that would grant an operation, so many are named. */
const grantingNamed = 20

export interface ExplainOptions {
  db: Db
  documents: readonly ContractDocument[]
}

interface Facts extends Record<string, unknown> {
  id: string
  method: string
  path: string
  /** Of the person. */
  roles: Named[]
  disabledRoles: Named[]
  /** Of all roles. */
  grantingRoles: Named[]
}

type Described = Pick<Grant, 'operation' | 'document' | 'method' | 'path' | 'summary'>

/** Says by which roles a person may call operations, or what is missing. */
export const explainGrants = ({ db, documents }: ExplainOptions) => {
  const operations = documents.flatMap((document) =>
    document.operations
      .filter(({ secured }) => secured)
      .map((operation): Described => {
        const { id, method, summary } = operation
        return { operation: id, document: document.name, method, path: entryPath(document, operation), summary }
      }),
  )

  /**
   * @param operation an `operationId`; undefined: all that the person may call
   * @throws AppError (not_found) naming `id` or `operation`
   */
  return async (userId: number, operation: string | undefined): Promise<GrantList> => {
    const [person] = await db
      .select({ id: users.id, username: users.username, status: users.status })
      .from(users)
      .where(sql`${users.id} = ${userId}`)
    if (person === undefined) throw missing.user_not_found.at('id', { id: userId })
    const wanted = operation ? operations.filter((one) => one.operation === operation) : operations
    if (operation && wanted.length === 0) throw reasons.operation_not_found.at('operation', { operation })
    const enabled = person.status === 1
    const facts = await factsOf(db, userId, wanted)
    const grants = wanted.map((one) => grantOf(one, facts.get(keyOf(one)), enabled))
    return {
      person: { ...person, status: enabled ? 'enabled' : 'disabled' },
      operations: operation ? grants : grants.filter(({ granted }) => granted),
    }
  }
}

const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

const grantOf = (one: Described, facts: Facts | undefined, enabled: boolean): Grant => {
  const always = everybodys.has(keyOf(one))
  const { roles: by = [], disabledRoles = [], grantingRoles = [] } = facts ?? {}
  const held = always || by.length > 0
  const granted = enabled && held
  const lacks = !held && disabledRoles.length > 0 ? 'role_disabled' : held ? 'person_disabled' : 'no_role'
  return {
    ...one,
    apiId: facts === undefined ? null : Number(facts.id),
    granted,
    always,
    roles: by,
    missing: granted ? null : lacks,
    disabledRoles: granted ? [] : disabledRoles,
    grantingRoles: granted ? [] : grantingRoles,
  }
}

/** What roles say of operations, in one query; the administrator's role grants all. */
const factsOf = async (db: Db, userId: number, wanted: readonly Described[]): Promise<Map<string, Facts>> => {
  const asked = JSON.stringify(wanted.map(({ method, path }) => ({ method, path })))
  const named = sql`json_build_object('id', r.id, 'name', r.name)`
  const rows = await db.execute<Facts>(sql`
    select a.id, a.method, a.path,
      coalesce(json_agg(${named} order by r.sort, r.id) filter (where r.own and r.status = 1), '[]') as roles,
      coalesce(json_agg(${named} order by r.sort, r.id) filter (where r.own and r.status = 2), '[]') as "disabledRoles",
      coalesce(json_agg(${named} order by r.sort, r.id) filter (where r.nth <= ${grantingNamed}), '[]') as "grantingRoles"
    from jsonb_to_recordset(${asked}::jsonb) as o(method text, path text)
    join ${apiEntries} a on upper(a.method) = o.method and a.path = o.path
    left join lateral (
      select ${roles.id}, ${roles.name}, ${roles.sort}, ${roles.status},
        exists (select from ${userRoles} h where h.role_id = ${roles.id} and h.user_id = ${userId}) as own,
        case when ${roles.status} = 1
          then row_number() over (partition by ${roles.status} order by ${roles.sort}, ${roles.id}) end as nth
      from ${roles} where ${grantsEntry(sql`a.id`)}
    ) r on true
    group by a.id, a.method, a.path`)
  return new Map(rows.map((row) => [keyOf(row), row]))
}
