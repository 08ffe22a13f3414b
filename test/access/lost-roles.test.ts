import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Operation } from '../../src/contract/document.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import type { CallInput } from '../contract/call.ts'
import { smallestInput } from '../contract/inputs.ts'
import { testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { heldOpen } from '../held-open.ts'
import { listening } from '../live/event-client.ts'
import { postgresMissing } from '../postgres-server.ts'
import { steward, type TestSteward } from '../steward.ts'
import { acrossTransaction, announcing, inputs, prepared } from '../waiting-requests.ts'

/**
 * What was read for a caller is not sent to them once they have lost a role or their rank, although another role, or the same
 * one, still grants the operation: a backup is for the highest rank alone, and attributes are shown to some roles.
 */

/** Every secured operation that only reads. */
const reading = documents
  .flatMap((document): readonly Operation[] => document.operations)
  .filter(({ secured, method }) => secured && method === 'GET')

/** It shows no more than the grant allows, and ends with that. */
const streams: ReadonlySet<string> = new Set(['watchNotices', 'watchProgress'])
/** It stores a page, and has done so. */
const carriedOut: ReadonlySet<string> = new Set(['getReport'])

/** Someone of the highest rank, by a role that goes on granting everything when it gets another one. */
const chief = async ({ take, person, db }: TestSteward) => {
  const { apis } = await take('listApis')
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const { id: roleId } = await take('addRole', { body: { name: 'Chiefs', keyword: 'chiefs', sort: 1 } })
  await take('updateRoleApis', { body: { roleId, apiIds: apis.map(({ id }) => id) } })
  const { token } = await person('cleo', { roleIds: [roleId] })
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  return { roleId, token }
}

t.test('what waits while its caller loses their rank is not answered', { skip: postgresMissing }, async (t) => {
  const database = await testServerDatabase(t)
  const s = await steward(t, { database, directory: 'none' })
  const announce = await announcing(database)
  const { db } = s
  const { roleId, token } = await chief(s)
  const known = inputs(await prepared(s))
  const wrong: [string, number, string][] = []
  const refused: string[] = []
  for (const operation of reading.filter(({ id }) => !streams.has(id))) {
    const id = operation.id as keyof Operations
    const { params, query } = smallestInput(operation)
    const input = { params, query, ...known[id], token } as CallInput
    await db.execute(sql`update roles set sort = 1 where id = ${roleId}`)
    await announce()
    await s.call('getMe', { token })
    const reply = await acrossTransaction(db, {
      held: (tx) => tx.execute(sql`update roles set sort = 2 where id = ${roleId}`),
      send: () => s.call(id, input),
      waited: announce,
    })
    if (reply === null) continue
    if (reply.reason === 'access.roles_lost') refused.push(id)
    else if (!carriedOut.has(id)) wrong.push([id, reply.code, reply.msg])
  }
  t.same(wrong, [], 'none of those that waited is answered')
  t.ok(refused.length >= 40, `${refused.length} have waited`)
})

t.test('a backup that is being sent ends when its reader loses their rank', async (t) => {
  const s = await steward(t, { directory: 'none' })
  const port = await listening(s)
  const { roleId, token } = await chief(s)
  // More than fits between the service and a client that reads nothing.
  await s.db.execute(sql`
    insert into facts (name, value) select 'fact ' || n, to_jsonb(random_text)
    from generate_series(1, 1500) n, lateral (
      select string_agg(md5(n || ' ' || m || random()), '') as random_text from generate_series(1, 400) m) made`)
  const { id } = await s.take('createBackup', { body: { type: 'manual' } })
  const options = { headers: { authorization: `Bearer ${token}` } }
  const asked = get(`http://127.0.0.1:${port}/api/v1/operations/backups/${id}/file`, options)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  t.equal(answer.statusCode, 200)
  await s.take('updateRole', { body: { id: roleId, name: 'Chiefs', keyword: 'chiefs', sort: 2 } })
  try {
    for await (const piece of answer) t.ok(piece)
  } catch {}
  t.notOk(answer.complete, `of ${answer.headers['content-length']} bytes`)
})

t.test(
  'a stream that is opened for a caller who is refused, or gone, takes no place',
  {
    skip: postgresMissing,
  },
  async (t) => {
    const s = await steward(t, { database: await testServerDatabase(t), directory: 'none' })
    const port = await listening(s)
    const { db } = s
    const { password } = await s.person('bea', { roleIds: [1] })
    const [run] = await db.execute<{ id: string }>(sql`
    insert into runs (source, kind, state) values ('exta', 'users', 'done') returning id`)
    const ask = (token: string, query: string): ClientRequest => {
      const options = { headers: { authorization: `Bearer ${token}` } }
      return get(`http://127.0.0.1:${port}/api/v1/operations/progress${query}`, options)
    }
    const statusOf = async (asked: ClientRequest): Promise<number | undefined> => {
      const [{ statusCode }] = (await once(asked, 'response')) as [IncomingMessage]
      return statusCode
    }
    const isWaiting = async (): Promise<boolean> => {
      const waiting = await db.execute(sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"runs"."id" = $1%'`)
      return waiting.length > 0
    }
    /** Sends a request, and does something while it waits for what it is about. */
    const meanwhile = async (token: string, act: (asked: ClientRequest) => unknown): Promise<void> => {
      const held = await heldOpen(db, (tx) => tx.execute(sql`lock table runs in access exclusive mode`))
      const asked = ask(token, `?kind=run&id=${run?.id}`).on('error', () => {})
      await eventually(isWaiting, 'it waits')
      await act(asked)
      await held.end()
    }
    // More of each than one user may have open.
    for (let count = 0; count < 11; count++) {
      const token = await s.signIn('bea', password)
      await s.call('getMe', { token })
      let status: Promise<number | undefined> | undefined
      await meanwhile(token, (asked) => {
        status = statusOf(asked)
        return s.call('logout', { token })
      })
      t.equal(await status, 401)
    }
    const token = await s.signIn('bea', password)
    for (let count = 0; count < 11; count++) {
      await meanwhile(token, (asked) => asked.destroy())
      await eventually(async () => !(await isWaiting()), 'it is answered')
    }
    const open = ask(token, '')
    t.equal(await statusOf(open), 200)
    open.destroy()
  },
)
