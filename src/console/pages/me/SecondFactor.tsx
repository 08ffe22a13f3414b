import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useUnderWay } from '../../ui/use-unsaved.ts'
import { EnrolApp, RecoveryCodes } from '../sign-in/Enrolment.tsx'

/** The own second factor: an authenticator app and its recovery codes. */
export const SecondFactor = () => {
  const { signIn } = useTexts()
  const { me } = usePageTexts('me')
  const { secondFactor: texts } = me
  const failureText = useFailureText()
  const confirm = useConfirm()
  const state = useReading('getSecondFactor', {})
  const renew = useChange('renewRecoveryCodes', ['getSecondFactor'])
  const giveUp = useChange('disableSecondFactor', ['getSecondFactor', 'getMe'])
  const [enrolling, setEnrolling] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [held, setHeld] = useState(false)
  useUnderWay(renew.isPending)
  const complain = (error: unknown): void => notifyFailure(failureText(error))
  return (
    <QueryState query={state}>
      {({ totp, confirmedAt, recoveryCodesLeft }) => (
        <Stack maw={480} gap="md">
          <Meaning level={totp === 'confirmed' ? 'safe' : 'risk'}>
            {totp === 'confirmed' ? texts.on : totp === 'pending' ? texts.pending : texts.off}
          </Meaning>
          {totp === 'confirmed' ? (
            <>
              <dl className="facts">
                <dt>{texts.since}</dt>
                <dd>
                  <Time value={confirmedAt} />
                </dd>
                <dt>{texts.codesLeft}</dt>
                <dd>{recoveryCodesLeft}</dd>
              </dl>
              <Group gap="sm">
                <Granted to="renewRecoveryCodes">
                  <Button
                    variant="default"
                    loading={renew.isPending}
                    onClick={async () => {
                      const question = { title: texts.renew, consequence: texts.renewWhy, action: texts.renew }
                      if (!(await confirm(question))) return
                      renew.mutate({}, { onSuccess: ({ data }) => setCodes(data.recoveryCodes), onError: complain })
                    }}
                  >
                    {texts.renew}
                  </Button>
                </Granted>
                <Granted to="disableSecondFactor">
                  <Button
                    variant="default"
                    loading={giveUp.isPending}
                    onClick={async () => {
                      const question = { title: texts.giveUp, consequence: texts.giveUpWhy, action: texts.giveUp }
                      if (!(await confirm({ ...question, danger: true }))) return
                      giveUp.mutate({}, { onSuccess: () => notifyDone(texts.removed), onError: complain })
                    }}
                  >
                    {texts.giveUp}
                  </Button>
                </Granted>
              </Group>
            </>
          ) : (
            <>
              <Text c="dimmed">{texts.offWhy}</Text>
              <Granted to="enrolTotp">
                <Group>
                  <Button onClick={() => setEnrolling(true)}>{texts.setUp}</Button>
                </Group>
              </Granted>
            </>
          )}
          <Dialog
            opened={enrolling}
            onClose={() => setEnrolling(false)}
            title={signIn.enrolment.title}
            closeOnClickOutside={false}
            closeOnEscape={!held}
            withCloseButton={!held}
          >
            <EnrolApp
              onHeld={setHeld}
              onDone={() => {
                setEnrolling(false)
                void state.refetch()
              }}
            />
          </Dialog>
          {/* They are shown only once: neither Escape nor a click beside it closes them. */}
          <Dialog
            opened={codes !== null}
            onClose={() => {}}
            withCloseButton={false}
            closeOnEscape={false}
            closeOnClickOutside={false}
            title={texts.renew}
          >
            {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
          </Dialog>
        </Stack>
      )}
    </QueryState>
  )
}
