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
 * Says which records the directory must follow before the statements that change them are answered. It is sent behind
 * them, and may name records that they turn out not to change.
 */
export type Foretell = (records: Wanted) => Promise<void>

export interface MirroredOptions extends CommittedOptions {
  reconciler: Pick<Reconciler, 'ahead' | 'settle'>
}

/**
 * Makes a change in one transaction and waits a short time for the directory to follow. The change is final with its
 * commit: if the directory is slow, not available or refuses, only the message differs.
 */
export const mirroredChange = ({ reconciler, ...options }: MirroredOptions) => {
  const commit = committedChange(options)
  return async <T>(
    author: Author,
    change: (tx: Tx, announce: Announce, foretell: Foretell) => Promise<Mutation<T>>,
  ): Promise<T | SuccessWithMessage<T>> => {
    const ahead = reconciler.ahead()
    const { data, touched } = await commit(
      author,
      (tx, announce) => change(tx, announce, (records) => ahead.early(tx, records)),
      (tx, { touched }) => ahead.claim(tx, touched),
    ).catch((error: unknown) => {
      ahead.failed(error)
      throw error
    })
    const isThere = await reconciler.settle(touched, undefined, ahead)
    return isThere ? data : new SuccessWithMessage(data, 'saved; the directory follows')
  }
}
