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
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { useAddress } from '../../ui/use-search.ts'

/** Registers a device; its token is shown once, with a heartbeat to try. */
export const NewDevice = () => {
  const may = useMay('registerDevice')
  const [search] = useAddress()
  return may && search.new === true ? <Registration /> : null
}

const Registration = () => {
  const { devices: texts } = usePageTexts('security').security
  const [, setSearch] = useAddress()
  const [made, setMade] = useState<{ name: string; token: string } | null>(null)
  const register = useChange('registerDevice', ['listDevicesInFull', 'getScore'])
  const close = (): void => setSearch({ new: undefined })
  const save = async (body: Body<'registerDevice'>): Promise<void> => {
    const { data } = await register.mutateAsync({ body })
    setMade({ name: body.name, token: data.token })
  }
  return (
    <RecordDrawer
      opened
      onClose={close}
      title={made === null ? texts.register : texts.registered(made.name)}
      size={560}
    >
      {made === null ? (
        <ContractForm focusFirst form={registerDevice} layout={registerDeviceLayout} submit={save} onCancel={close} />
      ) : (
        <ShownOnce why={texts.once} action={texts.copied} onKept={close}>
          <Shown label={texts.token} text={made.token} />
          <Shown label={texts.example} text={heartbeat(made.token)} />
        </ShownOnce>
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
