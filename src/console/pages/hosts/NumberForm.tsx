import { Text } from '@mantine/core'
import type { Body } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { highest, useSession } from '../../app/session.tsx'
import { setDepartmentPosix } from '../../generated/forms/setDepartmentPosix.ts'
import { setPersonPosix } from '../../generated/forms/setPersonPosix.ts'
import { groupNumberLayout, personNumberLayout } from '../../hints/hosts.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { said } from '../../ui/notify.tsx'
import { Disclosed } from './Disclosed.tsx'

/** Whether the caller may set numbers. */
export const useMaySetNumber = (operation: 'setPersonPosix' | 'setDepartmentPosix'): boolean => {
  const { me, may } = useSession()
  return me.rank === highest && may(operation)
}

export const PersonNumber = ({ set }: { set(body: Body<'setPersonPosix'>): Promise<unknown> }) => {
  const { posix: texts } = usePageTexts('hosts').hosts
  return (
    <Disclosed action={texts.setNumber}>
      {(close) => (
        <ContractForm
          form={setPersonPosix}
          layout={personNumberLayout}
          submitText={texts.setNumber}
          onCancel={close}
          submit={async (body) => {
            await set(body)
            said(texts.numberSet)
            close()
          }}
        >
          <Help />
        </ContractForm>
      )}
    </Disclosed>
  )
}

interface GroupNumberProps {
  switchedOn: boolean
  set(body: Body<'setDepartmentPosix'>): Promise<unknown>
}

export const GroupNumber = ({ switchedOn, set }: GroupNumberProps) => {
  const { posix: texts } = usePageTexts('hosts').hosts
  return (
    <Disclosed action={texts.setNumber}>
      {(close) => (
        <ContractForm
          form={setDepartmentPosix}
          layout={groupNumberLayout}
          initial={{ enabled: switchedOn }}
          submitText={texts.setNumber}
          onCancel={close}
          submit={async (body) => {
            await set(body)
            said(texts.numberSet)
            close()
          }}
        >
          <Help />
        </ContractForm>
      )}
    </Disclosed>
  )
}

const Help = () => {
  const { posix: texts } = usePageTexts('hosts').hosts
  return (
    <Text size="xs" c="dimmed">
      {texts.numberHelp}
    </Text>
  )
}
