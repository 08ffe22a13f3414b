import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { TestSteward } from '../steward.ts'

/** Waits up to a minute until the look finds something; the test fails when it does not. */
export const until = async <T>(
  t: Test,
  what: string,
  look: () => Promise<T | null | undefined | false>,
): Promise<T> => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(100)) {
    const found = await look()
    if (found) return found
  }
  t.fail(what)
  throw new Error(`${what} did not come to pass`)
}

/** The user of that name, as a list shows them. */
export const userOf = async ({ call, token }: TestSteward, username: string) => {
  const { data } = await call('listUsers', { token, query: { username } })
  const found = data.users.find((user) => user.username === username)
  if (found === undefined) throw new Error(`no user ${username}`)
  return found
}
