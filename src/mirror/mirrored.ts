import { type CommittedOptions, committedChange } from '../access/committed.ts'
import type { PrincipalScope } from '../access/principals.ts'
import { Answer } from '../contract/handler.ts'
import type { Tx } from '../db/client.ts'
import type { Reconciler } from './reconciler.ts'
import type { Touched } from './touch.ts'

export interface Mutation<T> {
  data: T
  /** What the directory has to follow. */
  touched: Touched[]
  /** Whose rights, name or sessions are not what they were. */
  callers?: PrincipalScope
}

export interface MirroredOptions extends CommittedOptions {
  reconciler: Pick<Reconciler, 'settle'>
}

/**
 * Makes a change in one transaction and gives the directory a moment to follow. The change counts from its commit on:
 * a directory that is slow, down or unwilling alters the message and nothing else.
 */
export const mirroredChange = ({ reconciler, ...options }: MirroredOptions) => {
  const commit = committedChange(options)
  return async <T>(change: (tx: Tx) => Promise<Mutation<T>>): Promise<T | Answer<T>> => {
    const { data, touched } = await commit(change)
    return (await reconciler.settle(touched)) ? data : new Answer(data, 'saved; the directory follows')
  }
}
