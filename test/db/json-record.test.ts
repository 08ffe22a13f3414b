import { sql } from 'drizzle-orm'
import t from 'tap'
import { jsonObject } from '../../src/db/json-record.ts'
import { users } from '../../src/db/schema.ts'

// Checked by the compiler: an expectation below that is not met is an error of `npm run check:types`.

interface Record {
  id: number
  name: string
  status: 1 | 2
  password?: string
}

t.test('a record takes each of its fields from somewhere, by its own name and of its own type', async (t) => {
  const fields = { id: users.id, name: users.nickname, status: users.status, password: users.passwordHash }
  t.ok(jsonObject<Record>(fields))
  t.ok(jsonObject<Record>({ ...fields, name: sql`'x'` }), 'SQL is not checked against the type')
  // @ts-expect-error a field is missing
  t.ok(jsonObject<Record>({ id: users.id, name: users.nickname, status: users.status }))
  // @ts-expect-error the field does not exist
  t.ok(jsonObject<Record>({ ...fields, nickname: users.nickname }))
  // @ts-expect-error a text for a number
  t.ok(jsonObject<Record>({ ...fields, status: users.nickname }))
  // @ts-expect-error null for a field that is always there
  t.ok(jsonObject<Record>({ ...fields, name: users.passwordHash }))
})
