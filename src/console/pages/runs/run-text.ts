import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
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

type Because = ReturnType<typeof usePageTexts<['runs']>>['runs']['held']['because']

/** The sentences that the service writes about a plan have no codes: those it is known to write are translated. */
const sentences: readonly [pattern: RegExp, text: (because: Because, found: readonly string[]) => string][] = [
  [/^The source returned no people$/, ({ noPeople }) => noPeople],
  [/^The source returned no departments$/, ({ noDepartments }) => noDepartments],
  [
    /^It would disable (\d+) of (\d+) people: the limit is (\d+) \(SYNC_MAX_REMOVALS\)$/,
    ({ people }, [, count = '', all = '', limit = '']) => people(count, all, limit),
  ],
  [
    /^It would remove (\d+) of (\d+) departments: the limit is (\d+) \(SYNC_MAX_REMOVALS\)$/,
    ({ departments }, [, count = '', all = '', limit = '']) => departments(count, all, limit),
  ],
  [/^The source did not return everything: (.*)$/s, ({ gap }, [, what = '']) => gap(what)],
]

/** Why a plan is held, in the chosen language as far as the sentence is known. */
export const becauseText = (because: Because, sentence: string): string => {
  for (const [pattern, text] of sentences) {
    const found = pattern.exec(sentence)
    if (found !== null) return text(because, found)
  }
  return sentence
}
