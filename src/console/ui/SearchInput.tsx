import { ActionIcon, TextInput } from '@mantine/core'
import { useTexts } from '../app/language.tsx'
import { CloseIcon, SearchIcon } from './icons.tsx'

interface SearchInputProps {
  value: string
  onChange(value: string): void
  /** What is searched: "Name or path". */
  label: string
}

/** A text to search by. */
export const SearchInput = ({ value, onChange, label }: SearchInputProps) => {
  const { actions } = useTexts()
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<SearchIcon />}
      rightSection={
        value === '' ? null : (
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={actions.clear} onClick={() => onChange('')}>
            <CloseIcon />
          </ActionIcon>
        )
      }
      maxLength={200}
      enterKeyHint="search"
      style={{ flex: '1 1 220px', maxWidth: 360 }}
    />
  )
}
