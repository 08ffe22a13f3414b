import type { Finding } from '../generated/form.ts'

/** Adds a finding to those of a validator; null: it has none yet. */
export const found = (
  findings: Finding[] | null,
  instancePath: string,
  keyword: string,
  params: Finding['params'],
): Finding[] => [...(findings ?? []), { instancePath, keyword, params }]
