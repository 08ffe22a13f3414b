import { setTimeout as delay } from 'node:timers/promises'

/**
 * What a look finds, as soon as it finds anything: neither null, undefined nor false. It looks again and again, for at
 * most `within` milliseconds; then it throws an error that says what did not come.
 */
export const eventually = async <T>(
  look: () => T | Promise<T>,
  what: string,
  within = 60_000,
): Promise<Exclude<T, null | undefined | false>> => {
  for (const deadline = Date.now() + within; ; await delay(20)) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found as Exclude<T, null | undefined | false>
    if (Date.now() > deadline) throw new Error(`did not come within ${within} ms: ${what}`)
  }
}

/**
 * A figure once it has come to rest: two looks with `apart` milliseconds between them differ by less than `step`. For
 * what has to stop by itself, where only time shows that it did.
 */
export const settled = async (look: () => number, what: string, { apart = 250, step = 1 } = {}): Promise<number> => {
  let figure = look()
  await eventually(async () => {
    const before = figure
    await delay(apart)
    figure = look()
    return Math.abs(figure - before) < step
  }, what)
  return figure
}
