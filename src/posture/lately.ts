import { type SQL, sql } from 'drizzle-orm'
import { partOfRequest } from '../audit/journal.ts'
import { isMixed, kindOf, nameByKind } from '../audit/touched-records.ts'
import { type ContractDocument, entryPath } from '../contract/document.ts'
import { instantText, jsonbObject } from '../db/json-record.ts'
import { alerts, backups, operationLogHead, operationLogs, runs, tasks } from '../db/schema.ts'
import { documents } from '../generated/documents.ts'
import type { components } from '../generated/operations.types.ts'

type Schemas = components['schemas']
type Kind = Schemas['TouchedRecord']['kind']

/** Lines of the list, and of each kind that may be in it. */
const shown = 20
/** The newest changes and runs among which those are that are shown. */
const changesRead = 2000
const runsRead = 500

/** Of what kind the records are whose changes are shown. Backups and runs are in the list by themselves. */
const shownKinds: ReadonlySet<Kind> = new Set([
  ...(['user', 'group', 'role', 'menu', 'api', 'fieldRelation', 'serviceAccount', 'device', 'alert'] as const),
])

/** Runs of a few records, and another try for one, have no change of their own. */
const isRun = /\/sync[^/]*$/i

const isDeclaration = /^\/v1\/operations\/attributes(\/|$)/

/** The operations that an administrator changes something with, as the operation log writes them. */
export const changingOperations: readonly { method: string; path: string; kind: Kind; mixed: boolean }[] =
  documents.flatMap((document: ContractDocument) =>
    document.operations
      .filter(({ method, secured }) => secured && method !== 'GET')
      .map((operation) => ({ method: operation.method, path: entryPath(document, operation) }))
      .map(({ method, path }) => ({ method, path, kind: kindOf(method, path), mixed: isMixed(path) }))
      .filter(({ path, kind }) => !isRun.test(path) && (shownKinds.has(kind) || isDeclaration.test(path))),
  )

const operations = JSON.stringify(changingOperations)

const isPart = sql`remark ~ ${partOfRequest.source}`

const changes = sql`
  select entry.start_time as at, ${jsonbObject<Schemas['Happening']>({
    kind: sql`'change'`,
    id: sql`entry.seq`,
    at: instantText(sql`entry.start_time`),
    by: sql`entry.username`,
    change: jsonbObject<Schemas['HappenedChange']>({
      method: sql`entry.method`,
      path: sql`entry.path`,
      remark: sql`entry.remark`,
      touched: jsonbObject<Schemas['TouchedRecord']>({
        kind: sql`operation.kind`,
        id: sql`wanted.id`,
        name: nameByKind(sql`operation.kind`),
      }),
      records: sql`case when operation.mixed then 1 else entry.records end`,
    }),
    ...{ run: sql`null`, alert: sql`null`, backup: sql`null`, restore: sql`null` },
  })} as happening
  from (
    select min(seq) as seq, start_time, username, method, path,
      regexp_replace(min(remark), ${partOfRequest.source}, '') as remark, (array_agg(target ->> 0 order by seq))[1] as first,
      sum(jsonb_array_length(target)) as records
    from (
      -- The conditions are those of the index.
      select * from ${operationLogs}
      where hidden_by is null and method <> 'GET' and not preview and status between 0 and 399
        and target <> '[]'::jsonb and seq > coalesce((select cleaned_to from ${operationLogHead}), 0)
      order by seq desc limit ${changesRead}
    ) as newest
    where (method, path) in (
      select each.method, each.path from jsonb_to_recordset(${operations}::jsonb) as each (method text, path text))
    group by start_time, username, ip, method, path, time_cost, case when ${isPart} then 0 else seq end
    order by min(seq) desc limit ${shown}
  ) as entry
  join jsonb_to_recordset(${operations}::jsonb) as operation (method text, path text, kind text, mixed boolean)
    on operation.method = entry.method and operation.path = entry.path
  cross join lateral (select entry.first::bigint as id) as wanted`

const nothingElse = { change: sql`null`, run: sql`null`, alert: sql`null`, backup: sql`null`, restore: sql`null` }

const lastRuns = sql`
  select ${runs.startedAt} as at, ${jsonbObject<Schemas['Happening']>({
    ...nothingElse,
    kind: sql`'run'`,
    id: runs.id,
    at: instantText(runs.startedAt),
    by: runs.creator,
    run: jsonbObject<Schemas['HappenedRun']>({
      source: runs.source,
      kind: runs.kind,
      state: runs.state,
      added: runs.added,
      updated: runs.updated,
      moved: runs.moved,
      disabled: runs.disabled,
      failed: runs.failed,
      held: runs.held,
    }),
  })} as happening
  from (
    select * from (select * from ${runs} order by id desc limit ${runsRead}) as newest
    where not dry_run and (creator <> 'schedule' or state <> 'done'
      or added + updated + moved + disabled + failed + held > 0)
    order by id desc limit ${shown}
  ) as ${runs}`

const lastAlerts = sql`
  select ${alerts.raisedAt} as at, ${jsonbObject<Schemas['Happening']>({
    ...nothingElse,
    kind: sql`'alert'`,
    id: alerts.id,
    at: instantText(alerts.raisedAt),
    by: sql`''`,
    alert: jsonbObject<Schemas['HappenedAlert']>({
      level: alerts.level,
      title: alerts.title,
      description: alerts.description,
      rule: sql`coalesce(${alerts.rule}, '')`,
      params: sql`coalesce(${alerts.params}, '{}'::jsonb)`,
      handledAt: instantText(alerts.handledAt),
    }),
  })} as happening
  from (select * from ${alerts} order by raised_at desc limit ${shown}) as ${alerts}`

const lastBackups = sql`
  select ${backups.startedAt} as at, ${jsonbObject<Schemas['Happening']>({
    ...nothingElse,
    kind: sql`'backup'`,
    id: backups.id,
    at: instantText(backups.startedAt),
    by: backups.creator,
    backup: jsonbObject<Schemas['HappenedBackup']>({ status: backups.status }),
  })} as happening
  from (select * from ${backups} order by id desc limit ${shown}) as ${backups}`

const lastRestores = sql`
  select ${tasks.startedAt} as at, ${jsonbObject<Schemas['Happening']>({
    ...nothingElse,
    kind: sql`'restore'`,
    id: tasks.id,
    at: instantText(tasks.startedAt),
    by: tasks.creator,
    restore: jsonbObject<Schemas['HappenedRestore']>({ state: tasks.state, backupId: tasks.backupId }),
  })} as happening
  from (select * from ${tasks} where kind = 'restore' order by id desc limit ${shown}) as ${tasks}`

/** Leaves out the fields of other kinds; a null inside, such as the name of a deleted record, stays. */
const ownFields = sql`(select jsonb_object_agg(key, value) from jsonb_each(happening) where value <> 'null')`

/**
 * What happened last, newest first, as one JSON list. Every part reads its newest rows by an index, whatever the length
 * of the log.
 */
export const lately: SQL = sql`
  select coalesce(jsonb_agg(${ownFields} order by at desc, happening ->> 'kind', happening ->> 'id'), '[]')
  from (
    select * from (
      (${changes}) union all (${lastRuns}) union all (${lastAlerts}) union all (${lastBackups}) union all (${lastRestores})
    ) as everything
    order by at desc limit ${shown}
  ) as newest`
