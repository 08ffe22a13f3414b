import type { Config } from '../../config/config.ts'
import { adminPasswordProblem } from '../../main/bootstrap.ts'
import { type Finding, problem } from './finding.ts'

/** What the first start needs, and no other. */
export const checkFirstStart = ({ adminPassword }: Pick<Config, 'adminPassword'>): Finding[] => {
  const unfit = adminPasswordProblem(adminPassword)
  if (unfit === null) return []
  return [problem(`ADMIN_PASSWORD: ${unfit.row.text}`, 'Choose another, or leave it out: one is made and printed.')]
}
