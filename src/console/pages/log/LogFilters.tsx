import { Group, Select, Text, TextInput } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { localTime } from '../../ui/time-text.ts'
import { textOf } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { instantOf, methods, ranges, results, useLogFilter } from './filter.ts'

/** What of the log is shown. */
export const LogFilters = () => {
  const { log } = usePageTexts('log')
  const { search, setSearch, range, method, result } = useLogFilter()
  const [q, setQ] = useTyped('q')
  const [user, setUser] = useTyped('user')
  const [path, setPath] = useTyped('path')
  const [address, setAddress] = useTyped('ip')
  const { filters } = log
  return (
    <Group gap="xs" role="search" aria-label={log.label}>
      <SearchInput value={q} onChange={setQ} label={log.search} />
      <Select
        aria-label={filters.range}
        w={152}
        data={ranges.map((value) => ({ value, label: filters.ranges[value] }))}
        value={range}
        allowDeselect={false}
        onChange={(value) => setSearch({ range: value === 'all' ? undefined : (value ?? undefined) })}
      />
      {range === 'own' &&
        (['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            aria-label={filters[name]}
            // A longer year would be one that the service does not know.
            max="9999-12-31T23:59"
            value={localTime(Date.parse(textOf(search[name])))}
            onChange={(event) => setSearch({ [name]: instantOf(event.currentTarget.value) }, { replace: true })}
            leftSection={
              <Text size="xs" c="dimmed" aria-hidden>
                {filters[name]}
              </Text>
            }
            leftSectionWidth={64}
            // Room for twelve hours with AM and PM, also in Firefox.
            w={296}
            maw="100%"
          />
        ))}
      <Select
        aria-label={filters.result}
        w={136}
        placeholder={log.anyResult}
        clearable
        data={results.map((value) => ({ value, label: log.results[value] }))}
        value={result ?? null}
        onChange={(value) => setSearch({ result: value ?? undefined })}
      />
      <Select
        aria-label={filters.method}
        w={152}
        placeholder={log.anyMethod}
        clearable
        data={[...methods]}
        value={method ?? null}
        onChange={(value) => setSearch({ method: value ?? undefined })}
      />
      <TextInput
        aria-label={filters.user}
        placeholder={filters.user}
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
        maxLength={255}
        w={128}
      />
      <TextInput
        aria-label={filters.path}
        placeholder={filters.path}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        maxLength={255}
        w={128}
      />
      <TextInput
        aria-label={filters.address}
        placeholder={filters.address}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        maxLength={64}
        w={140}
      />
    </Group>
  )
}
