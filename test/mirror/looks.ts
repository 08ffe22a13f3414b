import type { TestSteward } from '../steward.ts'

/** The user of that name, as a list shows them. */
export const userOf = async ({ call, token }: TestSteward, username: string) => {
  const { data } = await call('listUsers', { token, query: { username } })
  const found = data.users.find((user) => user.username === username)
  if (found === undefined) throw new Error(`no user ${username}`)
  return found
}
