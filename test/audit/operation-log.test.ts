import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import type { LogEntry } from '../../src/audit/entry.ts'
import { type LogKeys, logKeys } from '../../src/audit/keys.ts'
import type { LogFilter } from '../../src/audit/log-records.ts'
import { operationLogsHandlers } from '../../src/audit/operation-log-handlers.ts'
import { verifyLog } from '../../src/audit/verify.ts'
import { type OperationLog, openOperationLog } from '../../src/audit/writer.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { operationLogHead, operationLogs } from '../../src/db/schema.ts'
import { type Logger, openLog } from '../../src/runtime/log.ts'
import { loadSecrets, logSecrets } from '../../src/secrets/secrets.ts'
import { built, fromSource } from '../built.ts'
import {
  copyTemplate,
  postgresMissing,
  silent,
  type Teardown,
  type TestDatabase,
  testDatabase,
  testPostgres,
  testServerDatabase,
} from '../database.ts'
import { eventually } from '../eventually.ts'
import { signedIn } from '../signed-in.ts'
import { steward } from '../steward.ts'
import { logEntry } from './log-entry.ts'

const secret = 'a secret for this test only, long enough'
const keys = logKeys([secret])

const opened = (
  t: Teardown,
  { db }: Pick<Database, 'db'>,
  options: { keys?: LogKeys; capacity?: number; timeout?: number; log?: Logger } = {},
): OperationLog => {
  const log = openOperationLog({ db, keys, log: silent, ...options })
  t.teardown(() => log.close())
  return log
}

/** Entries numbered in their remark. */
const write = async (log: OperationLog, count: number, changes: Partial<LogEntry> = {}): Promise<void> => {
  for (let i = 1; i <= count; i++) log.append(logEntry({ remark: `entry ${i}`, ...changes }))
  await log.flush()
}

const request = {
  ...{ requestId: '', address: '198.51.100.7', userAgent: 'console', token: null, consoleCookie: null },
  ...{ secure: false, origin: '', identify: () => {} },
}

/** Calls the handlers as the runtime does. */
const calls = (database: TestDatabase, operationLog: OperationLog) => {
  const handlers = operationLogsHandlers({ db: database.db, reading: (read) => read(database.db), keys, operationLog })
  const given = async () => {
    const user = await signedIn(database.db, 'root')
    return { params: {}, body: {}, query: {}, request, user }
  }
  return {
    async list(query: LogFilter & { pageNum?: number; pageSize?: number } = {}) {
      const answer = await handlers.listOperationLogs({ ...(await given()), query })
      const data = 'message' in answer ? answer.data : answer
      const logs = []
      if (Array.isArray(data.logs)) logs.push(...data.logs)
      else for await (const batch of data.logs) logs.push(...batch)
      return { total: data.total ?? logs.length, logs }
    },
    remove: async (operationLogIds: number[]) =>
      handlers.deleteOperationLogs({ ...(await given()), body: { operationLogIds } }),
    clean: async () => handlers.cleanOperationLogs(await given()),
  }
}

const database = await testDatabase(t)
const { db } = database

