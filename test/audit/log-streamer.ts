/**
 * A process to be killed: streams the log of the PostgreSQL named first to the syslog receiver whose settings follow as
 * JSON with its authorities beside them, without pauses.
 */

import { openLogStream } from '../../src/audit/syslog/stream.ts'
import { openDatabase } from '../../src/db/client.ts'
import { silent } from '../database.ts'

const [url = '', settings = '{}'] = process.argv.slice(2)

const { ca, ...plain } = JSON.parse(settings)
const { db } = await openDatabase({ url, dataDir: '', log: silent })
const outbox = { announce: async () => new Map() } as never
openLogStream({
  db,
  outbox,
  settings: { ...plain, tls: { ca: () => ca, client: null } },
  log: silent,
  every: 5,
}).start()
process.stdout.write('streams\n')
