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
  figures: ({ settings, runs }) => ({
    configured: settings.sources.length,
    failed: runs.filter(({ state }) => state === 'failed').length,
    held: runs.filter(({ state }) => state === 'held').length,
  }),
  find: (facts) => expected(facts).flatMap(({ slot, kind, run }) => findOf(facts.at, slot, kind, run)),
}

const findOf = (at: Date, slot: Slot, kind: RunKind, run: RunFacts | undefined): Finding[] => {
  const what = `the ${kinds[kind]} of ${names[slot]}`
  const source = { source: names[slot], slot, runKind: kind }
  if (run === undefined) {
    return [
      {
        kind: 'sourceNeverRun',
        description: `${names[slot]} is configured, and its ${kinds[kind]} were never imported.`,
        suggestion: `Make a dry run (POST /api/v1/operations/sources/${slot}/dry-runs), then ${syncCall(slot, kind)}.`,
        params: source,
      },
    ]
  }
  const details = `GET /api/v1/operations/runs/${run.id}`
  const params = { ...source, id: run.id, count: run.failed }
  const ago = `${span(run.endedAt, at)} ago`
  return [
    ...when(run.state === 'failed', () => ({
      kind: 'runFailed',
      description: `Run ${run.id}, for ${what}, failed ${ago}.`,
      suggestion: `${details} says why; POST /api/v1/operations/sources/${slot}/diagnose tries the connection.`,
      params,
    })),
    ...when(run.state === 'held', () => ({
      kind: 'runHeld',
      description: `Run ${run.id}, for ${what}, has been held for ${span(run.endedAt, at)}.`,
      suggestion: `Check its changes (${details}/changes), then POST …/runs/${run.id}/confirm or …/discard.`,
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
