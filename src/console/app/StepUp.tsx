import { Alert, Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../ui/Dialog.tsx'
import { type Body, type Challenge, call, serviceBase } from './api.ts'
import { useFailureText } from './failures.ts'
import { useTexts } from './language.tsx'
import { setAsking } from './step-up.ts'

/** Codes of an app have six digits; those for recovery are longer. */
const methodOf = (code: string, byMail: boolean): Body<'stepUp'>['method'] =>
  byMail ? 'mail' : /^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? 'totp' : 'recovery'

interface Asked {
  challenge: Challenge
  answer(done: boolean): void
}

/** The dialog that asks for the second factor, whatever needs it. */
export const StepUp = () => {
  const { stepUp } = useTexts()
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(
    () =>
      setAsking(
        (challenge) =>
          new Promise((resolve) => {
            setAsked({ challenge, answer: resolve })
          }),
      ),
    [],
  )
  const close = (done: boolean): void => {
    asked?.answer(done)
    setAsked(null)
  }
  const methods = asked?.challenge.methods ?? []
  return (
    <Dialog opened={asked !== null} onClose={() => close(false)} title={stepUp.title} zIndex={300}>
      {asked === null ? null : methods.length === 0 ? (
        <>
          <Text>{stepUp.enrolFirst}</Text>
          <Group mt="lg" justify="flex-end">
            <Anchor href={`${serviceBase}/console/me`}>{stepUp.toAccount}</Anchor>
          </Group>
        </>
      ) : (
        <CodeForm byMail={methods.includes('mail')} close={close} />
      )}
    </Dialog>
  )
}

/** Asks for a code, and has it checked. */
const CodeForm = ({ byMail, close }: { byMail: boolean; close(done: boolean): void }) => {
  const { stepUp, actions } = useTexts()
  const failureText = useFailureText()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const attempt = async (work: () => Promise<unknown>, done: () => void): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      done()
    } catch (error) {
      setProblem(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(
          () => call('stepUp', { body: { method: methodOf(code.trim(), byMail), code: code.trim() } }),
          () => close(true),
        )
      }}
    >
      <Text>{stepUp.why}</Text>
      {byMail && (
        <Button
          mt="sm"
          variant="default"
          disabled={busy}
          // A code can be typed only after it was sent.
          data-autofocus
          onClick={() =>
            void attempt(
              () => call('sendStepUpCode', {}),
              () => {
                setSent(true)
                input.current?.focus()
              },
            )
          }
        >
          {stepUp.send}
        </Button>
      )}
      {sent && (
        <Text mt="xs" role="status">
          {stepUp.sent}
        </Text>
      )}
      <TextInput
        mt="sm"
        label={stepUp.code}
        description={byMail ? stepUp.mail : stepUp.totp}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="one-time-code"
        maxLength={64}
        data-autofocus={!byMail || undefined}
        ref={input}
      />
      {problem !== null && (
        <Alert mt="sm" color="red" p="xs" role="alert">
          {problem}
        </Alert>
      )}
      <Group mt="lg" justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => close(false)}>
          {actions.cancel}
        </Button>
        <Button type="submit" loading={busy} disabled={code.trim() === ''}>
          {actions.confirm}
        </Button>
      </Group>
    </form>
  )
}
