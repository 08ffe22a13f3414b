import { Alert, Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { Problem } from './Problem.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { useAttempt } from './use-attempt.ts'

/** What a mailed link opens. Its token stands behind the #, which no browser sends, and goes out of the address at once. */
export const PasswordLink = () => {
  const { link, mustChange, forgot } = useTexts().signIn
  const [token] = useState(() => window.location.hash.slice(1))
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [different, setDifferent] = useState(false)
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
            setDifferent(password !== repeated)
            if (password !== repeated) return
            void attempt(async () => {
              await call('setPasswordByLink', { body: { token, newPassword: password } })
              setDone(true)
            })
          }}
        >
          <Stack gap="sm">
            <PasswordInput
              label={mustChange.password}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              autoComplete="new-password"
              required
              maxLength={1024}
              autoFocus
            />
            <PasswordInput
              label={mustChange.repeat}
              value={repeated}
              onChange={(event) => setRepeated(event.currentTarget.value)}
              autoComplete="new-password"
              required
              maxLength={1024}
              error={different ? mustChange.different : undefined}
            />
            <Problem failure={failure} />
            <Button type="submit" loading={busy} fullWidth size="sm">
              {link.submit}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} to="/" mt="md" display="block">
        {forgot.toSignIn}
      </Anchor>
    </SignInFrame>
  )
}
