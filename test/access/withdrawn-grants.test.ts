import { sql } from 'drizzle-orm'
import t from 'tap'
import { everybodys } from '../../src/access/may-call.ts'
import { type ContractDocument, entryPath } from '../../src/contract/document.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import type { CallInput, Reply } from '../contract/call.ts'
import { smallestInput } from '../contract/inputs.ts'
import { testServerDatabase } from '../database.ts'
import { heldOpen, lockWaiters } from '../held-open.ts'
import { person } from '../people/console.ts'
import { postgresMissing } from '../postgres-server.ts'
import { steward, type TestSteward } from '../steward.ts'
import { acrossTransaction, contents, inputs, prepared } from '../waiting-requests.ts'

/**
 * A request that was let in and then waits is not carried out when its grant is taken away meanwhile, also where no rank is
 * compared, and before the service is told. This walks all operations that may change something.
 */

const operations = documents.flatMap((document: ContractDocument) =>
  document.operations
    .filter(({ secured, method }) => secured && method !== 'GET')
    .map((operation) => ({ ...operation, entry: `${operation.method} ${entryPath(document, operation)}` })),
)

/** It changes nothing: it answers with what it read. */
const harmless: ReadonlySet<string> = new Set(['previewOrphans'])

/** A caller who may do everything, by the grants of a role that is not the one of the first start. */
const chief = async ({ take, person }: TestSteward) => {
  const { id } = await take('addRole', { body: { name: 'Chiefs', keyword: 'chiefs', sort: 1 } })
  const { apis } = await take('listApis')
  await take('updateRoleApis', { body: { roleId: id, apiIds: apis.map((api) => api.id) } })
  return { roleId: id, ...(await person('cleo', { roleIds: [id] })) }
}

t.test('what waits while its grant is taken away is not carried out', { skip: postgresMissing }, async (t) => {
  const s = await steward(t, { database: await testServerDatabase(t), directory: 'none' })
  const { db } = s
  const { roleId, token } = await chief(s)
  const known = inputs(await prepared(s))
  await db.execute(sql`create table kept_grants as select * from role_apis`)

  /** null: it did not wait. */
  const acrossWithdrawal = async (id: keyof Operations, input: CallInput): Promise<Reply | null> => {
    await db.execute(sql`update sessions set stepped_up_at = now()`)
    const known = await s.call('getMe', { token })
    if (known.code !== 200) throw new Error(`${id}: the caller is not known: ${known.code} ${known.msg}`)
    const reply = await acrossTransaction(db, {
      held: (tx) => tx.execute(sql`delete from role_apis where role_id = ${roleId}`),
      send: () => s.call(id, { ...input, token }),
    })
    await db.execute(sql`insert into role_apis select * from kept_grants where role_id = ${roleId}`)
    return reply
  }

  const before = await contents(db)
  const wrong: [string, number, string][] = []
  const refused: string[] = []
  for (const operation of operations.filter(({ entry }) => !everybodys.has(entry))) {
    const id = operation.id as keyof Operations
    const { params, query, body } = smallestInput(operation)
    const input = { params, query, ...(body !== undefined && { body }), ...known[id] } as CallInput
    const reply = await acrossWithdrawal(id, input)
    if (reply === null) continue
    if (reply.code === 403) refused.push(id)
    else if (reply.code < 400 && !harmless.has(id)) wrong.push([id, reply.code, reply.msg])
  }
  t.same(wrong, [], 'none of those that waited succeeds')
  t.ok(refused.length >= 40, `${refused.length} are refused for their grant, others because of what they ask for`)
  t.same(await contents(db), before, 'nothing was changed')
})

t.test('who may do everything may take a grant or a role from themselves', async (t) => {
  const s = await steward(t, { directory: 'none' })
  const one = await chief(s)
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  const own = { token: one.token }
  const { apis } = await s.take('listApis')
  const apiIds = apis.filter(({ path }) => path === '/user/update').map(({ id }) => id)
  t.equal((await s.call('updateRoleApis', { ...own, body: { roleId: one.roleId, apiIds } })).code, 0)
  t.equal(
    (await s.call('updateRoleApis', { ...own, body: { roleId: one.roleId, apiIds } })).code,
    403,
    'the next is refused',
  )
  const body = { ...person('cleo'), id: one.id, roleIds: [] }
  t.equal((await s.call('updateUser', { ...own, body })).code, 0)
  t.equal((await s.call('updateUser', { ...own, body })).code, 403, 'so is this')
})

t.test(
  'a role that lets its users change an attribute is asked for after the wait',
  { skip: postgresMissing },
  async (t) => {
    const s = await steward(t, { database: await testServerDatabase(t), directory: 'none' })
    const { db } = s
    await db.execute(sql`update sessions set stepped_up_at = now()`)
    const { id: clerks } = await s.take('addRole', { body: { name: 'Clerks', keyword: 'clerks', sort: 20 } })
    const { id: doctors } = await s.take('addRole', { body: { name: 'Doctors', keyword: 'doctors', sort: 30 } })
    const { apis } = await s.take('listApis')
    const wanted = operations.find(({ id }) => id === 'setPersonAttributes')?.entry
    const apiIds = apis.filter(({ method, path }) => `${method} ${path}` === wanted).map(({ id }) => id)
    await s.take('updateRoleApis', { body: { roleId: clerks, apiIds } })
    const labels = { en: 'Blood', 'zh-CN': 'Blood' }
    const lists = { seeRoles: [doctors], editRoles: [doctors] }
    await s.take('declareAttribute', { body: { kind: 'user', name: 'blood', type: 'text', labels, ...lists } })
    const one = await s.person('cleo', { roleIds: [clerks, doctors] })
    const patient = await s.person('pia')
    const input = { token: one.token, params: { id: patient.id } }
    const set = (value: string) => s.call('setPersonAttributes', { ...input, body: { values: { blood: [value] } } })
    t.equal((await set('A')).code, 200)
    const withdrawal = await heldOpen(db, async (tx) => {
      await tx.execute(sql`select from users where id = ${patient.id} for update`)
      await tx.execute(sql`delete from user_roles where user_id = ${one.id} and role_id = ${doctors}`)
    })
    const waiting = set('B')
    await lockWaiters(db, 1)
    await withdrawal.end()
    t.match(await waiting, { code: 400, data: [{ field: 'values.blood' }] })
    const [row] = await db.execute<{ blood: string }>(sql`
    select attributes->'blood'->>0 as blood from users where id = ${patient.id}`)
    t.equal(row?.blood, 'A')
  },
)
