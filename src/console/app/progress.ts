import type { Data, Input } from './api.ts'
import { useLive } from './live.ts'

export type Work = Data<'getProgress'>['work'][number]

const progress = { read: 'getProgress', watch: 'watchProgress', event: 'progress' } as const

/** The work in progress on all instances, as it changes. */
export const useProgress = (
  query: NonNullable<Input<'getProgress'>['query']>,
  options: { enabled?: boolean } = {},
): Work[] | undefined => useLive(progress, { query }, options)?.work