t.test('the chain', async (t) => {
  t.beforeEach(() => database.reset())

  t.test('entries are written in the order they were appended, complete when the log is closed', async (t) => {
    const log = openOperationLog({ db, keys, log: silent })
    for (let i = 1; i <= 2500; i++) log.append(logEntry({ remark: `entry ${i}` }))
    await log.close()
    const rows = await db.select().from(operationLogs).orderBy(operationLogs.seq)
    t.same(
      rows.map(({ seq, remark }) => `${seq} ${remark}`),
      Array.from({ length: 2500 }, (_, i) => `${i + 1} entry ${i + 1}`),
    )
    const verdict = await verifyLog(db, keys)
    t.match(verdict, { checked: 2500, broken: null, unchecked: null, head: { seq: 2500, hash: rows.at(-1)?.hash } })
  })

  t.test('an entry is written soon without a request for the list', async (t) => {
    const log = opened(t, database)
    log.append(logEntry())
    t.equal(await eventually(async () => (await db.$count(operationLogs)) || null, 'the entry is written'), 1)
  })

  t.test('an empty log is whole', async (t) => {
    t.match(await verifyLog(db, keys), { checked: 0, broken: null, unchecked: null, head: { seq: 0, hash: '' } })
  })

  t.test('no text a caller can send holds up the log', async (t) => {
    const log = opened(t, database)
    const nasty = `\0\u0007\ud800 "'\\ 😀 ${'x'.repeat(3000)}`
    log.append(logEntry({ username: nasty, ip: nasty, path: nasty, remark: nasty, userAgent: nasty, timeCost: 1e12 }))
    log.append(logEntry({ target: [1, 2 ** 53 - 1], status: -1, timeCost: 0.4 }))
    await log.flush()
    t.match(await verifyLog(db, keys), { checked: 2, broken: null })
    const [row] = await db.select().from(operationLogs)
    t.match(row?.userAgent, /^\ufffd\ufffd\ufffd "'\\ 😀 x+$/u)
    t.equal(row?.userAgent.length, 255)
  })

  const tampered = (name: string, tamper: () => Promise<unknown>, found: { seq: number; what: string }): void => {
    t.test(`${name} is found`, async (t) => {
      const log = opened(t, database)
      const { remove } = calls(database, log)
      await write(log, 8)
      await remove([3])
      await write(log, 3)
      t.match(await verifyLog(db, keys), { checked: 12, broken: null })
      await tamper()
      const { broken } = await verifyLog(db, keys)
      t.match(broken, found)
    })
  }
  const run = (statement: string) => db.execute(sql.raw(statement))
  const columns =
    'username, ip, method, path, remark, status, start_time, time_cost, user_agent, target, hash, hidden_by'
  const copy = (from: number, to: number) =>
    run(`insert into operation_logs (seq, ${columns}) select ${to}, ${columns} from operation_logs where seq = ${from}`)

  for (const change of [
    `username = 'bob'`,
    `ip = ''`,
    `method = 'GET'`,
    `path = '/x'`,
    `remark = ''`,
    `status = 403`,
    `start_time = start_time + interval '1 ms'`,
    `time_cost = 0`,
    `user_agent = ''`,
    `target = '[7]'`,
    `times = 7`,
    `hash = left(hash, 9) || reverse(substr(hash, 10))`,
  ]) {
    tampered(`a change (${change})`, () => run(`update operation_logs set ${change} where seq = 5`), {
      seq: 5,
      what: 'changed',
    })
  }
  const resign = `hash = 'deadbeef' || substr(hash, 9), remark = 'x'`
  tampered('a change under the name of another key', () => run(`update operation_logs set ${resign} where seq = 5`), {
    seq: 5,
    what: 'changed',
  })
  tampered('a removed entry', () => run('delete from operation_logs where seq = 5'), { seq: 5, what: 'removed' })
  tampered('a removed first entry', () => run('delete from operation_logs where seq = 1'), { seq: 1, what: 'removed' })
  tampered(
    'a removed entry whose place the others closed up',
    async () => {
      await run('delete from operation_logs where seq = 5')
      for (let seq = 6; seq <= 12; seq++) await run(`update operation_logs set seq = ${seq - 1} where seq = ${seq}`)
      await run('update operation_logs set hidden_by = 8 where seq = 3')
    },
    { seq: 5, what: 'changed' },
  )
  tampered('the newest entries removed', () => run('delete from operation_logs where seq > 10'), {
    seq: 11,
    what: 'removed',
  })
  tampered('an entry inserted before the first', () => copy(5, -1), { seq: -1, what: 'inserted' })
  tampered(
    'an entry inserted in the middle',
    async () => {
      for (let seq = 12; seq >= 5; seq--) await run(`update operation_logs set seq = ${seq + 1} where seq = ${seq}`)
      await run('update operation_logs set hidden_by = 10 where seq = 3')
      await copy(4, 5)
    },
    { seq: 5, what: 'changed' },
  )
  tampered('an entry added at the end', () => copy(12, 13), { seq: 13, what: 'changed' })
  tampered(
    'two entries exchanged',
    async () => {
      await run('update operation_logs set seq = -seq where seq in (5, 6)')
      await run('update operation_logs set seq = seq + 11 where seq < 0')
    },
    { seq: 5, what: 'changed' },
  )
  tampered('an entry taken off the list', () => run('update operation_logs set hidden_by = 9 where seq = 5'), {
    seq: 5,
    what: 'hidden',
  })
  tampered('a deleted entry put back', () => run('update operation_logs set hidden_by = null where seq = 3'), {
    seq: 9,
    what: 'hidden',
  })
  tampered(
    'another entry hidden in place of the one that was deleted',
    () => run('update operation_logs set hidden_by = case seq when 5 then 9 end where seq in (3, 5)'),
    { seq: 5, what: 'hidden' },
  )
  tampered('everything taken off the list', () => run('update operation_log_head set cleaned_to = 12'), {
    seq: 12,
    what: 'end',
  })
  tampered('the seal of the end removed', () => run('delete from operation_log_head'), { seq: 12, what: 'end' })
  tampered(
    'the newest entries removed and the end set back without the key',
    async () => {
      await run('delete from operation_logs where seq > 10')
      await run('update operation_log_head set seq = 10, hash = (select hash from operation_logs where seq = 10)')
    },
    { seq: 10, what: 'end' },
  )

  t.test('an end in doubt is written into the chain, so that going on does not heal it', async (t) => {
    for (const [name, tamper] of [
      ['removed', 'delete from operation_log_head'],
      ['changed', 'update operation_log_head set seq = 4, hash = (select hash from operation_logs where seq = 4)'],
      [
        'another key',
        `update operation_log_head set seq = 4, seal = 'deadbeef.x',
          hash = (select hash from operation_logs where seq = 4)`,
      ],
    ] as const) {
      await database.reset()
      await write(opened(t, database), 5)
      await run('delete from operation_logs where seq > 4')
      await run(tamper)
      const errors: string[] = []
      const log = opened(t, database, {
        log: { ...silent, error: (_: object | string, text?: string) => errors.push(String(text)) },
      })
      await write(log, 3)
      t.match((await verifyLog(db, keys)).broken, { seq: 5, what: 'end' }, name)
      t.equal(errors.length, 1, `${name}: the process's log says so too`)
      t.equal((await calls(database, log).list({})).logs.length, 8, `${name}: and the list shows it`)
    }
  })

  t.test('a log set back with its seal while it is being written is found', async (t) => {
    const log = opened(t, database)
    await write(log, 5)
    const [before] = await db.select().from(operationLogHead)
    await write(log, 5)
    await run('delete from operation_logs where seq > 5')
    if (before) await db.update(operationLogHead).set(before)
    t.match((await verifyLog(db, keys)).broken, null, 'not by the chain alone')
    await write(log, 1)
    t.match((await verifyLog(db, keys)).broken, { seq: 6, what: 'end', message: /had reached 10/ })
  })

  t.test('another key goes on where the first ended; both are needed to check all', async (t) => {
    const second = logKeys(['quite another secret, long enough too'])
    const both = logKeys(['quite another secret, long enough too', secret])
    await write(opened(t, database), 5)
    await write(opened(t, database, { keys: second }), 5)
    t.match(await verifyLog(db, both), { checked: 11, broken: null, unchecked: null })
    t.match(await verifyLog(db, second), { checked: 6, broken: null, unchecked: { count: 5, first: 1, last: 5 } })
    const { list } = calls(database, opened(t, database, { keys: second }))
    const doubts = (await list({ path: '/log/operation/doubt' })).logs
    t.same(
      doubts.map(({ target }) => target),
      [[]],
      'what was found at the end is not shown as ids',
    )
    await run(`update operation_logs set remark = 'x' where seq = 2`)
    t.match((await verifyLog(db, both)).broken, { seq: 2, what: 'changed' })
    t.match(
      await verifyLog(db, second),
      { broken: null, unchecked: { count: 5 } },
      'what is not checked is not vouched for',
    )
    await run(`delete from operation_logs where seq = 3`)
    t.match((await verifyLog(db, second)).broken, { seq: 3, what: 'removed' })
  })

  t.test('a change to a key that knows the one before leaves no mark', async (t) => {
    await write(opened(t, database), 5)
    const both = logKeys(['quite another secret, long enough too', secret])
    await write(opened(t, database, { keys: both }), 5)
    t.match(await verifyLog(db, both), { checked: 10, broken: null, unchecked: null })
  })
})

t.test('the list', async (t) => {
  t.beforeEach(() => database.reset())

  t.test('shows what was answered before, newest first, in the shape of the contract', async (t) => {
    const log = opened(t, database)
    const { list } = calls(database, log)
    log.append(logEntry())
    const startTime = new Date('2026-03-01T10:00:00.123Z')
    log.append(logEntry({ username: 'bob', target: [7, 2 ** 53 - 1], status: 404, startTime }))
    const { total, logs } = await list({ pageNum: 1 })
    t.equal(total, 2)
    t.strictSame(logs, [
      {
        id: 2,
        seq: 2,
        username: 'bob',
        ip: '192.0.2.1',
        method: 'POST',
        path: '/user/add',
        remark: 'Add a user',
        status: 404,
        startTime: '2026-03-01T10:00:00.123Z',
        timeCost: 12,
        userAgent: 'test',
        target: [7, 2 ** 53 - 1],
        times: 1,
      },
      { ...logs[1], id: 1, seq: 1, username: 'alice', target: [] },
    ])
    t.strictSame((await list()).logs, logs)
  })

  t.test('filters by parts of texts, ignoring case, taking % and _ and \\ as they are', async (t) => {
    const log = opened(t, database)
    const { list } = calls(database, log)
    log.append(logEntry({ username: 'Anna_1', ip: '2001:db8::1', path: '/a%b', method: 'DELETE', status: 403 }))
    log.append(logEntry({ username: 'annaX1', ip: '192.0.2.15', path: '/a/b', method: 'GET', status: 0 }))
    log.append(logEntry({ username: 'c\\d', ip: '192.0.2.1', path: '/user/list', method: 'GET', status: -1 }))
    const found = async (filter: LogFilter) => {
      const all = (await list(filter)).logs.map(({ seq }) => seq)
      const page = await list({ ...filter, pageNum: 1, pageSize: 10 })
      t.same([page.total, page.logs.map(({ seq }) => seq)], [all.length, all], 'paged and whole agree')
      return all
    }
    t.same(await found({ username: 'anna' }), [2, 1])
    t.same(await found({ username: 'a_1' }), [1])
    t.same(await found({ username: '\\' }), [3])
    t.same(await found({ path: '%' }), [1])
    t.same(await found({ path: '/A' }), [2, 1])
    t.same(await found({ ip: '192.0.2.1' }), [3, 2])
    t.same(await found({ method: 'e' }), [3, 2, 1])
    t.same(await found({ method: 'del' }), [1])
    t.same(await found({ status: 0 }), [2])
    t.same(await found({ status: -1 }), [3])
    t.same(await found({ status: 2 ** 40 }), [])
    t.same(await found({ username: 'anna', method: 'get', path: 'b', ip: '.', status: 0 }), [2])
    t.same(await found({ username: '', ip: '', path: '', method: '' }), [3, 2, 1])
    t.same(await found({ username: 'nobody' }), [])
  })

  t.test('pages agree with the whole list at every offset, while it grows and after deletions', async (t) => {
    const log = opened(t, database)
    const { list, remove, clean } = calls(database, log)
    const agree = async (filter: LogFilter, pageSize: number) => {
      const whole = (await list(filter)).logs.map(({ seq }) => seq)
      const pages = []
      for (let pageNum = 1; ; pageNum++) {
        const { total, logs } = await list({ ...filter, pageNum, pageSize })
        t.equal(total, whole.length)
        pages.push(...logs.map(({ seq }) => seq))
        if (logs.length === 0) break
      }
      t.same(pages, whole)
    }
    const grow = async (count: number) => {
      for (let i = 0; i < count; i++) log.append(logEntry({ username: i % 3 === 0 ? 'bob' : 'alice', status: i % 2 }))
      await log.flush()
    }
    const filters: LogFilter[] = [{}, { username: 'bob' }, { username: 'bob', status: 1 }, { path: 'nothing' }]
    const agreeAll = async () => {
      for (const filter of filters) for (const size of [97, 500, 1000]) await agree(filter, size)
    }
    await grow(1500)
    await agreeAll()
    await grow(1)
    await agreeAll()
    await grow(1999)
    await agreeAll()
    await remove([1, 7, 3500, 1500])
    await agreeAll()
    await grow(20)
    await agreeAll()
    await clean()
    t.match(await list(), { total: 1, logs: [{ method: 'SEAL', path: '/log/operation/clean' }] })
    await grow(700)
    await agreeAll()
    t.match(await list({ pageNum: 2_147_483_647, pageSize: 1000 }), { total: 701, logs: { length: 0 } })
  })

  t.test('requests for the same filter at the same time all get the same right answer', async (t) => {
    const log = opened(t, database)
    const { list } = calls(database, log)
    await write(log, 1200)
    const pages = await Promise.all(Array.from({ length: 20 }, () => list({ pageNum: 12, pageSize: 100 })))
    for (const { total, logs } of pages) t.same([total, logs.length, logs[0]?.seq], [1200, 100, 100])
  })
})

t.test('deleting entries', async (t) => {
  t.beforeEach(() => database.reset())

  t.test('takes them off the list and seals who did it', async (t) => {
    const log = opened(t, database)
    const { list, remove } = calls(database, log)
    await write(log, 10)
    const [last] = await db.select().from(operationLogs).where(eq(operationLogs.seq, 9))
    await remove([9, 4, 4])
    const { logs } = await list()
    t.same(
      logs.map(({ seq }) => seq),
      [11, 10, 8, 7, 6, 5, 3, 2, 1],
    )
    t.match(logs[0], {
      username: 'root',
      ip: '198.51.100.7',
      userAgent: 'console',
      method: 'SEAL',
      path: '/log/operation/delete',
      remark: `Deleted 2 of the entries 4 to 9; hash of the last ${last?.hash}`,
      status: 0,
      target: [4, 9],
    })
    t.match(await verifyLog(db, keys), { checked: 11, broken: null })
  })

  t.test('is all or nothing: an entry that is not in the list is named', async (t) => {
    const log = opened(t, database)
    const { list, remove, clean } = calls(database, log)
    await write(log, 5)
    await remove([3])
    for (const missing of [3, 7, 2 ** 53 - 1]) {
      await t.rejects(remove([1, missing, 2]), {
        kind: 'not_found',
        message: `operationLogIds.1: log entry ${missing} does not exist`,
        details: [{ field: 'operationLogIds.1' }],
      })
    }
    await remove([])
    t.equal((await list()).total, 5)
    await clean()
    await t.rejects(remove([1]), { message: 'operationLogIds.0: log entry 1 does not exist' })
    await remove([7])
    t.match((await list()).logs, [{ seq: 8, target: [7] }])
    t.match(await verifyLog(db, keys), { checked: 8, broken: null })
  })

  t.test('of all takes everything off the list and seals how much it was', async (t) => {
    const log = opened(t, database)
    const { list, remove, clean } = calls(database, log)
    await write(log, 10)
    await remove([1, 5])
    log.append(logEntry())
    await clean()
    await write(log, 1)
    const { logs } = await list()
    t.match(logs, [{ seq: 14 }, { seq: 13, username: 'root', method: 'SEAL', target: [12], status: 0 }])
    t.match(logs[1]?.remark, /^Deleted all 10 entries, 2 to 12; hash of the last \w+\./)
    t.match(await verifyLog(db, keys), { checked: 14, broken: null })
    await clean()
    await clean()
    t.match((await list()).logs, [{ seq: 16, remark: /^Deleted all 1 entries, 15 to 15/ }])
    t.match(await verifyLog(db, keys), { checked: 16, broken: null })
  })
})

t.test('several instances', { skip: postgresMissing }, async (t) => {
  const server = await testServerDatabase(t)

  t.test('append to one chain, each in its own order, deleting meanwhile', async (t) => {
    const logs = [opened(t, server), opened(t, server), opened(t, server)] as const
    const [first] = logs
    const handlers = logs.map((log) => calls(server, log))
    await write(first, 10)
    await Promise.all([
      ...logs.map(async (log, instance) => {
        for (let i = 1; i <= 400; i++) {
          log.append(logEntry({ username: `instance ${instance}`, timeCost: i }))
          if (i % 7 === 0) await log.flush()
        }
        await log.flush()
      }),
      ...handlers.map(({ remove }, instance) => remove([instance + 1])),
    ])
    t.match(await verifyLog(server.db, keys), { checked: 10 + 1200 + 3, broken: null })
    for (const instance of [0, 1, 2]) {
      const found = await calls(server, first).list({ username: `instance ${instance}` })
      t.same(
        found.logs.map(({ timeCost }) => timeCost).reverse(),
        Array.from({ length: 400 }, (_, i) => i + 1),
      )
    }
  })

  t.test('see in their lists at once what another one deleted', async (t) => {
    await server.reset()
    const [one, other] = [opened(t, server), opened(t, server)]
    const [mine, others] = [calls(server, one), calls(server, other)]
    await write(one, 30)
    t.equal((await mine.list({ pageNum: 1 })).total, 30)
    await others.remove([30, 29])
    t.match(await mine.list({ pageNum: 1, pageSize: 2 }), { total: 29, logs: [{ seq: 31 }, { seq: 28 }] })
    await others.clean()
    t.match(await mine.list({ pageNum: 1, pageSize: 2 }), { total: 1, logs: [{ seq: 32 }] })
  })
})

t.test('a database that comes and goes', { skip: postgresMissing }, async (t) => {
  const postgres = await testPostgres(t)
  const server = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
  t.teardown(server.close)
  const { db } = server
  const remarks = async () =>
    (await db.select({ remark: operationLogs.remark }).from(operationLogs).orderBy(operationLogs.seq)).map(
      (row) => row.remark,
    )

  t.test('entries wait for it; when too many do nothing more is accepted, and the log tells of it', async (t) => {
    const told: string[] = []
    const to = openLog('warn', { write: (line: string) => void told.push(line) })
    const log = opened(t, server, { capacity: 100, log: to })
    await write(log, 10)
    await postgres.stop()
    for (let i = 11; i <= 110; i++) {
      t.equal(log.admits(), true)
      log.append(logEntry({ remark: `entry ${i}` }))
    }
    t.equal(await log.admits(), false)
    t.equal(await log.admits(), false)
    log.append(logEntry({ remark: 'entry 111' }))
    await t.rejects(log.flush())
    await eventually(() => told.length > 0, 'it says that it cannot write')
    t.match(told[0], /entries cannot be written now and wait/)
    t.notMatch(told.join(), /entry 1|192\.0\.2/, 'and the process log holds nothing of the entries')
    await postgres.start()
    await eventually(async () => (await remarks()).length >= 112, 'all entries are written')
    t.equal(await log.admits(), true)
    t.same(await remarks(), [
      ...Array.from({ length: 111 }, (_, i) => `entry ${i + 1}`),
      'Requests refused while the operation log could not be written: 2',
    ])
    t.match(await verifyLog(db, keys), { checked: 112, broken: null })
  })

  t.test('whatever moment it crashes at, every entry is written once and in order', async (t) => {
    await db.execute(sql`truncate operation_logs, operation_log_head`)
    const log = opened(t, server)
    let appended = 0
    const writing = setInterval(() => {
      for (let i = 0; i < 20; i++) log.append(logEntry({ remark: `entry ${++appended}` }))
    }, 2)
    for (let crash = 0; crash < 4; crash++) {
      const target = appended + 700 + crash * 260
      await eventually(() => appended >= target, `${target} entries are appended`)
      await postgres.restart('immediate')
    }
    clearInterval(writing)
    const flushed = () =>
      log.flush().then(
        () => true,
        () => false,
      )
    await eventually(flushed, 'all entries are written')
    t.same(
      await remarks(),
      Array.from({ length: appended }, (_, i) => `entry ${i + 1}`),
    )
    t.match(await verifyLog(db, keys), { checked: appended, broken: null })
  })

  t.test('a commit whose answer was lost is not written again', async (t) => {
    await db.execute(sql`truncate operation_logs, operation_log_head`)
    let losing = true
    const forgetful = new Proxy(db, {
      get: (target, name) =>
        name === 'transaction'
          ? async (...input: Parameters<typeof db.transaction>) => {
              const result = await target.transaction(...input)
              if (losing) throw Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })
              return result
            }
          : Reflect.get(target, name),
    })
    const log = opened(t, { db: forgetful })
    await t.rejects(write(log, 5))
    losing = false
    await write(log, 2)
    t.same(await remarks(), ['entry 1', 'entry 2', 'entry 3', 'entry 4', 'entry 5', 'entry 1', 'entry 2'])
    t.match(await verifyLog(db, keys), { checked: 7, broken: null })
  })

  t.test('kill -9 leaves a whole chain that has everything known to be written', async (t) => {
    await db.execute(sql`truncate operation_logs, operation_log_head`)
    let known = 0
    for (let run = 0; run < 3; run++) {
      const before = await db.$count(operationLogs)
      const script = [...fromSource(resolve('test/audit/log-writer.ts')), postgres.url, secret]
      const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(child, 'close')
      createInterface(child.stdout).on('line', (line) => {
        known = before + Number(line)
      })
      await eventually(() => known >= before + 200, '200 entries are known to be written')
      child.kill('SIGKILL')
      await ended
      const { checked, broken } = await verifyLog(db, keys)
      t.equal(broken, null)
      t.ok(checked >= known && checked <= known + 50, `${checked} of at least ${known}`)
    }
  })

  t.test('a stop without it ends in time and says how many entries are lost', async (t) => {
    const errors: unknown[] = []
    const log = openOperationLog({
      db,
      keys,
      timeout: 300,
      log: { ...silent, error: (details: object | string) => errors.push(details) },
    })
    await postgres.stop()
    for (let i = 0; i < 7; i++) log.append(logEntry())
    const started = Date.now()
    await log.close()
    t.ok(Date.now() - started < 10_000)
    t.match(errors.at(-1), { lost: 7 })
  })
})

