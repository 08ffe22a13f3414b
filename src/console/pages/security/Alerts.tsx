import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { usePages } from '../../app/paging.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Late } from '../../ui/Late.tsx'
import { useListed } from '../../ui/ListedRecord.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Empty, Failed, Loading, PageFor } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { numberOf } from '../../ui/use-search.ts'
import { AlertDrawer } from './AlertDrawer.tsx'
import { type Alert, useAlertTexts } from './alert-texts.ts'
import { levels, ranges, states, useAlertFilter } from './filter.ts'
import { levelMeanings } from './levels.ts'
import { SecurityPage } from './SecurityPage.tsx'

/** What an administrator has to look at. */
export const Alerts = () => (
  <PageFor operation="searchAlerts">
    <AlertsPage />
  </PageFor>
)

const useColumns = (state: (typeof states)[number]): Column<Alert>[] => {
  const { alerts: texts } = usePageTexts('security').security
  const { titleOf, textOf } = useAlertTexts()
  const isPhone = useIsPhone()
  return [
    {
      id: 'title',
      title: texts.columns.title,
      width: isPhone ? 'minmax(150px, 1fr)' : 'minmax(200px, 2fr)',
      twoLines: true,
      render: (alert: Alert) => (
        <Meaning level={levelMeanings[alert.level]}>
          <span title={titleOf(alert)}>{titleOf(alert)}</span>
        </Meaning>
      ),
    },
    ...(isPhone
      ? []
      : [
          {
            id: 'text',
            title: texts.columns.text,
            width: 'minmax(240px, 4fr)',
            render: (alert: Alert) => <span title={textOf(alert)}>{textOf(alert)}</span>,
          },
        ]),
    ...(state === 'open'
      ? []
      : [
          {
            id: 'state',
            title: texts.columns.state,
            width: 'minmax(110px, 1fr)',
            render: ({ handledBy, handledAt }: Alert) =>
              handledAt === null
                ? texts.open
                : texts.handledBy(handledBy === 'system' ? texts.system : (handledBy ?? '–')),
          },
        ]),
    {
      id: 'raised',
      title: texts.columns.raised,
      width: 'minmax(90px, 1fr)',
      render: ({ raisedAt }) => <Time value={raisedAt} />,
    },
  ]
}

const AlertsPage = () => {
  const { security, states: stateTexts, actions, table } = usePageTexts('security')
  const { alerts: texts } = security
  const { titleOf } = useAlertTexts()
  const { search, setSearch, state, query, isFiltered } = useAlertFilter()
  const list = usePages('searchAlerts', { query })
  const mayHandle = useMay('handleAlerts')
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  const rows = list.pages?.flatMap(({ alerts }) => alerts) ?? []
  const open = numberOf(search.alert)
  const listed = useListed('searchAlerts', open, list.query.isPending ? undefined : rows)
  const chosen = rows.filter(({ id, handledAt }) => selected.has(id) && handledAt === null).map(({ id }) => id)
  const columns = useColumns(state)
  return (
    <SecurityPage room="alerts">
      <Stack gap="sm">
        <AlertFilters />
        {list.query.isError && <Failed error={list.query.error} retry={() => void list.query.refetch()} />}
        {list.pages === undefined ? (
          list.query.isPending && <Loading />
        ) : (
          <>
            <Group gap="xs" mih={32}>
              {chosen.length === 0 ? (
                <Text size="sm" c="dimmed" role="status">
                  {table.total(list.total)}
                </Text>
              ) : (
                <HandleMany ids={chosen} onDone={() => setSelected(new Set())} />
              )}
            </Group>
            <DataTable
              label={texts.label}
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              nameOf={(alert) => titleOf(alert)}
              current={open}
              onOpen={({ id }) => setSearch({ alert: id })}
              {...(mayHandle &&
                state !== 'handled' && {
                  selected,
                  onSelect: setSelected,
                  lockedOf: ({ handledAt, handledBy }: Alert) =>
                    handledAt === null ? undefined : texts.handledBy(handledBy ?? ''),
                })}
              more={list.more}
              height="calc(100vh - 300px)"
              empty={
                isFiltered ? (
                  <Empty title={stateTexts.emptyFiltered}>
                    <Button variant="default" onClick={() => setSearch({ level: undefined, range: undefined })}>
                      {actions.clearFilters}
                    </Button>
                  </Empty>
                ) : (
                  <Empty title={state === 'open' ? texts.noneOpen : texts.empty} help={texts.emptyHelp} />
                )
              }
            />
          </>
        )}
      </Stack>
      <Late wanted={open !== undefined}>
        <AlertDrawer id={open} listed={listed} onClose={() => setSearch({ alert: undefined })} />
      </Late>
    </SecurityPage>
  )
}

const AlertFilters = () => {
  const { security } = usePageTexts('security')
  const { alerts: texts } = security
  const { state, level, range, setSearch } = useAlertFilter()
  return (
    <Group gap="xs" role="search" aria-label={texts.label}>
      <Select
        aria-label={texts.state}
        w={152}
        data={states.map((value) => ({ value, label: texts[value] }))}
        value={state}
        allowDeselect={false}
        onChange={(value) => setSearch({ state: value === 'open' ? undefined : (value ?? undefined) })}
      />
      <Select
        aria-label={texts.level}
        w={152}
        placeholder={texts.anyLevel}
        clearable
        data={levels.map((value) => ({ value, label: security.levels[value] }))}
        value={level ?? null}
        onChange={(value) => setSearch({ level: value ?? undefined })}
      />
      <Select
        aria-label={texts.range}
        w={170}
        data={ranges.map((value) => ({ value, label: texts.ranges[value] }))}
        value={range}
        allowDeselect={false}
        onChange={(value) => setSearch({ range: value === 'all' ? undefined : (value ?? undefined) })}
      />
    </Group>
  )
}

const HandleMany = ({ ids, onDone }: { ids: readonly number[]; onDone(): void }) => {
  const { security, table } = usePageTexts('security')
  const { alerts: texts } = security
  const confirm = useConfirm()
  const failureText = useFailureText()
  const handle = useChange('handleAlerts', ['searchAlerts', 'getScore', 'getOverview'])
  const start = async (): Promise<void> => {
    const title = texts.handleMany(ids.length)
    if (!(await confirm({ title, consequence: texts.handleConsequence(ids.length), action: texts.handle }))) return
    handle.mutate(
      { body: { ids: [...ids] } },
      {
        onSuccess: ({ data }) => {
          notifyDone(data.handled === 0 ? texts.already : texts.done(data.handled))
          onDone()
        },
        onError: (error) => notifyFailure(failureText(error)),
      },
    )
  }
  return (
    <Group gap="xs" role="toolbar" aria-label={texts.label}>
      <Text size="sm" fw={600}>
        {table.selected(ids.length)}
      </Text>
      <Button variant="default" loading={handle.isPending} onClick={() => void start()}>
        {texts.handle}
      </Button>
    </Group>
  )
}
