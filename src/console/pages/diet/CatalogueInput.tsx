import { Combobox, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'

export interface Offer<Item> {
  key: string
  name: string
  detail: string
  item: Item
}

interface CatalogueInputProps<Item> {
  label: string
  value: string
  onChange(value: string): void
  onPick(item: Item): void
  /** Looks for what is typed; not asked before the list is opened. */
  useOffers(q: string, enabled: boolean): { offers: readonly Offer<Item>[]; failure: unknown; loading: boolean }
  error?: string | undefined
  placeholder?: string
  /** The label is there for screen readers only. */
  bare?: boolean
}

/** A text that the service offers names for. Another text may stay: the service says then what it does not know. */
export const CatalogueInput = <Item,>({
  label,
  value,
  onChange,
  onPick,
  useOffers,
  error,
  placeholder,
  bare = false,
}: CatalogueInputProps<Item>) => {
  const { pickers } = usePageTexts('diet')
  const failureText = useFailureText()
  const [q] = useDebouncedValue(value.trim(), 200)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { offers, failure, loading } = useOffers(q, combobox.dropdownOpened)
  return (
    <Combobox
      store={combobox}
      shadow="md"
      onOptionSubmit={(key) => {
        const picked = offers.find((each) => each.key === key)
        if (picked !== undefined) onPick(picked.item)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target>
        <TextInput
          size="md"
          {...(bare ? { 'aria-label': label } : { label })}
          value={value}
          error={error}
          placeholder={placeholder}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => {
            onChange(event.currentTarget.value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={label}>
          {offers.map(({ key, name, detail }) => (
            <Combobox.Option key={key} value={key} py={10}>
              <Text component="span" display="block">
                {name}
              </Text>
              <Text component="span" display="block" size="xs" className="pick-detail">
                {detail}
              </Text>
            </Combobox.Option>
          ))}
          {offers.length === 0 && !loading && (
            <Combobox.Empty>{failure === null ? pickers.nothing : failureText(failure)}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