t.test('npm run verify-log', async (t) => {
  const folder = t.testdir()
  const dataDir = join(folder, 'data')
  const environment = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', JWT_SECRET: '', LOG_KEY: '', LDAP_URL: '' }
  const verify = (settings: NodeJS.ProcessEnv = {}) => {
    return spawnSync(process.execPath, built('commands/verify-log'), {
      env: { ...environment, ...settings },
      encoding: 'utf8',
    })
  }
  t.test('says when there is nothing to check, and creates nothing', async (t) => {
    t.match(verify(), { status: 2, stdout: '', stderr: /DATA_DIR: .* holds no installation yet/ })
    t.same(readdirSync(folder), [])
  })

  t.test('names the head of a whole log and the first break of another', async (t) => {
    await copyTemplate(dataDir)
    t.match(verify(), { status: 2, stderr: /LOG_KEY: there is no secret/ })
    loadSecrets(dataDir, { jwtSecret: null })
    const keys = logKeys(logSecrets(dataDir, { logSecrets: [], jwtSecret: null }))
    const embedded = await openDatabase({ url: null, dataDir, log: silent, durable: false })
    const log = openOperationLog({ db: embedded.db, keys, log: silent })
    for (let i = 0; i < 5; i++) log.append(logEntry())
    await log.close()
    const { head } = await verifyLog(embedded.db, keys)
    t.match(verify(), { status: 2, stderr: /in use by another process[\s\S]*stop the service first/ })
    await embedded.close()
    t.match(verify(), {
      status: 0,
      stdout: `Operation log: 5 entries are as they were written.\nHead: entry 5, ${head.hash}\n`,
      stderr: '',
    })
    const jwt = readFileSync(join(dataDir, 'secrets', 'jwt'), 'utf8').trim()
    const other = 'another-secret-that-is-long-enough'
    t.match(
      verify({ LOG_KEY: other }),
      { status: 1, stdout: /5 entries from 1 to 5 cannot be checked[\s\S]*DATA_DIR\/secrets\/jwt/ },
      'what signs the tokens is believed only where LOG_KEY names it',
    )
    t.match(verify({ LOG_KEY: `${other} ${jwt}` }), { status: 0 })

    const again = await openDatabase({ url: null, dataDir, log: silent, durable: false })
    await again.db.execute(sql`delete from operation_logs where seq = 3`)
    await again.close()
    t.match(verify({ LOG_KEY: jwt }), { status: 1, stdout: /2 entries are[\s\S]*BROKEN at entry 3 \(removed\)/ })
  })
})

