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
import { acrossTransaction, inputs, prepared } from '../waiting-requests.ts'

/**
 * A change may take its caller's grant away itself. That is no reason to carry out one that concerns its caller after another
 * change has taken the grant away while it waited.
 */

const skip = postgresMissing

const operations = documents.flatMap((document: ContractDocument) =>
  document.operations
    .filter(({ secured, method }) => secured && method !== 'GET')
    .map((operation) => ({ ...operation, entry: `${operation.method} ${entryPath(document, operation)}` }))
    .filter(({ entry }) => !everybodys.has(entry)),
)

/** It changes nothing: it answers with what it read. */
const harmless: ReadonlySet<string> = new Set(['previewOrphans'])

/** A caller with two roles: one grants everything that is served, and the other one has the highest rank and grants nothing. */
const twofold = async ({ take, person }: TestSteward) => {
  const { id: granting } = await take('addRole', { body: { name: 'Granting', keyword: 'granting', sort: 3 } })
  const { id: ranking } = await take('addRole', { body: { name: 'Ranking', keyword: 'ranking', sort: 1 } })
  const { apis } = await take('listApis')
  await take('updateRoleApis', { body: { roleId: granting, apiIds: apis.map(({ id }) => id) } })
  const one = await person('cleo', { roleIds: [granting, ranking] })
  return { ...one, granting, ranking, apiIds: apis.map(({ id }) => id) }
}

/** What changes the caller, or a role of theirs. */
const ownInputs = (one: Awaited<ReturnType<typeof twofold>>): Partial<Record<keyof Operations, CallInput>> => ({
  updateUser: { body: { ...person('cleo'), id: one.id, nickname: 'Other', roleIds: [one.ranking] } },
  changePeople: { body: { action: 'addRoles', ids: [one.id], roleIds: [one.granting] } },
  resetUserPasswords: { body: { way: 'shown', ids: [one.id] } },
  addGroupUsers: { body: { groupId: 1, userIds: [one.id] } },
  updateRole: { body: { id: one.ranking, name: 'Renamed', keyword: 'ranking', sort: 1 } },
  updateRoleApis: { body: { roleId: one.ranking, apiIds: one.apiIds } },
})

t.test(
  'what waits and concerns its caller is not carried out once another takes their grant away',
  { skip },
  async (t) => {
    const s = await steward(t, { database: await testServerDatabase(t), directory: 'none' })
    const { db } = s
    const of = await prepared(s)
    const one = await twofold(s)
    const { token } = one
    const [session] = await db.execute<{ id: string }>(sql`select id from sessions where user_id = ${one.id}`)
    const known = {
      ...inputs({ ...of, personId: one.id, roleId: one.ranking, sessionId: session?.id ?? '' }),
      ...ownInputs(one),
    }

    const acrossWithdrawal = async (id: keyof Operations, input: CallInput): Promise<Reply | null> => {
      await db.execute(sql`update sessions set stepped_up_at = now()`)
      const { code, msg } = await s.call('getMe', { token })
      if (code !== 200) throw new Error(`before ${id} the caller is not known: ${msg}`)
      const reply = await acrossTransaction(db, {
        held: (tx) => tx.execute(sql`delete from user_roles where user_id = ${one.id} and role_id = ${one.granting}`),
        send: () => s.call(id, { ...input, token }),
      })
      await db.execute(
        sql`insert into user_roles (user_id, role_id) values (${one.id}, ${one.granting}) on conflict do nothing`,
      )
      return reply
    }

    const wrong: [string, number, string][] = []
    const refused: string[] = []
    for (const operation of operations) {
      const id = operation.id as keyof Operations
      const { params, query, body } = smallestInput(operation)
      const input = { params, query, ...(body !== undefined && { body }), ...known[id] } as CallInput
      const reply = await acrossWithdrawal(id, input)
      if (reply === null) continue
      if (reply.code === 403) refused.push(id)
      else if (reply.code < 400 && !harmless.has(id)) {
        wrong.push([id, reply.code, reply.msg])
        // It may have ended their session, or given them a grant.
        break
      }
    }
    t.same(wrong, [])
    t.ok(refused.length >= 40, `${refused.length} are refused`)
  },
)

t.test('a restore that waits is not carried out without its grant', { skip }, async (t) => {
  const s = await steward(t, { database: await testServerDatabase(t), directory: 'none' })
  const { db } = s
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const one = await twofold(s)
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const backup = await s.take('createBackup', { body: { type: 'manual' } })
  await s.take('addRole', { body: { name: 'After it', keyword: 'after', sort: 9 } })
  const restore = () => s.call('restoreBackup', { token: one.token, params: { id: backup.id } })
  const withdrawal = await heldOpen(db, async (tx) => {
    await tx.execute(sql`delete from user_roles where user_id = ${one.id} and role_id = ${one.granting}`)
  })
  const waiting = restore()
  await lockWaiters(db, 1)
  await withdrawal.end()
  t.match(await waiting, { code: 403 })
  t.equal((await db.execute(sql`select from roles where keyword = 'after'`)).length, 1, 'nothing was restored')
  await s.take('updateUser', {
    body: { ...person('cleo'), id: one.id, roleIds: [one.granting, one.ranking] },
  })
  t.equal((await restore()).code, 200)
  t.equal((await db.execute(sql`select from roles where keyword = 'after'`)).length, 0, 'with it it is')
})

t.test('two who take their own grant away at once both succeed, and do no more', { skip }, async (t) => {
  const s = await steward(t, { database: await testServerDatabase(t), directory: 'none' })
  const { db } = s
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const one = await twofold(s)
  const two = await s.person('dora', { roleIds: [one.granting, one.ranking] })
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const resign = (username: string, { id, token }: { id: number; token: string }) =>
    s.call('updateUser', { token, body: { ...person(username), id, roleIds: [one.ranking] } })
  const both = () => Promise.all([resign('cleo', one), resign('dora', two)])
  t.same(
    (await both()).map(({ code }) => code),
    [0, 0],
  )
  t.same(
    (await both()).map(({ code }) => code),
    [403, 403],
  )
  // Each takes the grants of the role of both.
  await s.take('updateUser', { body: { ...person('cleo'), id: one.id, roleIds: [one.granting, one.ranking] } })
  await s.take('updateUser', { body: { ...person('dora'), id: two.id, roleIds: [one.granting, one.ranking] } })
  const empty = ({ token }: { token: string }) =>
    s.call('updateRoleApis', { token, body: { roleId: one.granting, apiIds: [] } })
  const codes = (await Promise.all([empty(one), empty(two)])).map(({ code }) => code).sort()
  t.same(codes, [0, 403], 'the second one has no grant any more')
})
