import { Button, Group, Stack, Text } from '@mantine/core'
import type { Body } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { updateDevice } from '../../generated/forms/updateDevice.ts'
import { updateDeviceLayout } from '../../hints/security.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { type Listed, ListedRecord } from '../../ui/ListedRecord.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Device } from './Devices.tsx'

interface DeviceDrawerProps {
  /** Undefined: none is open. */
  id: number | undefined
  listed: Listed<Device>
  onClose(): void
}

/** A device: what it reported, its name and place, and its removal. */
export const DeviceDrawer = ({ id, listed, onClose }: DeviceDrawerProps) => {
  const { security, states } = usePageTexts('security')
  return (
    <RecordDrawer
      opened={id !== undefined}
      onClose={onClose}
      title={listed.record?.name ?? security.devices.title(id ?? 0)}
      size={520}
    >
      <ListedRecord listed={listed} gone={states.gone}>
        {(device) => <Details key={device.id} device={device} onClose={onClose} />}
      </ListedRecord>
    </RecordDrawer>
  )
}

const changed = ['listDevicesInFull', 'getScore', 'searchAlerts'] as const

const Details = ({ device, onClose }: { device: Device; onClose(): void }) => {
  const { devices: texts } = usePageTexts('security').security
  const failureText = useFailureText()
  const confirm = useConfirm()
  const mayUpdate = useMay('updateDevice')
  const update = useChange('updateDevice', changed)
  const set = useChange('setDeviceStatus', changed)
  const remove = useChange('removeDevice', changed)
  const { id, name, type, location, status, battery, lastHeartbeatAt, createdAt, creator } = device
  const complain = (error: unknown): void => notifyFailure(failureText(error))
  const other = status === 'online' ? 'offline' : 'online'
  const save = async (body: Body<'updateDevice'>): Promise<void> => {
    await update.mutateAsync({ path: { id }, body })
    notifyDone(texts.changed(body.name ?? name))
  }
  const takeAway = async (): Promise<void> => {
    const question = { title: texts.remove, consequence: texts.removeWhy(name), action: texts.remove, danger: true }
    if (!(await confirm(question))) return
    remove.mutate(
      { path: { id } },
      {
        onSuccess: () => {
          notifyDone(texts.removed(name))
          onClose()
        },
        onError: complain,
      },
    )
  }
  return (
    <Stack gap="md">
      <dl className="facts">
        <dt>{texts.columns.status}</dt>
        <dd>
          <Meaning level={status === 'online' ? 'safe' : 'risk'}>{texts.statuses[status]}</Meaning>
        </dd>
        <dt>{texts.columns.battery}</dt>
        <dd>{battery === null ? texts.noBattery : texts.percent(battery)}</dd>
        <dt>{texts.columns.heard}</dt>
        <dd>
          <Time value={lastHeartbeatAt} />
        </dd>
        <dt>{texts.columns.type}</dt>
        <dd>{type}</dd>
        <dt>{texts.created}</dt>
        <dd>
          <Time value={createdAt} />
        </dd>
        <dt>{texts.by}</dt>
        <dd>{creator || '–'}</dd>
      </dl>
      <ContractForm
        form={updateDevice}
        layout={updateDeviceLayout}
        initial={{ name, location }}
        submit={save}
        readOnly={!mayUpdate}
      />
      <Granted to="setDeviceStatus">
        <Stack gap={4}>
          <Group>
            <Button
              variant="default"
              loading={set.isPending}
              onClick={() =>
                set.mutate(
                  { path: { id }, body: { status: other } },
                  { onSuccess: () => notifyDone(texts.changed(name)), onError: complain },
                )
              }
            >
              {other === 'online' ? texts.setOnline : texts.setOffline}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            {texts.statusWhy}
          </Text>
        </Stack>
      </Granted>
      <Granted to="removeDevice">
        <Group>
          <Button variant="default" className="danger-item" loading={remove.isPending} onClick={() => void takeAway()}>
            {texts.remove}
          </Button>
        </Group>
      </Granted>
    </Stack>
  )
}
