import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { LogKeys } from '../../audit/keys.ts'
import { verifyLog } from '../../audit/verify.ts'
import { contentsOf, copyTables, differences, digestOf } from '../../backups/tables/copy-tables.ts'
import { ofSource } from '../../backups/tables/source-error.ts'
import type { Db } from '../../db/client.ts'
import { finishMove } from '../../db/move-claim.ts'
import { tenths } from './progress.ts'

export interface TransferOptions {
  from: Db
  to: Db
  /** Whether the target is a copy for trying out: the source may be in use. */
  isTrial: boolean
  /** Whether another process could use the source meanwhile, as it can a server. */
  isShared: boolean
  keys: LogKeys
  /** Rows of the source, for the progress. */
  rows: number
  print: (line: string) => void
}

export interface Transferred {
  tables: number
  rows: number
  /** Of the operation log that was verified in the target. */
  entries: number
  /** What was wrong with the log before; null: it is intact. */
  logProblem: string | null
}

/** The copy is not what it should be. The message says what differs. */
export class TransferError extends Error {}

/**
 * Copies every table, compares both sides, verifies the operation log of the target, and lets services start on it.
 * @throws TransferError, SourceError
 */
export const transfer = async (options: TransferOptions): Promise<Transferred> => {
  const { from, to, isTrial, isShared, keys, rows, print } = options
  const read = await copyTables(from, to, tenths(print, 'Copying', rows))
  const found = await contentsOf(to, tenths(print, 'Comparing', rows))
  const wrong = differences(read, found)
  if (wrong.length > 0) throw new TransferError(`the target does not hold what was copied: ${wrong.join('; ')}`)
  print('Verifying the operation log of the target')
  const verdict = await verifyLog(to, keys)
  const isIntact = verdict.broken === null && verdict.unchecked === null
  // One that was broken before is copied as it is: the move is not the place to judge it.
  if (!(isIntact || isTrial || isDeepStrictEqual(await ofSource(verifyLog(from, keys)), verdict))) {
    throw new TransferError('the operation log of the target differs from that of the source')
  }
  if (!isTrial && isShared) {
    // Not every change has an entry in the log: those of runs and restores in a terminal have none.
    const now = await ofSource(contentsOf(from, tenths(print, 'Comparing with the source', rows)))
    const [first] = differences(read, now)
    if (first !== undefined) {
      throw new TransferError(
        `the source was used during the copy (${first}); stop all services and commands that use it`,
      )
    }
  }
  if (isTrial) await separate(to)
  await finishMove(to.$client, digestOf(read))
  return {
    tables: found.size,
    rows: [...found.values()].reduce((sum, each) => sum + each.rows, 0),
    entries: verdict.checked,
    logProblem: isIntact ? null : (verdict.broken?.message ?? 'entries were signed with a key that is not known here'),
  }
}

/**
 * Forgets the directories and the processes of the real installation: the copy has an empty directory of its own, and
 * those processes run on elsewhere.
 */
const separate = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`update directories set place = null`)
    await tx.execute(sql`delete from operation_log_writers`)
    await tx.execute(sql`delete from leases`)
  })
