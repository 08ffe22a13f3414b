import { ActionIcon, Button, Group, Menu, TextInput, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SafeShape, ViewIcon } from '../../ui/icons.tsx'
import type { SearchValues } from '../../ui/use-search.ts'
import { type PeopleFilter, viewNames } from './filter.ts'
import { useKept } from './kept.ts'

interface View {
  name: string
  search: SearchValues
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' && 'search' in value

const readViews = (kept: unknown): View[] => (Array.isArray(kept) ? kept.filter(isView) : [])

const viewOf = (search: SearchValues): SearchValues =>
  Object.fromEntries(viewNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))

/** Filters under a name, kept in this browser. */
export const SavedViews = ({ search, setSearch }: Pick<PeopleFilter, 'search' | 'setSearch'>) => {
  const { actions, fields } = useTexts()
  const { people } = usePageTexts('people')
  const [views, keep] = useKept('people.views', readViews)
  const [naming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const nothing: SearchValues = Object.fromEntries(viewNames.map((each) => [each, undefined]))
  const here = JSON.stringify(viewOf(search))
  const active = views.find((view) => JSON.stringify(viewOf(view.search)) === here)
  const isTaken = views.some((view) => view.name === name.trim())
  const save = (): void => {
    const view = { name: name.trim(), search: viewOf(search) }
    keep([...views.filter((each) => each.name !== view.name), view])
    setNaming(false)
  }
  return (
    <>
      <Menu position="bottom-end" width={240} shadow="md">
        <Menu.Target>
          <Tooltip label={people.views.title}>
            <ActionIcon variant="default" size="input-sm" aria-label={people.views.title}>
              <ViewIcon />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{people.views.none}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              title={view.name}
              aria-current={view === active || undefined}
              rightSection={view === active && <SafeShape width={12} />}
              onClick={() => setSearch({ ...nothing, ...view.search })}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            onClick={() => {
              setName('')
              setNaming(true)
            }}
          >
            {people.views.save}
          </Menu.Item>
          {active !== undefined && (
            <Menu.Item className="danger-item" onClick={() => keep(views.filter((each) => each !== active))}>
              {people.views.remove(active.name)}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={naming} onClose={() => setNaming(false)} title={people.views.save}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '') save()
          }}
        >
          <TextInput
            label={fields.name}
            description={isTaken ? people.views.replaces : people.views.help}
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group mt="md" justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setNaming(false)}>
              {actions.cancel}
            </Button>
            <Button type="submit" disabled={name.trim() === ''}>
              {actions.save}
            </Button>
          </Group>
        </form>
      </Dialog>
    </>
  )
}
