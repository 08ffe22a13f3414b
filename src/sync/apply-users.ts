import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { RunPermit } from '../access/permits/permit.ts'
import { importedKeyword } from '../access/principal-query.ts'
import { endStepUps } from '../access/step-up.ts'
import { mailAll } from '../alerts/notifications/outbox.ts'
import { endMailedCodes } from '../auth/mail-codes.ts'
import type { Db, Tx } from '../db/client.ts'
import { assignments, type ColumnValues, insertSelect } from '../db/column-sql.ts'
import { anyOfIds, idList } from '../db/id-list.ts'
import { users } from '../db/schema.ts'
import { mainDirectory, touchLists, touchSelected } from '../mirror/touch.ts'
import { holdDeclarations } from '../people/attributes/declared.ts'
import { movedMessage } from '../people/moved-mail.ts'
import { mailKeyOf } from '../text/identity-keys.ts'
import { type ApplyOptions, applied, markDone, markFailed, reasonSet, recordFault } from './apply.ts'
import { emptied } from './claims.ts'
import { declaredValues, rememberedFields } from './declared-fields.ts'
import type { DoneCounts } from './done-counts.ts'
import { exchangesAmong } from './exchanges.ts'
import { admitUsers } from './held-changes.ts'
import { lockRun } from './lease.ts'
import { mobilesByKey } from './mobiles-by-key.ts'
import { type PlainUserField, plainUserFields } from './plain-fields.ts'
import { keepNumbers } from './posix-numbers.ts'
import { statements } from './statements.ts'

/** Changes per transaction. */
const batchSize = 1000

/** Changes that are made in one transaction. */
interface Batch {
  /** By `seq`. The changes of a part cannot be made one without the others. */
  parts: readonly (readonly number[])[]
  /** How many changes come before. */
  done: number
  /** The end of the last batch. */
  last: number
}

/**
 * Makes the planned changes of people, batch by batch; each batch is final whatever happens next. A change that the
 * database refuses is taken out of its batch and marked failed, and so is one whose record was changed since the plan
 * was made. One that concerns people of too high a rank is held.
 */
export const applyUsers = async (options: ApplyOptions): Promise<DoneCounts> => {
  const { db, run } = options
  const { first, last, entangled } = await extent(db, run.id)
  run.progress('applying', 0, last)
  let from = first
  while (from <= last) {
    run.signal.throwIfAborted()
    // Values that pass to another person do so within one transaction.
    const to = Math.min(last, Math.max(from + batchSize - 1, entangled))
    const together = from <= entangled ? [seqsBetween(from, entangled)] : []
    const alone = seqsBetween(Math.max(from, entangled + 1), to).map((seq) => [seq])
    await applyParts(options, { parts: [...together, ...alone], done: from - 1, last })
    from = to + 1
  }
  return applied(db, run.id)
}

const seqsBetween = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

interface Extent {
  first: number
  last: number
  /** The last change whose value passes to another person; these come first. */
  entangled: number
}

const extent = async (db: Db, runId: number): Promise<Extent> => {
  const [row] = await db.execute<Extent & Record<string, unknown>>(sql`
    select coalesce(min(seq), 1) as first, coalesce(max(seq), 0) as last,
      coalesce(max(seq) filter (where entangled), 0) as entangled
    from run_changes where run_id = ${runId} and state = 'planned'`)
  return row ?? { first: 1, last: 0, entangled: 0 }
}

const applyParts = async (options: ApplyOptions, batch: Batch): Promise<void> => {
  const { run, change, authority } = options
  const { done, last } = batch
  const seqs = batch.parts.flat().sort((a, b) => a - b)
  try {
    await change(authority.actor, async (tx) => {
      await lockRun(tx, run, { done, of: last })
      const userIds = await applyBatch(tx, options, seqs)
      return { callers: { userIds } }
    })
  } catch (error) {
    const fault = recordFault(error)
    if (fault === null) throw error
    const [only, ...others] = seqs
    if (only !== undefined && others.length === 0) return markFailed(options, only, fault)
    const parts = batch.parts.length > 1 ? batch.parts : await smallerParts(options, seqs)
    const middle = Math.ceil(parts.length / 2)
    const [former, latter] = [parts.slice(0, middle), parts.slice(middle)]
    await applyParts(options, { parts: former, done, last })
    await applyParts(options, { parts: latter, done: done + former.flat().length, last })
  }
}

