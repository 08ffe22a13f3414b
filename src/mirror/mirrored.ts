import { type Announce, type CommittedOptions, committedChange } from '../access/committed.ts'
import type { PrincipalScope } from '../access/principals.ts'
import type { Author } from '../access/standing.ts'
import { SuccessWithMessage } from '../contract/handler.ts'
import type { Tx } from '../db/client.ts'
import type { Reconciler } from './reconciler.ts'
import type { Touched } from './touch.ts'
import type { Wanted } from './writing/claims.ts'

export interface Mutation<T> {
  data: T
  /** The records that the directory must follow. */
  touched: Touched[]
  /** The users whose rights, name or sessions have changed, unless they were announced. */
  callers?: PrincipalScope
}

/**
 * Claims the records that the statements before it change, before these are answered. It is sent behind
 * them, and may name records that they turn out not to change.
 */
export type ClaimEarly = (records: Wanted) => Promise<void>

export interface MirroredOptions extends CommittedOptions {
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle'>
}

/**
 * Makes a change in one transaction and waits a short time for the directory to follow. The change is final with its
 * commit: if the directory is slow, not available or refuses, only the message differs.
 */
export const mirroredChange = ({ reconciler, ...options }: MirroredOptions) => {
  const commit = committedChange(options)
  return async <T>(
    author: Author,
    change: (tx: Tx, announce: Announce, claimEarly: ClaimEarly) => Promise<Mutation<T>>,
  ): Promise<T | SuccessWithMessage<T>> => {
    const early = reconciler.earlyClaim()
    const { data, touched } = await commit(
      author,
      (tx, announce) => change(tx, announce, (records) => early.begin(tx, records)),
      (tx, { touched }) => early.complete(tx, touched),
    ).catch((error: unknown) => {
      early.failed(error)
      throw error
    })
    const isThere = await reconciler.settle(touched, undefined, early)
    return isThere ? data : new SuccessWithMessage(data, 'saved; the directory follows')
  }
}
