import { CheckIcon, Combobox, Group, Loader, Pill, PillsInput, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTexts } from '../app/language.tsx'

/** A record as a picker shows it. */
export interface Choice {
  id: number
  name: string
  /** What tells it from others of the same name. */
  detail?: string
}

/** What a search has found so far. */
export interface Found {
  choices: readonly Choice[]
  /** How many more there are; null where that is not known. */
  beyond: number | null
  loading: boolean
  /** Why nothing could be found, in words. */
  failure?: string | undefined
}

export interface PickerProps {
  label: string
  /** The ids of the picked records. */
  value: readonly number[]
  /** The records that ids belong to are passed on, so that the page can show their names. */
  onChange(value: number[], choices: Choice[]): void
  /** The names of ids that were picked before. */
  known?: readonly Choice[] | undefined
  /** One record at most. */
  single?: boolean
  /** Records that are not offered. */
  exclude?: readonly number[]
  description?: string | undefined
  error?: string | undefined
  placeholder?: string
  required?: boolean
  disabled?: boolean
  /** In a dialog: the focus begins here. */
  autoFocus?: boolean
  /** The label is there for screen readers only. */
  bare?: boolean
  size?: 'xs' | 'sm'
}

/**
 * Picks records that the service searches for: what is typed is looked for there, so it does not matter how many there are.
 * The arrow keys and Enter pick, Backspace takes the last one away.
 */
export const RecordPicker = ({
  label,
  value,
  onChange,
  known = [],
  single = false,
  exclude = [],
  description,
  error,
  placeholder,
  required = false,
  disabled = false,
  autoFocus = false,
  bare = false,
  size = 'sm',
  useFound,
}: PickerProps & {
  /** Looks for records; not asked before the list is opened. */
  useFound(q: string, enabled: boolean): Found
}) => {
  const { pickers, actions } = useTexts()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 200)
  const [names, setNames] = useState<ReadonlyMap<number, Choice>>(new Map())
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  // What was marked may be gone with the records of the search before: Enter would pick what stands in its place.
  useEffect(() => combobox.updateSelectedOptionIndex())
  const found = useFound(q, combobox.dropdownOpened)
  const offered = found.choices.filter(({ id }) => !exclude.includes(id))
  const choiceOf = (id: number): Choice =>
    names.get(id) ?? known.find((each) => each.id === id) ?? { id, name: `#${id}` }

  const set = (ids: number[]): void => onChange(ids, ids.map(choiceOf))
  const pick = (choice: Choice): void => {
    const choices = new Map(names).set(choice.id, choice)
    setNames(choices)
    setTyped('')
    const next = value.includes(choice.id)
      ? value.filter((id) => id !== choice.id)
      : single
        ? [choice.id]
        : [...value, choice.id]
    onChange(
      next,
      next.map((id) => choices.get(id) ?? choiceOf(id)),
    )
    if (single) combobox.closeDropdown()
  }
  return (
    <Combobox
      store={combobox}
      shadow="md"
      onOptionSubmit={(chosen) => {
        const choice = offered.find(({ id }) => String(id) === chosen)
        if (choice !== undefined) pick(choice)
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          size={size}
          {...(!bare && { label })}
          description={description}
          error={error}
          required={required}
          disabled={disabled}
          rightSection={found.loading ? <Loader size={14} /> : <Combobox.Chevron />}
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group>
            {value.map((id) => {
              const { name, detail } = choiceOf(id)
              return (
                <Pill
                  key={id}
                  withRemoveButton={!disabled}
                  title={detail === undefined ? name : `${name} · ${detail}`}
                  removeButtonProps={{ 'aria-label': pickers.takeAway(name), 'aria-hidden': false, tabIndex: 0 }}
                  onRemove={() => set(value.filter((each) => each !== id))}
                >
                  {name}
                </Pill>
              )
            })}
            <Combobox.EventsTarget>
              <PillsInput.Field
                aria-label={label}
                {...(autoFocus && { 'data-autofocus': true })}
                value={typed}
                disabled={disabled}
                placeholder={value.length > 0 && single ? '' : (placeholder ?? actions.search)}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={(event) => {
                  setTyped(event.currentTarget.value)
                  combobox.openDropdown()
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Backspace' || typed !== '' || value.length === 0) return
                  event.preventDefault()
                  set(value.slice(0, -1))
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Offered label={label} choices={offered} value={value} found={found} />
    </Combobox>
  )
}

interface OfferedProps extends Pick<PickerProps, 'label' | 'value'> {
  choices: readonly Choice[]
  found: Found
}

/** What a search has found, to pick from. */
const Offered = ({ label, value, choices, found }: OfferedProps) => {
  const { pickers } = useTexts()
  return (
    <Combobox.Dropdown>
      <Combobox.Options aria-label={label}>
        {choices.map((choice) => (
          <Combobox.Option key={choice.id} value={String(choice.id)} active={value.includes(choice.id)}>
            <Group gap="xs" wrap="nowrap">
              {value.includes(choice.id) && <CheckIcon size={10} />}
              <span className="cut" title={choice.name}>
                {choice.name}
              </span>
              {choice.detail !== undefined && (
                <Text component="span" size="xs" className="cut pick-detail" title={choice.detail}>
                  {choice.detail}
                </Text>
              )}
            </Group>
          </Combobox.Option>
        ))}
        {choices.length === 0 && !found.loading && <Combobox.Empty>{found.failure ?? pickers.nothing}</Combobox.Empty>}
      </Combobox.Options>
      {found.beyond !== 0 && choices.length > 0 && (
        <Combobox.Footer>
          <Text size="xs" c="dimmed">
            {pickers.more}
          </Text>
        </Combobox.Footer>
      )}
    </Combobox.Dropdown>
  )
}
