import { sql } from 'drizzle-orm'
import { alertOf } from '../alerts/alert.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import type { Db } from '../db/client.ts'
import { facts } from '../db/schema.ts'
import type { Logger } from '../runtime/log.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** The name of the fact. */
const name = 'token secret'

export interface TokenSecretOptions {
  db: Db
  secrets: Pick<Secrets, 'tokenSecretId' | 'previousTokenSecretIds'>
  raise: Alerting['alerts']['raise']
  log: Pick<Logger, 'error'>
}

/**
 * Tells at a start that the secret of the tokens is another one than that of the last start of any instance: its volume was
 * lost, or several instances have secrets of their own. One that was replaced as it should be is named as a previous one.
 */
export const checkTokenSecret = async ({ db, secrets, raise, log }: TokenSecretOptions): Promise<void> => {
  const { tokenSecretId: own, previousTokenSecretIds } = secrets
  // The subquery sees the row as it was before this statement.
  const [changed] = await db.execute<{ before: string | null }>(sql`
    insert into ${facts} as f (name, value) values (${name}, to_jsonb(${own}::text))
    on conflict (name) do update set value = excluded.value, updated_at = now() where f.value <> excluded.value
    returning (select value #>> '{}' from ${facts} where name = ${name}) as before`)
  const before = changed?.before ?? null
  if (before === null || previousTokenSecretIds.includes(before)) return
  log.error(
    'JWT_SECRET is another one than at the last start of an instance, and JWT_SECRET_PREVIOUS does not name that',
  )
  await raise(alertOf('tokenSecretChanged', {}))
}
