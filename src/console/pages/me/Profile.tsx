import { Alert, Button, Divider, Group, Stack, Text, TextInput, Title, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../app/api.ts'
import { isLanguage, useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { forget, useChange } from '../../app/queries.ts'
import { useSession } from '../../app/session.tsx'
import { withSecondFactor } from '../../app/step-up.ts'
import { updateMe } from '../../generated/forms/updateMe.ts'
import { profileLayout } from '../../hints/me.ts'
import { ContractForm } from '../../ui/ContractForm.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { OwnValues } from '../attributes/RecordValues.tsx'
import { Problem } from '../sign-in/Problem.tsx'
import { useAttempt } from '../sign-in/use-attempt.ts'

/** The name that is shown, language, colours, and the mail address. */
export const Profile = () => {
  const { me: texts } = usePageTexts('me')
  const { choose } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const { me, may } = useSession()
  const save = useChange('updateMe', ['getMe'])
  const { name, language, theme } = me
  return (
    <Stack maw={480} gap="lg">
      {may('updateMe') && (
        <ContractForm
          form={updateMe}
          layout={profileLayout}
          initial={{ name, language, theme }}
          submit={async (body) => {
            await save.mutateAsync({ body })
            if (isLanguage(body.language)) await choose(body.language)
            setColorScheme(body.theme === 'light' || body.theme === 'dark' ? body.theme : 'auto')
            notifyDone(texts.saved)
          }}
        />
      )}
      <OwnValues />
      {may('sendMailProof') && may('confirmMail') && (
        <>
          <Divider />
          <MailAddress />
        </>
      )}
    </Stack>
  )
}

/** A new mail address has to be proven by a code that is mailed to it. */
const MailAddress = () => {
  const { mail: texts } = usePageTexts('me').me
  const { me } = useSession()
  const client = useQueryClient()
  const [mail, setMail] = useState('')
  const [code, setCode] = useState('')
  const [step, setStep] = useState<'address' | 'code'>('address')
  const { busy, failure, attempt, clear } = useAttempt()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(async () => {
          if (step === 'address') {
            await withSecondFactor(() => call('sendMailProof', { body: { mail: mail.trim() } }))
            setStep('code')
            return
          }
          await withSecondFactor(() => call('confirmMail', { body: { code: code.trim() } }))
          await forget(client, 'getMe')
          notifyDone(texts.done)
          setStep('address')
          setMail('')
          setCode('')
        })
      }}
    >
      <Stack gap="sm">
        <Title order={2}>{texts.title}</Title>
        <Text>{me.mail === '' ? texts.none : texts.present(me.mail)}</Text>
        {step === 'address' ? (
          <TextInput
            label={texts.next}
            type="email"
            value={mail}
            onChange={(event) => setMail(event.currentTarget.value)}
            autoComplete="email"
            required
            maxLength={100}
          />
        ) : (
          <>
            <Alert p="xs" role="status">
              {texts.sent(mail.trim())}
            </Alert>
            <TextInput
              label={texts.code}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              autoComplete="one-time-code"
              required
              maxLength={64}
              autoFocus
            />
          </>
        )}
        <Problem failure={failure} />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={busy}>
            {step === 'address' ? texts.send : texts.confirm}
          </Button>
          {step === 'code' && (
            <Button
              variant="subtle"
              onClick={() => {
                clear()
                setStep('address')
              }}
            >
              {texts.other}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
