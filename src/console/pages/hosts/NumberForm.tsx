import { Text } from '@mantine/core'
import type { Body } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { highest, useSession } from '../../app/session.tsx'
import { setPersonPosix } from '../../generated/forms/setPersonPosix.ts'
import { numberLayout } from '../../hints/hosts.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { Disclosed } from './Disclosed.tsx'

/** Whether the caller may set numbers. */
export const useMaySetNumber = (operation: 'setPersonPosix' | 'setDepartmentPosix'): boolean => {
  const { me, may } = useSession()
  return me.rank === highest && may(operation)
}

interface NumberFormProps {
  /** The present one, which cannot be changed; empty: none yet. */
  number: string
  set(body: Body<'setPersonPosix'>): Promise<unknown>
}

/** Sets the number of a person or group that has none. */
export const NumberForm = ({ number, set }: NumberFormProps) => {
  const { posix: texts } = usePageTexts('hosts').hosts
  return (
    // A form that is refused because another administrator was faster stays, with the number that came meanwhile above it.
    <Disclosed action={texts.setNumber} offered={number === ''}>
      {(close) => (
        <ContractForm
          form={setPersonPosix}
          layout={numberLayout}
          submitText={texts.setNumber}
          onCancel={close}
          submit={async (body) => {
            await set(body)
            notifyDone(texts.numberSet)
          }}
          onDone={close}
        >
          <Text size="xs" c="dimmed">
            {texts.numberHelp}
          </Text>
        </ContractForm>
      )}
    </Disclosed>
  )
}
