import t from 'tap'
import { skipWithoutRedis, testRedis } from '../redis-server.ts'
import { dataFolder, runServer, startServer } from '../server-process.ts'

t.setTimeout(600_000)

t.test('the service as a process, with a Redis', { skip: skipWithoutRedis }, async (t) => {
  const redis = await testRedis(t)
  const environment = { DATA_DIR: await dataFolder(t), EMBEDDED_LDAP_PORT: 'off', REDIS_URL: redis.url }

  await t.test('stops in good order while Redis is frozen', async (t) => {
    const server = await startServer(t, environment)
    const token = await server.signIn()
    t.match(await server.call('getReadiness'), { status: 200, data: { redis: 'used' } })
    redis.freeze()
    t.equal((await server.call('listTodaysMeals', { token })).status, 200)
    t.match(await server.call('getReadiness'), { status: 200, data: { redis: 'away' } })
    t.match(await server.stop(), { code: 0, signal: null })
    redis.thaw()
    t.notMatch(server.output(), /left something undone/)
    t.notMatch(server.output(), new RegExp(redis.password))
  })

  await t.test('does not start where Redis cannot be used, and says why in a line', async (t) => {
    await redis.stop()
    const { code, output } = await runServer(t, environment)
    t.equal(code, 1)
    t.match(
      output,
      /^ {2}REDIS_URL: Redis cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:\d+\); check that Redis 6 or newer/m,
    )
    t.notMatch(output, /\n {4}at |Steward listens/)
    t.notMatch(output, new RegExp(redis.password))
  })
})
