import type { Slot } from '../../sources/slot.ts'
import type { RunKind } from '../../sync/run-request.ts'
import { type Concern, type Finding, when } from './concern.ts'
import type { Facts, RunFacts } from './facts.ts'
import { counted, span } from './wording.ts'

const tooOld = 7 * 86_400_000

const names: Readonly<Record<Slot, string>> = { exta: 'ExtA', extb: 'ExtB', extc: 'ExtC', extldap: 'ExtLdap' }
const kinds: Readonly<Record<RunKind, string>> = { users: 'people', groups: 'departments' }

const syncCall = (slot: Slot, kind: RunKind): string =>
  kind === 'users' ? `POST /api/user/sync${names[slot]}Users` : `POST /api/group/sync${names[slot]}Depts`

/** The imports that are configured, each with its last run. */
const expected = ({ settings, runs }: Facts): { slot: Slot; kind: RunKind; run: RunFacts | undefined }[] =>
  settings.sources.flatMap((slot) =>
    (['groups', 'users'] as const).map((kind) => ({
      slot,
      kind,
      run: runs.find((run) => run.source === slot && run.kind === kind),
    })),
  )

export const sourcesConcern: Concern = {
  id: 4,
  area: 'sources',
  name: 'Sources',
  description: 'Whether the newest runs imported everything from the organisation’s platforms',
  details(facts) {
    if (facts.settings.sources.length === 0) return 'No source is configured'
    const ends = expected(facts).map(
      ({ slot, kind, run }) =>
        `${names[slot]} ${kinds[kind]}: ${run === undefined ? 'never' : `${run.state} ${span(run.endedAt, facts.at)} ago`}`,
    )
    return ends.join('; ')
  },
  figures: (facts) => ({
    configured: facts.settings.sources.length,
    failed: expected(facts).filter(({ run }) => run?.state === 'failed').length,
    held: heldOf(facts).length,
  }),
  find: (facts) => [
    ...expected(facts).flatMap(({ slot, kind, run }) => findOf(facts.at, slot, kind, run)),
    ...heldOf(facts).map((run) => heldFinding(facts.at, run)),
  ],
}

/** They wait for a decision whether or not their source is configured still. */
const heldOf = ({ runs }: Facts): RunFacts[] => runs.filter(({ state }) => state === 'held')

const callOf = ({ id }: Pick<RunFacts, 'id'>): string => `GET /api/v1/operations/runs/${id}`

const paramsOf = ({ id, source, kind, failed }: RunFacts) => ({
  ...{ source: names[source], slot: source, runKind: kind },
  ...{ id, count: failed },
})

const heldFinding = (at: Date, run: RunFacts): Finding => ({
  kind: 'runHeld',
  description: `Run ${run.id}, for the ${kinds[run.kind]} of ${names[run.source]}, has been held for ${span(run.endedAt, at)}.`,
  suggestion: `Check its changes (${callOf(run)}/changes), then POST …/runs/${run.id}/confirm or …/discard.`,
  params: paramsOf(run),
})

const findOf = (at: Date, slot: Slot, kind: RunKind, run: RunFacts | undefined): Finding[] => {
  const what = `the ${kinds[kind]} of ${names[slot]}`
  if (run === undefined) {
    return [
      {
        kind: 'sourceNeverRun',
        description: `${names[slot]} is configured, and its ${kinds[kind]} were never imported.`,
        suggestion: `Make a dry run (POST /api/v1/operations/sources/${slot}/dry-runs), then ${syncCall(slot, kind)}.`,
        params: { source: names[slot], slot, runKind: kind },
      },
    ]
  }
  const details = callOf(run)
  const params = paramsOf(run)
  const ago = `${span(run.endedAt, at)} ago`
  return [
    ...when(run.state === 'failed', () => ({
      kind: 'runFailed',
      description: `Run ${run.id}, for ${what}, failed ${ago}.`,
      suggestion: `${details} says why; POST /api/v1/operations/sources/${slot}/diagnose tries the connection.`,
      params,
    })),
    ...when(at.getTime() - run.endedAt.getTime() > tooOld, () => ({
      kind: 'sourceOld',
      description: `The newest run for ${what} ended ${ago}.`,
      suggestion: `Start a run (${syncCall(slot, kind)}), and set ${slot.toUpperCase()}_SCHEDULE for regular runs.`,
      params,
    })),
    ...when(run.failed > 0, () => ({
      kind: 'recordsFailed',
      description: `Run ${run.id}, for ${what}, could not import ${counted(run.failed, 'record')}.`,
      suggestion: `${details} lists each one and what to do.`,
      params,
    })),
  ]
}
