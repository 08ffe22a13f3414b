import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type ComponentType, type ReactNode, useState } from 'react'
import { type Body, call, Failure } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { useForgetSession } from '../../app/session.tsx'
import { noteSession } from '../../app/session-hint.ts'
import { PageLink } from '../../ui/PageLink.tsx'
import { useNewPassword } from './new-password.tsx'
import { Problem } from './Problem.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { useAttempt } from './use-attempt.ts'

type Credentials = Body<'openConsoleSession'>
type Step = 'password' | 'second_factor' | 'new_password'

interface SignInProps {
  /** As a dialog over a page that stays open. */
  over?: boolean
  /** What it stands in: a page of its own, or a dialog. */
  Frame?: ComponentType<{ title: string; help?: string; children: ReactNode }>
  title?: string
  help?: string
  username?: string
}

/** The sign-in: name and password, then whatever more the service asks for. */
export const SignIn = ({ over = false, title, help, username = '', Frame = SignInFrame }: SignInProps) => {
  const { signIn } = useTexts()
  const forgetSession = useForgetSession()
  const [credentials, setCredentials] = useState<Credentials>({ username, password: '' })
  const [step, setStep] = useState<Step>('password')
  const [methods, setMethods] = useState<readonly string[]>([])
  const { busy, failure, attempt, clear } = useAttempt()

  const open = (given: Credentials): Promise<void> =>
    attempt(async () => {
      setCredentials(given)
      try {
        await call('openConsoleSession', { body: given })
      } catch (error) {
        const challenge = error instanceof Failure ? error.challenge : null
        if (challenge === null) throw error
        const next = challenge.required as Step
        setMethods(challenge.methods ?? [])
        // Asked for the same again: what was given was not it.
        if (next === step) throw error
        setStep(next)
        return
      }
      noteSession(true)
      await forgetSession({ keep: over })
      if (over) setCredentials({ username, password: '' })
    })
  const restart = (): void => {
    clear()
    setCredentials({ username, password: '' })
    setStep('password')
  }
  const problem = <Problem failure={failure} />
  const titles: Readonly<Record<Step, string>> = {
    password: title ?? signIn.title,
    second_factor: signIn.secondFactor.title,
    new_password: signIn.mustChange.title,
  }
  const shared = { credentials, busy, problem, open, restart }
  const steps: Readonly<Record<Step, ReactNode>> = {
    password: <PasswordStep {...shared} fixedName={over} />,
    second_factor: <CodeStep {...shared} methods={methods} />,
    new_password: <NewPasswordStep {...shared} />,
  }
  return (
    <Frame title={titles[step]} {...(help !== undefined && { help })}>
      {steps[step]}
    </Frame>
  )
}

interface StepProps {
  credentials: Credentials
  busy: boolean
  problem: ReactNode
  open(credentials: Credentials): Promise<void>
  restart(): void
}

const PasswordStep = ({ credentials, busy, problem, open, fixedName }: StepProps & { fixedName: boolean }) => {
  const { signIn } = useTexts()
  const [username, setUsername] = useState(credentials.username)
  const [password, setPassword] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void open({ username: username.trim(), password })
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={signIn.username}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          readOnly={fixedName}
          maxLength={255}
          {...(!fixedName && { 'data-autofocus': true, autoFocus: true })}
        />
        <PasswordInput
          label={signIn.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          maxLength={1024}
          {...(fixedName && { 'data-autofocus': true })}
        />
        {problem}
        <Button type="submit" loading={busy} fullWidth size="sm">
          {signIn.submit}
        </Button>
        {!fixedName && <PageLink to="/forgot">{signIn.forgotten}</PageLink>}
      </Stack>
    </form>
  )
}

const CodeStep = ({
  credentials,
  busy,
  problem,
  open,
  restart,
  methods,
}: StepProps & { methods: readonly string[] }) => {
  const { secondFactor } = useTexts().signIn
  const [code, setCode] = useState('')
  const sending = useAttempt()
  const [sent, setSent] = useState(false)
  const byMail = methods.includes('mail')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void open({ ...credentials, code: code.trim() })
      }}
    >
      <Stack gap="sm">
        <Text>{byMail ? secondFactor.mail : secondFactor.app}</Text>
        {byMail && (
          <Button
            variant="default"
            loading={sending.busy}
            onClick={() =>
              void sending.attempt(async () => {
                const { username, password } = credentials
                await call('sendSignInCode', { body: { username, password } })
                setSent(true)
              })
            }
          >
            {secondFactor.send}
          </Button>
        )}
        {sent && <Text role="status">{secondFactor.sent}</Text>}
        <Problem failure={sending.failure} />
        <TextInput
          label={secondFactor.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          required
          maxLength={64}
          autoFocus
        />
        {problem}
        <Button type="submit" loading={busy} fullWidth size="sm">
          {secondFactor.submit}
        </Button>
        {!byMail && (
          <Text size="sm" c="dimmed">
            {secondFactor.lost}
          </Text>
        )}
        <Anchor component="button" type="button" onClick={restart}>
          {secondFactor.other}
        </Anchor>
      </Stack>
    </form>
  )
}

const NewPasswordStep = ({ credentials, busy, problem, open, restart }: StepProps) => {
  const { mustChange, secondFactor } = useTexts().signIn
  const { password, isRepeated, inputs } = useNewPassword()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isRepeated()) void open({ ...credentials, newPassword: password })
      }}
    >
      <Stack gap="sm">
        <Text>{mustChange.why}</Text>
        {/* A password manager saves the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={credentials.username} readOnly hidden />
        {inputs}
        {problem}
        <Button type="submit" loading={busy} fullWidth size="sm">
          {mustChange.submit}
        </Button>
        <Anchor component="button" type="button" onClick={restart}>
          {secondFactor.other}
        </Anchor>
      </Stack>
    </form>
  )
}
