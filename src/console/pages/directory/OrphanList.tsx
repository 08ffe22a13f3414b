import { Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { useNumberedPages } from '../../app/paging.ts'
import { useSession } from '../../app/session.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { textOf } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { type AllAction, AllDialog } from './AllDialog.tsx'
import { Decide } from './Decide.tsx'
import { OrphanDrawer, OrphanRecord } from './OrphanDrawer.tsx'
import { kinds, type Orphan, states, useObstacleText, useOrphanFilter } from './orphan-text.ts'

const useColumns = (): Column<Orphan>[] => {
  const { orphans: texts } = usePageTexts('directory').directory
  const obstacleText = useObstacleText()
  const isPhone = useIsPhone()
  const dn: Column<Orphan> = {
    id: 'dn',
    title: texts.columns.dn,
    width: isPhone ? 'minmax(150px, 2fr)' : 'minmax(240px, 3fr)',
    render: (orphan) => (
      <Group gap={4} wrap="nowrap">
        <Text span truncate className="mono" title={orphan.dn}>
          {orphan.dn}
        </Text>
        <Copy text={orphan.dn} />
      </Group>
    ),
  }
  const record: Column<Orphan> = {
    id: 'record',
    title: texts.columns.record,
    width: isPhone ? 'minmax(100px, 1fr)' : 'minmax(200px, 3fr)',
    render: (orphan) =>
      orphan.obstacle === null ? (
        <OrphanRecord orphan={orphan} />
      ) : (
        <Text truncate c="dimmed" title={obstacleText(orphan)}>
          {obstacleText(orphan)}
        </Text>
      ),
  }
  const kind: Column<Orphan> = {
    id: 'kind',
    title: texts.columns.kind,
    width: '90px',
    render: (orphan) => texts.kinds[orphan.kind],
  }
  return isPhone ? [dn, record] : [dn, kind, record]
}

/** The entries that belong to no record, and what is decided about them. */
export const OrphanList = () => {
  const { directory, states: stateTexts, actions } = usePageTexts('directory')
  const { orphans: texts } = directory
  const { search, setSearch, state, filter, isFiltered } = useOrphanFilter()
  const list = useNumberedPages('listOrphans', { query: { ...filter, state } })
  const columns = useColumns()
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  const rows = list.pages?.flatMap(({ orphans }) => orphans) ?? []
  const chosen = rows.filter(({ dn }) => selected.has(dn))
  const open = textOf(search.entry)
  const done = (): void => setSelected(new Set())
  return (
    <Stack gap="sm" component="section" aria-label={texts.title}>
      <Title order={2}>{texts.title}</Title>
      <Text c="dimmed">{texts.help}</Text>
      <OrphanFilters />
      {list.query.isError && <Failed error={list.query.error} retry={() => void list.query.refetch()} />}
      {list.pages === undefined ? (
        list.query.isPending && <Loading />
      ) : (
        <>
          <Toolbar total={list.total} chosen={chosen} onDone={done} />
          <DataTable
            label={texts.label}
            columns={columns}
            rows={rows}
            keyOf={({ dn }) => dn}
            nameOf={({ dn }) => dn}
            current={open}
            onOpen={({ dn }) => setSearch({ entry: dn })}
            selected={selected}
            onSelect={setSelected}
            more={list.more}
            height="max(320px, calc(100vh - 520px))"
            empty={
              isFiltered ? (
                <Empty title={stateTexts.emptyFiltered}>
                  <Button variant="default" onClick={() => setSearch({ kind: undefined, text: undefined })}>
                    {actions.clearFilters}
                  </Button>
                </Empty>
              ) : state === 'ignored' ? (
                <Empty title={texts.noneIgnored} />
              ) : (
                <Empty title={texts.none} help={texts.noneHelp} />
              )
            }
          />
        </>
      )}
      <OrphanDrawer
        dn={open}
        orphan={rows.find(({ dn }) => dn === open)}
        onClose={() => setSearch({ entry: undefined })}
      />
    </Stack>
  )
}

const OrphanFilters = () => {
  const { orphans: texts } = usePageTexts('directory').directory
  const { state, kind, setSearch } = useOrphanFilter()
  const [text, setText] = useTyped('text')
  return (
    <Group gap="xs" role="search" aria-label={texts.label}>
      <SearchInput label={texts.search} value={text} onChange={setText} />
      <Select
        aria-label={texts.state}
        w={152}
        data={states.map((value) => ({ value, label: texts.states[value] }))}
        value={state}
        allowDeselect={false}
        onChange={(value) => setSearch({ state: value === 'open' ? undefined : (value ?? undefined) })}
      />
      <Select
        aria-label={texts.kind}
        w={152}
        placeholder={texts.anyKind}
        clearable
        data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        value={kind ?? null}
        onChange={(value) => setSearch({ kind: value ?? undefined })}
      />
    </Group>
  )
}

interface ToolbarProps {
  total: number
  chosen: readonly Orphan[]
  onDone(): void
}

/** What can be done with the selected entries, or else with all that match. */
const Toolbar = ({ total, chosen, onDone }: ToolbarProps) => {
  const { directory, table } = usePageTexts('directory')
  const { orphans: texts } = directory
  const { may } = useSession()
  const { state } = useOrphanFilter()
  const [action, setAction] = useState<AllAction | null>(null)
  // A preview takes in all open entries to ignore, which are more than this state shows.
  const offered = { open: ['adopt', 'ignore'], adoptable: ['adopt'], ignored: [] } as const
  const granted = { adopt: may('adoptOrphans'), ignore: may('ignoreOrphans') }
  return (
    <Group gap="xs" mih={32} role="toolbar" aria-label={texts.label}>
      {chosen.length > 0 ? (
        <>
          <Text size="sm" fw={600}>
            {table.selected(chosen.length)}
          </Text>
          <Decide orphans={chosen} onDone={onDone} />
        </>
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            {texts.total(total)}
          </Text>
          {total > 0 &&
            may('previewOrphans') &&
            offered[state]
              .filter((each) => granted[each])
              .map((each) => (
                <Button key={each} variant="default" onClick={() => setAction(each)}>
                  {texts.all[each]}
                </Button>
              ))}
        </>
      )}
      <AllDialog
        action={action}
        onClose={() => setAction(null)}
        onDone={() => {
          setAction(null)
          onDone()
        }}
      />
    </Group>
  )
}
