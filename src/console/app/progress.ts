import { useEffect, useRef } from 'react'
import type { Data, Input } from './api.ts'
import { useLive } from './live.ts'

export type Work = Data<'getProgress'>['work'][number]

const progress = { read: 'getProgress', watch: 'watchProgress', event: 'progress' } as const

/** The work in progress on all instances, as it changes. */
export const useProgress = (
  query: NonNullable<Input<'getProgress'>['query']>,
  options: { enabled?: boolean } = {},
): Work[] | undefined => useLive(progress, { query }, options)?.work

/** Calls `onEnd` when work has ended, also such as began and ended between two looks at it. */
export const useEnded = (work: readonly Work[] | undefined, onEnd: () => void): void => {
  const known = useRef(new Set<number>())
  useEffect(() => {
    const ended = (work ?? []).filter(({ id, finishedAt }) => finishedAt !== null && !known.current.has(id))
    for (const { id } of ended) known.current.add(id)
    if (ended.length > 0) onEnd()
  }, [work, onEnd])
}
