import { Button, Group, Text } from '@mantine/core'
import { useFailureText, useReasonText } from '../../app/failures.ts'
import { useNotGranted } from '../../app/not-granted.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Person } from './PersonDrawer.tsx'

/** What the caller may see of where a person is signed in. */
const useSessions = ({ id, access }: Person) => {
  const listed = useMay('listUserSessions') && access.change
  return { listed, query: useReading('listUserSessions', { path: { id } }, { enabled: listed }) }
}

/** Whether it is known where a person is signed in: what is below is not moved any more. */
export const useKnownSessions = (person: Person): boolean => !useSessions(person).query.isLoading

/** Where a person is signed in, and what ends that. */
export const Sessions = ({ person }: { person: Person }) => {
  const { people } = usePageTexts('people')
  const reasonText = useReasonText()
  const notGranted = useNotGranted('listUserSessions')
  const mayEnd = useMay('endUserSession')
  const { listed, query } = useSessions(person)
  if (!listed) {
    const why = person.access.change ? notGranted : reasonText(person.access.reason ?? '')
    return (
      <Text c="dimmed">
        {people.sessions.count(person.sessions)} {why}
      </Text>
    )
  }
  return (
    <QueryState query={query}>
      {(sessions) =>
        sessions.length === 0 ? (
          <Text c="dimmed">{people.sessions.none}</Text>
        ) : (
          <ul className="record-list">
            {sessions.map((session) => (
              <li key={session.id}>
                <Group justify="space-between" wrap="nowrap" gap="sm">
                  <div className="cut">
                    <div className="cut" title={session.userAgent}>
                      {session.userAgent || people.sessions.unknown}
                    </div>
                    <Text size="xs" c="dimmed">
                      {session.address} · {people.sessions.used} <Time value={session.lastUsedAt} />
                      {session.current && ` · ${people.sessions.current}`}
                    </Text>
                  </div>
                  {mayEnd && <EndSession userId={person.id} sessionId={session.id} />}
                </Group>
              </li>
            ))}
          </ul>
        )
      }
    </QueryState>
  )
}

const EndSession = ({ userId, sessionId }: { userId: number; sessionId: string }) => {
  const { people } = usePageTexts('people')
  const failureText = useFailureText()
  const end = useChange('endUserSession', ['listUserSessions', 'getPerson'])
  return (
    <Button
      variant="default"
      loading={end.isPending}
      onClick={() =>
        end.mutate(
          { path: { id: userId, sessionId } },
          { onSuccess: () => notifyDone(people.sessions.ended), onError: (error) => notifyFailure(failureText(error)) },
        )
      }
    >
      {people.sessions.end}
    </Button>
  )
}
