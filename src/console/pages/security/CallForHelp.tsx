import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import type { Body, Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { callForHelp } from '../../generated/forms/callForHelp.ts'
import { callForHelpLayout } from '../../hints/security.ts'
import { ContractForm, Declined } from '../../ui/ContractForm.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RecordDrawer } from '../../ui/RecordDrawer.tsx'
import { useAddress } from '../../ui/use-search.ts'

/** Raises an alert of the level danger at once; asks before, and says who is told. */
export const CallForHelp = () => {
  const { security, listed } = usePageTexts('security')
  const { emergency: texts } = security
  const may = useMay('callForHelp')
  const confirm = useConfirm()
  const [search, setSearch] = useAddress()
  const [receipt, setReceipt] = useState<Data<'callForHelp'> | null>(null)
  const call = useChange('callForHelp', ['searchAlerts', 'getScore', 'getOverview'])
  const close = (): void => {
    setReceipt(null)
    setSearch({ call: undefined })
  }
  const send = async (body: Body<'callForHelp'>): Promise<void> => {
    const question = { title: texts.confirm, consequence: texts.what, action: texts.send, danger: true }
    if (!(await confirm(question))) throw new Declined()
    setReceipt((await call.mutateAsync({ body })).data)
  }
  return (
    <RecordDrawer opened={may && search.call === true} onClose={close} title={texts.call} size={520}>
      {receipt === null ? (
        <ContractForm
          focusFirst
          form={callForHelp}
          layout={callForHelpLayout}
          labels={{ type: texts.type, description: texts.description }}
          submit={send}
          submitText={texts.send}
          onCancel={close}
        >
          <Text size="sm" c="dimmed">
            {texts.what}
          </Text>
        </ContractForm>
      ) : (
        <Alert color={receipt.notified.length === 0 ? 'yellow' : 'green'} role="status" title={texts.sent}>
          <Text>
            {receipt.notified.length === 0
              ? texts.noChannel
              : texts.by(listed(receipt.notified.map((channel) => texts.channels[channel])))}
          </Text>
          <PageLink to="/security/alerts" search={{ alert: receipt.alertId }}>
            {texts.open}
          </PageLink>
        </Alert>
      )}
    </RecordDrawer>
  )
}
