import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useProgress, type Work } from '../../app/progress.ts'
import { forget, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'

/** How often a run is asked for where its caller may not watch the progress of work, in milliseconds. */
const pollEvery = 2000

/**
 * A run as it is, and how far it has come. What shows it is asked again when the run ends or its plan is decided, wherever
 * that was done.
 * @param deciding a request of this page is applying its plan
 */
export const useRun = (id: number, deciding: boolean) => {
  const client = useQueryClient()
  const mayWatch = useMay('getProgress')
  const query = useReading('getRun', { path: { id } })
  const isRunning = query.data?.state === 'running'
  const isUnderWay = isRunning || deciding
  const watched = isUnderWay || query.data?.state === 'held'
  const work = useProgress({ kind: 'run', id }, { enabled: mayWatch && watched })?.[0]
  useReading('getRun', { path: { id } }, { enabled: isUnderWay && !mayWatch, refetchInterval: pollEvery })
  const state = (watched ? work?.state : undefined) ?? query.data?.state
  const before = useRef(state)
  useEffect(() => {
    const isNews = before.current === 'running' || before.current === 'held'
    if (isNews && state !== before.current && state !== 'running')
      void forget(client, 'getRun', 'listRunChanges', 'listRuns')
    before.current = state
  }, [state, client])
  const running: Work | undefined =
    work?.state === 'running' ? work : isRunning && query.data !== undefined ? workOf(query.data) : undefined
  return { query, running }
}

type Run = NonNullable<ReturnType<typeof useReading<'getRun'>>['data']>

/** What the record says of the progress. */
const workOf = (run: Run): Work => ({
  kind: 'run',
  id: run.runId,
  state: run.state,
  phase: run.phase,
  done: run.progress,
  total: run.progressOf,
  creator: run.creator,
  startedAt: run.startedAt,
  finishedAt: run.finishedAt,
  message: '',
})
