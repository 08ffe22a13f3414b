import { sql } from 'drizzle-orm'
import t from 'tap'
import { testDatabase } from '../database.ts'
import { skipWithoutRedis, testRedis } from '../redis-server.ts'
import { steward, type TestSteward } from '../steward.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const date = '2026-11-20'
const usersRole = 2

const plan = (...names: string[]) => ({
  date,
  meals: names.map((name) => ({ time: '12:30', name, ingredients: [{ name: 'egg', amount: '2个' }] })),
  preferences: [],
  allergies: [],
})

/** The diet operations of one user at one instance. */
const diet = ({ call }: TestSteward, token: string) => ({
  today: () => call('listTodaysMeals', { token }),
  report: () => call('getNutritionReport', { token }),
  recipes: () => call('listRecommendedRecipes', { token }),
  shown: () => call('getPlan', { token, params: { date } }),
  save: (...names: string[]) => call('savePlan', { token, body: plan(...names) }),
  change: (id: number, name: string) => call('updateMeal', { token, params: { id }, body: { name } }),
  mark: (id: number, status: string) => call('setMealStatus', { token, params: { id }, body: { status } }),
})

const names = ({ data }: { data: readonly { name: string }[] }) => data.map(({ name }) => name)

t.test('one instance, in memory', async (t) => {
  const clock = { now: noon }
  const service = await steward(t, { directory: 'none', now: () => clock.now })
  const [ada, ben] = await Promise.all(
    ['ada', 'ben'].map((name) =>
      service.person(name, { roleIds: [usersRole] }).then(({ token }) => diet(service, token)),
    ),
  )
  if (ada === undefined || ben === undefined) throw new Error('there are two')

  await t.test('answers are kept as long as the document says', async (t) => {
    await ada.save('Lunch')
    const lifetimes = [
      [ada.today, 300],
      [ada.report, 600],
      [ada.recipes, 3600],
    ] as const
    for (const [ask, lifetime] of lifetimes) {
      const made = await ask()
      t.match(made, { code: 200, headers: { 'cache-control': `private, max-age=${lifetime}`, age: undefined } })
      clock.now += 30_000
      const kept = await ask()
      t.equal(kept.body, made.body)
      t.match(kept.headers, { 'cache-control': `private, max-age=${lifetime - 30}`, age: '30' })
    }
    t.match((await ada.shown()).headers, { 'cache-control': 'no-store', age: undefined })
    t.same(names(await ben.today()), [], 'no user gets what was cached for another')
  })

  await t.test('each kind of write drops them', async (t) => {
    clock.now += 600_000
    const [meal] = (await ada.today()).data
    const id = meal?.id ?? 0
    t.equal((await ada.change(id, 'Late lunch')).code, 200)
    t.same(names(await ada.today()), ['Late lunch'])
    t.equal((await ada.mark(id, 'done')).code, 200)
    t.match((await ada.today()).data, [{ status: 'done' }])
    await ada.report()
    t.equal((await ada.save('Lunch', 'Supper')).code, 200)
    t.same(names(await ada.today()), ['Lunch', 'Supper'])
    t.equal((await ada.report()).headers.age, undefined)
    t.equal((await ben.mark(id, 'pending')).code, 404, 'a write of another does not')
    t.match((await ada.report()).headers, { age: '0' })
  })

  await t.test('10 reads and 5 updates a minute, each over all such operations', async (t) => {
    clock.now += 600_000
    for (const ask of [ada.today, ada.report, ada.recipes, ada.shown, ada.today]) {
      t.equal((await ask()).code, 200)
      t.equal((await ask()).code, 200)
    }
    t.match(await ada.shown(), { status: 429, code: 429, headers: { 'retry-after': '60' }, data: null })
    t.match(await ada.today(), { status: 429 }, 'also for cached answers')
    const [meal] = (await ben.today()).data
    t.equal(meal, undefined)
    for (let i = 0; i < 5; i++) t.equal((await ada.save(`Meal ${i}`)).code, 200, 'making a plan is an update')
    clock.now += 20_000
    t.match(await ada.mark(1, 'done'), { status: 429, headers: { 'retry-after': '40' } })
    clock.now += 40_000
    t.same(names(await ada.today()), ['Meal 4'])
    t.equal((await ada.save('Lunch')).code, 200)
  })

  await t.test('the answers cached for a day expire with it', async (t) => {
    clock.now = Date.parse(`${date}T23:59:30Z`)
    t.match(await ada.today(), { headers: { 'cache-control': 'private, max-age=30' } })
    t.same(names(await ada.today()), ['Lunch'])
    clock.now += 30_000
    t.same(names(await ada.today()), [], 'another day, another plan')
  })

  await t.test('a restore drops what is cached for all users', async (t) => {
    clock.now = noon + 3_600_000
    const { call, db, token } = service
    const { data: backup } = await call('createBackup', { token, body: { type: 'manual' } })
    await ada.save('After')
    t.same(names(await ada.today()), ['After'])
    await db.execute(sql`update sessions set stepped_up_at = now()`)
    t.equal((await call('restoreBackup', { token, params: { id: backup.id } })).code, 200)
    const again = diet(service, await service.signIn('ada', 'ada has a password'))
    t.same(names(await again.today()), ['Lunch'])
  })
})

t.test('two instances with one Redis', { skip: skipWithoutRedis }, async (t) => {
  const database = await testDatabase(t)
  const redis = await testRedis(t)
  const env = { REDIS_URL: redis.url, JWT_SECRET: 'instances that share a database need the same' }
  const open = () => steward(t, { directory: 'none', database, env, now: () => noon })
  const a = await open()
  const b = await open()
  const { token } = await a.person('ada', { roleIds: [usersRole] })
  const [here, there] = [diet(a, token), diet(b, token)]

  await here.save('Lunch')
  const made = await here.today()
  t.match(await there.today(), { body: made.body, headers: { age: '0' } }, 'share the cache')
  t.equal((await there.save('Soup')).code, 200)
  t.same(names(await here.today()), ['Soup'], 'and drop it for both')
  t.match((await a.call('getReadiness')).data, { status: 'ready', redis: 'used' })

  const rest = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).report()))
  t.equal(rest.filter(({ status }) => status === 200).length, 7, 'ten reads a minute at both together')
  const writes = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? here : there).save('Stew')))
  t.equal(writes.filter(({ status }) => status === 200).length, 3, 'and five updates')

  await redis.stop('SIGKILL')
  t.equal((await here.today()).status, 200, 'each goes on alone')
  t.match(await b.call('getReadiness'), { status: 200, data: { status: 'ready', redis: 'away' } })
  t.equal(a.logs.filter((line) => line.includes('Redis is away')).length, 1)
  t.notMatch([...a.logs, ...b.logs].join(), new RegExp(redis.password))
})
