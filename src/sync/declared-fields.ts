import { type Column, type SQL, sql } from 'drizzle-orm'
import type { RecordKind } from '../mirror/touch.ts'

// Runs compare texts. Several values of a declared attribute are one text, a line each; no value contains a line break.

/** The values of a record's declared attributes as texts, by name. */
export const declaredTexts = (attributes: Column): SQL => sql`case when ${attributes} = '{}' then '{}' else (
  select coalesce(jsonb_object_agg(a.key, array_to_string(array(select jsonb_array_elements_text(a.value)), E'\n')), '{}')
  from jsonb_each(${attributes}) a) end`

/**
 * The declared attributes among the texts of a change with this alias, as values to store. The change has `run_id` and
 * `after`. The texts were checked against what was declared when the run began: an attribute that got the name of a
 * removed one since, may have another type, and be shown to others.
 */
export const declaredValues = (kind: RecordKind, change: SQL): SQL => sql`(
  select coalesce(jsonb_object_agg(d.name, case when ${change}.after->>d.name = '' then '[]'
    else to_jsonb(string_to_array(${change}.after->>d.name, E'\n')) end), '{}')
  from declared_attributes d join runs planned on planned.id = ${change}.run_id and d.created_at <= planned.started_at
  where d.kind = ${sql.raw(`'${kind}'`)} and d.removed_at is null and ${change}.after->>d.name is not null)`

/**
 * What the record of a change with this alias remembers of the source's values, without what is not stored: see
 * declaredValues. Where what is changed here wins, an attribute that is empty beside a remembered value counts as emptied
 * here, and no later run would fill it. The change has `run_id` and `source_fields`.
 */
export const rememberedFields = (kind: RecordKind, change: SQL): SQL => sql`(
  ${change}.source_fields - array(
    select d.name from declared_attributes d join runs planned on planned.id = ${change}.run_id and d.created_at > planned.started_at
    where d.kind = ${sql.raw(`'${kind}'`)} and d.removed_at is null))`
