import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type SearchValues = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * The part of the address that says what a page shows: filters, sort, tab, the open record. A link shows a colleague the same
 * thing. Empty values are left out.
 */
export const useAddress = (): [SearchValues, (change: SearchValues, options?: { replace?: boolean }) => void] => {
  const search = useSearch({ strict: false }) as SearchValues
  const navigate = useNavigate()
  const change = useCallback(
    (values: SearchValues, { replace = false }: { replace?: boolean } = {}): void => {
      void navigate({
        to: '.',
        replace,
        search: ((before: SearchValues) =>
          Object.fromEntries(
            Object.entries({ ...before, ...values }).filter(([, value]) => value !== undefined && value !== ''),
          )) as never,
      })
    },
    [navigate],
  )
  return [search, change]
}

export const textOf = (value: SearchValues[string]): string => (value === undefined ? '' : String(value))
export const numberOf = (value: SearchValues[string]): number | undefined => {
  const number = Number(value)
  return value === undefined || value === '' || !Number.isFinite(number) ? undefined : number
}
