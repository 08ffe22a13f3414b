import '../sources/sources.css'
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { said } from '../../ui/notify.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { Time } from '../../ui/Time.tsx'
import { type Run, runLevels, useRunTexts } from '../runs/run-text.ts'
import { useRunningRuns } from '../runs/use-running-runs.ts'
import { comparisonChanges, type Reach, type Report, useComparePeople } from './compare-people.ts'

/** Compares the entries with their records now, and shows what the last comparison came to. */
export const Comparison = () => {
  const { compare } = usePageTexts('directory').directory
  const mayList = useMay('listPeople')
  useRunningRuns('listRuns')
  return (
    <Stack gap="sm" component="section" aria-label={compare.title}>
      <Title order={2}>{compare.title}</Title>
      <Text c="dimmed">{compare.help}</Text>
      <Granted to="syncSqlGroups">
        <CompareGroups />
      </Granted>
      {mayList && (
        <Granted to="syncSqlUsers">
          <ComparePeople />
        </Granted>
      )}
    </Stack>
  )
}

const CompareGroups = () => {
  const comparing = useChange('syncSqlGroups', comparisonChanges)
  const tell = useTell()
  return (
    <KindLine
      kind="groups"
      error={comparing.error}
      isPending={comparing.isPending}
      start={() => comparing.mutate({ body: {} }, { onSuccess: ({ data }) => tell([data]) })}
    />
  )
}

const ComparePeople = () => {
  const { comparing, reach } = useComparePeople()
  const tell = useTell()
  return (
    <KindLine
      kind="users"
      error={comparing.error}
      isPending={comparing.isPending}
      reach={reach}
      start={() => comparing.mutate(undefined, { onSuccess: tell })}
    />
  )
}

const repairedOf = ({
  added,
  updated,
  moved,
  disabled,
}: Pick<Report, 'added' | 'updated' | 'moved' | 'disabled'>): number => added + updated + moved + disabled

/** Says what a comparison came to, which may have taken several runs. */
const useTell = (): ((reports: readonly Report[]) => void) => {
  const { compare } = usePageTexts('directory').directory
  return (reports) => {
    if (reports.some(({ state }) => state === 'running')) return said(compare.goesOn)
    const sum = (of: (report: Report) => number): number => reports.reduce((all, report) => all + of(report), 0)
    said(
      compare.done(
        sum(({ total }) => total),
        sum(repairedOf),
        sum(({ failed }) => failed),
      ),
    )
  }
}

interface KindLineProps {
  kind: Run['kind']
  error: unknown
  isPending: boolean
  /** How far it is, where this page knows. */
  reach?: Reach | null
  start(): void
}

const KindLine = ({ kind, error, isPending, reach = null, start }: KindLineProps) => {
  const { compare } = usePageTexts('directory').directory
  const failureText = useFailureText()
  const what = compare.kinds[kind]
  return (
    <div className="source-kind">
      <Text fw={600}>{what}</Text>
      <div className="source-last">
        {reach === null ? (
          <LastRun kind={kind} />
        ) : (
          <div role="status">
            <RunProgress work={reach} label={compare[reach.step]} />
          </div>
        )}
      </div>
      <Stack gap={4} align="flex-end">
        <Button variant="default" aria-label={compare.nowOf(what)} loading={isPending} onClick={start}>
          {compare.now}
        </Button>
        {error !== null && (
          <Text c="var(--danger)" role="alert">
            {failureText(error)}
          </Text>
        )}
      </Stack>
    </div>
  )
}

/** The last comparison that a user started. Comparisons that the service makes by itself are not runs. */
const LastRun = ({ kind }: { kind: Run['kind'] }) => {
  const { compare } = usePageTexts('directory').directory
  const { runs } = useRunTexts()
  const { language } = useLanguage()
  const mayList = useMay('listRuns')
  const list = useReading('listRuns', { query: { source: 'sql', kind, pageSize: 1 } }, { enabled: mayList })
  const last = list.data?.runs[0]
  if (list.data === undefined) return null
  if (last === undefined) return <Text c="dimmed">{compare.never}</Text>
  const number = new Intl.NumberFormat(language)
  const figures = [last.total, repairedOf(last), last.failed, last.skipped]
  const [total = '', repaired = '', failed = '', orphans = ''] = figures.map((figure) => number.format(figure))
  const line: ReactNode = last.state !== 'running' && compare.figures(total, repaired, failed, orphans)
  return (
    <Group gap="sm">
      <Meaning level={runLevels[last.state]}>{runs.states[last.state]}</Meaning>
      <Text c="dimmed">
        <Time value={last.startedAt} />
      </Text>
      {line && <Text>{line}</Text>}
      <Granted to="getRun">
        <Anchor renderRoot={(props) => <Link {...props} to="/runs/$id" params={{ id: String(last.runId) }} />}>
          {compare.run(last.runId)}
        </Anchor>
      </Granted>
    </Group>
  )
}
