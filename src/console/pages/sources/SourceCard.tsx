import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Data, Failure, Input } from '../../app/api.ts'
import { useFailureText } from '../../app/failures.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import type { Work } from '../../app/progress.ts'
import { useChange, useStillShown } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { ButtonLink, PageLink } from '../../ui/PageLink.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAddress } from '../../ui/use-search.ts'
import { type Run, type RunSummary, runLevels, useRunTexts } from '../runs/run-text.ts'

export type SourceState = Data<'listSources'>[number]
type Slot = SourceState['source']
type Kind = Run['kind']

interface SourceCardProps {
  state: SourceState
  schedule: Data<'listSchedules'>[number] | undefined
  /** Its runs in progress. */
  running: readonly Work[]
}

/** A source: what it is connected to, or what it lacks, its last runs, and what can be done with it. */
export const SourceCard = ({ state, schedule, running }: SourceCardProps) => {
  const { sources, runs } = usePageTexts('sources', 'runs')
  const { source, connector, configured, missing, lastRuns } = state
  return (
    <Paper withBorder p="md" component="section" aria-label={runs.sources[source]}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Title order={2}>{runs.sources[source]}</Title>
            <Text c="dimmed">{sources.connectors[connector]}</Text>
          </Group>
          <Meaning level={configured ? 'safe' : 'none'}>
            {configured ? sources.connected : sources.notConnected}
          </Meaning>
        </Group>
        {configured ? (
          (['groups', 'users'] as const).map((kind) => (
            <KindLine
              key={kind}
              source={source}
              kind={kind}
              last={lastRuns.find((run) => run.kind === kind)}
              running={running.find(({ runKind }) => runKind === kind)}
              busy={running.length > 0}
            />
          ))
        ) : (
          <Stack gap={4}>
            <Text>{sources.missing}</Text>
            <Group gap={4}>
              {missing.map((setting) => (
                <Code key={setting}>{setting}</Code>
              ))}
            </Group>
          </Stack>
        )}
        <Schedule state={state} schedule={schedule} />
        <Tools source={source} configured={configured} />
      </Stack>
    </Paper>
  )
}

const Schedule = ({ state, schedule }: Pick<SourceCardProps, 'state' | 'schedule'>) => {
  const { sources, named } = usePageTexts('sources')
  const say = useStatementText()
  if (state.schedule === '') return state.configured ? <Text c="dimmed">{sources.noSchedule}</Text> : null
  return (
    <Stack gap={4}>
      <Text c="dimmed" component="div">
        {sources.schedule} <Code>{state.schedule}</Code>
        {schedule !== undefined && ` ${schedule.timeZone}`}
        {state.nextRunAt !== null && (
          <>
            {' · '}
            {sources.next} <Time value={state.nextRunAt} />
          </>
        )}
      </Text>
      {schedule !== undefined && schedule.lastError !== '' && (
        <Meaning level="danger">{named(sources.lastError, say(schedule.stated, schedule.lastError))}</Meaning>
      )}
    </Stack>
  )
}

const Tools = ({ source, configured }: Pick<SourceState, 'source' | 'configured'>) => {
  const { sources } = usePageTexts('sources')
  const [, setSearch] = useAddress()
  const mayDiagnose = useMay('diagnoseSource')
  const mayMap = useMay('listFieldRelations')
  if (!mayMap && !(configured && mayDiagnose)) return null
  return (
    <Group gap="sm">
      {configured && mayDiagnose && (
        <Button variant="default" onClick={() => setSearch({ diagnose: source })}>
          {sources.diagnose}
        </Button>
      )}
      {mayMap && (
        <ButtonLink variant="default" to="/sources/$source" params={{ source }}>
          {sources.relations}
        </ButtonLink>
      )}
    </Group>
  )
}

const starting = {
  exta: { users: 'syncExtAUsers', groups: 'syncExtADepts' },
  extb: { users: 'syncExtBUsers', groups: 'syncExtBDepts' },
  extc: { users: 'syncExtCUsers', groups: 'syncExtCDepts' },
  extldap: { users: 'syncExtLdapUsers', groups: 'syncExtLdapDepts' },
} as const satisfies Record<Slot, Record<Kind, string>>

