import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useStatementText } from '../../app/statement.ts'
import type { Level } from '../../ui/Meaning.tsx'

export type Run = Data<'getRun'>
export type RunSummary = Data<'listRuns'>['runs'][number]
export type Change = Data<'listRunChanges'>['changes'][number]

export const runLevels: Readonly<Record<Run['state'], Level>> = {
  done: 'safe',
  held: 'risk',
  failed: 'danger',
  running: 'none',
  planned: 'none',
  discarded: 'none',
}

export const changeLevels: Readonly<Record<Change['state'], Level>> = {
  done: 'safe',
  held: 'risk',
  failed: 'danger',
  planned: 'none',
}

/** Whether a run came as far as a plan. One that has no changes has no hash, like none at all. */
export const isPlanMade = ({ planHash, state }: Pick<Run, 'planHash' | 'state'>): boolean =>
  planHash !== '' || (state !== 'failed' && state !== 'running')

/** What runs are called, in the chosen language. */
export const useRunTexts = () => {
  const { runs } = usePageTexts('runs')
  const nameOf = ({ source, kind }: Pick<Run, 'source' | 'kind'>): string =>
    `${runs.sources[source]} · ${runs.kinds[kind]}`
  const creatorOf = (creator: string): string =>
    creator === 'schedule' || creator === 'terminal' ? runs.creators[creator] : creator
  const phaseOf = (phase: string): string =>
    Object.hasOwn(runs.phases, phase) ? runs.phases[phase as keyof typeof runs.phases] : runs.phases.other
  return { runs, nameOf, creatorOf, phaseOf }
}

/** Each cause of a list, in the chosen language: the texts are the service's own. */
export const useCauses = (): ((texts: readonly string[], stated: readonly unknown[] | undefined) => string[]) => {
  const say = useStatementText()
  return (texts, stated = []) => texts.map((text, at) => say(stated[at], text))
}
