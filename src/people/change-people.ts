import { sql } from 'drizzle-orm'
import { beginFor } from '../access/committed.ts'
import { permitAdmitted, type RefusedUsers } from '../access/permits/users.ts'
import { inTime } from '../concurrency/in-time.ts'
import type { Principal } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { anyOfIds } from '../db/id-list.ts'
import { reasons as missing } from '../db/reasons.ts'
import { directoryEntries } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'
import type { PeopleHandlers } from '../generated/operations.ts'
import type { components } from '../generated/operations.types.ts'
import { type MirroredOptions, mirroredChange } from '../mirror/mirrored.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { directoryFields, entryState, isMain, syncStated } from '../mirror/record-sql.ts'
import { type Bulk, bulkActions, type Done, noEffect } from './bulk-actions.ts'
import { DryRunRollback } from './dry-run.ts'
import { counted, type Names, namesOf, type PersonChanged, personResults } from './person-results.ts'
import { reasons } from './reasons.ts'

type Schemas = components['schemas']
type ChangePeople = Schemas['ChangePeople']
type PeopleChanged = Schemas['PeopleChanged']

export interface ChangePeopleOptions extends MirroredOptions {
  db: Db
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle' | 'synchronize'>
}

/** Changes many people in one transaction; people whom the caller may not change stay as they are. */
export const changePeople = (options: ChangePeopleOptions): PeopleHandlers['changePeople'] => {
  const { db } = options
  const change = mirroredChange(options)

  return async ({ body, user }) => {
    const { dryRun = false } = body
    const ids = [...new Set(body.ids)]
    const names = await namesOf(db, ids)
    if (body.action === 'sync') {
      if (!dryRun) await beginFor(db, user)
      return synchronize(options, { ids, names, dryRun })
    }
    const wanted = bulkOf(body)
    let answer: PeopleChanged | undefined
    const made = change(user, async (tx) => {
      const admitted = await permitAdmitted(tx, user, ids, wanted.roleIds)
      const refused = withSelf(admitted.refused, { action: body.action, ids, user })
      const done = await bulkActions[wanted.action](admitted.permit, { ...wanted, refused, user, dryRun })
      const data = answerOf({ ids, names, refused, done, dryRun })
      answer = data
      if (dryRun) throw new DryRunRollback()
      return { data, touched: await done.touched(), callers: { userIds: done.changed } }
    })
    if (!dryRun) return made
    return made.catch((error: unknown) => {
      if (error instanceof DryRunRollback && answer !== undefined) return answer
      throw error
    })
  }
}

/** @throws AppError (invalid) naming the first field that the action lacks */
const bulkOf = ({ action, roleIds, groupIds, from, to }: ChangePeople): Bulk => {
  const need = <T>(field: string, value: T | undefined): T => {
    if (value === undefined) throw reasons.needed_for_action.at(field, { action })
    return value
  }
  const nothing = { roleIds: [], groupIds: [], from: 0, to: 0 }
  if (action === 'move') return { ...nothing, action, from: need('from', from), to: need('to', to) }
  if (action === 'addRoles' || action === 'removeRoles') {
    return { ...nothing, action, roleIds: [...new Set(need('roleIds', roleIds))] }
  }
  if (action === 'addGroups' || action === 'removeGroups') {
    return { ...nothing, action, groupIds: [...new Set(need('groupIds', groupIds))] }
  }
  if (action === 'sync') throw new Error('A comparison is not a change')
  return { ...nothing, action }
}

interface Asked {
  action: ChangePeople['action']
  ids: readonly number[]
  user: Principal
}

/** Callers neither disable nor delete themselves. */
const withSelf = (refused: RefusedUsers, { action, ids, user }: Asked): RefusedUsers => {
  const refusal =
    action === 'disable' ? reasons.cannot_disable_self : action === 'delete' ? reasons.cannot_delete_self : null
  if (refusal === null || !ids.includes(user.userId) || refused.has(user.userId)) return refused
  return new Map([...refused, [user.userId, refusal.problem('ids')]])
}

interface Answered {
  ids: readonly number[]
  names: Names
  refused: RefusedUsers
  done: Pick<Done, 'changed' | 'effect'>
  dryRun: boolean
}

const answerOf = ({ ids, names, refused, done, dryRun }: Answered): PeopleChanged => {
  const people = personResults({ ids, names, refused, changed: new Set(done.changed) })
  return { dryRun, effect: { ...counted(people), ...done.effect }, people }
}

/** Milliseconds that a caller waits for the directory; the comparison continues afterwards. */
const timeout = 5000

interface Comparing {
  ids: readonly number[]
  names: Names
  dryRun: boolean
}

/** Compares entries with their records; nothing changes in SQL, so no rank is compared. */
const synchronize = async (
  { db, reconciler }: Pick<ChangePeopleOptions, 'db' | 'reconciler'>,
  { ids, names, dryRun }: Comparing,
): Promise<PeopleChanged> => {
  const existing = ids.filter((id) => names.has(id))
  const before = await statesOf(db, existing)
  if (!dryRun) await inTime(timeout, reconciler.synchronize('user', existing), () => {})
  const after = dryRun ? before : await statesOf(db, existing)
  const people = ids.map((id): PersonChanged => {
    const one = { id, name: names.get(id)?.name ?? '', reason: null, params: {}, message: null }
    if (!names.has(id)) return { ...one, result: 'refused', ...gone(id) }
    if (before.get(id)?.state === 'synced') return { ...one, result: 'unchanged' }
    if (dryRun || after.get(id)?.state === 'synced') return { ...one, result: 'changed' }
    return { ...one, result: 'refused', message: after.get(id)?.error ?? null, stated: after.get(id)?.stated ?? null }
  })
  return { dryRun, effect: { ...counted(people), ...noEffect }, people }
}

const gone = (id: number): Pick<PersonChanged, 'reason' | 'params' | 'message'> => {
  const { reason, params, message } = missing.user_not_found.problem('ids', { id })
  return { reason, params, message }
}

const statesOf = async (db: Db, ids: readonly number[]) => {
  const rows = await db.execute<{ id: string; state: string; error: string; stated: Statement | null }>(sql`
    select ${directoryEntries.recordId} as id, ${entryState} as state, ${directoryFields.syncError} as error, ${syncStated} as stated
    from ${directoryEntries}
    where ${isMain} and ${directoryEntries.kind} = 'user' and ${directoryEntries.recordId} = ${anyOfIds(ids)}`)
  return new Map(rows.map((row) => [Number(row.id), row]))
}
