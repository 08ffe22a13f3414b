import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Operation } from '../../src/contract/document.ts'
import type { Operations } from '../../src/generated/documents.ts'
import { documents } from '../../src/generated/documents.ts'
import type { CallInput, Reply } from '../contract/call.ts'
import { smallestInput } from '../contract/inputs.ts'
import { testServerDatabase } from '../database.ts'
import { postgresMissing } from '../postgres-server.ts'
import { adminPassword, steward, type TestSteward } from '../steward.ts'
import { acrossTransaction, announcing, contents, inputs, prepared } from '../waiting-requests.ts'

/**
 * A request that was let in and then waits for a restore is not carried out, and is told nothing: the id of its caller
 * means another person afterwards. This walks all operations of all documents.
 */

/**
 * Operations that answer without anything that a restore holds, while the session of the caller is open. The last two lines
 * are refused before that here: their values are wrong, or no source is set up.
 */
const unhindered: ReadonlySet<string> = new Set([
  // What is not in the database.
  ...[
    'explainAllergy',
    'previewDietDay',
    'searchFoods',
    'searchRecipes',
    'listSources',
    'getProgress',
    'watchProgress',
  ],
  // Tables that a restore leaves as they are.
  ...['deleteOperationLogs', 'getLogChain', 'getLogEntry', 'listOperationLogs', 'listBackups', 'listBackupFiles'],
  ...[
    'getBackupContents',
    'getRun',
    'listDirectories',
    'listPendingEntries',
    'listRunChanges',
    'listRuns',
    'listSchedules',
  ],
  ...['setDepartmentPosix', 'setPersonPosix', 'diagnoseSource', 'startDryRun'],
  ...['A', 'B', 'C', 'Ldap'].flatMap((slot) => [`syncExt${slot}Depts`, `syncExt${slot}Users`]),
])

/** What has begun before the restore: it answers with what it came to, or is a stream that ends. */
const begun: ReadonlySet<string> = new Set(['createBackup', 'watchNotices'])

/** Sends a request, lets it wait for the tables, and ends its session before they are free. null: it did not wait. */
const acrossRestore = async (
  { db, take, announce }: TestSteward & { announce: () => Promise<void> },
  send: () => Promise<Reply>,
): Promise<Reply | null> => {
  await db.execute(sql`update sessions set ended_at = null, end_reason = '', stepped_up_at = now()`)
  // What an answer on its way has found out of the session that had ended is not kept.
  await announce()
  // So that the caller is known, and it is let in without a look at the database.
  await take('getMe')
  return acrossTransaction(db, {
    held: (tx) => tx.execute(sql`update sessions set ended_at = now(), end_reason = 'restore'`),
    send,
    // As a restore announces it when it has the tables.
    waited: announce,
  })
}

t.test('what waits for a restore is neither carried out nor answered', { skip: postgresMissing }, async (t) => {
  const database = await testServerDatabase(t)
  const service = await steward(t, { database, directory: 'none' })
  const s = { ...service, announce: await announcing(database) }
  const known = inputs(await prepared(s))
  const { db } = s
  const passed: string[] = []
  const wrong: [string, number, string][] = []
  const before = await contents(db)
  const operations = documents.flatMap((document): readonly Operation[] => document.operations)
  for (const operation of operations.filter(({ secured }) => secured)) {
    const id = operation.id as keyof Operations
    const { params, query, body } = smallestInput(operation)
    const input = { params, query, ...(body !== undefined && { body }), ...known[id] } as CallInput
    const reply = await acrossRestore(s, () => s.ask(id, input))
    if (reply === null) passed.push(id)
    else if (reply.code !== 401 && !begun.has(id) && !unhindered.has(id)) wrong.push([id, reply.code, reply.msg])
  }
  t.same(wrong, [], 'all that waited are refused')
  t.same(
    passed.filter((id) => !unhindered.has(id)),
    [],
    'and those that need not wait are known',
  )
  t.same(await contents(db), before, 'nothing was changed')
})

t.test('a restore while its caller and others ask', async (t) => {
  const s = await steward(t, { directory: 'none' })
  const { db } = s
  const other = await s.signIn('admin', adminPassword)
  const backup = await s.take('createBackup', { body: { type: 'manual' } })
  const { id } = await s.person('pia')
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  let isOver = false
  const restore = s.ask('restoreBackup', { params: { id: backup.id } }).finally(() => {
    isOver = true
  })
  const made: string[] = []
  const replies: Reply[] = []
  for (let count = 0; !isOver; count++) {
    const body = { name: `x${count}`, keyword: `x${count}`, sort: 60 }
    const added = await s.call('addRole', { token: other, body })
    if (added.code === 0) made.push(body.name)
    replies.push(added, await s.call('getPerson', { token: other, params: { id } }))
  }
  t.equal((await restore).code, 200, 'it answers to its own caller, whose session it ends')
  t.ok(made.length > 0, 'roles are added until it takes the tables')
  t.same(
    replies.filter(({ code }) => ![0, 200, 401].includes(code)).map(({ code, msg }) => [code, msg]),
    [],
    'others are answered from before it, or refused',
  )
  const left = await db.execute<{ name: string }>(sql`select name from roles where name like 'x%'`)
  t.same(left, [], 'nothing is changed after it')
  for (const token of [other, s.token]) t.equal((await s.call('getMe', { token })).code, 401, 'all sessions have ended')
})
