import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Database } from '../src/db/client.ts'
import type { Client } from '../src/db/renewed-client.ts'

type AnyFunction = (...input: unknown[]) => unknown

export interface CountingDatabase extends Database {
  /**
   * The statements sent while some work is done, inside transactions too; without those of what the service does by
   * itself, whatever the caller.
   */
  during(work: () => Promise<unknown>): Promise<string[]>
}

const aside =
  /"?operation_log|pg_advisory_xact_lock|"schedules"|"lease_until"|select 1 from (alerts|devices)|update notifications|update alerts set handled_at|insert into alerts/

/** What prepared statements are asked of: the driver's own client behind the guarded one. */
const isClient = (value: unknown): value is Client => typeof value === 'object' && value !== null && 'watch' in value

/** The same database, seen from where every statement passes. */
export const countingDatabase = (database: Database): CountingDatabase => {
  const statements: string[] = []
  const noting = <Asked extends object>(client: Asked): Asked =>
    new Proxy(client, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name === 'unsafe') {
          return (...input: unknown[]) => {
            statements.push(String(input[0]))
            return (value as AnyFunction)(...input)
          }
        }
        if (isClient(value)) return noting(value)
        if (name !== 'begin' && name !== 'savepoint') return value
        return (...input: unknown[]) => {
          const work = input.pop() as (tx: object) => unknown
          return (value as AnyFunction)(...input, (tx: object) => work(noting(tx)))
        }
      },
    })
  const { $client } = database.db as unknown as { $client: Sql }
  return {
    ...database,
    db: drizzle(noting($client), { casing: 'snake_case' }),
    async during(work) {
      const from = statements.length
      await work()
      return statements.slice(from).filter((statement) => !aside.test(statement))
    },
  }
}
