import { Stack, Title } from '@mantine/core'
import { type QueryClient, type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Failure } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange, useReading } from '../../app/queries.ts'
import { useMay, useSession } from '../../app/session.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { stillOwn, useSaveOver } from '../../ui/overwrite.tsx'
import { Failed } from '../../ui/states.tsx'
import { Facts } from '../people/Facts.tsx'
import { useLabelOf } from './attribute.ts'
import { type Found, type SetValues, ValuesForm, type ValuesOf } from './ValuesForm.tsx'

/** The declared attributes of a person, for callers who may read them. */
export const PersonValues = ({ id, mayChange }: { id: number; mayChange: boolean }) => {
  const { may } = useSession()
  const client = useQueryClient()
  const input = { path: { id } }
  const enabled = may('getPersonAttributes')
  const query = useReading('getPersonAttributes', input, { enabled })
  const change = useChange('setPersonAttributes', ['getPersonAttributes', 'getPerson', 'listPeople'])
  if (!enabled) return null
  return (
    <Values
      query={query}
      mayChange={mayChange && may('setPersonAttributes')}
      read={() => newest(client, reading('getPersonAttributes', input))}
      save={(values, version) => change.mutateAsync({ ...input, body: { values, version } })}
    />
  )
}

/** Whether the values of a department are known, or never will be: what is below them is not moved any more. */
export const useKnownDepartmentValues = (id: number): boolean => {
  const query = useReading('getDepartmentAttributes', { path: { id } }, { enabled: useMay('getDepartmentAttributes') })
  return query.isFetchedAfterMount || !query.isFetching
}

/**
 * The declared attributes of a department or group, for callers who may read them. As for its description, the rank of its
 * members does not matter.
 */
export const DepartmentValues = ({ id }: { id: number }) => {
  const { may } = useSession()
  const client = useQueryClient()
  const input = { path: { id } }
  const enabled = may('getDepartmentAttributes')
  const query = useReading('getDepartmentAttributes', input, { enabled })
  const change = useChange('setDepartmentAttributes', [
    'getDepartmentAttributes',
    'listDepartments',
    'getDepartmentPath',
  ])
  if (!enabled) return null
  return (
    <Values
      query={query}
      mayChange={may('setDepartmentAttributes')}
      read={() => newest(client, reading('getDepartmentAttributes', input))}
      save={(values, version) => change.mutateAsync({ ...input, body: { values, version } })}
    />
  )
}

/** The caller's own declared attributes. */
export const OwnValues = () => {
  const { may } = useSession()
  const client = useQueryClient()
  const enabled = may('getMyAttributes')
  const query = useReading('getMyAttributes', {}, { enabled })
  const change = useChange('setMyAttributes', ['getMyAttributes', 'getPersonAttributes', 'getPerson'])
  if (!enabled) return null
  return (
    <Values
      query={query}
      mayChange={may('setMyAttributes')}
      read={() => newest(client, reading('getMyAttributes', {}))}
      save={(values, version) => change.mutateAsync({ body: { values, version } })}
    />
  )
}

const newest = (client: QueryClient, query: { queryKey: readonly unknown[] }): Promise<Found> =>
  client.fetchQuery<Found>({ ...query, staleTime: 0 })

interface ValuesProps {
  query: UseQueryResult<Found, Failure>
  mayChange: boolean
  read(): Promise<Found>
  save(values: SetValues, version: string): Promise<unknown>
}

/** Nothing where no attribute is declared that the caller may see. */
const Values = ({ query, ...others }: ValuesProps) => {
  // The form begins with what is there now: an attribute may have been declared since these were read.
  if (query.isFetching && !query.isFetchedAfterMount) return null
  if (query.data === undefined) {
    return query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null
  }
  return query.data.attributes.length === 0 ? null : <Shown found={query.data} {...others} />
}

/** Several values as one text. */
type TextOf = (values: readonly string[]) => string

/** The values by name, as texts. */
const textsOf = (values: SetValues, textOf: TextOf): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, each]) => [name, textOf(each)]))

const recordOf = ({ version, attributes }: Found, textOf: TextOf): Record<string, string> & { version: string } => ({
  ...textsOf(Object.fromEntries(attributes.map(({ name, values }) => [name, values])), textOf),
  version,
})

const Shown = ({ found, mayChange, read, save }: Omit<ValuesProps, 'query'> & { found: Found }) => {
  const { attributes: texts, status, listed } = usePageTexts('attributes')
  const id = useId()
  const labelOf = useLabelOf()
  const saveOver = useSaveOver()
  // The form begins with these values, and begins anew with what was saved.
  const [before, setBefore] = useState(found)
  const [saves, setSaves] = useState(0)
  const isOpen = (attribute: ValuesOf): boolean => mayChange && attribute.change
  const open = before.attributes.filter(isOpen)
  const fixed = found.attributes.filter((each) => !isOpen(each))
  const words: Readonly<Record<string, string>> = { true: status.yes, false: status.no }
  /** Of one value or several in a text. */
  const yesOrNo = (text: string): string => text.replaceAll(/true|false/g, (value) => words[value] ?? value)
  const shown = ({ type, values }: ValuesOf): string => (type === 'boolean' ? yesOrNo(listed(values)) : listed(values))
  const keep = async (values: SetValues): Promise<void> => {
    const sent = textsOf(values, listed)
    await saveOver({
      before: recordOf(before, listed),
      read: async () => recordOf(await read(), listed),
      body: sent,
      fields: open.map((each) => [each.name, labelOf(each)] as const),
      wordOf: (name, value) =>
        open.find((each) => each.name === name)?.type === 'boolean' ? yesOrNo(String(value)) || undefined : undefined,
      save: ({ version, ...saved }) => save(stillOwn(values, sent, saved), version),
    })
    notifyDone(texts.saved)
    setBefore(await read())
    setSaves(saves + 1)
  }
  return (
    <section aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} id={id}>
          {texts.title}
        </Title>
        {fixed.length > 0 && <Facts facts={fixed.map((each) => [labelOf(each), shown(each)])} />}
        {open.length > 0 && <ValuesForm key={saves} attributes={open} save={keep} />}
      </Stack>
    </section>
  )
}
