import type { Input } from '../../app/api.ts'
import { ago } from '../../app/clock.ts'
import { textOf, useAddress } from '../../ui/use-search.ts'

type Query = NonNullable<Input<'listLogEntries'>['query']>

export const ranges = ['all', 'hour', 'day', 'week', 'own'] as const
export type Range = (typeof ranges)[number]

const lengths: Readonly<Record<Range, number | null>> = {
  all: null,
  own: null,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'SEAL'] as const
export const results = ['success', 'refused', 'failed'] as const

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)

/** A time as an instant; undefined where it is not complete. The address has instants: a colleague may be in another time zone. */
export const instantOf = (text: string): string | undefined => {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

const filters = ['range', 'from', 'to', 'method', 'result', 'user', 'path', 'ip', 'q'] as const

/** What the address says is shown of the log. */
export const useLogFilter = () => {
  const [search, setSearch] = useAddress()
  const range = oneOf(ranges, textOf(search.range)) ?? 'all'
  const length = lengths[range]
  const from = length === null ? instantOf(textOf(search.from)) : ago(length)
  const to = length === null ? instantOf(textOf(search.to)) : undefined
  const method = oneOf(methods, textOf(search.method))
  const result = oneOf(results, textOf(search.result))
  const text = (name: 'user' | 'path' | 'ip' | 'q'): Query => {
    const value = textOf(search[name])
    return value === '' ? {} : { [name]: value }
  }
  const query: Query = {
    ...(range !== 'all' && from !== undefined && { from }),
    ...(range === 'own' && to !== undefined && { to }),
    ...(method && { method }),
    ...(result && { result }),
    ...text('user'),
    ...text('path'),
    ...text('ip'),
    ...text('q'),
  }
  const clear = (): void => setSearch(Object.fromEntries(filters.map((name) => [name, undefined])))
  return { search, setSearch, range, method, result, query, isFiltered: Object.keys(query).length > 0, clear }
}
