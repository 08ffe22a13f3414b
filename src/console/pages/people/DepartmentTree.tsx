import { CloseButton, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading } from '../../app/queries.ts'
import { pathText } from '../../ui/DepartmentPicker.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { OrgTree, type OrgTreeProps } from '../../ui/OrgTree.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'

/** The tree of departments, under a field that finds one wherever it is. */
export const DepartmentTree = (props: OrgTreeProps) => {
  const { actions } = useTexts()
  const { people } = usePageTexts('people')
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 200)
  const results = useRef<HTMLUListElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const toResults = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && typed !== '') setTyped('')
    else if (event.key === 'ArrowDown') results.current?.querySelector('button')?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <TextInput
        ref={field}
        mb="xs"
        aria-label={people.tree.search}
        placeholder={people.tree.search}
        leftSection={<SearchIcon />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={toResults}
        rightSection={typed !== '' && <CloseButton size="sm" aria-label={actions.clear} onClick={() => setTyped('')} />}
      />
      {typed.trim() === '' ? (
        <OrgTree {...props} />
      ) : (
        <Results
          q={q}
          list={results}
          height={props.height}
          selected={props.selected}
          onLeave={() => field.current?.focus()}
          onSelect={(id) => {
            setTyped('')
            field.current?.focus()
            props.onSelect(id)
          }}
        />
      )}
    </>
  )
}

interface ResultsProps {
  q: string
  list: React.RefObject<HTMLUListElement | null>
  height: string
  selected: number | null
  onSelect(id: number): void
  onLeave(): void
}

const Results = ({ q, list, height, selected, onSelect, onLeave }: ResultsProps) => {
  const { pickers } = useTexts()
  const { people } = usePageTexts('people')
  const query = useQuery({
    ...reading('listDepartments', { query: { q, limit: 50 } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return <Loading />
  const { departments, next } = query.data
  if (departments.length === 0) return <Empty title={people.tree.nothing(q)} />
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.findIndex((button) => button.matches(':focus'))
    if (event.key === 'ArrowDown') buttons[Math.min(at + 1, buttons.length - 1)]?.focus()
    else if (event.key === 'ArrowUp' && at <= 0) onLeave()
    else if (event.key === 'ArrowUp') buttons[at - 1]?.focus()
    else return
    event.preventDefault()
  }
  return (
    <>
      <ul
        ref={list}
        className="org-results"
        style={{ maxHeight: `max(${height}, var(--least-list))` }}
        onKeyDown={onKeyDown}
      >
        {departments.map(({ id, name, path, memberCount }) => (
          <li key={id}>
            <UnstyledButton
              className="org-result"
              aria-current={id === selected || undefined}
              title={pathText(path ?? [])}
              onClick={() => onSelect(id)}
            >
              <span className="cut">{name}</span>
              <span className="org-count">{memberCount > 0 && memberCount}</span>
              <Text component="span" size="xs" c="dimmed" className="cut">
                {pathText((path ?? []).slice(0, -1))}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {next !== null && (
        <Text size="xs" c="dimmed" p="xs">
          {pickers.more}
        </Text>
      )}
    </>
  )
}
