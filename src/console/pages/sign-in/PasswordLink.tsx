import { Alert, Button, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { useNewPassword } from './new-password.tsx'
import { Problem } from './Problem.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { useAttempt } from './use-attempt.ts'

/** What a mailed link opens. Its token stands behind the #, which no browser sends, and goes out of the address at once. */
export const PasswordLink = () => {
  const { link, forgot } = useTexts().signIn
  const [token] = useState(() => window.location.hash.slice(1))
  const { password, isRepeated, inputs } = useNewPassword()
  const [done, setDone] = useState(false)
  const { busy, failure, attempt } = useAttempt()
  useEffect(() => window.history.replaceState(window.history.state, '', window.location.pathname), [])
  return (
    <SignInFrame title={link.title} help={link.why}>
      {token === '' && (
        <Alert color="red" p="xs" role="alert">
          {link.missing}
        </Alert>
      )}
      {done && (
        <Text role="status" mb="md">
          {link.done}
        </Text>
      )}
      {token !== '' && !done && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (!isRepeated()) return
            void attempt(async () => {
              await call('setPasswordByLink', { body: { token, newPassword: password } })
              setDone(true)
            })
          }}
        >
          <Stack gap="sm">
            {inputs}
            <Problem failure={failure} />
            <Button type="submit" loading={busy} fullWidth size="sm">
              {link.submit}
            </Button>
          </Stack>
        </form>
      )}
      <PageLink to="/" mt="md" display="block">
        {forgot.toSignIn}
      </PageLink>
    </SignInFrame>
  )
}
