import { Combobox, Kbd, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { pathText } from '../ui/DepartmentPicker.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { useFailureText } from './failures.ts'
import { useTexts } from './language.tsx'
import { reading } from './queries.ts'
import { useSession } from './session.tsx'

/** Where the search leads: a page, or a record on its page. */
interface Goal {
  key: string
  name: string
  detail?: string
  to: string
  search?: Readonly<Record<string, number>>
}

interface Place {
  to: string
  text: string
}

/** Records of one kind that are offered. */
const offered = 5

const useGoals = (typed: string, places: readonly Place[]) => {
  const { nav } = useTexts()
  const { may } = useSession()
  const failureText = useFailureText()
  const [q] = useDebouncedValue(typed.trim(), 200)
  const asked = q !== ''
  const people = useQuery({
    ...reading('listPeople', { query: { q, limit: offered } }),
    enabled: asked && may('listPeople'),
    placeholderData: keepPreviousData,
  })
  const groups = useQuery({
    ...reading('listDepartments', { query: { q, limit: offered } }),
    enabled: asked && may('listDepartments'),
    placeholderData: keepPreviousData,
  })
  const roles = useQuery({
    ...reading('listRoles', { query: { name: q, pageNum: 1, pageSize: offered } }),
    enabled: asked && may('listRoles'),
    placeholderData: keepPreviousData,
  })
  const wanted = typed.trim().toLowerCase()
  const kinds: { title: string; goals: Goal[] }[] = [
    {
      title: '',
      goals: places
        .filter(({ text }) => text.toLowerCase().includes(wanted))
        .map(({ to, text }) => ({ key: to, name: text, to })),
    },
    {
      title: nav.people,
      goals: (people.data?.people ?? []).map(({ id, name, username }) => ({
        ...{ key: `person ${id}`, name: name || username, detail: username, to: '/people', search: { person: id } },
      })),
    },
    {
      title: nav.groups,
      goals: (groups.data?.departments ?? []).map(({ id, name, path }) => ({
        ...{ key: `group ${id}`, name, to: '/groups', search: { group: id } },
        ...(path !== null && path.length > 1 && { detail: pathText(path.slice(0, -1)) }),
      })),
    },
    {
      title: nav.roles,
      goals: (roles.data?.roles ?? []).map(({ id, name, keyword }) => ({
        ...{ key: `role ${id}`, name, detail: keyword, to: `/roles/${id}` },
      })),
    },
  ]
  const failed = [people, groups, roles].find(({ error }) => error !== null)?.error
  return {
    kinds: asked ? kinds.filter(({ goals }) => goals.length > 0) : kinds.slice(0, 1),
    loading: [people, groups, roles].some(({ isFetching }) => isFetching) || q !== typed.trim(),
    failure: failed === undefined ? undefined : failureText(failed),
  }
}

interface QuickSearchProps {
  places: readonly Place[]
  onClose(): void
}

/** Finds a page, a person, a group or a role from anywhere. */
export const QuickSearch = ({ places, onClose }: QuickSearchProps) => {
  const { quick, pickers } = useTexts()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { kinds, loading, failure } = useGoals(typed, places)
  // Escape is the list's before it is the dialog's.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose })
  // What was marked may be gone with the records of the search before: Enter would open what stands in its place.
  useEffect(() => combobox.updateSelectedOptionIndex())
  const list = useId()
  const goals = kinds.flatMap((kind) => kind.goals)
  const go = (key: string): void => {
    const goal = goals.find((each) => each.key === key)
    if (goal === undefined) return
    onClose()
    void navigate({ to: goal.to, search: (goal.search ?? {}) as never })
  }
  return (
    <Combobox store={combobox} onOptionSubmit={go}>
      <Combobox.EventsTarget aria-controls={list} aria-expanded>
        <TextInput
          data-autofocus
          type="search"
          aria-label={quick.label}
          placeholder={quick.label}
          value={typed}
          maxLength={200}
          enterKeyHint="go"
          leftSection={<SearchIcon />}
          rightSection={loading && typed !== '' ? <Loader size={14} /> : null}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options id={list} aria-label={quick.title} mt="sm" mah="50dvh">
        {kinds.map(({ title, goals }) => {
          const options = goals.map(({ key, name, detail }) => (
            <Combobox.Option key={key} value={key}>
              <span className="cut" title={name}>
                {name}
              </span>
              {detail !== undefined && (
                <Text component="span" size="xs" c="dimmed" className="cut" title={detail} ml="xs">
                  {detail}
                </Text>
              )}
            </Combobox.Option>
          ))
          if (title === '') return options
          return (
            <Combobox.Group key={title} label={title}>
              {options}
            </Combobox.Group>
          )
        })}
        {goals.length === 0 && !loading && <Combobox.Empty>{failure ?? pickers.nothing}</Combobox.Empty>}
      </Combobox.Options>
      <Text size="xs" c="dimmed" mt="sm">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {quick.choose} · <Kbd size="xs">Enter</Kbd> {quick.open} ·{' '}
        <Kbd size="xs">Esc</Kbd> {quick.close}
      </Text>
    </Combobox>
  )
}
