import type { Directory, Write } from './directory.ts'
import { DirectoryError } from './directory.ts'
import { parseDn } from './dn.ts'
import { type GroupClass, memberAttribute } from './entry-shape.ts'
import type { Claim, Ledger } from './ledger.ts'
import { type Found, groupItem, type Item, plan, userItem } from './plan.ts'
import { type Converged, outcome, type Planned, success } from './planned.ts'
import { resultCodes } from './result-code.ts'
import type { RecordKind } from './touch.ts'
import { transactBatch } from './transact-batch.ts'

export interface ConvergeOptions {
  directory: Directory
  ledger: Ledger
  groupClass: GroupClass
  /** Whether the directory shows `userPassword` to us; learnt when the connection is made. */
  passwordReadable: () => boolean
  /** Called when an entry that should be there is not: somebody changed the directory behind our back. */
  surprised: () => void
}

/** Somebody changed the entry between our read and our write. */
const changedMeanwhile: readonly number[] = [resultCodes.noSuchAttribute, resultCodes.attributeOrValueExists]

/** Tries after which an entry that cannot be read is left alone until somebody asks for it. */
const readTries = 3
/** Tries after which a record whose name is taken by another that waits, too, steps aside for it. */
const patience = 2

const userAttributeNames = [
  ...['objectClass', 'uid', 'cn', 'sn', 'displayName', 'givenName', 'mail', 'mobile', 'employeeNumber', 'title'],
  ...['departmentNumber', 'ou', 'description', 'postalAddress', 'userPassword'],
]

/** Milliseconds until try number `attempts` + 1: doubling from a quarter of a second to five minutes, with jitter. */
export const backoff = (attempts: number): number => Math.min(300_000, 250 * 2 ** attempts) * (0.75 + Math.random() / 2)

/**
 * Makes the entries of a claimed batch equal to their rows: read, compare, write only what differs. It is
 * level-triggered: whatever happened before, and however often it runs, the end is the same. A refused record does not
 * touch the others.
 * @throws DirectoryError `unavailable` without a code when the directory is out of reach: then nothing is known of
 * the batch but that `targetDn` says where its entries may be.
 */
export const converge =
  ({ directory, ledger, groupClass, passwordReadable, surprised }: ConvergeOptions) =>
  async (claim: Claim): Promise<Converged[]> => {
    const { baseDn } = directory
    const items: Item[] =
      claim.kind === 'user'
        ? (await ledger.users(claim.ids)).map((row) => userItem(row, baseDn))
        : (await ledger.groups(claim.ids)).map((row) => groupItem(row, baseDn, groupClass))
    const features = await directory.features()
    const wantedNames =
      claim.kind === 'user'
        ? userAttributeNames
        : ['objectClass', 'cn', 'ou', 'description', memberAttribute(groupClass)]
    const attributes = features.entryCsn ? [...wantedNames, 'entryCSN'] : wantedNames

    const find = async (item: Item): Promise<Found | null> => {
      if (item.dn === null && item.targetDn === null) return null
      const places = [item.dn, item.targetDn, item.wanted?.dn].filter((dn) => dn != null)
      for (const dn of new Set(places)) {
        const entry = await directory.read(dn, attributes)
        if (entry !== null) return { dn, entry }
      }
      if (item.dn !== null && !item.deleted) surprised()
      return null
    }

    const settled: Converged[] = []
    const open: Item[] = []
    for (const item of items) {
      if (item.waiting === '') open.push(item)
      else settled.push({ ...outcome(item, 'parked', 'failed'), error: item.waiting })
    }
    const planned: Planned[] = []
    const look = async (item: Item): Promise<void> => {
      try {
        const found = await find(item)
        planned.push({ item, found, writes: plan(item, found, passwordReadable()) })
      } catch (error) {
        settled.push(unreadable(item, error))
      }
    }
    await Promise.all(open.map(look))
    await ledger.intend(
      claim,
      planned.flatMap(({ item: { id, dn, wanted } }) => (wanted && wanted.dn !== dn ? [{ id, dn: wanted.dn }] : [])),
    )
    const oneByOne = writeOne({ directory, ledger, kind: claim.kind, attributes, passwordReadable, surprised })
    for (const together of inOrder(planned)) {
      const early = features.transactions ? await transactBatch(directory, together, oneByOne) : nothingYet
      settled.push(...(await Promise.all(together.map((one) => early.get(one) ?? oneByOne(one)))))
    }
    return settled
  }

