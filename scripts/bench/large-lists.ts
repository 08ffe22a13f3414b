import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client.ts'
import { generateOrganisation } from '../fakes/organisation.ts'
import { listTimes, listVerdicts } from './lists.ts'
import { benchDatabase } from './people.ts'
import { onStage, report } from './stage.ts'

/**
 * The lists of `bench:million` alone: the people of the same organisation, inserted by SQL, without a directory.
 *
 * npm run bench:large-lists -- 100000 10000
 */
const [people = 100_000, departments = 10_000] = process.argv.slice(2).map(Number)
const rowsPerStatement = 10_000

const fill = async (db: Db): Promise<void> => {
  const organisation = generateOrganisation({ seed: 1, people, departments, oddities: false })
  await db.execute(sql`insert into roles (name, keyword, sort) values ('user', 'user', 3)`)
  await db.execute(sql`
    insert into groups (group_name, group_name_key, group_type)
    select 'group ' || n, 'group ' || n, 'cn' from generate_series(1, ${departments}::int) n`)
  for (let start = 0; start < people; start += rowsPerStatement) {
    const rows = organisation.people.slice(start, start + rowsPerStatement)
    await db.execute(sql`
      insert into users (username, username_key, nickname, mail, mobile, mobile_key, source, source_user_id)
      select id, lower(id), name, mail, mobile, mobile, 'extc', id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id text, name text, mail text, mobile text)`)
  }
  await db.execute(sql`
    insert into group_members (group_id, user_id) select 1 + id % ${departments}::int, id from users`)
  await db.execute(sql`insert into user_roles (user_id, role_id) select id, 1 from users`)
  await db.execute(sql`
    insert into directory_entries (kind, record_id, version, synced_version, dn)
    select 'user', id, 1, 1, 'uid=' || username || ',ou=people,dc=example,dc=org' from users`)
  await db.execute(sql`vacuum analyze`)
}

await onStage(async (stage) => {
  const { db } = await benchDatabase(stage)
  await fill(db)
  report(listVerdicts(await listTimes(db)))
})
