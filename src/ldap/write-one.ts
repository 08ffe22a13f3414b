import type { Directory, Write } from './directory.ts'
import { DirectoryError } from './directory.ts'
import { formatDn, parseDn } from './dn.ts'
import type { Ledger } from './ledger.ts'
import { type Item, plan } from './plan.ts'
import { type Converged, nameTaken, outcome, type Planned, retry, success } from './planned.ts'
import { resultCodes } from './result-code.ts'
import type { RecordKind } from './touch.ts'

export interface WriteOneOptions {
  directory: Directory
  ledger: Ledger
  kind: RecordKind
  /** What is read of an entry. */
  attributes: string[]
  passwordReadable: () => boolean
  surprised: () => void
}

/** Somebody changed the entry between our read and our write. */
const changedMeanwhile: readonly number[] = [resultCodes.noSuchAttribute, resultCodes.attributeOrValueExists]

const isPassing = ({ kind, code }: DirectoryError): boolean =>
  kind === 'unavailable' || (code !== null && changedMeanwhile.includes(code))

/** The careful path: one record alone, with an answer to everything a directory may say to it. */
export const writeOne =
  ({ directory, ledger, kind, attributes, passwordReadable, surprised }: WriteOneOptions) =>
  async (planned: Planned): Promise<Converged> => {
    const { item } = planned
    let step: Write['kind'] | undefined
    /** Where the entry is by now: a rename may have succeeded before a modify was refused. */
    let dn = planned.found?.dn ?? null

    const write = async (writes: readonly Write[]): Promise<void> => {
      for (const one of writes) {
        step = one.kind
        await directory.write(one)
        if (one.kind === 'rename') dn = one.newDn
      }
    }

    const failed = (error: DirectoryError): Converged => ({
      ...retry(planned),
      dn,
      // It may have been carried out all the same.
      unseen: error.kind === 'unavailable',
      error: error.message,
    })

    const refused = async (error: DirectoryError): Promise<Converged> => {
      if (error.code === resultCodes.noSuchObject) {
        if (step === 'delete') return outcome(item, 'removed', 'removed')
        surprised()
        return failed(error)
      }
      if (error.code === resultCodes.notAllowedOnNonLeaf && step === 'delete') {
        return { ...failed(error), error: `there are entries below it: ${error.message}` }
      }
      if (isPassing(error)) return failed(error)
      if (error.code === resultCodes.entryAlreadyExists && item.wanted !== null) return occupied(item.wanted, error)
      return { ...failed(error), outcome: 'parked' }
    }

    /** An entry that no record speaks for, such as one from before Steward, is there: it becomes that of one without any. */
    const occupied = async (wanted: NonNullable<Item['wanted']>, error: DirectoryError): Promise<Converged> => {
      const entry = await directory.read(wanted.dn, attributes)
      if (entry === null) return failed(error)
      // The server may take names for equal that SQL does not, and this lease may have been lost meanwhile.
      const spelled = formatDn(parseDn(entry.dn))
      if (await ledger.isHeld(kind, item.id, spelled)) return { ...nameTaken(planned), dn }
      if (step !== 'add') {
        return { ...failed(error), outcome: 'parked', error: `another entry is already at ${wanted.dn}` }
      }
      dn = wanted.dn
      await write(plan(item, { dn, entry }, passwordReadable()))
      return { ...outcome(item, 'in_sync', 'updated'), dn }
    }

    try {
      await write(planned.writes)
      return success(planned)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      if (error.kind === 'unavailable' && !error.answered) throw error
      try {
        return await refused(error)
      } catch (second) {
        if (!(second instanceof DirectoryError) || (second.kind === 'unavailable' && !second.answered)) throw second
        if (second.code === resultCodes.noSuchObject) return { ...failed(second), dn: null }
        return isPassing(second) ? failed(second) : { ...failed(second), outcome: 'parked' }
      }
    }
  }
