import { Stack, Text } from '@mantine/core'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { useStatementText } from '../../app/statement.ts'
import { Meaning } from '../../ui/Meaning.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Empty } from '../../ui/states.tsx'
import { RecordLink } from './RecordLink.tsx'
import { Retry } from './Retry.tsx'
import { type Run, useRunTexts } from './run-text.ts'

type Problem = Run['problems'][number]

/** So many problems a run keeps. */
const kept = 100

/**
 * The records behind problems: a comparison names them by our ids, an import by those of the source, which the changes that
 * were not made know.
 */
const useRecords = (run: Run): ((problem: Problem) => number | null) => {
  const may = useMay('listRunChanges')
  const input = (state: 'failed' | 'held') => ({
    path: { id: run.runId },
    query: { state, pageNum: 1, pageSize: 2 * kept },
  })
  const isImport = run.source !== 'sql' && may
  const failed = useReading('listRunChanges', input('failed'), { enabled: isImport && run.failed > 0 })
  const held = useReading('listRunChanges', input('held'), { enabled: isImport && run.held > 0 })
  if (run.source === 'sql') return ({ sourceId }) => (/^\d+$/.test(sourceId) ? Number(sourceId) : null)
  const known = new Map(
    [...(held.data?.changes ?? []), ...(failed.data?.changes ?? [])].map(({ sourceId, recordId }) => [
      sourceId,
      recordId,
    ]),
  )
  return ({ sourceId }) => known.get(sourceId) ?? null
}

/** What went wrong: with which record, why, and what helps. */
export const Problems = ({ run }: { run: Run }) => {
  const { problems: texts } = useRunTexts().runs
  const recordOf = useRecords(run)
  if (run.problems.length === 0) return <Empty title={texts.none} />
  return (
    <Stack gap="sm">
      {run.problems.length >= kept && (
        <Text size="sm" c="dimmed">
          {texts.first(run.problems.length)}
        </Text>
      )}
      <ul className="problems" aria-label={texts.label}>
        {run.problems.map((problem, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record can have the same problem twice, and the list is never reordered
          <li key={at}>
            <OneProblem run={run} problem={problem} recordId={recordOf(problem)} />
          </li>
        ))}
      </ul>
    </Stack>
  )
}

interface OneProblemProps {
  run: Run
  problem: Problem
  recordId: number | null
}

const OneProblem = ({ run, problem, recordId }: OneProblemProps) => {
  const { sourceId, name, step, reason, advice, stated, advised } = problem
  const say = useStatementText()
  const { problems: texts } = useRunTexts().runs
  const steps: Readonly<Record<string, string>> = texts.steps
  return (
    <Stack gap={4}>
      <Meaning level={step === 'seniority' ? 'risk' : 'danger'}>
        <Text span fw={600}>
          <RecordLink kind={run.kind} id={recordId}>
            {name || sourceId || texts.wholeRun}
          </RecordLink>
        </Text>
        {name !== '' && sourceId !== '' && (
          <Text span c="dimmed">
            {' '}
            <span className="mono">{sourceId}</span>
          </Text>
        )}
        <Text span c="dimmed">
          {' · '}
          {steps[step] ?? step}
        </Text>
      </Meaning>
      <Text>{say(stated, reason)}</Text>
      {advice !== '' && <Text c="dimmed">{say(advised, advice)}</Text>}
      <Cure run={run} step={step} name={name} recordId={recordId} />
    </Stack>
  )
}

/** Where a problem is mended. */
const Cure = ({ run, step, name, recordId }: { run: Run; step: string; name: string; recordId: number | null }) => {
  const { problems: texts } = useRunTexts().runs
  const mayFind = useMay(run.kind === 'users' ? 'listPeople' : 'listDepartments')
  const refused = step === 'apply' || step === 'compare' || step === 'write'
  const mayMap = useMay('listFieldRelations')
  const mayDiagnose = useMay('diagnoseSource')
  const { source, kind } = run
  if (step === 'mapping' && source !== 'sql' && mayMap) {
    return (
      <PageLink size="sm" to="/sources/$source" params={{ source }} search={{ kind }}>
        {texts.mapping}
      </PageLink>
    )
  }
  if (step === 'reading' && source !== 'sql' && mayDiagnose) {
    return (
      <PageLink to="/sources" search={{ diagnose: source }} size="sm">
        {texts.diagnose}
      </PageLink>
    )
  }
  if (recordId !== null) return refused ? <Retry kind={run.kind} id={recordId} /> : null
  if (name === '' || !mayFind) return null
  return (
    <PageLink to={run.kind === 'users' ? '/people' : '/groups'} search={{ q: name }} size="sm">
      {texts.find}
    </PageLink>
  )
}
