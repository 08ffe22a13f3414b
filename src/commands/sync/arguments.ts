import { type Slot, slots } from '../../sources/slot.ts'
import type { RunKind } from '../../sync/run-request.ts'
import { calledName, readCommandLine } from '../../terminal/command-line.ts'
import { commandLine } from '../../terminal/command-name.ts'
import { UsageError } from '../../terminal/usage-error.ts'

export interface SyncArguments {
  slot: Slot
  /** In the order in which they are run. */
  kinds: RunKind[]
  dryRun: boolean
  /** Every change of a plan is printed, not only the first. */
  all: boolean
}

export const usage = `Usage: ${commandLine('sync')} <source> [groups | users] [--dry-run] [--all]

  <source>    ${slots.join(', ')}
  groups      the departments only; users: the people only; departments, then people, by default
  --dry-run   print what would be done, and do nothing
  --all       print every change of the plan, not only the first ones

Exit code: 0 done, 1 failed, stopped or records were lost, 2 not possible as asked, 3 held and to be confirmed`

/**
 * Reads the arguments; null: help was requested.
 * @throws UsageError
 */
export const readArguments = (given: readonly string[]): SyncArguments | null => {
  const options = { 'dry-run': { type: 'boolean' }, all: { type: 'boolean' } } as const
  const read = readCommandLine(given, { usage, options, max: 2 })
  if (read === null) return null
  const { values } = read
  const [source, kind] = read.positionals
  const slot = slots.find((each) => each === source?.toLowerCase())
  if (source === undefined) throw new UsageError('Which source?', usage)
  if (slot === undefined) throw new UsageError(`There is no source ${calledName(source)}.`, usage)
  if (kind !== undefined && kind !== 'groups' && kind !== 'users')
    throw new UsageError(`Neither groups nor users: ${JSON.stringify(kind)}.`, usage)
  return {
    slot,
    kinds: kind === undefined ? ['groups', 'users'] : [kind],
    dryRun: values['dry-run'] ?? false,
    all: values.all ?? false,
  }
}
