import { Answer } from '../contract/handler.ts'
import type { Db, Tx } from '../db/client.ts'
import type { Reconciler } from '../ldap/reconciler.ts'
import type { Touched } from '../ldap/touch.ts'
import type { PrincipalScope, Principals } from './principals.ts'

export interface Mutation<T> {
  data: T
  /** What the directory has to follow. */
  touched: Touched[]
  /** Whose rights, name or sessions are not what they were. */
  callers?: PrincipalScope
}

export interface MirroredOptions {
  db: Db
  reconciler: Pick<Reconciler, 'settle'>
  principals: Pick<Principals, 'announce' | 'drop'>
}

/**
 * Makes a change in one transaction and gives the directory a moment to follow. The change counts from its commit on:
 * a directory that is slow, down or unwilling alters the message and nothing else.
 */
export const mirroredChange =
  ({ db, reconciler, principals }: MirroredOptions) =>
  async <T>(change: (tx: Tx) => Promise<Mutation<T>>): Promise<T | Answer<T>> => {
    const { data, touched, callers } = await db.transaction(async (tx) => {
      const mutation = await change(tx)
      if (mutation.callers) await principals.announce(tx, mutation.callers)
      return mutation
    })
    if (callers) principals.drop(callers)
    return (await reconciler.settle(touched)) ? data : new Answer(data, 'saved; the directory follows')
  }
