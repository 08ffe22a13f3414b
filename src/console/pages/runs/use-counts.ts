import { useQueries } from '@tanstack/react-query'
import type { Failure } from '../../app/api.ts'
import { reading } from '../../app/queries.ts'
import type { Change, Run } from './run-text.ts'

export type Action = Change['action']

/** What a plan can do to records of a kind, or a comparison to their entries, in the order in which it is shown. */
export const actionsOf = ({ source, kind }: Pick<Run, 'source' | 'kind'>): readonly Action[] =>
  kind === 'users' && source !== 'sql'
    ? ['add', 'update', 'move', 'enable', 'disable']
    : ['add', 'update', 'move', 'remove']

interface Counts {
  /** undefined: not known yet. */
  of(action: Action): number | undefined
  all: number | undefined
  /** Why they are not known; null: they are, or are on their way. */
  error: Failure | null
  retry(): void
}

/** How many changes of each action a plan has, in these states together; all states where none is named. */
export const useCounts = (
  run: Pick<Run, 'runId' | 'source' | 'kind'>,
  states: readonly Change['state'][],
  enabled = true,
): Counts => {
  const actions = actionsOf(run)
  const asked = actions.flatMap((action) =>
    (states.length === 0 ? [undefined] : states).map((state) => ({ action, ...(state && { state }) })),
  )
  const found = useQueries({
    queries: asked.map((filter) => ({
      ...reading('listRunChanges', { path: { id: run.runId }, query: { ...filter, pageNum: 1, pageSize: 1 } }),
      enabled,
    })),
  })
  const sumOf = (wanted: (action: Action) => boolean): number | undefined => {
    let sum = 0
    for (const [at, { action }] of asked.entries()) {
      if (!wanted(action)) continue
      const total = found[at]?.data?.total
      if (total === undefined) return undefined
      sum += total
    }
    return sum
  }
  const lost = found.filter(({ isError }) => isError)
  return {
    of: (action) => sumOf((each) => each === action),
    all: sumOf(() => true),
    error: lost[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of lost) void refetch()
    },
  }
}
