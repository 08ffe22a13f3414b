import type { RunKind } from '../../sync/sync.ts'

/** What a run is about, as its report calls it. */
export const kindName = (kind: RunKind): string => (kind === 'groups' ? 'departments' : 'people')
