import { sql } from 'drizzle-orm'
import t from 'tap'
import type { OperationId } from '../../src/console/generated/calls.ts'
import { mailed } from '../mail/mailed.ts'
import { openConsole, unknownId } from './console.ts'

const s = await openConsole(t, { env: { PUBLIC_URL: 'https://console.example.org', LOG_LEVEL: 'trace' } })
const { addUser, call, token: admin, db } = s
const link = /https:\/\/console\.example\.org\/console\/password#([\w-]{43})/

const reset = (body: object, token = admin) => call('resetUserPasswords', { body, token } as never)
const resetAll = async (body: object, token = admin) => {
  const { code, msg, data } = await reset(body, token)
  if (code !== 200) throw new Error(`${code} ${msg}`)
  return data
}
type Data = Awaited<ReturnType<typeof resetAll>>
const resultsOf = ({ people }: Data) =>
  Object.fromEntries(people.map(({ id, result, reason }) => [id, reason ?? result]))
const stepUp = (userId = 1) => db.execute(sql`update sessions set stepped_up_at = now() where user_id = ${userId}`)
const noStepUp = () => db.execute(sql`update sessions set stepped_up_at = null`)
const isSignedIn = async (token: string) => (await call('getUserInfo', { token })).code === 0
const hashOf = async (id: number) =>
  (await db.execute<{ hash: string }>(sql`select password_hash as hash from users where id = ${id}`))[0]?.hash

/** A role of sort 5 that grants these operations. */
const roleOf = async (name: string, operations: readonly OperationId[], paths: readonly string[]): Promise<number> => {
  const entries = (await s.get('listApis')).data.apis.filter(({ path }) => paths.includes(path))
  if (entries.length < operations.length) throw new Error('an operation has no API entry')
  const { data } = await s.post('addRole', { name, keyword: name, sort: 5 })
  await s.post('updateRoleApis', { roleId: data.id, apiIds: entries.map(({ id }) => id) })
  return data.id
}

t.test('links are mailed to many at once; whom it is refused for is said before', async (t) => {
  const ann = await s.person('ann')
  const bo = await s.person('bo')
  await db.execute(sql`update users set mail = username || '@example.org' where id in (${ann.id}, ${bo.id})`)
  const unreachable = await addUser('cy')
  const before = await hashOf(unreachable)
  const left = await addUser('dee')
  await call('changeUserStatus', { body: { id: left, status: 2 }, token: admin })
  const ids = [ann.id, bo.id, unreachable, left, unknownId, ann.id]
  const expected = {
    [ann.id]: 'changed',
    [bo.id]: 'changed',
    [unreachable]: 'people.user_without_mail',
    [left]: 'people.user_disabled',
    [unknownId]: 'db.user_not_found',
  }
  await noStepUp()
  const tried = await resetAll({ way: 'link', ids, dryRun: true })
  t.same(resultsOf(tried), expected)
  t.match(tried, { dryRun: true, expiresAt: null, effect: { changed: 2, refused: 3, sessionsEnded: 2 } })
  t.ok(await isSignedIn(ann.token), 'a dry run changes nothing, and needs no step-up')
  t.match(await reset({ way: 'link', ids }), { code: 401, data: { required: 'second_factor' } })
  t.ok(await isSignedIn(ann.token))

  await stepUp()
  const done = await resetAll({ way: 'link', ids })
  t.same(resultsOf(done), expected)
  t.match(done, { expiresAt: String, effect: { changed: 2, sessionsEnded: 2 } })
  t.ok(done.people.every((each) => each.password === null))
  for (const { token } of [ann, bo]) t.notOk(await isSignedIn(token))
  t.match(await call('login', { body: { username: 'ann', password: ann.password } }), { code: 401 })
  t.equal(await hashOf(unreachable), before, 'the refused one is as before')
  const [first, second] = [await mailed(s, 'ann@example.org', link), await mailed(s, 'bo@example.org', link)]
  t.not(first, second, 'each has a link of their own')
  const headers = { 'x-steward-console': '1' }
  const set = { headers, body: { token: second, newPassword: 'another-password-9' } }
  t.match(await call('setPasswordByLink', set), { code: 200 })
  t.ok(await s.signIn('bo', 'another-password-9'))
})

t.test('shown passwords are different, valid once, and in no log', async (t) => {
  const [eve, fay] = [await s.person('eve'), await s.person('fay')]
  await stepUp()
  const { people, effect, expiresAt } = await resetAll({ way: 'shown', ids: [eve.id, fay.id] })
  t.match([effect.changed, expiresAt], [2, null])
  t.same(
    people.map(({ username, password }) => [username, typeof password]),
    [
      ['eve', 'string'],
      ['fay', 'string'],
    ],
  )
  const shown = people.map(({ password }) => password ?? '')
  t.not(shown[0], shown[1])
  t.match(await call('login', { body: { username: 'eve', password: shown[0] ?? '' } }), { code: 401 })
  const body = { username: 'eve', password: shown[0] ?? '', newPassword: 'another-password-9' }
  t.equal((await call('login', { body })).code, 0, 'the next sign-in asks for another one')
  const { entries } = (await s.get('listLogEntries', { limit: '50' } as never)).data
  const entry = entries
    .filter(({ path }) => path.endsWith('/users/password-resets'))
    .find(({ status }) => status === 200)
  t.match(entry, { target: [eve.id, fay.id] }, 'one entry for all')
  t.ok(s.logs.length > 0)
  for (const text of [...s.logs, JSON.stringify(entries)]) {
    for (const password of shown) if (text.includes(password)) t.fail('a password is in a log')
  }
})

t.test('rank and grants hold for each of many', async (t) => {
  const path = '/v1/operations/users/password-resets'
  const desk = await s.person('desk', { roleIds: [await roleOf('desk', ['resetUserPasswords'], [path])] })
  const { data: lower } = await s.post('addRole', { name: 'lower', keyword: 'lower', sort: 9 })
  const entries = (await s.get('listApis')).data.apis.filter((entry) => entry.path === '/user/list')
  await s.post('updateRoleApis', { roleId: lower.id, apiIds: entries.map(({ id }) => id) })
  const wide = await s.person('wide', { roleIds: [lower.id] })
  const plain = await s.person('plain')
  await stepUp(desk.id)
  const before = await hashOf(wide.id)
  t.same(resultsOf(await resetAll({ way: 'shown', ids: [1, desk.id, wide.id, plain.id] }, desk.token)), {
    1: 'access.user_too_strong',
    [desk.id]: 'access.user_too_strong',
    [wide.id]: 'access.password_signs_in',
    [plain.id]: 'changed',
  })
  t.equal(await hashOf(wide.id), before)
  t.match(await reset({ way: 'shown', ids: [plain.id] }, plain.token), { code: 401 })
  t.match(await reset({ way: 'shown', ids: [plain.id] }, wide.token), { code: 403 })
})

t.test('a request names from 1 to 100 people', async (t) => {
  const ids = Array.from({ length: 101 }, (_, index) => index + 1)
  t.match(await reset({ way: 'link', ids, dryRun: true }), { code: 400, data: [{ field: 'ids' }] })
  t.match(await reset({ way: 'link', ids: [], dryRun: true }), { code: 400, data: [{ field: 'ids' }] })
})
