import type { Principal } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import type { SourcesHandlers } from '../generated/operations.ts'
import { declaredOf, maySee, type Whose } from '../people/attributes/declared.ts'
import { requiredVariables, type SourcesConfig } from '../sources/settings.ts'
import { slots } from '../sources/slot.ts'
import { SourceError } from '../sources/source.ts'
import { requireConfigured, type SourcesBySlot } from './configured-source.ts'
import type { Importer } from './importer.ts'
import { compileMapping } from './mapping/compile.ts'
import { declaredFields, loadMapping } from './mapping/relations.ts'
import { reasons } from './reasons.ts'
import { runRecords } from './run-records.ts'
import { type RunKind, recordKindOf } from './run-request.ts'
import { reportOrFailure } from './run-response.ts'
import { readSamples } from './samples.ts'
import { type ScheduleStatesOptions, scheduleStates } from './schedule-states.ts'
import { statements } from './statements.ts'

/** Records that a preview shows. */
const sampleSize = 20

export interface SourcesOptions extends ScheduleStatesOptions {
  db: Db
  importer: Pick<Importer, 'run'>
  sources: SourcesBySlot
  config: ScheduleStatesOptions['config'] & Pick<SourcesConfig, 'connectors'>
  /** Milliseconds within which a source must answer a waiting caller; default 30 s. */
  timeout?: number
}

/**
 * Records are shown as the source returns them: whatever fills an attribute that the caller may not see is among it.
 * @throws AppError (forbidden)
 */
const requireSeesAll = async (db: Db, kind: RunKind, user: Principal): Promise<void> => {
  const declared = await declaredOf(db, recordKindOf(kind))
  // The caller may be among the people of the source.
  const seesAll = (whose: Whose): boolean => declared.every((each) => maySee(each, user, whose))
  if (!seesAll('others') || (kind === 'users' && !seesAll('own'))) throw reasons.records_hidden()
}

/** The platforms of the organisation: their settings, tests, and previews. */
export const sourcesHandlers = (options: SourcesOptions): SourcesHandlers => {
  const { db, importer, sources, config, timeout = 30_000 } = options
  const runs = runRecords(db)

  /** The result of a source in time. @throws AppError (upstream) with the source's message otherwise */
  const asking = async <T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(timeout)
    try {
      return await ask(signal)
    } catch (cause) {
      if (signal.aborted) throw reasons.source_silent({ seconds: timeout / 1000 })
      if (!(cause instanceof SourceError)) throw cause
      const { stated: problem, advised: advice } = cause
      throw reasons.source_failed(
        { problem: advice === null ? problem : statements.with_advice({ problem, advice }) },
        { cause },
      )
    }
  }

  return {
    async listSources() {
      const [newest, schedules] = await Promise.all([runs.newest(), scheduleStates(options)])
      return slots.map((source) => {
        const connector = config.connectors[source]
        return {
          source,
          connector,
          configured: sources[source] !== null,
          missing: sources[source] === null ? requiredVariables(source, connector) : [],
          schedule: config.schedules[source] ?? '',
          nextRunAt: schedules.find((schedule) => schedule.source === source)?.nextRunAt ?? null,
          lastRuns: newest.filter((run) => run.source === source),
        }
      })
    },

    async startDryRun({ params: { source }, body: { kind }, user }) {
      const { runId } = await importer.run({ slot: source, kind, dryRun: true, creator: user.username, actor: user })
      const run = await runs.find(runId)
      if (run === null) throw new Error(`Run ${runId} is gone`)
      return reportOrFailure(run)
    },

    diagnoseSource: async ({ params: { source } }) => asking(requireConfigured(sources, source).diagnose),

    async previewMapping({ params: { source: slot }, body: { kind, attributes }, user }) {
      await requireSeesAll(db, kind, user)
      const source = requireConfigured(sources, slot)
      const map = attributes
        ? compileMapping(kind, attributes, await declaredFields(db, kind))
        : await loadMapping(db, slot, kind)
      const samples = await asking((signal) => readSamples(source, kind, sampleSize, signal))
      return samples.map(({ sourceId, record }) => ({ sourceId, record, ...map(record) }))
    },
  }
}
