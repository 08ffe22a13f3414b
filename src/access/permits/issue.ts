import type { Tx } from '../../db/client.ts'
import type { Permit } from './permit.ts'

/** Only the files of this folder may import it (see .dependency-cruiser.js): no other can make a value that has it. */
export const issued: unique symbol = Symbol('issued')

/** The type says what a permit allows beyond its ids. */
export const permitOf = <Kind extends string>(tx: Tx, kind: Kind, ids: readonly number[]): Permit<Kind> => ({
  [issued]: true,
  tx,
  kind,
  ids: new Set(ids),
})
