import { toSnakeCase } from 'drizzle-orm/casing'
import Fastify from 'fastify'
import postgres from 'postgres'
import { securityHeaders } from '../../src/contract/security-headers.ts'
import { userFieldNames } from '../../src/db/tables/fields.ts'
import { statements } from '../../src/mirror/statements.ts'

/**
 * The baseline: the same answers as the service gives, headers included, by bare Fastify routes and the same SQL
 * written by hand. No tokens, no permissions, no limits, no validation, no operation log.
 */
const departments = `case when u.departments <> '' then u.departments else joined.names end`
const fields = userFieldNames.map(
  (name) => `'${name}', ${name === 'departments' ? departments : `u.${toSnakeCase(name)}`}`,
)
const user = `json_build_object('id', u.id, ${fields.join(', ')}, 'departmentId', joined.ids,
  'roleIds', held.ids, 'roles', held.list, 'status', u.status, 'source', u.source, 'sourceUserId', u.source_user_id,
  'sourceUnionId', u.source_union_id, 'userDn', coalesce(e.dn, ''),
  'syncState', case when e.version = e.synced_version and not e.deleted then 1 else 2 end,
  'syncError', case when e.version is null then '' when e.version = e.synced_version and not e.deleted or e.error <> ''
    then e.error else 'the change is on its way to the directory' end,
  'syncStated', case when e.version is null then null when e.version = e.synced_version and not e.deleted or e.error <> ''
    then e.stated else '${JSON.stringify(statements.on_its_way())}'::jsonb end, 'creator', u.creator,
  'createdAt', to_char(u.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'updatedAt', to_char(u.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

const joins = `left join directory_entries e on e.kind = 'user' and e.record_id = u.id
  cross join lateral (
    select coalesce(json_agg(r.id order by r.id), '[]') as ids, coalesce(json_agg(json_build_object('id', r.id,
      'name', r.name, 'keyword', r.keyword, 'sort', r.sort, 'status', r.status) order by r.sort, r.id), '[]') as list
    from user_roles ur join roles r on r.id = ur.role_id where ur.user_id = u.id) held
  cross join lateral (
    select coalesce(json_agg(g.id order by g.id), '[]') as ids,
      coalesce(string_agg(distinct g.group_name, ', ' order by g.group_name), '') as names
    from group_members m join groups g on g.id = m.group_id where m.user_id = u.id) joined`

const sql = postgres(process.env.DATABASE_URL ?? '', { max: 10 })
const app = Fastify()

app.addHook('onRequest', (request, reply, done) => {
  reply.headers(securityHeaders).header('x-request-id', request.id)
  done()
})

app.get('/api/base/ping', async () => ({ code: 0, data: 'pong', msg: 'success' }))

app.get('/api/user/info', async () => {
  const [row] = await sql.unsafe(`select ${user} as data from users u ${joins} where u.id = $1`, [1], { prepare: true })
  return { code: 0, data: row?.data, msg: 'success' }
})

app.get<{ Querystring: { pageNum: string; pageSize: string } }>('/api/user/list', async ({ query }) => {
  const size = Number(query.pageSize)
  const [row] = await sql.unsafe(
    `select json_build_object('total', (select count(*) from users),
      'users', coalesce(json_agg(${user} order by u.id desc), '[]')) as data
    from (select * from users order by id desc limit $1 offset $2) u ${joins}`,
    [size, size * (Number(query.pageNum) - 1)],
    { prepare: true },
  )
  return { code: 0, data: row?.data, msg: 'success' }
})

await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', async () => {
  await app.close()
  await sql.end()
})
const address = app.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : null })
