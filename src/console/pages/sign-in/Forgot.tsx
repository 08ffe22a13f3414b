import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Problem } from './Problem.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { useAttempt } from './use-attempt.ts'

/** A forgotten password: a mailed code, then a new password. */
export const Forgot = () => {
  const { forgot } = useTexts().signIn
  const [mail, setMail] = useState('')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [step, setStep] = useState<'mail' | 'code' | 'done'>('mail')
  const { busy, failure, attempt } = useAttempt()
  return (
    <SignInFrame title={forgot.title} {...(step === 'mail' && { help: forgot.why })}>
      {step === 'done' ? (
        <Text role="status" mb="md">
          {forgot.done}
        </Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void attempt(async () => {
              if (step === 'mail') {
                await call('sendCode', { body: { mail: mail.trim() } })
                setStep('code')
              } else {
                await call('changePasswordByCode', {
                  body: { mail: mail.trim(), code: code.trim(), newPassword: password },
                })
                setStep('done')
              }
            })
          }}
        >
          <Stack gap="sm">
            <TextInput
              label={forgot.mail}
              type="email"
              value={mail}
              onChange={(event) => setMail(event.currentTarget.value)}
              autoComplete="email"
              required
              maxLength={100}
              readOnly={step === 'code'}
              autoFocus
            />
            {step === 'code' && (
              <>
                <Text role="status">{forgot.sent}</Text>
                <TextInput
                  label={forgot.code}
                  value={code}
                  onChange={(event) => setCode(event.currentTarget.value)}
                  autoComplete="one-time-code"
                  required
                  maxLength={64}
                  autoFocus
                />
                <PasswordInput
                  label={forgot.password}
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  autoComplete="new-password"
                  required
                  maxLength={1024}
                />
              </>
            )}
            <Problem failure={failure} />
            <Button type="submit" loading={busy} fullWidth size="sm">
              {step === 'mail' ? forgot.send : forgot.submit}
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
