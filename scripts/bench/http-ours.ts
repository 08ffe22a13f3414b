import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { parseConfig } from '../../src/config.ts'
import { openSteward } from '../../src/steward.ts'

/** The service as it is started, with 1,000 people, telling its port to the benchmark. */
const config = parseConfig(process.env)
const log = pino({ level: config.logLevel, base: null })
const { app, database, close } = await openSteward({ config, log })
await database.db.execute(sql`
  insert into users (username, username_key, nickname, mail, mobile, job_number)
  select 'user' || n, 'user' || n, 'User Number ' || n, 'user' || n || '@example.org', '+49 30 ' || 100000 + n, n::text
  from generate_series(1, 1000) n`)
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => void close())
const address = app.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : null })
