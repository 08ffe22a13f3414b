import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import type { InputProps } from '../../ui/form-layout.ts'
import type { Department } from './use-branches.ts'
import { useGroup } from './use-group.ts'

const placeOf = ({ name, path }: Department): string => path?.map((step) => step.name).join(' / ') ?? name

/** A group to stand below, found by its name; 0 is the top. */
export const ParentInput = ({ value, onChange, label, error, required, disabled }: InputProps) => {
  const { permissions } = usePageTexts('permissions')
  const { parent } = permissions.groups
  const failureText = useFailureText()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 250)
  const id = typeof value === 'number' && value > 0 ? value : undefined
  const chosen = useGroup(id)
  const top = { value: '0', label: parent.top }
  const own = chosen.data === undefined ? [] : [{ value: String(chosen.data.id), label: placeOf(chosen.data) }]
  // The text of the chosen one is no search.
  const isSearch = q !== '' && q !== top.label && q !== own[0]?.label
  const hits = useReading('listDepartments', { query: { limit: 50, ...(isSearch && { q }) } })
  const found = (hits.data?.departments ?? []).map((each) => ({ value: String(each.id), label: placeOf(each) }))
  const options = [top, ...own, ...found].filter(
    (each, index, all) => all.findIndex((other) => other.value === each.value) === index,
  )
  return (
    <Select
      label={label}
      error={error ?? (hits.isError && failureText(hits.error))}
      required={required}
      disabled={disabled}
      placeholder={parent.search}
      data={options}
      value={typeof value === 'number' ? String(value) : null}
      onChange={(next) => onChange(next === null ? undefined : Number(next))}
      searchable
      // What is typed replaces the name that stands there.
      onClick={(event) => event.currentTarget.select()}
      onFocus={(event) => event.currentTarget.select()}
      searchValue={typed}
      onSearchChange={setTyped}
      // The service has searched; what it found is shown as it is.
      {...(isSearch && { filter: ({ options: all }) => all })}
      allowDeselect={false}
    />
  )
}
