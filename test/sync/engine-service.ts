import { sql } from 'drizzle-orm'
import type { Test } from 'tap'
import type { Organisation } from '../../scripts/fakes/organisation.ts'
import type { Slot } from '../../src/sources/slot.ts'
import type { Source } from '../../src/sources/source.ts'
import { openImporter } from '../../src/sync/importer.ts'
import type { RunKind, RunRequest } from '../../src/sync/run-request.ts'
import { openRuns, type RunReport } from '../../src/sync/runs.ts'
import { mobileKeys } from '../../src/text/identity-keys.ts'
import { silent, type TestDatabase } from '../database.ts'
import { organisationSource } from './organisation-source.ts'

export const relation = {
  users: {
    username: 'id',
    nickname: 'name',
    givenName: 'englishName',
    mail: 'mail',
    mobile: 'mobile',
    jobNumber: 'jobNumber',
    position: 'title',
  },
  groups: { groupName: 'name' },
} as const

/** The user who confirms held plans. */
export const admin = { username: 'admin', actor: 'operator' } as const

export interface EngineOptions {
  organisation: Organisation
  limit?: { records: number; share: number }
  wins?: 'source' | 'local'
  /** It is emptied first. */
  database: TestDatabase
}

/** The engine on a database, with an organisation in slot A and no directory to mirror into. */
export const engine = async (t: Test, options: EngineOptions) => {
  const { database } = options
  const { db } = database
  await database.reset()
  const source = organisationSource(options.organisation)
  const runs = openRuns({ db, timeout: 120_000, log: silent })
  t.teardown(() => runs.close())
  const sources: Record<Slot, Source | null> = { exta: source, extb: null, extc: null, extldap: null }
  const importer = openImporter({
    db,
    runs,
    sources,
    limit: options.limit ?? { records: 20, share: 0.1 },
    wins: options.wins ?? 'source',
    mirrored: false,
    change: (_author, change) => db.transaction(change),
    endSessions: async () => {},
    mobileKey: mobileKeys('CN'),
  })
  await db.execute(
    sql`insert into roles (name, keyword, sort) values ('admin', 'admin', 1), ('user', 'user', 3) on conflict do nothing`,
  )
  await db.execute(sql`
    insert into field_relations (flag, attributes) values ('exta_user', ${JSON.stringify(relation.users)}::jsonb),
      ('exta_group', ${JSON.stringify(relation.groups)}::jsonb) on conflict do nothing`)

  const run = (kind: RunKind, more: Partial<Pick<RunRequest, 'dryRun' | 'slot' | 'actor'>> = {}): Promise<RunReport> =>
    importer.run({ slot: 'exta', kind, dryRun: false, creator: 'admin', actor: 'operator', ...more })

  return {
    database,
    db,
    source,
    /** What each slot is connected to; null: nothing. */
    sources,
    runs,
    importer,
    run,
    /** Departments, then people. */
    async both(): Promise<Record<RunKind, RunReport>> {
      return { groups: await run('groups'), users: await run('users') }
    },
    /** Everything that matters, as text: two states are equal when these are. */
    async state(): Promise<string[]> {
      const rows = await db.execute<{ line: string }>(sql`
        select line from (
          select to_jsonb(u)::text as line from users u
          union all select to_jsonb(g)::text from groups g
          union all select to_jsonb(m)::text from group_members m
          union all select jsonb_build_array(kind, record_id, version, deleted)::text from directory_entries
        ) lines order by line collate "C"`)
      return rows.map(({ line }) => line)
    },
    async planHash(id: number): Promise<string> {
      const [row] = await db.execute<{ hash: string }>(sql`select plan_hash as hash from runs where id = ${id}`)
      return row?.hash ?? ''
    },
  }
}

export type Engine = Awaited<ReturnType<typeof engine>>
