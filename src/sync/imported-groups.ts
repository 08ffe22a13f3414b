import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { pick } from '../collections/pick.ts'
import type { Tx } from '../db/client.ts'
import { jsonbObject, jsonObject } from '../db/json-record.ts'
import { groups, type RunProblem, type SourceFields } from '../db/schema.ts'
import { mainDirectory } from '../mirror/touch.ts'
import { declaredTexts } from './declared-fields.ts'
import { plainGroupFields } from './plain-fields.ts'
import type { PlanOptions } from './plan.ts'
import { joinNumber, numberText } from './posix-numbers.ts'

/** A department of the source. */
export interface SourceDepartment {
  sourceId: string
  parentSourceId: string
  fields: { groupName?: string } & Readonly<Record<string, string>>
  nameKey: string | null
  problems: RunProblem[]
}

/** A group that was imported before. */
export interface ImportedGroup {
  id: number
  version: number
  sourceId: string
  groupName: string
  nameKey: string
  /** The fields that a run compares, besides the name. */
  texts: Readonly<Record<string, string>>
  /** The source's id of the parent group; null when that group is not this source's. */
  parent: string | null
  remembered: SourceFields
  /** Groups below it that are not this source's, and people in it who are not. */
  otherGroupsBelow: number
  otherPeopleIn: number
}

/** The departments of the run's snapshot. */
export const readDepartments = async (tx: Tx, runId: number): Promise<SourceDepartment[]> =>
  tx.execute<SourceDepartment & Record<string, unknown>>(sql`
    select source_id as "sourceId", parent_source_id as "parentSourceId", fields, name_key as "nameKey", problems
    from run_records where run_id = ${runId} order by source_id collate "C"`)

const g = alias(groups, 'g')

/** The groups that were imported from this source before. */
export const readImportedGroups = async (tx: Tx, { slot }: PlanOptions): Promise<ImportedGroup[]> => {
  const rows = await tx.execute<{ group: ImportedGroup }>(sql`
    select ${jsonObject<ImportedGroup>({
      id: g.id,
      version: sql`coalesce(e.version, 0)`,
      sourceId: g.sourceDeptId,
      groupName: g.groupName,
      nameKey: g.groupNameKey,
      texts: sql`${jsonbObject(pick(g, plainGroupFields))} || ${declaredTexts(g.attributes)} || ${numberText}`,
      parent: sql`p.source_dept_id`,
      remembered: sql`coalesce(g.source_fields, '{}')`,
      otherGroupsBelow: sql`(select count(*) from groups c
        where c.parent_id = g.id and (c.source <> ${slot} or c.source_dept_id = ''))`,
      otherPeopleIn: sql`(select count(*) from group_members m join users u on u.id = m.user_id
        where m.group_id = g.id and (u.source <> ${slot} or u.source_user_id = ''))`,
    })} as group
    from groups g
    left join groups p on p.id = g.parent_id and p.source = ${slot} and p.source_dept_id <> ''
    left join directory_entries e on e.directory = ${mainDirectory} and e.kind = 'group' and e.record_id = g.id
    ${joinNumber('group', sql`g.id`)}
    where g.source = ${slot} and g.source_dept_id <> '' order by g.source_dept_id collate "C"`)
  return rows.map(({ group }) => group)
}
