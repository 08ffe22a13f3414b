import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { call, type Data } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { withSecondFactor } from '../../app/step-up.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { notifyDone, notifyFailure } from '../../ui/notify.tsx'
import { Empty, QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'

type Session = Data<'listOwnSessions'>[number]

/** Where the caller is signed in, and the way to end it. */
export const Sessions = () => {
  const { me, listed, named } = usePageTexts('me')
  const { sessions: texts, tabs } = me
  const failureText = useFailureText()
  const confirm = useConfirm()
  const list = useReading('listOwnSessions', {})
  const end = async (ended: readonly Session[]): Promise<void> => {
    try {
      for (const { id } of ended) await withSecondFactor(() => call('endOwnSession', { path: { sessionId: id } }))
      notifyDone(texts.ended)
    } catch (error) {
      notifyFailure(failureText(error))
    }
    await list.refetch()
  }
  const columns: Column<Session>[] = [
    {
      id: 'device',
      title: texts.device,
      width: 'minmax(132px, 3fr)',
      twoLines: true,
      render: ({ userAgent, current }) => (
        <Group gap="0 8px">
          <Text truncate title={userAgent}>
            {programOf(userAgent) || texts.unknownDevice}
          </Text>
          {current && (
            <Badge variant="light" tt="none" flex="none">
              {texts.current}
            </Badge>
          )}
        </Group>
      ),
    },
    { id: 'address', title: texts.address, width: 'minmax(120px, 1fr)', render: ({ address }) => address },
    {
      id: 'used',
      title: texts.lastUsed,
      width: 'minmax(120px, 1fr)',
      render: (row) => <Time value={row.lastUsedAt} />,
    },
    { id: 'opened', title: texts.opened, width: 'minmax(120px, 1fr)', render: (row) => <Time value={row.createdAt} /> },
    {
      id: 'end',
      title: '',
      width: '96px',
      end: true,
      render: (session) =>
        session.current ? null : (
          <Granted to="endOwnSession">
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={named(texts.end, listed([programOf(session.userAgent), session.address]))}
              onClick={async () => {
                const question = { title: texts.endTitle, consequence: texts.endWhy, action: texts.end }
                if (await confirm(question)) await end([session])
              }}
            >
              {texts.end}
            </Button>
          </Granted>
        ),
    },
  ]
  return (
    <QueryState query={list}>
      {(sessions) => {
        const others = sessions.filter(({ current }) => !current)
        return (
          <Stack gap="sm">
            <DataTable
              label={tabs.sessions}
              columns={columns}
              rows={sessions}
              keyOf={({ id }) => id}
              nameOf={({ userAgent }) => programOf(userAgent)}
              empty={<Empty />}
            />
            {others.length > 0 && (
              <Granted to="endOwnSession">
                <Group>
                  <Button
                    variant="default"
                    onClick={async () => {
                      const question = {
                        title: texts.endOthersTitle(others.length),
                        consequence: texts.endOthersWhy,
                        action: texts.endOthers,
                      }
                      if (await confirm(question)) await end(others)
                    }}
                  >
                    {texts.endOthers}
                  </Button>
                </Group>
              </Granted>
            )}
          </Stack>
        )
      }}
    </QueryState>
  )
}

const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]
const programs: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** "Firefox · Windows" for browsers; of other programs their first word. */
const programOf = (userAgent: string): string => {
  const find = (known: readonly [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const program = find(programs)
  if (program === undefined) return userAgent.split(' ')[0] ?? ''
  return [program, find(systems)].filter((part) => part !== undefined).join(' · ')
}
