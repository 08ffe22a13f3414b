import { sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client.ts'
import { wecomSource } from '../../src/sources/wecom.ts'
import { openImporter } from '../../src/sync/importer.ts'
import { defaultRelations } from '../../src/sync/mapping/defaults.ts'
import { openRuns, type RunReport } from '../../src/sync/runs.ts'
import { mobileKeys } from '../../src/text/identity-keys.ts'
import { silent } from '../../test/database.ts'
import type { Stage } from './stage.ts'

/** How a fake platform is reached. */
export interface ImportSettings {
  url: string
  corpId: string
  secret: string
}

/** What a database needs before the first import: the role of imported people, and how fields are mapped. */
export const prepareImport = async (db: Db): Promise<void> => {
  await db.execute(sql`insert into roles (name, keyword, sort) values ('user', 'user', 3)`)
  const relations = [
    { flag: 'extc_user', attributes: defaultRelations.wecom.users },
    { flag: 'extc_group', attributes: defaultRelations.wecom.groups },
  ]
  await db.execute(sql`
    insert into field_relations (flag, attributes)
    select flag, attributes from jsonb_to_recordset(${JSON.stringify(relations)}::jsonb) r (flag text, attributes jsonb)`)
}

/**
 * Imports groups or people, and throws where a record failed or the report is not as expected.
 * @param mirrored whether there is a directory, so that entries have to follow
 */
export const benchImport = (
  stage: Stage,
  db: Db,
  settings: ImportSettings,
  { mirrored }: { mirrored: boolean },
): ((kind: RunReport['kind'], expected: (report: RunReport) => boolean) => Promise<void>) => {
  const source = wecomSource(settings, { log: silent, rates: [] })
  stage.teardown(() => source.close())
  const runs = openRuns({ db, timeout: 3_600_000, log: silent })
  stage.teardown(() => runs.close())
  const importer = openImporter({
    ...{ db, runs, limit: { records: 20, share: 0.1 }, wins: 'source', mirrored },
    sources: { exta: null, extb: null, extc: source, extldap: null },
    change: (_author, change) => db.transaction(change),
    endSessions: async () => {},
    mobileKey: mobileKeys('CN'),
  })
  return async (kind, expected) => {
    const told = await importer.run({ slot: 'extc', kind, dryRun: false, creator: 'bench', actor: 'operator' })
    if (told.state !== 'done' || told.failed > 0 || !expected(told)) throw new Error(JSON.stringify(told))
  }
}
