import { sql } from 'drizzle-orm'
import t from 'tap'
import { touch } from '../../src/mirror/touch.ts'
import { testDatabase } from '../database.ts'

const { db } = await testDatabase(t)

t.test(
  'a person who is disabled has something left to lose unless the entry is parked, whatever the base',
  async (t) => {
    const entries = [
      { dn: 'uid=ada,ou=people,dc=example,dc=org', withdraws: true },
      { dn: 'uid=ada,ou=disabled,dc=example,dc=org', withdraws: false },
      { dn: 'uid=ada\\,a\\\\,ou=Disabled,dc=example,dc=org', withdraws: false },
      { dn: 'uid=ada,ou=people,ou=disabled,dc=example,dc=org', withdraws: true },
      { dn: 'uid=ada,ou=disabled,ou=disabled,dc=example,dc=org', withdraws: false },
      { dn: 'uid=ada\\,ou=disabled\\,,ou=people,dc=example,dc=org', withdraws: true },
    ]
    for (const { dn, withdraws } of entries) {
      const [user] = await db.execute<{ id: string }>(sql`
      insert into users (username, username_key, nickname, status) values (${dn}, ${dn}, '', 2) returning id`)
      const id = Number(user?.id)
      await db.execute(sql`insert into directory_entries (kind, record_id, dn) values ('user', ${id}, ${dn})`)
      await touch(db, 'user', [id])
      const [entry] = await db.execute<{ withdraws: boolean }>(sql`
      select withdraws_at is not null as withdraws from directory_entries where kind = 'user' and record_id = ${id}`)
      t.equal(entry?.withdraws, withdraws, dn)
    }
  },
)
