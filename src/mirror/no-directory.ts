import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import type { Reconciler } from './reconciler.ts'
import { asJson, statements } from './statements.ts'
import { mainDirectory } from './touch.ts'

const noDirectoryReason = 'no directory is configured'
const advice = 'set LDAP_URL, or EMBEDDED_LDAP_PORT to a port'
const because = statements.nowhere()

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
  synchronize: async () => ({
    completed: false,
    total: 0,
    added: 0,
    updated: 0,
    moved: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    problems: [{ sourceId: '', name: '', step: 'connect', reason: noDirectoryReason, advice }],
  }),
  compareEverything: async () => {},
  verifies: () => null,
  schema: async () => null,
  wake: () => {},
  start: () => {},
  stop: async () => {},
})
