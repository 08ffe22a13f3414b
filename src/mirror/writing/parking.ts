import { semaphore } from '../../concurrency/semaphore.ts'
import type { KeptAttributes } from '../../db/schema.ts'
import type { Change, Directory, WholeEntry } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory.ts'
import { isServerRefusal, resultCodes } from '../../ldap/result-code.ts'
import { withoutExtras } from '../entry/extra-attributes.ts'
import { foreignOf, keptWith, namesOf, parts, putBack, removal } from '../entry/foreign-attributes.ts'
import { hasMemberOf } from '../entry/member-of.ts'
import { disabledDn } from '../entry/places.ts'
import type { Claim } from '../ledger/claim.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { Plan } from '../plan/plan.ts'
import { isBelow } from '../plan/subtree-moves.ts'
import { statements } from '../statements.ts'

/** The most characters that are stored of one entry, in base64: restoring has to fit into one request. */
const maxKept = 400_000

/** The number of entries at a time: complete entries are held in memory. */
const atOnce = 8

/**
 * The last step of disabling or enabling a person: the foreign attributes of the entry are stored in SQL and removed,
 * or restored and deleted in SQL. They are stored before they are removed, and deleted after they were restored, so
 * that a crash in between repeats a step and loses nothing.
 */
export const openParking = (directory: Directory, ledger: Ledger, claim: Claim) => {
  const reductions = semaphore(atOnce)
  const parkedPlace = disabledDn(directory.baseDn)

  const modify = (dn: string, changes: Change[]): Promise<void> => directory.write({ kind: 'modify', dn, changes })

  /** Removes what the server allows. @returns an error that names what stays; null: everything was removed */
  const takeAway = async (dn: string, foreign: KeptAttributes, computes: boolean): Promise<DirectoryError | null> => {
    const reason = await refusalOf(modify(dn, removal(foreign)))
    if (reason === null) return null
    for (const part of parts(foreign)) {
      if (removal(part).length > 0) await refusalOf(modify(dn, removal(part)))
    }
    const left = await directory.readWhole(dn)
    const stays = left && foreignOf(left, computes)
    if (stays === null) return null
    const stated = statements.attributes_stay({ attributes: namesOf(stays), problem: reason.stated })
    return new DirectoryError('refused', stated, { code: reason.code, cause: reason })
  }

  const strip = async ({ item, found }: Plan, done: Outcome, entry: WholeEntry): Promise<Outcome> => {
    const computes = !hasMemberOf(item.extras)
    const foreign = foreignOf(entry, computes)
    if (foreign === null) return done
    const known = await ledger.kept(item.id)
    const wasParked = found !== null && isBelow(found.dn, parkedPlace)
    // What Steward manages is removed too, but SQL has it: it must not come back as it was.
    const keptOf = (part: KeptAttributes): KeptAttributes | null =>
      withoutExtras(keptWith(known, part, wasParked), item.extras)
    const { fits, tooLarge } = withinBound(foreign, keptOf)
    let left: DirectoryError | null = null
    if (fits !== null) {
      const kept = keptOf(fits)
      if (kept !== null) await ledger.keep(claim, item.id, kept)
      left = await takeAway(entry.dn, fits, computes)
    }
    if (tooLarge.length > 0) {
      const stated = statements.too_much_to_keep({ limit: maxKept, attributes: tooLarge.join(', ') })
      throw new DirectoryError('refused', stated, { code: resultCodes.constraintViolation })
    }
    if (left !== null) throw left
    return changed(done)
  }

  /** An attribute with a single value has one value after this: the current one, or the newest stored one. */
  const putBackCarefully = async (kept: KeptAttributes, entry: WholeEntry): Promise<void> => {
    const first = putBack(kept, entry, true)
    const reason = first.length === 0 ? null : await refusalOf(modify(entry.dn, first))
    if (reason !== null) {
      const stated = statements.not_put_back({ attributes: namesOf(kept), problem: reason.stated })
      throw new DirectoryError('refused', stated, { code: reason.code, cause: reason })
    }
    const now = await directory.readWhole(entry.dn)
    // An attribute with a single value refuses the other values.
    for (const rest of now === null ? [] : putBack(kept, now, false)) await refusalOf(modify(entry.dn, [rest]))
  }

  const restore = async ({ item }: Plan, done: Outcome, entry: WholeEntry): Promise<Outcome> => {
    const stored = await ledger.kept(item.id)
    if (stored === null) return done
    const kept = withoutExtras(stored, item.extras)
    if (kept === null) return { ...done, forgetKept: true }
    const changes = putBack(kept, entry, false)
    if (changes.length === 0) return { ...done, forgetKept: true }
    if ((await refusalOf(modify(entry.dn, changes))) !== null) await putBackCarefully(kept, entry)
    return { ...changed(done), forgetKept: true }
  }

  /**
   * @param done the outcome of the item before this step
   * @throws DirectoryError
   */
  return async (planned: Plan, done: Outcome): Promise<Outcome> => {
    const { foreign } = planned
    if (foreign === null || done.dn === null) return done
    const { dn } = done
    return reductions.run(async () => {
      const entry = await directory.readWhole(dn)
      if (entry === null)
        throw new DirectoryError('refused', statements.gone({ dn }), { code: resultCodes.noSuchObject })
      return foreign === 'strip' ? strip(planned, done, entry) : restore(planned, done, entry)
    })
  }
}

/**
 * The foreign attributes that fit, the smallest first: a photograph that is too large must not prevent that the keys
 * are removed.
 * @returns `fits` null: nothing fits; `tooLarge` names the attributes that stay
 */
const withinBound = (
  foreign: KeptAttributes,
  keptOf: (part: KeptAttributes) => KeptAttributes | null,
): { fits: KeptAttributes | null; tooLarge: string[] } => {
  const sizeOf = (part: KeptAttributes): number => JSON.stringify(keptOf(part)).length
  if (sizeOf(foreign) <= maxKept) return { fits: foreign, tooLarge: [] }
  const bySize = Object.entries(foreign.attributes).sort(
    ([, one], [, other]) => JSON.stringify(one).length - JSON.stringify(other).length,
  )
  const { objectClasses } = foreign
  // An attribute that a class requires can be removed only together with the class.
  let fits: KeptAttributes = { objectClasses, attributes: {} }
  const tooLarge: string[] = []
  for (const [name, values] of bySize) {
    const more = { objectClasses, attributes: { ...fits.attributes, [name]: values } }
    if (sizeOf(more) <= maxKept) fits = more
    else tooLarge.push(name)
  }
  const isEmpty = objectClasses.length === 0 && Object.keys(fits.attributes).length === 0
  return { fits: isEmpty ? null : fits, tooLarge }
}

const changed = (done: Outcome): Outcome => ({
  ...done,
  action: done.action === 'unchanged' ? 'updated' : done.action,
  entryCsn: null,
})

/**
 * The error of a write whose content the server refused; null: it was carried out. @throws errors that do not depend on
 * the request
 */
const refusalOf = async (writing: Promise<void>): Promise<DirectoryError | null> => {
  try {
    await writing
    return null
  } catch (error) {
    if (error instanceof DirectoryError && error.kind === 'refused' && !isServerRefusal(error)) return error
    throw error
  }
}

export type Parking = ReturnType<typeof openParking>
