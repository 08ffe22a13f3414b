import type { RunRecord } from '../../sync/run-records.ts'
import type { RunKind } from '../../sync/run-request.ts'
import { printable } from '../../terminal/printable.ts'
import { type Column, table } from '../../terminal/table.ts'
import { kindName } from './words.ts'

const figures = ['total', 'added', 'updated', 'moved', 'disabled', 'unchanged', 'skipped', 'failed', 'held'] as const

const columns: readonly Column[] = [
  { title: 'run', align: 'right' },
  { title: 'of' },
  { title: 'state' },
  ...figures.map((title) => ({ title, align: 'right' }) as const),
]

/** The figures of runs, a row each. */
export const reportTable = (runs: readonly RunRecord[]): string[] =>
  table(
    columns,
    runs.map((run) => [
      String(run.runId),
      kindName(run.kind),
      run.state,
      ...figures.map((figure) => String(run[figure])),
    ]),
  )

/** The problems of a run, each with advice. */
export const problemLines = ({ problems }: Pick<RunRecord, 'problems'>): string[] =>
  problems.flatMap(({ sourceId, name, step, reason, advice }) => {
    const who = [name, sourceId && sourceId !== name ? `(${sourceId})` : ''].filter(Boolean).join(' ')
    return [
      printable(`${[who, step].filter(Boolean).join(', ')}: ${reason}`),
      ...(advice === '' ? [] : [`  → ${printable(advice)}`]),
    ]
  })

/** Why a plan is held, or would be, and what to do about it. */
export const heldLines = ({ runId, state, held, heldBecause, planHash }: RunRecord): string[] => {
  if (heldBecause.length === 0) return []
  const reasons = heldBecause.map((reason) => `  ${printable(reason)}`)
  if (state !== 'held') return ['This plan would be held until it is confirmed:', ...reasons]
  return [
    `Run ${runId} is held; its held changes (${held}) were not carried out:`,
    ...reasons,
    'Check its changes, then confirm (after a step-up) or discard it, in /docs or with a token:',
    `  GET  /api/v1/operations/runs/${runId}/changes`,
    `  POST /api/v1/operations/runs/${runId}/confirm   {"planHash": "${planHash}"}`,
    `  POST /api/v1/operations/runs/${runId}/discard`,
  ]
}

/** What was not begun: the command was stopped before, or the departments could not be imported. */
export const leftOutLines = (runs: readonly RunRecord[], kinds: readonly RunKind[]): string[] => {
  const left = kinds.filter((each) => !runs.some(({ kind }) => kind === each))
  return left.length === 0 ? [] : [`Not begun: ${left.map(kindName).join(', ')}`]
}

/** 0: done; 1: failed, left out, or records were lost; 3: held, or would be. */
export const exitCodeOf = (runs: readonly RunRecord[], kinds: readonly RunKind[]): number => {
  if (leftOutLines(runs, kinds).length > 0) return 1
  if (runs.some(({ state }) => state === 'failed' || state === 'running' || state === 'discarded')) return 1
  if (runs.some(({ heldBecause, state }) => state !== 'done' && heldBecause.length > 0)) return 3
  return runs.some(hasLost) ? 1 : 0
}

/** Whether records were not imported: refused ones, and those without a name. */
const hasLost = ({ failed, problems }: RunRecord): boolean =>
  failed > 0 || problems.some(({ step, reason }) => step === 'mapping' && /^(username|groupName): /.test(reason))
