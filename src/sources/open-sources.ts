import type { SourcesConfig } from '../config/sources.ts'
import { type Slot, slots } from '../sync/sync.ts'
import { openSource, type SourceOptions } from './open-source.ts'
import type { Source } from './source.ts'

export interface OpenSources {
  /** null: the slot is not configured. */
  bySlot: Readonly<Record<Slot, Source | null>>
  close: () => Promise<void>
}

/** Every organisation that is configured. Nothing is asked of any yet. */
export const openSources = (sources: SourcesConfig['sources'], options: SourceOptions): OpenSources => {
  const open = slots.map((slot) => {
    const config = sources[slot]
    return [slot, config === null ? null : openSource(config, options)] as const
  })
  return {
    bySlot: Object.fromEntries(open) as Record<Slot, Source | null>,
    async close() {
      await Promise.all(open.map(([, source]) => source?.close()))
    },
  }
}
