import { Stack, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useMay } from '../../app/session.tsx'
import { slots } from '../../locales/slots.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { runLevels } from '../runs/run-text.ts'

type Overview = Data<'getOverview'>
type Run = Overview['sources'][number]
type SignIn = Overview['signIns'][number]

/** The last run of each source and kind. */
export const LastRuns = ({ runs }: { runs: readonly Run[] }) => {
  const { sources: texts } = usePageTexts('home').home
  const mayOpen = useMay('getRun')
  const navigate = useNavigate()
  const columns: Column<Run>[] = [
    { id: 'source', title: texts.source, width: 'minmax(64px, 1fr)', render: ({ source }) => slots[source] },
    { id: 'kind', title: texts.kind, width: 'minmax(116px, 1fr)', render: ({ kind }) => texts.kinds[kind] },
    {
      id: 'state',
      title: texts.state,
      width: 'minmax(84px, 1fr)',
      render: ({ state }) => <Meaning level={runLevels[state]}>{texts.states[state]}</Meaning>,
    },
    {
      id: 'when',
      title: texts.when,
      width: 'minmax(128px, 1fr)',
      render: ({ startedAt }) => <Time value={startedAt} />,
    },
    { id: 'failed', title: texts.failed, width: '64px', end: true, render: ({ failed }) => failed },
  ]
  return (
    <Stack gap="xs">
      <Title order={2}>{texts.title}</Title>
      <DataTable
        label={texts.title}
        columns={columns}
        rows={runs}
        keyOf={({ runId }) => runId}
        nameOf={({ source, kind }) => `${slots[source]} ${texts.kinds[kind]}`}
        {...(mayOpen && {
          onOpen: ({ runId }: Run) => void navigate({ to: '/runs/$id', params: { id: String(runId) } }),
        })}
        empty={<Empty title={texts.none} />}
        height="420px"
      />
    </Stack>
  )
}

/** The newest sign-ins. */
export const SignIns = ({ signIns }: { signIns: readonly SignIn[] }) => {
  const { signIns: texts } = usePageTexts('home').home
  const mayOpen = useMay('getPerson')
  const columns: Column<SignIn>[] = [
    {
      id: 'who',
      title: texts.who,
      width: 'minmax(84px, 2fr)',
      render: ({ userId, username }) =>
        mayOpen ? (
          <PageLink to="/people" search={{ person: userId }}>
            {username}
          </PageLink>
        ) : (
          <Text span>{username}</Text>
        ),
    },
    { id: 'when', title: texts.when, width: 'minmax(120px, 1fr)', render: ({ at }) => <Time value={at} /> },
    { id: 'address', title: texts.address, width: 'minmax(110px, 1fr)', render: ({ ip }) => ip },
  ]
  return (
    <Stack gap="xs">
      <Title order={2}>{texts.title}</Title>
      <DataTable
        label={texts.title}
        columns={columns}
        rows={signIns}
        keyOf={({ userId, at }) => `${userId} ${at}`}
        nameOf={({ username }) => username}
        empty={<Empty />}
        height="420px"
      />
    </Stack>
  )
}
