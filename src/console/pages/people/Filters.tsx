import { Button, Select } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useMay } from '../../app/session.tsx'
import { RolePicker } from '../../ui/RolePicker.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { useTyped } from '../../ui/use-typed.ts'
import { AttributeFilter } from '../attributes/AttributeFilter.tsx'
import type { Listed } from '../attributes/chosen-columns.ts'
import { sourceText } from './columns.tsx'
import { type PeopleFilter, sources } from './filter.ts'

interface FiltersProps {
  filter: PeopleFilter
  /** The declared attributes that the list told of. */
  attributes: readonly Listed[]
}

/** What narrows the list down; all of it is in the address. */
export const Filters = ({ filter, attributes }: FiltersProps) => {
  const texts = usePageTexts('people')
  const { people, fields, status, actions } = texts
  const { setSearch } = filter
  const [q, setQ] = useTyped('q')
  const sourceNames = [...new Set([...sources, ...(filter.source === '' ? [] : [filter.source])])]
  return (
    <div className="filters" role="search">
      <SearchInput label={people.filters.search} value={q} onChange={setQ} />
      {/* It comes with the list: it takes its place from the search, and moves none of the others. */}
      <AttributeFilter attributes={attributes} />
      <Select
        className="filter"
        aria-label={fields.status}
        placeholder={fields.status}
        clearable
        data={[
          { value: 'enabled', label: status.enabled },
          { value: 'disabled', label: status.disabled },
        ]}
        value={filter.status ?? null}
        onChange={(value) => setSearch({ status: value ?? undefined })}
      />
      <RoleFilter filter={filter} />
      <Select
        className="filter"
        aria-label={fields.source}
        placeholder={fields.source}
        clearable
        data={sourceNames.map((value) => ({ value, label: sourceText(texts, value) }))}
        value={filter.source || null}
        onChange={(value) => setSearch({ source: value ?? undefined })}
      />
      <Select
        className="filter"
        aria-label={people.columns.sync}
        placeholder={people.columns.sync}
        clearable
        data={(['synced', 'waiting', 'refused'] as const).map((value) => ({ value, label: people.sync[value] }))}
        value={filter.sync ?? null}
        onChange={(value) => setSearch({ sync: value ?? undefined })}
      />
      {filter.isFiltered && (
        <Button
          variant="subtle"
          onClick={() => {
            setQ('')
            filter.clear()
          }}
        >
          {actions.clearFilters}
        </Button>
      )}
    </div>
  )
}

const RoleFilter = ({ filter: { role, setSearch } }: { filter: PeopleFilter }) => {
  const { fields } = useTexts()
  const may = useMay('listRoles')
  if (!may) return null
  return (
    <div className="filter">
      <RolePicker
        bare
        single
        label={fields.roleIds}
        placeholder={fields.roleIds}
        value={role === undefined ? [] : [role]}
        onChange={([id]) => setSearch({ role: id })}
      />
    </div>
  )
}
