import { sql } from 'drizzle-orm'
import { Client } from 'ldapts'
import t, { type Test } from 'tap'
import { refusedAfter } from '../../src/auth/counted-binds.ts'
import { eventually } from '../eventually.ts'
import { steward } from '../steward.ts'

// Who guesses at an application's login form must not learn who has bound from there before, and so has an account: neither by
// the answer, nor by how long it takes, nor by what is counted for the account elsewhere.

const invalidCredentials = 49
const busy = 51

t.setTimeout(120_000)

/** A service with `dee`, who has bound from here before, and `new`, who has not. */
const open = async (t: Test) => {
  const s = await steward(t)
  const people = { dee: await s.person('dee'), new: await s.person('new') }
  const { baseDn, url = '' } = s.mirror.address ?? {}
  const bind = async (username: string, password = `${username} has a password`) => {
    const client = new Client({ url, timeout: 20_000 })
    t.teardown(() => client.unbind().catch(() => {}))
    const started = performance.now()
    const code = await client.bind(`uid=${username},ou=people,${baseDn}`, password).then(
      () => 0,
      (error: { code: number }) => error.code,
    )
    return { code, milliseconds: performance.now() - started }
  }
  await eventually(async () => (await bind('dee')).code === 0, 'the entry is there')
  const strangersAre = (state: ReturnType<typeof sql>) =>
    s.db.execute(sql`
      insert into throttles (key, pending, failed_at, locked_until, last_attempt_at)
      select 'directory:127.0.0.1', s.pending, '{}', s.until, now() from (${state}) s
      on conflict (key) do update set pending = excluded.pending, failed_at = excluded.failed_at,
        locked_until = excluded.locked_until, last_attempt_at = excluded.last_attempt_at`)
  const failuresOf = async (key: string): Promise<number> => {
    const [row] = await s.db.execute<{ count: number }>(
      sql`select cardinality(failed_at) as count from throttles where key = ${key}`,
    )
    return row?.count ?? 0
  }
  return { ...s, people, bind, strangersAre, failuresOf }
}

const locked = sql`select 0 as pending, now() + interval '10 minutes' as until`

t.test('every refusal takes as long, the first one too', async (t) => {
  const s = await open(t)
  const refused = await Promise.all(['dee', 'new', 'nobody'].map((username) => s.bind(username, 'a guess')))
  for (const { code, milliseconds } of refused) {
    t.equal(code, invalidCredentials)
    t.ok(milliseconds >= refusedAfter, `${milliseconds} ms`)
  }
})

t.test('guesses while strangers are locked are counted for the account nowhere else', async (t) => {
  const s = await open(t)
  await s.strangersAre(locked)
  const guesses = ['dee', 'new', 'nobody'].flatMap((username) => Array<string>(10).fill(username))
  const refused = await Promise.all(guesses.map((username) => s.bind(username, 'a guess')))
  t.same([...new Set(refused.map(({ code }) => code))], [invalidCredentials])
  const counted = await Promise.all(['dee', 'new', 'nobody'].map((username) => s.failuresOf(`account:${username}`)))
  t.same(counted, [0, 0, 0], 'a sign-in over HTTP would be delayed or locked otherwise')
  t.equal(await s.failuresOf('directory-known:127.0.0.1'), 10)

  t.equal((await s.bind('dee')).code, invalidCredentials, 'ten lock the account for binds from there')
  t.ok(await s.signIn('dee', s.people.dee.password), 'and not elsewhere')
  await eventually(async () => {
    const { alerts } = await s.take('listAlerts')
    return alerts.some(({ title, description }) => /^Locked/.test(title) && /for dee,/.test(description))
  }, 'an alert')
  const unlocked = await s.take('unlockUser', { params: { id: s.people.dee.id } })
  t.same(unlocked, { wasLocked: true })
  t.equal((await s.bind('dee')).code, 0)
})

t.test('where too many strangers bind at once, who guesses is told so, known or not', async (t) => {
  const s = await open(t)
  await s.strangersAre(sql`select 100 as pending, null::timestamptz as until`)
  const refused = await Promise.all(['dee', 'new', 'nobody'].map((username) => s.bind(username, 'a guess')))
  t.same(
    refused.map(({ code }) => code),
    [busy, busy, busy],
  )
  t.equal(await s.failuresOf('account:dee'), 0)
  t.equal((await s.bind('dee')).code, 0, 'those who are known bind')
})
