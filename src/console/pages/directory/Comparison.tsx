import '../sources/sources.css'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { useLanguage } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import type { Work } from '../../app/progress.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import type { OperationId } from '../../generated/calls.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { Failed } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { DryRun } from '../runs/DryRun.tsx'
import { type Run, runLevels, useRunTexts } from '../runs/run-text.ts'
import { useRunningRuns } from '../runs/use-running-runs.ts'
import { useDirectories } from './use-directories.ts'

/** What a comparison changes of what is shown. */
const comparisonChanges: readonly OperationId[] = ['listRuns', 'getOverview', 'listPeople', 'listDepartments']

/** Compares the entries with their records now, and shows what the last comparison came to. */
export const Comparison = () => {
  const { compare } = usePageTexts('directory').directory
  const hasFurther = (useDirectories().data?.directories.length ?? 0) > 1
  const running = [...useRunningRuns('listRuns').values()].filter(({ source }) => source === 'sql')
  return (
    <Stack gap="sm" component="section" aria-label={compare.title}>
      <Title order={2}>{compare.title}</Title>
      <Text c="dimmed">{compare.help}</Text>
      {hasFurther && <Text c="dimmed">{compare.mainOnly}</Text>}
      <Granted to="compareDirectory">
        {(['groups', 'users'] as const).map((kind) => (
          <KindLine key={kind} kind={kind} work={running.find(({ runKind }) => runKind === kind)} />
        ))}
      </Granted>
    </Stack>
  )
}

const repairedOf = ({
  added,
  updated,
  moved,
  disabled,
}: Pick<Run, 'added' | 'updated' | 'moved' | 'disabled'>): number => added + updated + moved + disabled

interface KindLineProps {
  kind: Run['kind']
  /** How far a comparison is, by any user; undefined: none is under way. */
  work: Work | undefined
}

const KindLine = ({ kind, work }: KindLineProps) => {
  const { compare } = usePageTexts('directory').directory
  const { phaseOf } = useRunTexts()
  const failureText = useFailureText()
  const comparing = useChange('compareDirectory', comparisonChanges)
  const tell = ({ data }: { data: Run }): void =>
    notifyDone(data.state === 'running' ? compare.goesOn : compare.done(data.total, repairedOf(data), data.failed))
  const what = compare.kinds[kind]
  return (
    <div className="source-kind">
      <Text fw={600}>{what}</Text>
      <div className="source-last">
        {work === undefined ? (
          <LastRun kind={kind} />
        ) : (
          <div role="status">
            <RunProgress work={work} label={phaseOf(work.phase)} />
          </div>
        )}
      </div>
      <Stack gap={4} align="flex-end">
        <Group gap="xs" wrap="nowrap">
          <DryRun kind={kind} short disabled={comparing.isPending || work !== undefined} />
          <Button
            variant="default"
            aria-label={compare.nowOf(what)}
            loading={comparing.isPending || work !== undefined}
            onClick={() => comparing.mutate({ body: { kind } }, { onSuccess: tell })}
          >
            {compare.now}
          </Button>
        </Group>
        {comparing.error !== null && (
          <Text c="var(--danger)" role="alert">
            {failureText(comparing.error)}
          </Text>
        )}
      </Stack>
    </div>
  )
}

/** The last comparison that a user started. Comparisons that the service makes by itself are not runs. */
export const useLastComparison = (kind: Run['kind']) =>
  useReading('listRuns', { query: { source: 'sql', kind, pageSize: 1 } }, { enabled: useMay('listRuns') })

/** What the last comparison came to. */
const LastRun = ({ kind }: { kind: Run['kind'] }) => {
  const { compare } = usePageTexts('directory').directory
  const { runs } = useRunTexts()
  const { language } = useLanguage()
  const list = useLastComparison(kind)
  const last = list.data?.runs[0]
  if (list.data === undefined)
    return list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null
  if (last === undefined) return <Text c="dimmed">{compare.never}</Text>
  const number = new Intl.NumberFormat(language)
  const figures = [last.total, repairedOf(last), last.failed, last.skipped]
  const [total = '', repaired = '', failed = '', orphans = ''] = figures.map((figure) => number.format(figure))
  const figuresOf = last.state === 'planned' ? compare.wouldBe : compare.figures
  const line: ReactNode = last.state !== 'running' && figuresOf(total, repaired, failed, orphans)
  return (
    <Group gap="sm">
      <Meaning level={runLevels[last.state]}>{runs.states[last.state]}</Meaning>
      <Text c="dimmed">
        <Time value={last.startedAt} />
      </Text>
      {line && <Text>{line}</Text>}
      <Granted to="getRun">
        <PageLink to="/runs/$id" params={{ id: String(last.runId) }}>
          {compare.run(last.runId)}
        </PageLink>
      </Granted>
    </Group>
  )
}
