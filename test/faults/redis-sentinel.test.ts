import t from 'tap'
import { tryRedis } from '../../src/redis/open-redis.ts'
import { readSentinels } from '../../src/redis/sentinels.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { skipWithoutRedis, testRedis, testSentinels } from '../redis-server.ts'
import { steward } from '../steward.ts'

t.test('the URL of sentinels', async (t) => {
  const read = readSentinels('rediss-sentinel://user:p%40ss@one,two:26380/ours/3')
  t.match(read, { urls: ['rediss://one:26379', 'rediss://two:26380'], name: 'ours' })
  t.equal(read?.urlOf('10.0.0.7', '6379'), 'rediss://user:p%40ss@10.0.0.7:6379/3')
  t.equal(readSentinels('redis-sentinel://[::1]:26379/ours')?.urlOf('fd00::1', '6379'), 'redis://[fd00::1]:6379')
  for (const wrong of [
    ...['redis://one/0', 'redis-sentinel://one', 'redis-sentinel://one/', 'redis-sentinel://one,/ours'],
    ...['redis-sentinel://one/ours/x', 'redis-sentinel://one/ours?a=b', 'redis-sentinel://u:%zz@one/ours'],
  ]) {
    t.equal(readSentinels(wrong), null, wrong)
  }
})

t.test('the master of sentinels is killed', { skip: skipWithoutRedis }, async (t) => {
  const master = await testRedis(t)
  const replica = await testRedis(t, { replicaOf: master })
  const { hosts, password } = await testSentinels(t, master)
  const away = `127.0.0.1:${await freePort()}`
  const url = (...named: string[]): string => `redis-sentinel://:${master.password}@${named}/ours`
  const env = { REDIS_URL: url(away, ...hosts), REDIS_SENTINEL_PASSWORD: password }
  const s = await steward(t, { directory: 'none', env })
  const redis = async (): Promise<unknown> => (await s.take('getReadiness')).redis
  const counted = async ({ cli }: { cli: typeof master.cli }): Promise<number> =>
    (await cli('keys', 'steward:*')).length
  t.equal(await redis(), 'used')
  await s.take('listTodaysMeals')
  t.ok((await counted(master)) > 0)

  await master.stop('SIGKILL')
  await s.take('listTodaysMeals')
  t.equal(await redis(), 'away', 'it goes on without')
  await eventually(async () => (await redis()) === 'used', 'the other server is used')
  await s.take('listTodaysMeals')
  t.ok((await counted(replica)) > 0)
  t.same(await replica.cli('role').then(([role]) => role), 'master')

  // The former master is a replica of the other one now.
  await master.start()
  await eventually(async () => (await master.cli('role'))[0] === 'slave', 'the former master follows')
  t.equal(await redis(), 'used')
  t.notMatch(s.logs.join(''), new RegExp(`${master.password}|${password}`))

  const said = (url: string, sentinelPassword: string | null): Promise<string> =>
    tryRedis(url, sentinelPassword).then(
      () => '',
      (error: Error) => error.message,
    )
  t.equal(await said(url(...hosts), password), '')
  t.match(await said(url(away), password), `no sentinel names the master (${away}: connect ECONNREFUSED ${away})`)
  t.match(await said(url(...hosts).replace('ours', 'theirs'), password), /knows no master theirs/)
  t.match(await said(url(...hosts), null), /no sentinel names the master \(.*NOAUTH/)
  const wrong = url(...hosts).replace(master.password, 'wrong')
  t.match(await said(wrong, password), /WRONGPASS/)
})
