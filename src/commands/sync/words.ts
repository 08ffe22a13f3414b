import type { RunKind } from '../../sync/run-request.ts'

/** The kind of a run in its report. */
export const kindName = (kind: RunKind): string => (kind === 'groups' ? 'departments' : 'people')
