import './filters.css'
import { Select, TextInput } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { useLabelOf } from './attribute.ts'
import type { Listed } from './chosen-columns.ts'

/** What the address says of a declared attribute; undefined: nothing. For the parameter `attribute` of a list. */
export const useHaving = (): string | undefined => {
  const [search] = useAddress()
  const name = textOf(search.having)
  return name === '' ? undefined : `${name}=${textOf(search.value)}`
}

/** Narrows a list down to the records whose declared attribute has a value, or contains a text. */
export const AttributeFilter = ({ attributes }: { attributes: readonly Listed[] }) => {
  const { attributes: texts, status } = usePageTexts('attributes')
  const labelOf = useLabelOf()
  const [search, setSearch] = useAddress()
  const [typed, setTyped] = useTyped('value')
  const name = textOf(search.having)
  const chosen = attributes.find((each) => each.name === name)
  if (attributes.length === 0 && name === '') return null
  // One that is gone is named as well, so that it can be taken out.
  const gone = name !== '' && chosen === undefined ? [{ value: name, label: name }] : []
  return (
    <>
      <Select
        className="filter"
        aria-label={texts.filter}
        placeholder={texts.filter}
        clearable
        searchable={attributes.length > 8}
        data={[...attributes.map((each) => ({ value: each.name, label: labelOf(each) })), ...gone]}
        value={name === '' ? null : name}
        onChange={(next) => {
          setTyped('')
          setSearch({ having: next ?? undefined, value: undefined })
        }}
      />
      {chosen?.type === 'boolean' && (
        <Select
          className="filter"
          aria-label={texts.filterValue(labelOf(chosen))}
          placeholder={texts.anyValue}
          clearable
          data={[
            { value: 'true', label: status.yes },
            { value: 'false', label: status.no },
          ]}
          value={typed === '' ? null : typed}
          onChange={(next) => setTyped(next ?? '')}
        />
      )}
      {chosen !== undefined && chosen.type !== 'boolean' && (
        <TextInput
          className="filter"
          aria-label={texts.filterValue(labelOf(chosen))}
          placeholder={texts.anyValue}
          maxLength={200}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </>
  )
}
