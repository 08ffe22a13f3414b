import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type Body, call, Failure } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useForgetSession, useSession } from '../../app/session.tsx'
import { noteSession } from '../../app/session-hint.ts'
import { changeOwnPassword } from '../../generated/forms/changeOwnPassword.ts'
import { passwordLayout } from '../../hints/me.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'

/** Changing the own password, which needs the present one. */
export const Password = () => {
  const { password: texts } = usePageTexts('me').me
  const change = useChange('changeOwnPassword')
  const signInAnew = useSignInAnew()
  const [done, setDone] = useState(0)
  return (
    <Stack maw={480} gap="md">
      <Text c="dimmed">{texts.why}</Text>
      <Text c="dimmed">{texts.rules}</Text>
      <ContractForm
        key={done}
        form={changeOwnPassword}
        layout={passwordLayout}
        submitText={texts.submit}
        submit={async (body) => {
          await change.mutateAsync({ body: body as Body<'changeOwnPassword'> })
          await signInAnew(body.newPassword)
          notifyDone(texts.done)
          setDone(done + 1)
        }}
      />
    </Stack>
  )
}

/** The service ends every session with a password, this one too: another one is opened, as far as no code is asked for. */
const useSignInAnew = (): ((password: string) => Promise<void>) => {
  const { username } = useSession().me
  const forgetSession = useForgetSession()
  return async (password) => {
    try {
      await call('openConsoleSession', { body: { username, password } })
      noteSession(true)
    } catch (error) {
      // The page then asks to sign in again.
      if (!(error instanceof Failure)) throw error
    }
    await forgetSession({ keep: true })
  }
}
