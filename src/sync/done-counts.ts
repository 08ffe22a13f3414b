import { type SQL, sql } from 'drizzle-orm'
import { runs } from '../db/schema.ts'

/** The progress of a plan, in records. */
export interface DoneCounts {
  added: number
  updated: number
  moved: number
  disabled: number
  failed: number
}

const conditions: Readonly<Record<keyof DoneCounts, SQL>> = {
  added: sql`c.state = 'done' and c.action = 'add'`,
  updated: sql`c.state = 'done' and c.action in ('update', 'enable')`,
  moved: sql`c.state = 'done' and c.action = 'move'`,
  disabled: sql`c.state = 'done' and c.action in ('disable', 'remove')`,
  failed: sql`c.state = 'failed'`,
}

const count = (name: keyof DoneCounts): SQL =>
  sql`(select count(*) from run_changes c where c.run_id = ${runs.id} and ${conditions[name]})`

/** The counts as columns of an update of `runs`: for a run that ended before it could count. */
export const countedColumns: Readonly<Record<keyof DoneCounts, SQL>> = {
  added: count('added'),
  updated: count('updated'),
  moved: count('moved'),
  disabled: count('disabled'),
  failed: count('failed'),
}

/** Counts the results of a run's changes. */
export const countedIn = (runId: number): SQL<DoneCounts> => sql<DoneCounts>`
  select ${sql.join(
    Object.entries(conditions).map(
      ([name, condition]) => sql`count(*) filter (where ${condition})::int as ${sql.identifier(name)}`,
    ),
    sql`, `,
  )} from run_changes c where c.run_id = ${runId}`
