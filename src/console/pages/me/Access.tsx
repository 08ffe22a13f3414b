import { Badge, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../app/language.tsx'
import { describe, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useSession } from '../../app/session.tsx'
import { calls, type OperationId } from '../../generated/calls.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { GrantedMenus } from '../../ui/GrantedMenus.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { Empty } from '../../ui/states.tsx'

/** The roles of the caller, and what they grant. */
export const Access = () => {
  const { states, grantedMenus } = useTexts()
  const { me: all, permissions } = usePageTexts('me', 'permissions')
  const { access: texts, tabs } = all
  const { me, may } = useSession()
  const [filter, setFilter] = useState('')
  const operationTexts = useOperationTexts()
  const nameOf = (id: OperationId): string => {
    const { method, url } = calls[id]
    return describe(operationTexts, { method, path: url.slice('/api'.length), remark: '' })
  }
  const granted = (Object.keys(calls) as OperationId[]).filter(may)
  const wanted = filter.trim().toLowerCase()
  const shown = granted.filter((id) =>
    `${id} ${nameOf(id)} ${calls[id].method} ${calls[id].url}`.toLowerCase().includes(wanted),
  )
  const columns: Column<OperationId>[] = [
    {
      id: 'name',
      title: tabs.access,
      width: 'minmax(160px, 1fr)',
      twoLines: true,
      render: (id) => <span title={id}>{nameOf(id)}</span>,
    },
    { id: 'method', title: permissions.apis.method, width: '88px', render: (id) => calls[id].method },
    {
      id: 'url',
      title: permissions.apis.path,
      width: 'minmax(240px, 2fr)',
      render: (id) => <span title={calls[id].url}>{calls[id].url}</span>,
    },
  ]
  return (
    <Stack gap="md">
      <Title order={2}>{texts.roles}</Title>
      {me.roles.length === 0 ? (
        <Text>{texts.none}</Text>
      ) : (
        <Group gap="xs">
          {me.roles.map(({ id, name, sort }) => (
            <Badge key={id} variant="light" tt="none" size="lg">
              {name} · {texts.rank(sort)}
            </Badge>
          ))}
        </Group>
      )}
      <Text c="dimmed">{texts.help}</Text>
      {may('getAccessMenuTree') && (
        <>
          <Title order={2}>{grantedMenus.title}</Title>
          <GrantedMenus userId={me.id} />
        </>
      )}
      <Title order={2}>{texts.operations(granted.length)}</Title>
      <TextInput
        aria-label={texts.filter}
        placeholder={texts.filter}
        leftSection={<SearchIcon />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        maw={320}
      />
      <DataTable
        label={texts.operations(granted.length)}
        columns={columns}
        rows={shown}
        keyOf={(id) => id}
        nameOf={(id) => id}
        empty={<Empty title={states.emptyFiltered} />}
        height="50vh"
      />
    </Stack>
  )
}
