import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Database } from '../../src/db/client.ts'
import type { Operations } from '../../src/generated/documents.ts'
import type { CallInput } from '../contract/call.ts'
import { testServerDatabase } from '../database.ts'
import { heldOpen, lockWaiters } from '../held-open.ts'
import { postgresMissing } from '../postgres-server.ts'
import { steward } from '../steward.ts'

/**
 * What an operation takes beside a grant, the highest rank and a step-up, is compared before it waits: for the directory, for a
 * file, for a lock. Where it is taken away meanwhile, nothing is carried out.
 */

const open = async (t: Parameters<typeof testServerDatabase>[0] & Parameters<typeof steward>[0]) => {
  const database: Database = await testServerDatabase(t)
  const s = await steward(t, { database })
  const { db, take, person } = s
  const { apis } = await take('listApis')
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const { id: roleId } = await take('addRole', { body: { name: 'Chiefs', keyword: 'chiefs', sort: 1 } })
  await take('updateRoleApis', { body: { roleId, apiIds: apis.map(({ id }) => id) } })
  const { id, token } = await person('cleo', { roleIds: [roleId] })
  await db.execute(sql`update sessions set stepped_up_at = now()`)

  /** Sends a request of that caller, and takes something away when it waits for a table. */
  const across = async (
    table: string,
    taken: ReturnType<typeof sql>,
    operation: keyof Operations,
    input: CallInput,
  ) => {
    await s.call('getMe', { token })
    const held = await heldOpen(db, async (tx) => {
      await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`)
      await tx.execute(taken)
    })
    const answer = s.call(operation, { ...input, token })
    await lockWaiters(db, 1)
    await held.end()
    return answer
  }
  return { ...s, roleId, id, token, across }
}

t.test('the highest rank that is lost meanwhile', { skip: postgresMissing }, async (t) => {
  const { db, roleId, across } = await open(t)
  await db.execute(sql`insert into ignored_entries (directory, dn_hash, dn, creator) values (1, 'x', 'cn=x', 'x')`)
  const lost = sql`update roles set sort = 2 where id = ${roleId}`
  t.match(await across('ignored_entries', lost, 'heedOrphans', { body: { dns: ['cn=x,dc=example,dc=org'] } }), {
    code: 403,
    reason: 'access.strongest_only',
  })
})

t.test('a step-up that is taken away meanwhile', { skip: postgresMissing }, async (t) => {
  const { db, id, across } = await open(t)
  const [run] = await db.execute<{ id: string }>(sql`
    insert into runs (source, kind, state) values ('exta', 'users', 'held') returning id`)
  const withdrawn = sql`update sessions set stepped_up_at = null where user_id = ${id}`
  const discard = () => across('runs', withdrawn, 'discardRun', { params: { id: Number(run?.id) } })
  t.match(await discard(), { code: 401, reason: /^access\.step_up/ })
  const [after] = await db.execute(sql`select state from runs where id = ${run?.id}`)
  t.same(after, { state: 'held' })
  await db.execute(sql`update sessions set stepped_up_at = now() - interval '299 seconds'`)
  const late = sql`update sessions set stepped_up_at = now() - interval '1 hour' where user_id = ${id}`
  const done = await across('runs', late, 'discardRun', { params: { id: Number(run?.id) } })
  t.match(done, { code: 200, data: { state: 'discarded' } }, 'one whose time runs out while it waits counts')
})

t.test('step-ups end with the app, and with the address that codes are mailed to', async (t) => {
  const s = await steward(t, { directory: 'none' })
  const { db, ask } = s
  const { id, token } = await s.person('thea', { roleIds: [1] })
  const isSteppedUp = async (): Promise<unknown> =>
    (await s.call('getSecondFactor', { token })).data.steppedUpUntil !== null
  const stepUp = () => db.execute(sql`update sessions set stepped_up_at = now()`)
  await stepUp()
  await db.execute(sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, '', now())`)
  t.equal(await isSteppedUp(), true)
  t.equal((await ask('resetSecondFactor', { params: { id } })).code, 200)
  t.equal(await isSteppedUp(), false, 'the app was removed by another')
  await stepUp()
  const fields = { username: 'thea', nickname: 'Thea', mobile: '', jobNumber: '', departmentId: [], roleIds: [1] }
  t.equal((await ask('updateUser', { body: { ...fields, id, mail: 'thea@example.org' } })).code, 0)
  t.equal(await isSteppedUp(), false, 'the address was changed')
  await stepUp()
  t.equal((await ask('updateUser', { body: { ...fields, id, nickname: 'T', mail: 'Thea@example.org' } })).code, 0)
  t.equal(await isSteppedUp(), true, 'the same address')
  const own = await s.signIn('admin', 'administrators have one')
  await stepUp()
  await db.execute(sql`insert into second_factors (user_id, secret, confirmed_at) values (1, '', now())`)
  t.equal((await ask('disableSecondFactor')).code, 200)
  t.ok((await ask('getSecondFactor')).data.steppedUpUntil, 'the session that has just proven it')
  t.equal((await s.call('getSecondFactor', { token: own })).data.steppedUpUntil, null, 'another one')
})
