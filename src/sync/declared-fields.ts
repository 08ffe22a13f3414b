import { type Column, type SQL, sql } from 'drizzle-orm'
import type { RecordKind } from '../people/attributes/declared.ts'

// Runs compare texts. Several values of a declared attribute are one text, a line each; no value contains a line break.

/** The values of a record's declared attributes as texts, by name. */
export const declaredTexts = (attributes: Column): SQL => sql`case when ${attributes} = '{}' then '{}' else (
  select coalesce(jsonb_object_agg(a.key, array_to_string(array(select jsonb_array_elements_text(a.value)), E'\n')), '{}')
  from jsonb_each(${attributes}) a) end`

/** The declared attributes among these texts, as values to store; `after` is of a change. */
export const declaredValues = (kind: RecordKind, after: SQL): SQL => sql`(
  select coalesce(jsonb_object_agg(d.name, case when ${after}->>d.name = '' then '[]'
    else to_jsonb(string_to_array(${after}->>d.name, E'\n')) end), '{}')
  from declared_attributes d where d.kind = ${sql.raw(`'${kind}'`)} and d.removed_at is null and ${after}->>d.name is not null)`
