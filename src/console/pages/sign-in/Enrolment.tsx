import '../../app/shell.css'
import { Alert, Button, Checkbox, Code, Group, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, type Data } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { forget } from '../../app/queries.ts'
import { StepUp } from '../../app/StepUp.tsx'
import { withSecondFactor } from '../../app/step-up.ts'
import { ConfirmProvider } from '../../ui/confirm.tsx'
import { useCopied } from '../../ui/use-copied.ts'
import { useHeld } from '../../ui/use-held.ts'
import { useUnderWay, useUnsaved } from '../../ui/use-unsaved.ts'
import { Problem } from './Problem.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { useAttempt } from './use-attempt.ts'

/** Who has to have a second factor, and has none, sets it up before anything else. */
export const Enrolment = () => {
  const { enrolment } = useTexts().signIn
  const client = useQueryClient()
  return (
    <SignInFrame title={enrolment.title} help={enrolment.why}>
      <StepUp />
      <ConfirmProvider>
        <EnrolApp onDone={() => void forget(client, 'getMe')} />
      </ConfirmProvider>
    </SignInFrame>
  )
}

interface EnrolAppProps {
  onDone(): void
  /** Says whether it has to stay: while something is done, as its result may be the recovery codes, and while they are shown. */
  onHeld?(held: boolean): void
}

/** Enrolling an authenticator app: password, picture, first code, recovery codes. */
export const EnrolApp = ({ onDone, onHeld }: EnrolAppProps) => {
  const { signIn, fields, actions } = useTexts()
  const { enrolment } = signIn
  const [password, setPassword] = useState('')
  const [secret, setSecret] = useState<Data<'enrolTotp'> | null>(null)
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { busy, failure, attempt } = useAttempt()
  useUnderWay(busy)
  useHeld(busy || codes !== null, onHeld)
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(async () => {
          if (secret === null) {
            setSecret((await withSecondFactor(() => call('enrolTotp', { body: { password } }))).data)
          } else {
            setCodes((await call('confirmTotp', { body: { code: code.trim() } })).data.recoveryCodes)
          }
        })
      }}
    >
      <Stack gap="sm">
        {secret === null ? (
          <PasswordInput
            label={fields.oldPassword}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            required
            maxLength={1024}
            data-autofocus
          />
        ) : (
          <>
            <img
              src={secret.qr}
              width={200}
              height={200}
              alt={enrolment.qr}
              style={{ background: '#fff', padding: 8, borderRadius: 6 }}
            />
            <Text size="xs" c="dimmed">
              {enrolment.secret}
            </Text>
            <Code block style={{ whiteSpace: 'normal' }}>
              {secret.secret}
            </Code>
            <TextInput
              label={enrolment.code}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              autoComplete="one-time-code"
              inputMode="numeric"
              required
              maxLength={64}
              autoFocus
            />
          </>
        )}
        <Problem failure={failure} />
        <Button type="submit" loading={busy} size="sm">
          {secret === null ? actions.next : enrolment.submit}
        </Button>
      </Stack>
    </form>
  )
}

/** Recovery codes, which are shown only once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone(): void }) => {
  const { signIn, actions } = useTexts()
  const { enrolment } = signIn
  const [kept, setKept] = useState(false)
  const [isLost, setLost] = useState(false)
  const done = useRef(false)
  useUnsaved(() => !done.current, true, undefined, 'shownOnce')
  const text = codes.join('\n')
  const [copied, copy] = useCopied(text, (done) => setLost(!done))
  return (
    <Stack gap="sm">
      <Alert color="yellow" p="xs" title={enrolment.codesTitle}>
        {enrolment.codesWhy}
      </Alert>
      <SimpleGrid cols={1} spacing={4}>
        {codes.map((each) => (
          <Code key={each}>{each}</Code>
        ))}
      </SimpleGrid>
      <Group gap="sm">
        <Button variant="default" onClick={copy}>
          {copied ? actions.copied : enrolment.copyAll}
        </Button>
        <Button
          variant="default"
          component="a"
          href={URL.createObjectURL(new Blob([text], { type: 'text/plain' }))}
          download="steward-recovery-codes.txt"
        >
          {enrolment.download}
        </Button>
      </Group>
      {isLost && <Text role="alert">{actions.notCopied}</Text>}
      <Checkbox label={enrolment.kept} checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Button
        disabled={!kept}
        onClick={() => {
          done.current = true
          onDone()
        }}
        size="sm"
      >
        {enrolment.done}
      </Button>
    </Stack>
  )
}
