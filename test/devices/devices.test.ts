import { sql } from 'drizzle-orm'
import t from 'tap'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { markSilentDevices } from '../../src/devices/silence.ts'
import { openAlertingService } from '../alerts/alerting-service.ts'
import { eventually } from '../eventually.ts'

const s = await openAlertingService(t)
const { db } = s
const outbox = openOutbox({ recipients: [], webhook: false, timeZone: 'UTC' })

const register = (name: string) =>
  s.take('registerDevice', { body: { name, type: 'sensor', location: `the place of ${name}` } })
const beat = (token: string, body: { battery?: number; status?: 'online' | 'offline' } = {}) =>
  s.call('sendHeartbeat', { body, token })
const deviceOf = async (id: number) => (await s.take('listDevices')).devices.find((device) => device.id === id)
const alertsOf = async (id: number, title: string) =>
  (await s.alertsOf(title)).filter(({ deviceId }) => deviceId === id)
/** Makes a device silent for six minutes, and lets three instances look for silent ones. */
const silence = async (id: number) => {
  await db.execute(sql`update devices set updated_at = now() - interval '6 minutes' where id = ${id}`)
  await Promise.all([1, 2, 3].map(() => markSilentDevices({ db, outbox, timeout: 300_000 })))
}

t.test('a device is registered, sends heartbeats with its token, is renamed and removed', async (t) => {
  const { id, token } = await register('door')
  t.match(token, /^[\w-]{43}$/)
  t.match(await deviceOf(id), { name: 'door', type: 'sensor', status: 'offline', lastUpdate: /^\d{4}-\d\d-\d\d / })
  t.notOk('battery' in ((await deviceOf(id)) ?? {}))
  const rows = await db.execute(sql`select * from devices where id = ${id}`)
  t.notOk(JSON.stringify(rows).includes(token), 'the token is kept nowhere')

  t.match(await beat(token, { battery: 76 }), { code: 200, data: { id, status: 'online' } })
  t.match(await deviceOf(id), { status: 'online', battery: 76 })
  await beat(token)
  t.match(await deviceOf(id), { battery: 76 }, 'a value that the heartbeat leaves out stays')

  t.equal((await s.call('registerDevice', { body: { name: 'door', type: 'x' }, token: s.token })).code, 409)
  const other = await register('window')
  const rename = (name: string) => s.call('updateDevice', { params: { id }, body: { name }, token: s.token })
  t.match(await rename('window'), { code: 409, data: [{ field: 'name' }] })
  t.equal((await rename('back door')).code, 200)
  t.match(await deviceOf(id), { name: 'back door' })
  await s.take('updateDevice', { params: { id }, body: {} })

  await s.take('removeDevice', { params: { id } })
  t.equal(await deviceOf(id), undefined)
  t.equal((await beat(token)).code, 401)
  t.equal((await beat(other.token)).code, 200)
  for (const [operation, body] of [
    ['removeDevice', undefined],
    ['updateDevice', { name: 'x' }],
    ['setDeviceStatus', { status: 'online' }],
  ] as const) {
    t.equal((await s.call(operation, { params: { id }, body, token: s.token })).code, 404, operation)
  }
})

t.test('a heartbeat takes the token of a device and nothing else', async (t) => {
  t.equal((await s.call('sendHeartbeat', { body: {} })).code, 401)
  t.equal((await beat(s.token)).code, 401, 'not the token of a person')
  const { token } = await register('exact')
  t.equal((await beat(token.slice(0, -1))).code, 401)
  t.match(await s.call('sendHeartbeat', { body: { battery: 101 }, token }), { code: 400 })
})

t.test('a low battery is one alert until it is charged, however it wavers', async (t) => {
  const { id, token } = await register('battery')
  const battery = async (per: number) => {
    t.equal((await beat(token, { battery: per })).code, 200)
    return (await alertsOf(id, 'Battery low')).map(({ handled }) => handled)
  }
  t.same(await battery(21), [])
  t.same(await battery(20), [false])
  for (const per of [22, 19, 24, 20]) t.same(await battery(per), [false])
  t.match(await alertsOf(id, 'Battery low'), [
    { level: 'warning', location: 'the place of battery', description: 'battery has 20 % of its battery left' },
  ])
  t.same(await battery(25), [true], 'it is over')
  const [over] = await alertsOf(id, 'Battery low')
  const { handledBy } = await s.take('handleAlert', { params: { id: over?.id ?? 0 } })
  t.equal(handledBy, 'system')
  t.same(await battery(21), [true])
  t.same(await battery(3), [false, true], 'the next time is another alert')
})

