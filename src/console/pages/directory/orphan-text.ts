import { type Data, Failure, type Input } from '../../app/api.ts'
import { problemText, sentence, useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { useStatementText } from '../../app/statement.ts'
import { textOf, useAddress } from '../../ui/use-search.ts'

export type Orphan = Data<'listOrphans'>['orphans'][number]

export const states = ['open', 'adoptable', 'ignored'] as const
export const kinds = ['user', 'group'] as const

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)

/** What the address says is shown of the orphan entries: the open ones, unless it says otherwise. */
export const useOrphanFilter = () => {
  const [search, setSearch] = useAddress()
  const state = oneOf(states, textOf(search.state)) ?? 'open'
  const kind = oneOf(kinds, textOf(search.kind))
  const text = textOf(search.text)
  /** As the operations take it that act on all that match. */
  const filter: Input<'previewOrphans'>['body']['filter'] = { ...(kind && { kind }), ...(text !== '' && { text }) }
  return { search, setSearch, state, kind, filter, isFiltered: kind !== undefined || text !== '' }
}

/** Why an entry cannot be adopted; empty: it can. */
export const useObstacleText = (): ((orphan: Pick<Orphan, 'obstacle' | 'stated'>) => string) => {
  const say = useStatementText()
  return ({ obstacle, stated }) => (obstacle === null ? '' : sentence(say(stated, obstacle)))
}

/** Why an action failed. Where an entry is at fault, its DN stands for its place in the request. */
export const useOrphanFailure = (): ((error: unknown, dns?: readonly string[]) => string) => {
  const locale = useLanguage()
  const failureText = useFailureText()
  return (error, dns = []) => {
    const [problem] = error instanceof Failure ? error.fields : []
    const dn = dns[Number(/^dns\.(\d+)$/.exec(problem?.field ?? '')?.[1] ?? Number.NaN)]
    return problem === undefined || dn === undefined
      ? failureText(error)
      : locale.texts.named(dn, problemText(locale, problem))
  }
}
