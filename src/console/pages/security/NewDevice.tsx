import { Alert, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { addressOf, type Body } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { registerDevice } from '../../generated/forms/registerDevice.ts'
import { registerDeviceLayout } from '../../hints/security.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { useAddress } from '../../ui/use-search.ts'

/** Registers a device; its token is shown once, with a heartbeat to try. */
export const NewDevice = () => {
  const { devices: texts } = usePageTexts('security').security
  const may = useMay('registerDevice')
  const [search, setSearch] = useAddress()
  const [made, setMade] = useState<{ name: string; token: string } | null>(null)
  const register = useChange('registerDevice', ['listDevicesInFull', 'getScore'])
  const close = (): void => {
    setMade(null)
    setSearch({ new: undefined })
  }
  const save = async (body: Body<'registerDevice'>): Promise<void> => {
    const { data } = await register.mutateAsync({ body })
    setMade({ name: body.name, token: data.token })
  }
  return (
    <RecordDrawer
      opened={may && search.new === true}
      onClose={close}
      title={made === null ? texts.register : texts.registered(made.name)}
      size={560}
    >
      {made === null ? (
        <ContractForm focusFirst form={registerDevice} layout={registerDeviceLayout} submit={save} onCancel={close} />
      ) : (
        <Stack gap="md">
          <Alert color="yellow" role="status">
            {texts.once}
          </Alert>
          <Shown label={texts.token} text={made.token} />
          <Shown label={texts.example} text={heartbeat(made.token)} />
          <Group justify="flex-end">
            <Button onClick={close}>{texts.copied}</Button>
          </Group>
        </Stack>
      )}
    </RecordDrawer>
  )
}

const heartbeat = (token: string): string =>
  [
    `curl -X POST '${addressOf('sendHeartbeat')}' \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    "  -H 'Content-Type: application/json' \\",
    '  -d \'{"battery": 76}\'',
  ].join('\n')
