import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Body } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { changeOwnPassword } from '../../generated/forms/changeOwnPassword.ts'
import { passwordLayout } from '../../hints/me.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { said } from '../../ui/notify.tsx'

/** Changing the own password, which needs the present one. */
export const Password = () => {
  const { password: texts } = usePageTexts('me').me
  const change = useChange('changeOwnPassword', ['getMe', 'listOwnSessions'])
  const [done, setDone] = useState(0)
  return (
    <Stack maw={480} gap="md">
      <Text c="dimmed">{texts.why}</Text>
      <ContractForm
        key={done}
        form={changeOwnPassword}
        layout={passwordLayout}
        submitText={texts.submit}
        submit={async (body) => {
          await change.mutateAsync({ body: body as Body<'changeOwnPassword'> })
          said(texts.done)
          setDone(done + 1)
        }}
      />
    </Stack>
  )
}
