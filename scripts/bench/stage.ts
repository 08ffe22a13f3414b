/** What the benchmarks share: a place to clean up, and the way results are printed. */

export interface Stage {
  teardown(run: () => unknown): void
}

/** Runs a benchmark and cleans up after it, in reverse order, however it ends. */
export const onStage = async (run: (stage: Stage) => Promise<void>): Promise<void> => {
  const cleanUps: (() => unknown)[] = []
  try {
    await run({ teardown: (cleanUp) => void cleanUps.push(cleanUp) })
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  }
}

/** Milliseconds `work` takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export interface Verdict {
  what: string
  /** Ours over the baseline's, or the other way round: as `goal` says. */
  ratio: number
  goal: string
  met: boolean
}

/** One line per comparison. The exit code says whether every goal was met. */
export const report = (verdicts: readonly Verdict[]): void => {
  for (const { what, ratio, goal, met } of verdicts) {
    console.log(`${met ? 'ok  ' : 'MISS'} ${what.padEnd(44)} ratio ${ratio.toFixed(2).padStart(6)}   goal ${goal}`)
  }
  if (verdicts.some(({ met }) => !met)) process.exitCode = 1
}
