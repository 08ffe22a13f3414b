import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds that long work may hold up everything else in one piece. */
const longest = 10

export interface Stretches {
  /** Whether the work has gone on for long enough: let others have their turn. */
  readonly over: boolean
  /** Everything else has its turn; then the next stretch begins. */
  turn(): Promise<void>
}

/** Work on the one thread of the process, in stretches between which requests are answered. */
export const openStretches = (): Stretches => {
  let until = performance.now() + longest
  return {
    get over() {
      return performance.now() >= until
    },
    async turn() {
      await turn()
      until = performance.now() + longest
    },
  }
}

/** `items.map(change)`, in stretches. */
export const mapInStretches = async <T, R>(items: readonly T[], change: (item: T) => R): Promise<R[]> => {
  const stretches = openStretches()
  const changed: R[] = []
  for (const item of items) {
    changed.push(change(item))
    if (stretches.over) await stretches.turn()
  }
  return changed
}
