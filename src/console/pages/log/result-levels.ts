import type { Data } from '../../app/api.ts'
import type { Level } from '../../ui/Meaning.tsx'

type Result = Data<'listLogEntries'>['entries'][number]['result']

/** A refusal is the service at work; a failure is not. */
export const resultLevels: Readonly<Record<Result, Level>> = { success: 'safe', refused: 'risk', failed: 'danger' }
