import { alertsConcern } from './alerts.ts'
import { backupsConcern } from './backups.ts'
import type { Concern, Finding } from './concern.ts'
import { findInConfiguration } from './configuration.ts'
import { deductions, type IssueLevel } from './deductions.ts'
import { devicesConcern } from './devices.ts'
import { directoryConcern } from './directory.ts'
import type { Facts } from './facts.ts'
import { operationLogConcern } from './operation-log.ts'
import { permissionsConcern } from './permissions.ts'
import { signInConcern } from './sign-in.ts'
import { sourcesConcern } from './sources.ts'

const concerns: readonly Concern[] = [
  signInConcern,
  permissionsConcern,
  directoryConcern,
  sourcesConcern,
  devicesConcern,
  backupsConcern,
  operationLogConcern,
  alertsConcern,
]

export interface StatusItem {
  id: number
  name: string
  description: string
  status: 'safe' | 'risk' | 'danger'
  details: string
}

export interface Issue extends Required<Pick<Finding, 'kind' | 'params'>> {
  /** The concern it is of. */
  area: Concern['area'] | 'configuration'
  level: IssueLevel
  description: string
  suggestion: string
  /** Subtracted from the score. */
  points: number
}

export interface Assessment {
  /** 100 minus the points of all issues, at least 0. */
  score: number
  /** The worst first. */
  issues: Issue[]
}

/** The state of each concern: that of the worst finding. */
export const statusOf = (facts: Facts): StatusItem[] =>
  concerns.map(({ id, name, description, details, find }) => ({
    id,
    name,
    description,
    status: worstOf(find(facts)),
    details: details(facts),
  }))

/** All findings, and the score. The same facts always give the same score. */
export const assess = (facts: Facts): Assessment => {
  const issues = [...concerns, configuration]
    .flatMap(({ area, find }) => find(facts).map((finding): Issue => issueOf(area, finding)))
    .sort((a, b) => severity[b.level] - severity[a.level] || b.points - a.points)
  return { score: Math.max(0, 100 - issues.reduce((sum, { points }) => sum + points, 0)), issues }
}

const configuration = { area: 'configuration' as const, find: findInConfiguration }

const issueOf = (area: Issue['area'], { kind, description, suggestion, params = {} }: Finding): Issue => {
  const { level, points } = deductions[kind]
  return { kind, area, level, description, suggestion, points, params }
}

/** The state of each concern with its figures, for programs. */
export const areasOf = (facts: Facts) =>
  concerns.map(({ area, find, figures }) => ({ area, status: worstOf(find(facts)), figures: { ...figures(facts) } }))

const severity: Readonly<Record<IssueLevel, number>> = { info: 0, warning: 1, danger: 2 }

const worstOf = (found: readonly Finding[]): StatusItem['status'] => {
  const worst = Math.max(0, ...found.map(({ kind }) => severity[deductions[kind].level]))
  return worst === 2 ? 'danger' : worst === 1 ? 'risk' : 'safe'
}
