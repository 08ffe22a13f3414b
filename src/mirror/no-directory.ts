import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { nothingFound } from './comparison/comparison.ts'
import { type DirectoryRun, emptyRun, problem } from './comparison/directory-run.ts'
import type { Reconciler } from './reconciler.ts'
import { asJson, statements } from './statements.ts'
import { mainDirectory } from './touch.ts'
import { noEarlyClaim } from './writing/early-claim.ts'

const because = statements.nowhere()

const nothingCompared = (): DirectoryRun => {
  const { total, added, updated, moved, unchanged, skipped, failed } = emptyRun()
  return {
    ...{ completed: false, total, added, updated, moved, unchanged, skipped, failed },
    problems: [
      problem({
        ...{ sourceId: '', name: '', step: 'connect' },
        ...{ stated: statements.no_directory(), advised: statements.set_directory() },
      }),
    ],
  }
}

/** Without a directory, no request waits for one; records keep `syncState` 2 until there is one, with this reason. */
export const noDirectory = (db: Db): Reconciler => ({
  async settle(touched) {
    // A failure here is only logged: the change is saved in any case.
    const noting = db.execute(sql`
      update directory_entries e set error = ${because.text}, stated = ${asJson(because)}
      from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as t(kind text, id bigint)
      where e.directory = ${mainDirectory} and e.kind = t.kind and e.record_id = t.id`)
    await noting.catch(() => undefined)
    return true
  },
  earlyClaim: () => noEarlyClaim,
  synchronize: async () => nothingCompared(),
  foresee: async () => nothingCompared(),
  compareEverything: async () => nothingFound,
  verifies: () => null,
  passwordUsed: async () => {},
  schema: async () => null,
  services: { settle: async () => false, lastUses: async () => new Map() },
  wake: () => {},
  start: () => {},
  stop: async () => {},
})