/** What is left of a part that the database refuses: the exchanges in it, and of a single one its changes. */
const smallerParts = async ({ db, run, mobileKey }: ApplyOptions, seqs: readonly number[]): Promise<number[][]> => {
  const parts = await exchangesAmong(db, { runId: run.id, seqs, mobileKey })
  return parts.length > 1 ? parts : seqs.map((seq) => [seq])
}

/** Selects changes `c`. @param seqs in ascending order */
const among = (seqs: readonly number[]): SQL => {
  const [first = 0, last = 0] = [seqs[0], seqs.at(-1)]
  return last - first + 1 === seqs.length ? sql`c.seq between ${first} and ${last}` : sql`c.seq = ${anyOfIds(seqs)}`
}

/** Returns the ids of those whose rights or names changed: their principals must be read again. */
const applyBatch = async (tx: Tx, options: ApplyOptions, seqs: readonly number[]): Promise<number[]> => {
  const { run, slot, endSessions, authority, mobileKey } = options
  const planned = sql`c.run_id = ${run.id} and ${among(seqs)} and c.state = 'planned'`
  await holdDeclarations(tx, 'user')
  await refuseStale(tx, planned, slot)
  const permit = await admitUsers(tx, authority, planned, { runId: run.id, mobileKey })
  await lockGroups(permit, planned)
  await tellMoved(tx, planned)
  await clearTransferredValues(permit, planned)
  const numbers = await mobilesByKey(tx, planned, mobileKey)
  await tx.execute(sql`
    with added as (
      ${insertSelect(users, newColumns(slot))}
      from run_changes c left join ${numbers} on k.seq = c.seq where ${planned} and c.action = 'add' order by c.seq
      returning id, source_user_id
    ), granted as (
      insert into user_roles (user_id, role_id) select a.id, r.id from added a join roles r on r.keyword = ${importedKeyword}
    )
    update run_changes c set record_id = a.id from added a
    where c.source_id = a.source_user_id and ${planned} and c.action = 'add'`)
  await tx.execute(sql`
    update users u set ${assignments(users, changedColumns)}
    from run_changes c left join ${numbers} on k.seq = c.seq
    where c.record_id = u.id and ${planned} and c.action <> 'add'`)
  await keepNumbers(tx, 'user', planned)
  const { left, joined } = await replaceMemberships(permit, planned, slot)
  await endSessions(permit, await recordIds(tx, sql`${planned} and c.action = 'disable'`))
  const readdressed = await recordIds(tx, sql`${planned} and c.action <> 'add' and c.after ? 'mail'`)
  await endMailedCodes(tx, readdressed)
  if (readdressed.length > 0) await endStepUps(tx, readdressed, null)
  await touchSelected(tx, 'user', sql`select c.record_id as id from run_changes c where ${planned}`)
  // The entries of groups name their members by their present names, and only while they are enabled.
  await touchLists(
    tx,
    sql`
    ${idList([...left, ...joined])}
    union select m.group_id from group_members m join run_changes c on c.record_id = m.user_id
      where ${planned} and (c.before ? 'username' or c.action in ('enable', 'disable'))`,
    { withdraws: left },
  )
  const changed = await recordIds(tx, sql`${planned} and c.action <> 'add'`)
  await markDone(tx, planned)
  return changed
}

/** Mails the people whose address changes, to the address that they still have. */
const tellMoved = async (tx: Tx, planned: SQL): Promise<void> => {
  const rows = await tx.execute<{ id: string; username: string; address: string }>(sql`
    select u.id, u.username, coalesce(c.after->>'mail', '') as address from run_changes c join users u on u.id = c.record_id
    where ${planned} and c.action <> 'add' and c.after ? 'mail' and u.mail <> ''
      and ${mailKeyOf(sql`u.mail`)} <> ${mailKeyOf(sql`coalesce(c.after->>'mail', '')`)}`)
  const notices = rows.map((row) => [Number(row.id), movedMessage(row.username, row.address, 'a source')] as const)
  if (notices.length > 0) await mailAll(tx, new Map(notices))
}

const recordIds = async (tx: Tx, wanted: SQL): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`select c.record_id as id from run_changes c where ${wanted}`)
  return rows.map(({ id }) => Number(id))
}

const u = alias(users, 'u')

/** The source's value of a field in a change `c`. */
const sourceValue = (field: PlainUserField): SQL => sql`c.after->>${sql.raw(`'${field}'`)}`