const nothingYet: ReadonlyMap<Planned, Converged> = new Map()

/**
 * An entry that cannot be read (`other`: it is damaged, say) is its record's problem, from the third time on somebody
 * has to look at it. @throws what is about the directory
 */
const unreadable = (item: Item, error: unknown): Converged => {
  if (!(error instanceof DirectoryError) || !error.answered) throw error
  if (error.kind === 'unavailable' && error.code !== resultCodes.other) throw error
  const failed = { ...outcome(item, 'parked', 'failed'), unseen: true, error: error.message }
  const passing = error.kind === 'unavailable' && item.attempts < readTries
  return passing ? { ...failed, outcome: 'retry', delay: backoff(item.attempts) } : failed
}

/** Removals first, what lies deepest before what it lies in; all the rest at once. */
const inOrder = (planned: readonly Planned[]): Planned[][] => {
  const levels = new Map<number, Planned[]>()
  for (const one of planned) {
    const depth = one.item.wanted === null && one.found !== null ? parseDn(one.found.dn).length : 0
    const level = levels.get(depth)
    if (level === undefined) levels.set(depth, [one])
    else level.push(one)
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, together]) => together)
}

interface WriteOneOptions extends Pick<ConvergeOptions, 'directory' | 'ledger' | 'passwordReadable' | 'surprised'> {
  kind: RecordKind
  attributes: string[]
}

/** The careful path: one record alone, with an answer to everything a directory may say to it. */
const writeOne =
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

    const refused = async (error: DirectoryError): Promise<Converged> => {
      const failed = { ...outcome(item, 'retry', 'failed'), dn, error: error.message, delay: backoff(item.attempts) }
      if (error.kind === 'unavailable') return failed
      if (error.code === resultCodes.noSuchObject) {
        if (step === 'delete') return outcome(item, 'removed', 'removed')
        surprised()
        return failed
      }
      if (error.code === resultCodes.notAllowedOnNonLeaf && step === 'delete') {
        return { ...failed, error: `there are entries below it: ${error.message}` }
      }
      if (error.code !== null && changedMeanwhile.includes(error.code)) return failed
      if (error.code === resultCodes.entryAlreadyExists && item.wanted !== null) return nameTaken(item.wanted, failed)
      return { ...failed, outcome: 'parked' }
    }

    const nameTaken = async (wanted: NonNullable<Item['wanted']>, failed: Converged): Promise<Converged> => {
      const owned = (await ledger.ownedByOthers(kind, [{ id: item.id, dn: wanted.dn }])).size > 0
      if (owned) {
        if (step === 'rename' && item.attempts >= patience && dn !== null) await stepAside(dn)
        return {
          ...failed,
          dn,
          error: 'its name is still taken by another record',
          delay: Math.min(failed.delay, 2000),
        }
      }
      if (step !== 'add') {
        return { ...failed, outcome: 'parked', error: `another entry is already at ${wanted.dn}` }
      }
      // An entry nobody else's row speaks for, such as one from before Steward: it becomes this record's.
      const entry = await directory.read(wanted.dn, attributes)
      if (entry === null) return failed
      await write(plan(item, { dn: wanted.dn, entry }, passwordReadable()))
      return { ...outcome(item, 'in_sync', 'updated'), dn: wanted.dn }
    }

    /** Two records that want each other's names would wait for ever; one takes a name nobody wants meanwhile. */
    const stepAside = async (from: string): Promise<void> => {
      const type = from.slice(0, from.indexOf('='))
      const parent = item.wanted?.dn.slice(item.wanted.dn.indexOf(',') + 1)
      const aside = `${type}=steward-${kind}-${item.id},${parent}`
      await directory.write({ kind: 'rename', dn: from, newDn: aside })
      dn = aside
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
        return { ...outcome(item, 'parked', 'failed'), dn, error: second.message }
      }
    }
  }
