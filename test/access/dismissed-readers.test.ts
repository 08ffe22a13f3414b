import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { steward } from '../steward.ts'

/** So much does not fit between the service and a client that reads nothing. */
const entries = 60_000

t.test('a file that is being sent ends when its reader is dismissed', async (t) => {
  const s = await steward(t, { directory: 'none' })
  await s.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = s.app.server.address() as AddressInfo
  const { id: roleId } = await s.take('addRole', { body: { name: 'Auditors', keyword: 'auditors', sort: 9 } })
  const { apis } = await s.take('listApis')
  const exporting = apis.filter(({ path }) => path === '/v1/operations/log/export')
  t.equal(exporting.length, 1)
  const apiIds = exporting.map(({ id }) => id)
  await s.take('updateRoleApis', { body: { roleId, apiIds } })
  await s.db.execute(sql`
    insert into operation_logs (seq, username, method, path, status, start_time, time_cost, user_agent, hash)
    select 1000000 + n, 'someone', 'GET', '/api/v1/x', 200, now(), 1, repeat('x', 400), ''
    from generate_series(1, ${entries}::int) n`)
  const auditor = await s.person('auditor', { roleIds: [roleId] })
  const { token } = auditor

  /** Begins to read, does something, and reads the rest. Returns how much came, and whether that was all. */
  const reading = async (meanwhile: () => Promise<unknown>): Promise<{ bytes: number; complete: boolean }> => {
    const headers = { authorization: `Bearer ${token}` }
    const url = `http://127.0.0.1:${port}/api/v1/operations/log/export?format=csv`
    const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
    t.equal(answer.statusCode, 200)
    await meanwhile()
    let bytes = 0
    try {
      for await (const piece of answer) bytes += (piece as Buffer).length
    } catch {}
    return { bytes, complete: answer.complete }
  }

  const whole = await reading(async () => {})
  t.ok(whole.complete, `all ${whole.bytes} bytes`)
  const cut = await reading(() => s.take('updateRoleApis', { body: { roleId, apiIds: [] } }))
  t.notOk(cut.complete, 'the client sees that it is not all')
  t.ok(cut.bytes < whole.bytes / 2, `${cut.bytes} bytes`)
})
