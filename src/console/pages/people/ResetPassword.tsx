import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange } from '../../app/queries.ts'
import { Copy } from '../../ui/Copy.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { Time } from '../../ui/Time.tsx'
import { useUnderWay } from '../../ui/use-unsaved.ts'
import type { Person } from './PersonDrawer.tsx'

/** Gives a person who forgot the password a new one: by a link that is mailed, or one that is shown here once. */
export const ResetPassword = ({ person, why }: { person: Person; why: string | null }) => {
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const confirm = useConfirm()
  const reset = useChange('resetUserPassword', ['getPerson', 'listUserSessions'])
  useUnderWay(reset.isPending)
  const name = person.name || person.username
  const start = async (way: 'link' | 'shown'): Promise<void> => {
    const go = await confirm({
      title: people.reset[way],
      consequence:
        way === 'link' ? people.reset.linkConsequence(name, person.mail) : people.reset.shownConsequence(name),
      action: people.reset[way],
      danger: true,
    })
    if (go) reset.mutate({ path: { id: person.id }, body: { way } })
  }
  const obstacles =
    why === null
      ? [
          ...(person.mail === '' ? [people.reset.noMail] : []),
          ...(person.status === 'disabled' ? [people.reset.disabled] : []),
        ]
      : [why]
  const done = reset.data?.data
  const password = done?.password ?? null
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button
          variant="default"
          disabled={why !== null || person.mail === '' || person.status === 'disabled'}
          title={obstacles.join(' ') || undefined}
          loading={reset.isPending}
          onClick={() => void start('link')}
        >
          {people.reset.link}
        </Button>
        <Button
          variant="default"
          disabled={why !== null || person.status === 'disabled'}
          title={why ?? (person.status === 'disabled' ? people.reset.disabled : undefined)}
          loading={reset.isPending}
          onClick={() => void start('shown')}
        >
          {people.reset.shown}
        </Button>
      </Group>
      {obstacles.length > 0 && (
        <Text size="xs" c="dimmed">
          {obstacles.join(' ')}
        </Text>
      )}
      {reset.isError && (
        <Alert color="red" role="alert">
          {failureText(reset.error)}
        </Alert>
      )}
      {done?.mail != null && (
        <Alert color="green" variant="light" role="status">
          {people.reset.sent(done.mail)} {done.expiresAt !== null && <Time value={done.expiresAt} />}
        </Alert>
      )}
      <Dialog
        opened={password !== null}
        // It is shown only once: neither Escape nor a click beside it closes it.
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title={people.reset.newPassword(name)}
      >
        {password !== null && (
          <ShownOnce why={people.reset.once} action={people.reset.noted} onKept={() => reset.reset()}>
            <Group gap="xs" wrap="nowrap">
              <Code fz="lg" p="xs">
                {password}
              </Code>
              <Copy text={password} />
            </Group>
          </ShownOnce>
        )}
      </Dialog>
    </Stack>
  )
}