const fromChange = (value: (field: PlainUserField) => SQL): ColumnValues<typeof users> => ({
  ...Object.fromEntries(plainUserFields.map((field) => [field, value(field)])),
  username: sql`c.name`,
  usernameKey: sql`c.name_key`,
  sourceFields: rememberedFields('user', sql`c`),
})

/** The columns of a person who is added by a change `c`, with the key of the mobile in `k`. */
const newColumns = (slot: string): ColumnValues<typeof users> => ({
  ...fromChange((field) => sql`coalesce(${sourceValue(field)}, '')`),
  nickname: sql`coalesce(nullif(${sourceValue('nickname')}, ''), c.name)`,
  mobileKey: sql`coalesce(k.key, '')`,
  attributes: declaredValues('user', sql`c`),
  source: sql`${slot}`,
  sourceUserId: sql`c.source_id`,
  creator: sql`${slot}`,
})

/** The same for a person who exists here. */
const changedColumns: ColumnValues<typeof users> = {
  ...fromChange((field) => sql`coalesce(${sourceValue(field)}, ${u[field]})`),
  mobileKey: sql`coalesce(k.key, ${u.mobileKey})`,
  attributes: sql`${u.attributes} || ${declaredValues('user', sql`c`)}`,
  status: sql`coalesce((c.after->>'status')::smallint, ${u.status})`,
  updatedAt: sql`now()`,
}

/** Changes by others since the plan: the record has another version, or exists already. */
const refuseStale = async (tx: Tx, planned: SQL, slot: string): Promise<void> => {
  await tx.execute(sql`
    select from users where id in (select c.record_id from run_changes c where ${planned}) order by id for no key update`)
  await tx.execute(sql`
    update run_changes c set state = 'failed', ${reasonSet(statements.stale())}
    where ${planned} and case when c.action = 'add'
      then exists (select from users u where u.source = ${slot} and u.source_user_id <> '' and u.source_user_id = c.source_id)
      else not exists (select from directory_entries e
        where e.directory = ${mainDirectory} and e.kind = 'user' and e.record_id = c.record_id and e.version = c.version and not e.deleted) end`)
}

/** Locks the groups that people join or leave here, in id order, like every deletion of groups. */
const lockGroups = async ({ tx }: RunPermit, planned: SQL): Promise<void> => {
  await tx.execute(sql`
    select from groups where id in (
      select d.id::bigint from run_changes c cross join lateral jsonb_array_elements_text(c.after->'memberOf') d (id)
      where ${planned}
      union select m.group_id from run_changes c join group_members m on m.user_id = c.record_id
      where ${planned} and c.after ? 'memberOf')
    order by id for key share`)
}

/** Clears values first that another change of this batch gives to another person: a value never has two owners. */
const clearTransferredValues = async ({ tx }: RunPermit, planned: SQL): Promise<void> => {
  await tx.execute(sql`
    update users u set ${emptied}
    from run_changes c where c.record_id = u.id and ${planned} and c.entangled`)
}

/**
 * Replaces each person's groups of this source by the planned ones; other groups are not touched. Returns the groups
 * that lost members, and those that gained some.
 */
const replaceMemberships = async (
  { tx }: RunPermit,
  planned: SQL,
  slot: string,
): Promise<{ left: number[]; joined: number[] }> => {
  const rows = await tx.execute<{ id: string; joined: boolean }>(sql`
    with removed as (
      delete from group_members m using run_changes c, groups g
      where ${planned} and c.action <> 'add' and c.after ? 'memberOf' and m.user_id = c.record_id and g.id = m.group_id
        and g.source = ${slot} and g.source_dept_id <> '' and not c.after->'memberOf' @> to_jsonb(g.id)
      returning m.group_id
    ), added as (
      insert into group_members (group_id, user_id)
      select g.id, c.record_id
      from run_changes c cross join lateral jsonb_array_elements_text(c.after->'memberOf') d (id)
      join groups g on g.id = d.id::bigint
      where ${planned} and c.after ? 'memberOf'
      on conflict do nothing returning group_id
    )
    select distinct group_id as id, false as joined from removed union all select distinct group_id, true from added`)
  const idsOf = (some: readonly { id: string }[]): number[] => some.map(({ id }) => Number(id))
  return { left: idsOf(rows.filter(({ joined }) => !joined)), joined: idsOf(rows.filter(({ joined }) => joined)) }
}
