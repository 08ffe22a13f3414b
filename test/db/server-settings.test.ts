import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Database } from '../../src/db/client.ts'
import { serverSettings } from '../../src/db/server-settings.ts'
import { postgresMissing, testEmbeddedDatabase, testServerDatabase } from '../database.ts'

const suite = async (t: Test, { db }: Pick<Database, 'db'>): Promise<void> => {
  for (const [name, value] of Object.entries(serverSettings)) {
    const [row] = await db.execute<{ value: string }>(sql`select current_setting(${name}) as value`)
    t.equal(row?.value, value, name)
  }
}

t.test('PostgreSQL has our settings', { skip: postgresMissing }, async (t) => suite(t, await testServerDatabase(t)))

t.test('so has the embedded database', async (t) => suite(t, await testEmbeddedDatabase(t)))