t.test('a device that falls silent is offline, with one alert however often it comes and goes', async (t) => {
  const { id, token } = await register('silent')
  await beat(token)
  await markSilentDevices({ db, outbox, timeout: 300_000 })
  t.match(await deviceOf(id), { status: 'online' }, 'it is not silent yet')
  await silence(id)
  t.match(await deviceOf(id), { status: 'offline' })
  t.match(await alertsOf(id, 'Device offline'), [{ level: 'warning', description: /^silent is offline: .* 300 s$/ }])
  for (let n = 0; n < 3; n += 1) {
    await beat(token)
    t.match(await deviceOf(id), { status: 'online' })
    await silence(id)
  }
  const [alert, ...more] = await alertsOf(id, 'Device offline')
  t.same(more, [])
  t.equal(await s.timesOf(alert?.id ?? 0), 4, 'once each time, whichever instance looks')
  await s.take('removeDevice', { params: { id } })
  t.match(
    (await s.alertsOf('Device offline', true)).map((each) => [each.id, each.deviceId]),
    [[alert?.id, undefined]],
    'an alert about a removed device is closed',
  )
})

t.test('silent devices are found by the service itself', async (t) => {
  const { id, token } = await register('watched')
  await beat(token)
  await db.execute(sql`update devices set updated_at = now() - interval '6 minutes' where id = ${id}`)
  await s.raised('Device offline', 1, false)
  t.match(await deviceOf(id), { status: 'offline' })
})

t.test(
  'many devices that fall silent at once are offline after one look, however many portions they are',
  async (t) => {
    const silent = async () => {
      const [row] = await db.execute<{ left: number }>(sql`
      select count(*)::int as left from devices where status = 'online' and name like 'of many %'`)
      return row?.left ?? 0
    }
    await db.execute(sql`
    insert into devices (name, type, location, status, token_hash, creator, last_heartbeat_at, updated_at)
    select 'of many ' || n, 'sensor', '', 'online', 'of many ' || n, '', now(), now() - interval '6 minutes'
    from generate_series(1, 4500) n`)
    await eventually(async () => (await silent()) < 4500, 'the first silent devices')
    const began = performance.now()
    await eventually(async () => (await silent()) === 0, 'the last silent device')
    t.ok(performance.now() - began < 10_000, 'four more looks would take twenty seconds')
    await db.execute(sql`delete from alerts`)
    await db.execute(sql`delete from devices where name like 'of many %'`)
  },
)

t.test('a device that signs off is offline, with an alert', async (t) => {
  const { id, token } = await register('signing off')
  await beat(token)
  t.match(await beat(token, { status: 'offline' }), { data: { status: 'offline' } })
  t.match(await alertsOf(id, 'Device offline'), [{ description: 'signing off is offline: it signed off' }])
})

t.test('a person sets the status of a device, and it stays for as long as a heartbeat would', async (t) => {
  const set = (id: number, status: 'online' | 'offline') =>
    s.take('setDeviceStatus', { params: { id }, body: { status } })
  const { id, token } = await register('set')
  t.match(await set(id, 'online'), { id, status: 'online' })
  await silence(id)
  t.match(await deviceOf(id), { status: 'online' }, 'a device without a heartbeat is not expected to send one')
  await beat(token)
  t.match(await set(id, 'offline'), { status: 'offline' })
  t.same(await alertsOf(id, 'Device offline'), [], 'a status set by hand raises no alert')
  await db.execute(sql`update devices set last_heartbeat_at = now() - interval '6 minutes' where id = ${id}`)
  await set(id, 'online')
  await markSilentDevices({ db, outbox, timeout: 300_000 })
  t.match(await deviceOf(id), { status: 'online' }, 'the time of silence starts again')
  await silence(id)
  t.match(await deviceOf(id), { status: 'offline' })
  t.equal((await s.call('setDeviceStatus', { params: { id }, body: { status: 'asleep' }, token: s.token })).code, 400)
})
