import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useProgress, type Work } from '../../app/progress.ts'
import { forget } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import type { OperationId } from '../../generated/calls.ts'

/**
 * The runs in progress by their ids.
 * @param shown the operation whose answer is another one when a run begins or ends
 */
export const useRunningRuns = (shown: OperationId): ReadonlyMap<number, Work> => {
  const client = useQueryClient()
  const mayWatch = useMay('getProgress')
  const work = useProgress({ kind: 'run' }, { enabled: mayWatch })
  const now = work?.map(({ id, state }) => `${id} ${state}`).join()
  const before = useRef(now)
  useEffect(() => {
    if (before.current !== undefined && before.current !== now) void forget(client, shown)
    before.current = now
  }, [now, client, shown])
  return new Map((work ?? []).filter(({ state }) => state === 'running').map((each) => [each.id, each]))
}
