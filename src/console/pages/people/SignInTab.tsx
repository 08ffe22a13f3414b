import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Part } from '../../ui/Part.tsx'
import { Time } from '../../ui/Time.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import type { Bulk, PeopleAction } from './bulk.ts'
import { Facts } from './Facts.tsx'
import { MayNot, useWhyNot } from './MayNot.tsx'
import type { Person } from './PersonDrawer.tsx'
import { ResetPassword } from './ResetPassword.tsx'
import { Sessions, useKnownSessions } from './Sessions.tsx'

/** Whether and how a person can sign in, and the help for one who cannot. */
export const SignInTab = ({ person, onGone }: { person: Person; onGone(): void }) => {
  const { status, actions } = useTexts()
  const { people } = usePageTexts('people')
  const why = useWhyNot(person, 'changePeople')
  const whyNotPassword = useWhyNot(person, 'resetUserPassword')
  const whyNotFactor = useWhyNot(person, 'resetSecondFactor')
  const isKnown = useKnownSessions(person)
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const start = (action: PeopleAction) => () => setBulk({ action, targets: [person] })
  const enabled = person.status === 'enabled'
  return (
    <Stack gap="lg">
      <MayNot why={why} {...(person.access.change && { title: people.account.fixed })} />
      <Part title={people.account.title}>
        <Facts
          facts={[
            [
              people.account.status,
              <Meaning key="status" level={enabled ? 'safe' : 'none'}>
                {status[person.status]}
              </Meaning>,
            ],
            [people.columns.lastSignInAt, <Time key="time" value={person.lastSignInAt} />],
            [people.account.lock, <Lock key="lock" person={person} said={why} />],
          ]}
        />
        {why === null && (
          <Button variant="default" mt="sm" onClick={start(enabled ? 'disable' : 'enable')}>
            {people.bulk.menu[enabled ? 'disable' : 'enable']}
          </Button>
        )}
      </Part>
      <Part title={people.reset.title}>
        <ResetPassword person={person} why={whyNotPassword} />
      </Part>
      <Part title={people.factor.title}>
        <SecondFactor person={person} why={whyNotFactor} said={why} />
      </Part>
      <Part title={people.sessions.title}>
        <Sessions person={person} />
      </Part>
      {why === null && isKnown && (
        <Part title={people.account.end}>
          <Button variant="outline" color="red" onClick={start('delete')}>
            {actions.delete}
          </Button>
        </Part>
      )}
      <BulkDialog
        bulk={bulk}
        onClose={() => setBulk(null)}
        onDone={({ effect }) => {
          if (bulk?.action !== 'delete' || effect.changed === 0) return
          notifyDone(people.account.deleted(person.name || person.username))
          onGone()
        }}
      />
    </Stack>
  )
}

/** Why a button cannot be pressed, where that is not what the page says of all of them. */
const Because = ({ why, said }: { why: string | null; said: string | null }) =>
  why === null || why === said ? null : (
    <Text size="sm" c="dimmed">
      {why}
    </Text>
  )

interface PartProps {
  person: Person
  /** What is said above of the whole page. */
  said: string | null
}

const Lock = ({ person, said: known }: PartProps) => {
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const why = useWhyNot(person, 'unlockUser')
  const unlock = useChange('unlockUser', ['getPerson'])
  if (person.lockedUntil === null) return <>{people.account.notLocked}</>
  return (
    <Group gap="sm">
      <Meaning level="danger">
        {people.account.lockedUntil} <Time value={person.lockedUntil} />
      </Meaning>
      <Button
        variant="default"
        disabled={why !== null}
        title={why ?? undefined}
        loading={unlock.isPending}
        onClick={() =>
          unlock.mutate(
            { path: { id: person.id } },
            {
              onSuccess: () => notifyDone(people.account.unlocked),
              onError: (error) => notifyFailure(failureText(error)),
            },
          )
        }
      >
        {people.account.unlock}
      </Button>
      <Because why={why} said={known} />
    </Group>
  )
}

const SecondFactor = ({ person, why, said: known }: PartProps & { why: string | null }) => {
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const confirm = useConfirm()
  const reset = useChange('resetSecondFactor', ['getPerson'])
  if (!person.secondFactor) return <Meaning level="risk">{people.factor.none}</Meaning>
  const ask = async (): Promise<void> => {
    const go = await confirm({
      title: people.factor.reset,
      consequence: people.factor.consequence(person.name || person.username),
      action: people.factor.reset,
      danger: true,
    })
    if (!go) return
    reset.mutate(
      { path: { id: person.id } },
      { onSuccess: () => notifyDone(people.factor.done), onError: (error) => notifyFailure(failureText(error)) },
    )
  }
  return (
    <Group gap="sm">
      <Meaning level="safe">{people.factor.enrolled}</Meaning>
      <Button
        variant="default"
        disabled={why !== null}
        title={why ?? undefined}
        loading={reset.isPending}
        onClick={() => void ask()}
      >
        {people.factor.reset}
      </Button>
      <Because why={why} said={known} />
    </Group>
  )
}
