import t from 'tap'
import { testDatabase } from '../database.ts'
import { steward } from '../steward.ts'

t.test('a start with another JWT_SECRET is told, where it is not a change of it', async (t) => {
  const database = await testDatabase(t)
  const secretOf = (n: number): string => `the secret number ${n} of this test, long enough`
  const start = async (own: number) => {
    const service = await steward(t, { database, directory: 'none', env: { JWT_SECRET: secretOf(own) } })
    const { alerts } = await service.take('listAlerts')
    await service.close()
    const said = service.logs.filter((line) => line.includes('JWT_SECRET is another one')).length
    return { said, alerts: alerts.filter(({ title }) => title === 'JWT_SECRET is another one') }
  }
  for (const _ of ['the first start', 'the second']) t.match(await start(1), { said: 0, alerts: [] })
  const told = await start(2)
  t.equal(told.said, 1)
  t.match(told.alerts, [{ level: 'warning', description: /give all of them the same JWT_SECRET/ }])
  t.notMatch(JSON.stringify(told), secretOf(1))
  t.notMatch(JSON.stringify(told), secretOf(2))
  t.equal((await start(2)).said, 0, 'it is told once')
  t.equal((await start(1)).said, 1, 'the other instance starts again')
})

t.test('one that JWT_SECRET_PREVIOUS names was changed on purpose', async (t) => {
  const database = await testDatabase(t)
  const [former, later] = ['a-former-secret-that-is-long-enough-here', 'a-later-secret-that-is-long-enough-here']
  for (const env of [
    { JWT_SECRET: former },
    { JWT_SECRET: later, JWT_SECRET_PREVIOUS: former },
    { JWT_SECRET: later },
  ]) {
    const service = await steward(t, { database, directory: 'none', env })
    t.notMatch(service.logs.join(''), /JWT_SECRET is another one/)
    await service.close()
  }
})
