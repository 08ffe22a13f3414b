import './runs.css'
import { Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Failure } from '../../app/api.ts'
import { useLanguage } from '../../app/language.tsx'
import { useChange } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { RunProgress } from '../../ui/RunProgress.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { Decision } from './Decision.tsx'
import { Plan } from './Plan.tsx'
import { Problems } from './Problems.tsx'
import { isPlanMade, type Run, runLevels, useCauses, useRunTexts } from './run-text.ts'
import { useRun } from './use-run.ts'

/** A run: how far it is, what it did or would do, and the decision about a plan that is held. */
export const RunPage = () => {
  const { id = '' } = useParams({ strict: false })
  const { runs } = useRunTexts()
  const number = Number(id)
  return (
    <PageFor operation="getRun">
      {Number.isSafeInteger(number) && number > 0 ? (
        <OneRun key={number} id={number} />
      ) : (
        <Page title={runs.notFound}>
          <Back />
        </Page>
      )}
    </PageFor>
  )
}

const Back = () => {
  const { runs } = useRunTexts()
  return (
    <PageLink to="/runs" activeOptions={{ exact: true }} size="sm">
      {runs.back}
    </PageLink>
  )
}

const OneRun = ({ id }: { id: number }) => {
  const causes = useCauses()
  const { runs, nameOf, phaseOf } = useRunTexts()
  const confirm = useChange('confirmRun', ['getRun', 'listRunChanges', 'listRuns'])
  const { query, running } = useRun(id, confirm.isPending)
  if (query.error instanceof Failure && query.error.code === 404) {
    return (
      <Page title={runs.notFound}>
        <Empty title={runs.notFound}>
          <Back />
        </Empty>
      </Page>
    )
  }
  return (
    <Page title={query.data === undefined ? runs.title(id) : `${runs.title(id)} · ${nameOf(query.data)}`}>
      <QueryState query={query}>
        {(run) => (
          <Stack gap="md" mt={-8}>
            <Head run={run} isRunning={running !== undefined} />
            {running !== undefined && (
              <div role="status">
                <RunProgress work={running} label={phaseOf(running.phase)} />
              </div>
            )}
            {run.state === 'held' && running === undefined && <Decision run={run} confirm={confirm} />}
            {run.state === 'planned' && <OfDryRun run={run} />}
            <Figures run={run} />
            {run.gaps.length > 0 && run.state !== 'held' && (
              <div>
                <Meaning level="risk">{runs.gaps}</Meaning>
                <ul className="plain-list">
                  {causes(run.gaps, run.gapStatements).map((gap) => (
                    <li key={gap}>{gap}</li>
                  ))}
                </ul>
              </div>
            )}
            <Parts run={run} />
          </Stack>
        )}
      </QueryState>
    </Page>
  )
}

const Head = ({ run, isRunning }: { run: Run; isRunning: boolean }) => {
  const { runs, creatorOf } = useRunTexts()
  const { language } = useLanguage()
  const seconds = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const { facts } = runs
  const state = isRunning ? 'running' : run.state
  const replacedBy = /^run (\d+)$/.exec(run.decidedBy)?.[1]
  return (
    <Group gap="md">
      <Back />
      <Meaning level={runLevels[state]}>{runs.states[state]}</Meaning>
      {run.dryRun && run.state !== 'planned' && <Text c="dimmed">{runs.dryRun}</Text>}
      <Text c="dimmed">
        {facts.began} <Time value={run.startedAt} />
        {run.finishedAt !== null &&
          !isRunning &&
          ` · ${facts.took(seconds.format((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000))}`}
      </Text>
      <Text c="dimmed">
        {facts.by} {creatorOf(run.creator)}
      </Text>
      {run.decidedBy !== '' && (
        <Text c="dimmed">
          {replacedBy === undefined ? (
            `${facts.decided} ${run.decidedBy}`
          ) : (
            <PageLink to="/runs/$id" params={{ id: replacedBy }}>
              {facts.replaced(runs.title(Number(replacedBy)))}
            </PageLink>
          )}
          {run.decidedAt !== null && (
            <>
              {' · '}
              <Time value={run.decidedAt} />
            </>
          )}
        </Text>
      )}
    </Group>
  )
}

const OfDryRun = ({ run }: { run: Run }) => {
  const causes = useCauses()
  const { runs } = useRunTexts()
  return (
    <Stack gap={4}>
      <Text c="dimmed">{runs.ofDryRun}</Text>
      {run.heldBecause.length > 0 && (
        <>
          <Meaning level="risk">{runs.wouldBeHeld}</Meaning>
          <ul className="plain-list">
            {causes(run.heldBecause, run.heldStatements).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  )
}

const figures = ['total', 'added', 'updated', 'moved', 'disabled', 'unchanged', 'skipped', 'failed', 'held'] as const

/** What the run did, or would do, in figures. */
const Figures = ({ run }: { run: Run }) => {
  const { runs } = useRunTexts()
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  return (
    <SimpleGrid cols={{ base: 3, xs: 5, md: 9 }} spacing="xs" component="dl" m={0}>
      {figures.map((name) => (
        <div key={name} className="run-figure">
          <Text component="dt" size="xs" c="dimmed">
            {runs.figures[name === 'disabled' && run.kind === 'groups' ? 'removed' : name]}
          </Text>
          <Text component="dd" m={0} fw={600} size="lg" {...(run[name] === 0 && { c: 'dimmed' })}>
            {number.format(run[name])}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

/** Its plan, and its problems. */
const Parts = ({ run }: { run: Run }) => {
  const { runs } = useRunTexts()
  const mayPlan = useMay('listRunChanges')
  const [search, setSearch] = useAddress()
  const hasPlan = (run.source !== 'sql' || run.dryRun) && mayPlan
  const tabs = [...(hasPlan ? ['plan'] : []), 'problems']
  const first = hasPlan && (isPlanMade(run) || run.problems.length === 0) ? 'plan' : 'problems'
  const tab = tabs.find((each) => each === search.tab) ?? first
  return (
    <Tabs
      value={tab}
      onChange={(value) => setSearch({ tab: textOf(value ?? ''), action: undefined, of: undefined })}
      keepMounted={false}
    >
      <Tabs.List mb="sm">
        {hasPlan && <Tabs.Tab value="plan">{runs.tabs.plan}</Tabs.Tab>}
        <Tabs.Tab value="problems">
          {runs.tabs.problems}
          {run.problems.length > 0 && ` (${run.problems.length})`}
        </Tabs.Tab>
      </Tabs.List>
      {hasPlan && (
        <Tabs.Panel value="plan">
          <Plan run={run} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="problems">
        <Problems run={run} />
      </Tabs.Panel>
    </Tabs>
  )
}
