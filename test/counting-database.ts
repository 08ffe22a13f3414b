import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Database } from '../src/db/client.ts'
import * as schema from '../src/db/schema.ts'

type AnyFunction = (...input: unknown[]) => unknown

export interface CountingDatabase extends Database {
  /**
   * The statements sent while some work is done, inside transactions too; without those of what the service does by
   * itself, whoever calls.
   */
  during(work: () => Promise<unknown>): Promise<string[]>
}

const aside = /"?operation_log|pg_advisory_xact_lock|"schedules"/

/** The same database, seen from where every statement of the query builder passes. */
export const countingDatabase = (database: Database): CountingDatabase => {
  const statements: string[] = []
  const noting = <Client extends object>(client: Client): Client =>
    new Proxy(client, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name === 'unsafe') {
          return (...input: unknown[]) => {
            statements.push(String(input[0]))
            return (value as AnyFunction)(...input)
          }
        }
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
    db: drizzle(noting($client), { schema, casing: 'snake_case' }),
    async during(work) {
      const from = statements.length
      await work()
      return statements.slice(from).filter((statement) => !aside.test(statement))
    },
  }
}