t.test('through the door', async (t) => {
  const { call, token, person, db, config, app, close } = await steward(t, {
    directory: 'none',
    env: { TRUST_PROXY: 'on' },
  })
  const list = async (query: Record<string, string> = {}) =>
    (await call('listOperationLogs', { token, query })).data.logs
  const headers = { 'x-forwarded-for': '198.51.100.4', 'user-agent': 'a browser' }

  t.test('a change is in the list when its answer arrives', async (t) => {
    const { data } = await call('addUser', {
      token,
      headers,
      body: { username: 'vera', nickname: 'V', mail: '', mobile: '', jobNumber: '', roleIds: [3], departmentId: [] },
    })
    t.match(await list({ path: '/user/add' }), [
      {
        username: 'admin',
        ip: '198.51.100.4',
        method: 'POST',
        remark: 'Add a user',
        status: 0,
        userAgent: 'a browser',
        target: [data.id, 3],
      },
    ])
    await call('deleteUsers', { token, body: { userIds: [data.id, 4711] } })
    t.match(await list({ path: '/user/delete' }), [{ status: 404, target: [data.id, 4711] }])
  })

  t.test('refusals are in it with the name of the caller if it is known', async (t) => {
    const peter = await person('peter')
    await call('cleanOperationLogs', { token: peter.token })
    await call('cleanOperationLogs')
    await call('login', { body: { username: 'Peter', password: 'another password' } })
    await call('login', { body: { username: 'a password typed as a name', password: 'x' } })
    await app.inject({ url: '/api/no/such/thing?token=x', headers: { authorization: `Bearer ${peter.token}` } })
    const shown = (await list()).slice(0, 6).map(({ username, path, status }) => [username, path, status])
    t.same(shown.slice(0, 5), [
      ['', '/no/such/thing', 404],
      ['', '/base/login', 401],
      ['peter', '/base/login', 401],
      ['', '/log/operation/clean', 401],
      ['peter', '/log/operation/clean', 403],
    ])
  })

  t.test('signing out and going on are in it with the user; ping is not', async (t) => {
    const mary = await person('mary')
    const refreshed = await call('refreshToken', { token: mary.token })
    await call('logout', { token: refreshed.data.token })
    await call('ping')
    t.match(
      (await list({ username: 'mary' })).map(({ path }) => path),
      ['/base/logout', '/base/refreshToken', '/base/login'],
    )
    t.same(await list({ path: 'ping' }), [])
  })

  t.test('no password, token, code or query is in it', async (t) => {
    const secret = 'Correct-Horse-9417'
    const jane = await person('jane', { password: secret })
    const encrypted = await call('encryptPassword', { query: { passwd: secret } })
    await call('decryptPassword', { query: { passwd: encrypted.data } })
    await call('changeOwnPassword', { token: jane.token, body: { oldPassword: secret, newPassword: `${secret}-new` } })
    await call('login', { body: { username: secret, password: secret } })
    await call('changePasswordByCode', { body: { mail: 'jane@example.org', code: '941794' } })
    await call('listUsers', { token, query: { username: `${secret}-filter` } })
    await call('getUserInfo', { token: 'a-token-that-is-none-9417' })
    t.ok((await list()).length > 10)
    const rows = JSON.stringify(await db.select().from(operationLogs))
    const written = rows.replace(/"hash":"[^"]*"/g, '')
    for (const text of [secret, encrypted.data, jane.token, token, '941794', 'jane@example.org', '9417']) {
      t.notOk(written.includes(text))
    }
  })

  t.test('the dashboard counts what is in the list', async (t) => {
    const counted = async () => (await call('dashboard')).data.find(({ dataType }) => dataType === 'log')?.dataCount
    // Every question becomes an entry itself moments later, perhaps between the two; and figures are kept for a second,
    // within which the answer is the same however often it is asked for: 60 times a minute are allowed.
    const agree = async () => {
      t.ok(
        await eventually(async () => {
          await delay(1000)
          return (await list()).length === (await counted())
        }, 'both say the same'),
      )
    }
    await agree()
    const [first, second] = await list()
    await call('deleteOperationLogs', { token, body: { operationLogIds: [first?.seq ?? 0, second?.seq ?? 0] } })
    await agree()
    await call('cleanOperationLogs', { token })
    await agree()
  })

  t.test('a stop writes all that was answered, and the chain is whole', async (t) => {
    await Promise.all(Array.from({ length: 40 }, () => call('getUserInfo', { token })))
    await close()
    const found = await db.$count(operationLogs, eq(operationLogs.path, '/user/info'))
    t.equal(found, 41)
    const verdict = await verifyLog(db, logKeys(logSecrets(config.dataDir, config)))
    t.match(verdict, { broken: null, unchecked: null })
    t.equal(verdict.checked, await db.$count(operationLogs))
  })
})