type Starting = (typeof starting)[Slot][Kind]

/** None of them is given anything: what is sent is an empty body. */
const empty = {} as Input<Starting>

interface KindLineProps {
  source: Slot
  kind: Kind
  last: RunSummary | undefined
  running: Work | undefined
  /** The source has one run at a time. */
  busy: boolean
}

/** What the last run of people or of departments came to, or how far the present one is. */
const KindLine = ({ source, kind, last, running, busy }: KindLineProps) => {
  const { sources } = usePageTexts('sources')
  const { runs, phaseOf } = useRunTexts()
  return (
    <div className="source-kind">
      <Text fw={600}>{runs.kinds[kind]}</Text>
      <div className="source-last">
        {running !== undefined ? (
          <Group gap="sm" wrap="nowrap" className="one-line" role="status">
            <RunProgress work={running} label={phaseOf(running.phase)} />
            <RunLink id={running.id} />
          </Group>
        ) : last === undefined ? (
          <Text c="dimmed">{sources.never}</Text>
        ) : (
          <Group gap="sm" wrap="nowrap" className="one-line">
            <Meaning level={runLevels[last.state]}>{runs.states[last.state]}</Meaning>
            <Text c="dimmed" className="cut">
              <Time value={last.startedAt} />
            </Text>
            <RunLink id={last.runId} />
          </Group>
        )}
      </div>
      <Start source={source} kind={kind} busy={busy} />
    </div>
  )
}

const RunLink = ({ id }: { id: number }) => {
  const { sources } = usePageTexts('sources')
  const may = useMay('getRun')
  if (!may) return null
  return (
    <PageLink to="/runs/$id" params={{ id: String(id) }}>
      {sources.watch(id)}
    </PageLink>
  )
}

/** The run that a failed start tells of. */
const failedRun = (error: Failure): number | undefined => {
  const { data } = error
  if (typeof data !== 'object' || data === null || !('runId' in data)) return undefined
  return typeof data.runId === 'number' ? data.runId : undefined
}

const Start = ({ source, kind, busy }: Pick<KindLineProps, 'source' | 'kind' | 'busy'>) => {
  const { sources, runs } = usePageTexts('sources', 'runs')
  const failureText = useFailureText()
  const navigate = useNavigate()
  const operation = starting[source][kind]
  const mayRun = useMay(operation)
  const mayDry = useMay('startDryRun')
  const maySee = useMay('getRun')
  const run = useChange(operation, ['listSources', 'listRuns'])
  const dry = useChange('startDryRun', ['listSources', 'listRuns'])
  const stillShown = useStillShown()
  const show = (id: number | undefined): void => {
    if (id !== undefined && maySee && stillShown()) void navigate({ to: '/runs/$id', params: { id: String(id) } })
  }
  const then = {
    onSuccess: ({ data }: { data: { runId: number } }) => show(data.runId),
    onError: (error: Failure) => show(failedRun(error)),
  }
  const error = run.error ?? dry.error
  const what = `${runs.sources[source]}, ${runs.kinds[kind]}`
  const waits = run.isPending || dry.isPending
  return (
    <Stack gap={4} align="flex-end">
      <Group gap="xs" wrap="nowrap">
        {mayDry && (
          <Button
            variant="default"
            aria-label={sources.dryRunOf(what)}
            loading={dry.isPending}
            disabled={!dry.isPending && (busy || waits)}
            onClick={() => {
              run.reset()
              dry.mutate({ path: { source }, body: { kind } }, then)
            }}
          >
            {sources.dryRun}
          </Button>
        )}
        {mayRun && (
          <Button
            variant="default"
            aria-label={sources.runOf(what)}
            loading={run.isPending}
            disabled={!run.isPending && (busy || waits)}
            onClick={() => {
              dry.reset()
              run.mutate(empty, then)
            }}
          >
            {sources.run}
          </Button>
        )}
      </Group>
      {error !== null && (
        <Text c="var(--danger)" role="alert">
          {failureText(error)}
        </Text>
      )}
    </Stack>
  )
}
