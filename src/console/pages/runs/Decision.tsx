import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useFailureText } from '../../app/failures.ts'
import { useNotGranted } from '../../app/not-granted.ts'
import { useChange } from '../../app/queries.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { Failed } from '../../ui/states.tsx'
import { type Run, useCauses, useRunTexts } from './run-text.ts'
import { actionsOf, useCounts } from './use-counts.ts'

interface DecisionProps {
  run: Run
  confirm: ReturnType<typeof useChange<'confirmRun'>>
}

/** Why a plan is held, and the buttons that confirm or discard it. */
export const Decision = ({ run, confirm }: DecisionProps) => {
  const { runs } = useRunTexts()
  const failureText = useFailureText()
  const notConfirm = useNotGranted('confirmRun')
  const notDiscard = useNotGranted('discardRun')
  const ask = useConfirm()
  const discard = useChange('discardRun', ['getRun', 'listRunChanges', 'listRuns'])
  const counts = useCounts(run, ['planned', 'held'])
  const { held } = runs
  const causes = useCauses()
  const isPart = run.added + run.updated + run.moved + run.disabled > 0
  const busy = confirm.isPending || discard.isPending
  const apply = async (): Promise<void> => {
    // The plan that was looked at: if it is another one by now, the service refuses.
    const { runId, planHash } = run
    if (await ask(questionOf(run, counts, runs))) {
      discard.reset()
      confirm.mutate(
        { path: { id: runId }, body: { planHash } },
        { onSuccess: ({ data }) => notifyDone(outcomeOf(data, runs)) },
      )
    }
  }
  const giveUp = async (): Promise<void> => {
    const { title, consequence, action, done } = runs.discard
    if (await ask({ title, consequence, action, danger: true })) {
      confirm.reset()
      discard.mutate({ path: { id: run.runId } }, { onSuccess: () => notifyDone(done) })
    }
  }
  const failure = confirm.error ?? discard.error
  return (
    <Paper withBorder p="md" className="decision" component="section">
      <Stack gap="sm">
        <Meaning level="risk">
          <Text span fw={600}>
            {isPart ? held.partTitle : held.title}
          </Text>
        </Meaning>
        <ul className="plain-list">
          {causes(run.heldBecause, run.heldStatements).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <Text>{isPart ? held.partHelp : held.help}</Text>
        <Text size="sm" c="dimmed">
          {runs.facts.hash}{' '}
          <span className="mono" title={run.planHash}>
            {run.planHash.slice(0, 12)}…
          </span>
        </Text>
        {counts.error !== null && <Failed error={counts.error} retry={counts.retry} />}
        {failure !== null && (
          <Text c="var(--danger)" role="alert">
            {failureText(failure)}
          </Text>
        )}
        {notConfirm === null || notDiscard === null ? (
          <Group gap="sm">
            <Button
              disabled={notConfirm !== null || counts.all === undefined || (busy && !confirm.isPending)}
              title={notConfirm ?? undefined}
              loading={confirm.isPending}
              onClick={() => void apply()}
            >
              {held.confirm}
            </Button>
            <Button
              variant="default"
              disabled={notDiscard !== null || (busy && !discard.isPending)}
              title={notDiscard ?? undefined}
              loading={discard.isPending}
              onClick={() => void giveUp()}
            >
              {held.discard}
            </Button>
          </Group>
        ) : (
          <Text c="dimmed">{held.noRight}</Text>
        )}
      </Stack>
    </Paper>
  )
}

type RunsTexts = ReturnType<typeof useRunTexts>['runs']

const questionOf = (run: Run, counts: ReturnType<typeof useCounts>, { confirm: texts }: RunsTexts) => {
  const users = run.kind === 'users'
  const withdraws = (counts.of('disable') ?? 0) + (counts.of('remove') ?? 0) > 0
  return {
    title: texts.title,
    consequence: (
      <Stack gap="xs">
        <Text>{texts.lead}</Text>
        <ul className="plain-list">
          {actionsOf(run).map((action) => {
            const count = counts.of(action) ?? 0
            return count > 0 && <li key={action}>{texts.consequences[action](count, users)}</li>
          })}
        </ul>
        <Text c="dimmed">{texts.again}</Text>
      </Stack>
    ),
    action: texts.action(counts.all ?? 0),
    danger: withdraws,
  }
}

const outcomeOf = ({ state }: Run, { confirm }: RunsTexts): string =>
  state === 'held' ? confirm.stillHeld : state === 'running' ? confirm.goesOn : confirm.done
