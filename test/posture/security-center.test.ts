import { sql } from 'drizzle-orm'
import t from 'tap'
import { type CallInput, dataOf } from '../contract/call.ts'
import { eventually } from '../eventually.ts'
import { steward } from '../steward.ts'

// What the console's pages of the security center and of backups read and change.

const s = await steward(t, { directory: 'none' })
const { token } = s

const callForHelp = async (type: string): Promise<number> =>
  dataOf(await s.call('callForHelp', { token, body: { type, description: 'at the door' } })).alertId
const search = async (query: NonNullable<CallInput['query']>) => dataOf(await s.call('searchAlerts', { token, query }))
const register = async (name: string) =>
  dataOf(await s.call('registerDevice', { token, body: { name, type: 'door', location: 'Basement' } }))

t.test('every point of the score is explained, and the points add up to it', async (t) => {
  // Entries are written after the response: until the sign-in has its own, that the log is empty costs points.
  const { score, deductions, areas } = await eventually(async () => {
    const found = dataOf(await s.call('getScore', { token }))
    return !found.deductions.some(({ kind }) => kind === 'chainEmpty') && found
  }, 'an entry of the operation log')
  t.equal(100 - deductions.reduce((sum, { points }) => sum + points, 0), score)
  t.match(
    deductions.find(({ kind }) => kind === 'factorMissing'),
    { area: 'configuration', points: 10, params: { count: '1', administrators: '1', names: 'admin' } },
  )
  t.match(
    areas.find(({ area }) => area === 'backups'),
    { status: 'risk', figures: { proven: 0, failedSince: 0 } },
  )
  const checked = dataOf(await s.call('checkSecurity', { token }))
  t.equal(checked.score, score, 'the check gives the same')
  t.equal(checked.issues.length, deductions.length)
})

t.test('alerts are found by level, state and time, in pages, with what raised them', async (t) => {
  const ids = [await callForHelp('Fire'), await callForHelp('Flood'), await callForHelp('Thief')]
  const first = await search({ limit: 2, level: 'danger' })
  t.match(first, { total: 3, next: ids[1] })
  t.match(first.alerts[0], {
    rule: 'emergency',
    params: { type: 'Thief', username: 'admin' },
    handledAt: null,
    times: 1,
  })
  const { next } = first
  t.match(await search({ limit: 2, level: 'danger', cursor: Number(next) }), { next: null, alerts: [{ id: ids[0] }] })
  t.equal((await search({ level: 'info' })).total, 0)
  t.equal((await search({ to: '2020-01-01T00:00:00Z' })).total, 0)
  t.equal((await search({ from: '2020-01-01T00:00:00Z' })).total, 3)

  const handle = async (some: number[]) => dataOf(await s.call('handleAlerts', { token, body: { ids: some } })).handled
  t.equal(await handle([ids[0] ?? 0, ids[1] ?? 0, 999_999]), 2)
  t.equal(await handle(ids.slice(0, 1)), 0, 'it was handled before')
  t.match(await search({ handled: true }), { total: 2, alerts: [{ handledBy: 'admin' }, { handledBy: 'admin' }] })
  t.match(await search({ handled: false }), { total: 1, alerts: [{ id: ids[2] }] })
})

t.test('devices are listed with their places and heartbeats', async (t) => {
  const { token: device } = await register('Front door')
  await register('Back door')
  dataOf(await s.call('sendHeartbeat', { token: device, body: { battery: 14 } }))
  const page = dataOf(await s.call('listDevicesInFull', { token, query: { limit: 1 } }))
  t.match(page, {
    total: 2,
    devices: [{ name: 'Back door', location: 'Basement', lastHeartbeatAt: null, battery: null }],
  })
  const { next } = page
  t.type(next, 'number')
  const rest = dataOf(await s.call('listDevicesInFull', { token, query: { cursor: Number(next) } }))
  t.match(rest, { next: null, devices: [{ name: 'Front door', status: 'online', battery: 14, lastHeartbeatAt: /Z$/ }] })
  const [alert] = (await search({ level: 'warning' })).alerts
  t.match(alert, { rule: 'batteryLow', params: { name: 'Front door', battery: '14' } })
})

t.test('a backup is listed, its content is shown, and it can be deleted when there is a newer one', async (t) => {
  const make = async () => dataOf(await s.call('createBackup', { token, body: { type: 'manual' } })).id
  const list = async () => dataOf(await s.call('listBackupFiles', { token }))
  const older = await make()
  const newer = await make()
  t.match(await list(), {
    total: 2,
    backups: [
      { id: newer, kind: 'manual', status: 'success', creator: 'admin', error: '' },
      { id: older, encrypted: false },
    ],
  })
  const contents = dataOf(await s.call('getBackupContents', { token, params: { id: older } }))
  const rowsOf = (name: string) => contents.tables.find((table) => table.name === name)
  t.match(rowsOf('users'), { rows: 1, restored: 'all' })
  t.match(rowsOf('alerts'), { restored: 'nothing' })
  t.match(rowsOf('facts'), { restored: 'some' })

  const remove = (id: number) => s.call('deleteBackup', { token, params: { id } })
  t.match(await remove(older), { code: 401, data: { required: 'second_factor' } })
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  t.match(await remove(newer), { code: 409, reason: 'backups.newest_kept' })
  t.match(await remove(older), { code: 200 })
  t.match(await list(), { total: 1, backups: [{ id: newer }] })
  t.match(await s.call('getBackupContents', { token, params: { id: older } }), { code: 404 })
  t.match(await remove(older), { code: 404, reason: 'backups.file_removed' })
})
