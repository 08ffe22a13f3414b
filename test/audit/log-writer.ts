/**
 * A process to be killed: opens the PostgreSQL named first and writes log entries for ever. Prints how many are known to
 * be written each time it knows.
 */

import { sealedEntry, sealPaths } from '../../src/audit/entry.ts'
import { logKeys } from '../../src/audit/keys.ts'
import { openOperationLog } from '../../src/audit/writer.ts'
import { openDatabase } from '../../src/db/client.ts'
import { silent } from '../database.ts'

const [url = '', secret = ''] = process.argv.slice(2)

const { db } = await openDatabase({ url, dataDir: '', log: silent })
const log = openOperationLog({ db, keys: logKeys([secret]), log: silent })
for (let appended = 0; ; ) {
  for (let i = 0; i < 50; i++) {
    appended += 1
    log.append(sealedEntry({ path: sealPaths.refused, status: 0, remark: `entry ${appended}` }))
  }
  await log.flush()
  process.stdout.write(`${appended}\n`)
}
