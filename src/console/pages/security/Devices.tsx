import { Button, Stack, Text } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { usePages } from '../../app/paging.ts'
import { Granted } from '../../app/session.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Late } from '../../ui/Late.tsx'
import { useListed } from '../../ui/ListedRecord.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Empty, Failed, Loading, PageFor } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { DeviceDrawer } from './DeviceDrawer.tsx'
import { NewDevice } from './NewDevice.tsx'
import { SecurityPage } from './SecurityPage.tsx'

export type Device = Data<'listDevicesInFull'>['devices'][number]

/** The security devices, and the state that each reported last. */
export const Devices = () => (
  <PageFor operation="listDevicesInFull">
    <DevicesPage />
  </PageFor>
)

const useColumns = (): Column<Device>[] => {
  const { devices: texts } = usePageTexts('security').security
  const isPhone = useIsPhone()
  const all: (Column<Device> & { desk?: boolean })[] = [
    {
      id: 'name',
      title: texts.columns.name,
      width: 'minmax(120px, 2fr)',
      render: ({ name }) => <span title={name}>{name}</span>,
    },
    { id: 'type', title: texts.columns.type, width: 'minmax(80px, 1fr)', render: ({ type }) => type, desk: true },
    {
      id: 'location',
      title: texts.columns.location,
      width: 'minmax(120px, 2fr)',
      render: ({ location }) => <span title={location}>{location || '–'}</span>,
      desk: true,
    },
    {
      id: 'status',
      title: texts.columns.status,
      width: '110px',
      render: ({ status }) => <Meaning level={status === 'online' ? 'safe' : 'risk'}>{texts.statuses[status]}</Meaning>,
    },
    {
      id: 'battery',
      title: texts.columns.battery,
      width: '90px',
      end: true,
      render: ({ battery }) => (battery === null ? '–' : texts.percent(battery)),
    },
    {
      id: 'heard',
      title: texts.columns.heard,
      width: 'minmax(120px, 1fr)',
      render: ({ lastHeartbeatAt }) => <Time value={lastHeartbeatAt} />,
      desk: true,
    },
  ]
  return all.filter(({ desk }) => !isPhone || desk !== true)
}

const DevicesPage = () => {
  const { security, table } = usePageTexts('security')
  const { devices: texts } = security
  const [search, setSearch] = useAddress()
  const list = usePages('listDevicesInFull', { query: { limit: 100 } })
  const rows = list.pages?.flatMap(({ devices }) => devices) ?? []
  const open = numberOf(search.device)
  const listed = useListed('listDevicesInFull', open, list.query.isPending ? undefined : rows)
  const columns = useColumns()
  return (
    <SecurityPage
      room="devices"
      actions={
        <Granted to="registerDevice">
          <Button onClick={() => setSearch({ new: true })}>{texts.register}</Button>
        </Granted>
      }
    >
      <Stack gap="sm">
        {list.query.isError && <Failed error={list.query.error} retry={() => void list.query.refetch()} />}
        {list.pages === undefined ? (
          list.query.isPending && <Loading />
        ) : (
          <>
            <Text size="sm" c="dimmed" role="status">
              {table.total(list.total)}
            </Text>
            <DataTable
              label={texts.label}
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              nameOf={({ name }) => name}
              current={open}
              onOpen={({ id }) => setSearch({ device: id })}
              more={list.more}
              height="calc(100vh - 260px)"
              empty={<Empty title={texts.empty} help={texts.emptyHelp} />}
            />
          </>
        )}
      </Stack>
      <Late wanted={open !== undefined}>
        <DeviceDrawer id={open} listed={listed} onClose={() => setSearch({ device: undefined })} />
      </Late>
      <Late wanted={search.new === true}>
        <NewDevice />
      </Late>
    </SecurityPage>
  )
}
