import type { Input } from '../../app/api.ts'
import { ago } from '../../app/clock.ts'
import { textOf, useAddress } from '../../ui/use-search.ts'

type Query = NonNullable<Input<'searchAlerts'>['query']>

export const states = ['open', 'handled', 'all'] as const
export const levels = ['danger', 'warning', 'info'] as const
export const ranges = ['all', 'day', 'week', 'month'] as const

const lengths: Readonly<Record<(typeof ranges)[number], number | null>> = {
  all: null,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
}

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)

/** What the address says is shown of the alerts: the open ones, unless it says otherwise. */
export const useAlertFilter = () => {
  const [search, setSearch] = useAddress()
  const state = oneOf(states, textOf(search.state)) ?? 'open'
  const level = oneOf(levels, textOf(search.level))
  const range = oneOf(ranges, textOf(search.range)) ?? 'all'
  const length = lengths[range]
  const query: Query = {
    limit: 100,
    ...(state !== 'all' && { handled: state === 'handled' }),
    ...(level && { level }),
    ...(length !== null && { from: ago(length) }),
  }
  return { search, setSearch, state, level, range, query, isFiltered: level !== undefined || length !== null }
}
