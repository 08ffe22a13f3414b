import { sql } from 'drizzle-orm'

/** Entries after a place with one of these codes, in the list or hidden; by indexes alone. */
export const refusalsAfter = (seq: number, codes: readonly number[]) => {
  const wanted = sql`status in (${sql.join(
    codes.map((code) => sql`${code}`),
    sql`, `,
  )}) and seq > ${seq}`
  return sql`
    select start_time, username, ip, path, status, times from operation_logs where hidden_by is null and ${wanted}
    union all
    select start_time, username, ip, path, status, times from operation_logs where hidden_by is not null and ${wanted}`
}

/** Of what `refusalsAfter` selects: sign-ins over HTTP, and binds to the embedded directory. */
export const isSignIn = sql`path in ('/base/login', '/bind')`
