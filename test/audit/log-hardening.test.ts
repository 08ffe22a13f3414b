import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asc, eq, sql } from 'drizzle-orm'
import t from 'tap'
import { cutOldEntries } from '../../src/audit/cut.ts'
import { type LogEntry, storable } from '../../src/audit/entry.ts'
import { operationJournal } from '../../src/audit/journal.ts'
import { type LogKeys, logKeys } from '../../src/audit/keys.ts'
import { operationLogsHandlers } from '../../src/audit/operation-log-handlers.ts'
import { openPresence, unreportedLosses } from '../../src/audit/presence.ts'
import { verifyLog } from '../../src/audit/verify.ts'
import type { Break } from '../../src/audit/verify-rules.ts'
import { openOperationLog } from '../../src/audit/writer.ts'
import type { AnsweredRequest } from '../../src/contract/journal.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { onPrimary } from '../../src/db/replica.ts'
import { alerts, operationLogHead, operationLogs, operationLogWriters } from '../../src/db/schema.ts'
import { statusOf } from '../../src/posture/evidence/assess.ts'
import { gatherFacts } from '../../src/posture/evidence/gather.ts'
import { inspect } from '../../src/posture/inspection.ts'
import { logSecrets } from '../../src/secrets/secrets.ts'
import { postgresMissing, silent, type Teardown, testDatabase, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { goodFacts } from '../posture/facts.ts'
import { dataFolder, startServer } from '../server-process.ts'
import { signedIn } from '../signed-in.ts'
import { steward } from '../steward.ts'
import { runVerifyLog } from '../verify-log-process.ts'
import { logEntry } from './log-entry.ts'

const secret = 'a secret for this test only, long enough'
const other = 'quite another secret, long enough too'
const keys = logKeys([secret])
const day = 86_400_000

const database = await testDatabase(t)
const { db } = database
const run = (statement: string) => db.execute(sql.raw(statement))
const rows = (of: Database['db'] = db) => of.select().from(operationLogs).orderBy(asc(operationLogs.seq))

const opened = (t: Teardown, options: { keys?: LogKeys; capacity?: number } = {}) => {
  const log = openOperationLog({ db, keys, log: silent, timeout: 300, ...options })
  t.teardown(() => log.close())
  return log
}

const write = async (
  log: Pick<ReturnType<typeof openOperationLog>, 'append' | 'flush'>,
  count: number,
  changes: Partial<LogEntry> = {},
): Promise<void> => {
  for (let i = 1; i <= count; i++) log.append(logEntry({ remark: `entry ${i}`, ...changes }))
  await log.flush()
}

/** Refuses rows of the log, as a trigger or a constraint that an administrator adds would. */
const refuse = async (of: Database['db'], condition: string): Promise<void> => {
  await of.execute(
    sql.raw(`
    create or replace function refuse() returns trigger language plpgsql as
    $$ begin if ${condition} then raise exception 'refused'; end if; return new; end $$`),
  )
  await of.execute(
    sql`create or replace trigger refuse before insert on operation_logs for each row execute function refuse()`,
  )
}
const stopRefusing = (of: Database['db']) => of.execute(sql`drop trigger if exists refuse on operation_logs`)

t.test('an entry', async (t) => {
  t.beforeEach(() => database.reset())

  await t.test('can always be stored, whatever is in it', async (t) => {
    const odd = [
      ...[undefined, null, Number.NaN, -1, 1e300, '', 'x\0\ud800', {}, [], [undefined], new Date(Number.NaN), () => {}],
      ...[new Date(8.64e15), Symbol('x'), '9'.repeat(5000), true, 10n],
    ]
    const log = opened(t)
    for (const value of odd) {
      const whole = Object.fromEntries(Object.keys(logEntry()).map((field) => [field, value]))
      t.notOk(Object.values(storable(whole as never)).includes(undefined), 'nothing undefined')
      log.append(whole as never)
    }
    log.append({} as never)
    log.append(logEntry({ remark: 'the last' }))
    await log.flush()
    t.match(await verifyLog(db, keys), { checked: odd.length + 2, broken: null, gaps: { length: 0 } })
    t.equal((await rows()).at(-1)?.remark, 'the last')
  })

  await t.test('that the database refuses is replaced by a sealed one, and holds up none behind it', async (t) => {
    await refuse(db, `new.username in ('poison', 'worse') and not (new.method = 'SEAL' and new.username = '')`)
    const log = opened(t)
    for (let i = 1; i <= 1500; i++) {
      log.append(logEntry({ remark: `entry ${i}`, username: i === 3 || i === 700 || i === 1500 ? 'poison' : 'alice' }))
    }
    await log.flush()
    const written = await rows()
    t.equal(written.length, 1500)
    t.same(
      written.filter(({ method }) => method === 'SEAL').map(({ seq, path, remark }) => [seq, path, remark]),
      [3, 700, 1500].map((seq) => [
        seq,
        '/log/operation/unstorable',
        'An entry could not be stored (P0001): POST /user/add 0 of poison 192.0.2.1',
      ]),
    )
    t.match(await verifyLog(db, keys), { checked: 1500, broken: null, gaps: [{ seq: 3 }, { seq: 700 }, { seq: 1500 }] })
    t.match(log.alerts(), [{ cause: 'operation log entry refused', level: 'danger' }])
    t.same(log.alerts(), [], 'it is handed out once')

    await stopRefusing(db)
    await refuse(db, `new.remark like '%worse%'`)
    await write(log, 1, { username: 'worse', remark: 'worse' })
    t.equal(
      (await rows()).at(-1)?.remark,
      'An entry could not be stored (P0001)',
      'a stand-in that says less is tried too',
    )
    await stopRefusing(db)
  })

  await t.test('waits as it is while the database refuses everything', async (t) => {
    await refuse(db, 'true')
    const log = opened(t)
    await t.rejects(write(log, 5))
    t.equal(log.stuck(), null, 'a short outage is not a reason to refuse')
    await eventually(() => log.stuck() !== null, 'stuck')
    t.match(log.stuck(), { waiting: 5 })
    t.equal(await log.admits(), false)
    await stopRefusing(db)
    t.equal(await log.admits(), true, 'a request causes one more try')
    await log.flush()
    t.equal(log.stuck(), null)
    t.same(
      (await rows()).map(({ remark }) => remark),
      [...[1, 2, 3, 4, 5].map((n) => `entry ${n}`), 'Requests refused while the operation log could not be written: 1'],
    )
  })

  await t.test('is counted with equal entries while too many wait, and memory is bounded', async (t) => {
    await refuse(db, 'true')
    const log = opened(t, { capacity: 10 })
    for (let i = 1; i <= 10; i++) log.append(logEntry({ remark: `entry ${i}` }))
    for (let i = 1; i <= 5000; i++)
      log.append(logEntry({ path: '/user/list', method: 'GET', ip: `192.0.2.${i % 200}` }))
    for (let i = 1; i <= 5000; i++) log.append(logEntry({ path: `/x/${i}`, username: '', status: 404 }))
    await stopRefusing(db)
    await log.flush()
    await log.flush()
    const written = await rows()
    t.ok(written.length < 1100, `${written.length} rows`)
    t.equal(
      written.reduce((sum, { times }) => sum + times, 0),
      10_010,
    )
    t.match(
      written.find(({ path }) => path === '/user/list'),
      {
        username: 'alice',
        ip: '',
        times: 5000,
        remark: /^Add a user: 5000 requests counted, all answered 0, .*Z to .*Z$/,
      },
    )
    t.match(await verifyLog(db, keys), { broken: null })
  })
})

t.test('requests of unknown callers', async (t) => {
  const at = new Date('2026-03-01T10:00:00Z')
  const answered = (changes: Partial<AnsweredRequest>): AnsweredRequest => ({
    ...{ method: 'GET', path: '/nothing', summary: '', username: '', authenticated: false, isPublic: false },
    ...{
      address: '192.0.2.7',
      userAgent: 'x',
      code: 404,
      startedAt: at,
      milliseconds: 3,
      ids: [],
      preview: false,
      ...changes,
    },
  })
  const journal = () => {
    const entries: LogEntry[] = []
    return { entries, ...operationJournal({ append: (each) => void entries.push(each), admits: () => true }) }
  }

  await t.test('are an entry each at first, and counted once they come in bursts', async (t) => {
    const { note, settle, entries } = journal()
    for (let i = 0; i < 100; i++) note(answered({ startedAt: new Date(at.getTime() + i * 100), path: `/no/${i}` }))
    for (let i = 0; i < 30; i++) {
      note(answered({ path: '/base/login', method: 'POST', code: 401, isPublic: true, summary: 'Sign in' }))
    }
    for (let i = 0; i < 30; i++) note(answered({ address: `2001:db8::${i}`, code: 401, path: '/user/info' }))
    for (let i = 0; i < 50; i++) note(answered({ username: 'ada', authenticated: true, code: 403 }))
    note(answered({ method: 'POST', code: 0, path: '/base/login', username: 'ada', isPublic: true }))
    t.equal(entries.length, 20 + 20 + 50 + 1, 'entries of known callers, and of changes, are not merged into counts')
    settle()
    t.match(entries.slice(91), [
      {
        ip: '192.0.2.7',
        status: 404,
        path: '',
        method: 'GET',
        times: 80,
        startTime: new Date(at.getTime() + 2000),
        timeCost: 7903,
        remark: '80 requests counted, all answered 404, 2026-03-01T10:00:02.000Z to 2026-03-01T10:00:09.903Z',
      },
      { status: 401, path: '/base/login', method: 'POST', times: 30, remark: /^Sign in: 30 requests counted/ },
      { status: 401, path: '/user/info', ip: '2001:db8:0:0/64', times: 10 },
    ])
    settle()
    t.equal(entries.length, 94, 'once')
    for (let i = 0; i < 100; i++) {
      note(answered({ method: 'POST', code: 0, path: '/base/logout', isPublic: true, summary: 'Sign out' }))
    }
    settle()
    t.match(
      entries.slice(94 + 20),
      [{ path: '/base/logout', status: 0, times: 80 }],
      'nor is a success that changed nothing: any caller can sign out without a token',
    )
  })

  await t.test('from however many addresses do not outgrow the log or the memory', async (t) => {
    const { note, settle, entries } = journal()
    const total = 100_000
    for (let i = 0; i < total; i++) note(answered({ address: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` }))
    t.ok(entries.length <= 600)
    settle()
    t.ok(entries.length <= 1001, `${entries.length} entries`)
    t.equal(
      entries.reduce((sum, { times }) => sum + times, 0),
      total,
    )
  })
})

t.test('entries older than LOG_RETENTION', async (t) => {
  t.beforeEach(() => database.reset())
  const broken: Break[] = []
  const now = new Date()
  const cut = (days: number, retention: number | null = days * day) =>
    cutOldEntries({ db, keys, retention, now, report: async (each) => void broken.push(each) })
  const aged = (days: number) => ({ startTime: new Date(now.getTime() - days * day) })
  const list = (log: ReturnType<typeof opened>) => {
    const handlers = operationLogsHandlers({ db, reading: (read) => read(db), keys, operationLog: log })
    const request = {
      ...{ requestId: '', address: '', userAgent: '', token: null, consoleCookie: null, secure: false, origin: '' },
      identify: () => {},
    }
    const given = async () => ({ params: {}, body: {}, query: {}, request, user: await signedIn(db, 'root') })
    return {
      remove: async (operationLogIds: number[]) =>
        handlers.deleteOperationLogs({ ...(await given()), body: { operationLogIds } }),
      page: async (query: object) => {
        const answer = await handlers.listOperationLogs({
          ...(await given()),
          query: { pageNum: 1, pageSize: 1000, ...query },
        })
        const { total, logs } = 'message' in answer ? answer.data : answer
        return { total, seqs: Array.isArray(logs) ? logs.map(({ seq }) => seq) : [] }
      },
    }
  }

  await t.test('is removed under a seal, and the rest verifies, lists and is deleted as before', async (t) => {
    const log = opened(t)
    const { remove, page } = list(log)
    await write(log, 6000, aged(420))
    await remove([5, 5999])
    await write(log, 500, aged(410))
    await write(log, 100, aged(20))
    await remove([6100, 6550])
    t.equal((await page({})).total, 6600 + 2 - 4)
    const [last] = await db.select().from(operationLogs).where(eq(operationLogs.seq, 6501))
    t.equal(await cut(400), 6000, 'a seal that is younger ends the cut, whatever follows it')
    t.match((await rows()).slice(-2), [
      { path: '/log/operation/cut', target: [1, 5000], username: 'system' },
      {
        path: '/log/operation/cut',
        target: [5001, 6000],
        remark: /^Removed 1000 entries, 5001 to 6000, older than .* \(LOG_RETENTION\); hash of the last \S+$/,
      },
    ])
    t.ok(last)
    t.match(await verifyLog(db, keys), { broken: null, unchecked: null, checked: 604 })
    for (const newest of [1, 10, 300, 603, 604, 605, 100_000]) {
      t.match(await verifyLog(db, keys, { newest }), { broken: null, checked: Math.min(newest, 604) })
    }
    const { total, seqs } = await page({})
    t.same([total, seqs.length, seqs.at(-1)], [602, 602, 6001])
    t.equal((await page({ username: 'ali' })).total, 598)
    await remove([6002])
    await t.rejects(remove([17]), { message: 'operationLogIds.0: log entry 17 does not exist' })
    t.equal(await cut(400), 0, 'nothing more is that old')
    t.equal(await cut(400, null), 0, 'off')
    await write(log, 3)
    t.match(await verifyLog(db, keys), { broken: null, checked: 608 })
    t.same(broken, [])

    await db.execute(sql`delete from operation_logs where seq = 6001`)
    t.match((await verifyLog(db, keys)).broken, { seq: 6001, what: 'removed' }, 'a cut without a seal is a break')
    await db.execute(sql`delete from operation_logs where seq < 6300`)
    t.match((await verifyLog(db, keys)).broken, { seq: 6001, what: 'removed' })
  })

  for (const [name, statement] of [
    ['a forged head', `update operation_log_head set cut_seal = 0`],
    ['a forged seal', `update operation_logs set target = '[1, 30]' where path like '%/cut'`],
    ['a removed seal', `delete from operation_logs where path like '%/cut'`],
    [
      'a row put back',
      `insert into operation_logs (seq, method, path, status, start_time, time_cost, hash)
      select 3, method, path, status, start_time, time_cost, hash from operation_logs limit 1`,
    ],
  ] as const) {
    await t.test(`${name} after a cut is a break, also when the service goes on`, async (t) => {
      const log = opened(t)
      await write(log, 20, aged(500))
      await write(log, 20)
      t.equal(await cut(400), 20)
      t.match(await verifyLog(db, keys), { broken: null, checked: 21 })
      await run(statement)
      t.ok((await verifyLog(db, keys)).broken)
      await write(log, 2)
      t.ok((await verifyLog(db, keys)).broken)
    })
  }

  await t.test('stays where it is not what was written: a cut would hide that', async (t) => {
    const log = opened(t)
    await write(log, 20, aged(500))
    await write(log, 5)
    await run(`update operation_logs set username = 'bob' where seq = 7`)
    t.equal(await cut(400), 0)
    t.match(broken.splice(0), [{ seq: 7, what: 'changed' }])
    t.equal(await db.$count(operationLogs), 25)
  })
})

t.test('the keys of the log', async (t) => {
  t.beforeEach(() => database.reset())
  const second = logKeys([other])
  const both = logKeys([other, secret])
  const raised: { cause: string; level: string }[] = []
  const look = async (with_: LogKeys) => {
    raised.length = 0
    const raise = async (each: { cause: string; level: string }) => void raised.push(each)
    await inspect({ db, keys: with_, backupSchedule: null, timeZone: 'UTC', raise })
    return raised.map(({ cause, level }) => `${level} ${cause}`)
  }

  t.test('with LOG_KEY are those it names and no other', async (t) => {
    const folder = t.testdir({ secrets: { jwt: `${'k'.repeat(40)}\n` } })
    const jwtSecret = 'j'.repeat(40)
    t.same(logSecrets(folder, { logSecrets: [secret], jwtSecret }), [secret])
    t.same(logSecrets(folder, { logSecrets: [secret, jwtSecret], jwtSecret }), [secret, jwtSecret])
    t.same(logSecrets(folder, { logSecrets: [], jwtSecret }), [jwtSecret, 'k'.repeat(40)])
    t.same(logSecrets(folder, { logSecrets: [], jwtSecret: null }), ['k'.repeat(40)])
  })

  t.test('an entry rewritten with an earlier key, behind one of the current key, is a break', async (t) => {
    await write(opened(t), 10)
    await write(opened(t, { keys: both }), 10)
    t.match(await verifyLog(db, both), { checked: 20, broken: null, unchecked: null })
    t.same(await look(both), [])
    // An attacker with the earlier key writes the end anew with it: entries, hashes, seal.
    await run('delete from operation_logs where seq > 15')
    const [end] = await rows().then((all) => all.slice(-1))
    const { cutSeal, cleanedTo, lastSeal } = (await db.select().from(operationLogHead))[0] ?? {
      cutSeal: 0,
      cleanedTo: 0,
      lastSeal: 0,
    }
    const seal = keys.sign(['head', end?.seq, end?.hash, cleanedTo, lastSeal])
    t.equal(cutSeal, 0)
    await db.update(operationLogHead).set({ seq: end?.seq ?? 0, hash: end?.hash ?? '', seal })
    t.match((await verifyLog(db, both)).broken, { seq: 15, what: 'end', message: /another key/ })
    await write(opened(t), 5)
    t.match((await verifyLog(db, both)).broken, { seq: 16, what: 'changed', message: /was replaced before it/ })
    t.same(await look(both), ['danger operation log broken'])
  })

  t.test('going on with a new key raises one alert', async (t) => {
    await write(opened(t), 3)
    const log = opened(t, { keys: both })
    await write(log, 3)
    await write(log, 3)
    t.match(log.alerts(), [{ cause: 'operation log key', level: 'warning' }])
    await write(log, 3)
    t.same(log.alerts(), [])
  })

  const forge = async (from: number): Promise<void> => {
    await run(`update operation_logs set username = '', remark = '', hash = 'deadbeef.' || seq where seq >= ${from}`)
    await run(
      `update operation_log_head set hash = (select hash from operation_logs order by seq desc limit 1), seal = 'deadbeef.x'`,
    )
  }

  t.test(
    'entries under an unknown key behind a known one are a break, before and after the service goes on',
    async (t) => {
      await write(opened(t), 30)
      await forge(11)
      t.match((await verifyLog(db, keys)).broken, { seq: 11, what: 'changed', message: /not known here \(deadbeef\)/ })
      t.match((await verifyLog(db, keys, { newest: 10 })).broken, { seq: 21 }, 'also where all of the part is forged')
      t.same(await look(keys), ['danger operation log broken'])
      const log = opened(t)
      await write(log, 3)
      t.match(
        log.alerts(),
        [{ cause: 'operation log end', level: 'danger' }],
        'and going on from there raises an alert',
      )
      t.same(await look(keys), ['danger operation log broken'])
      t.match((await verifyLog(db, keys)).broken, { seq: 11 })
    },
  )

  t.test('entries that are all under an unknown key raise an alert, whatever is written after them', async (t) => {
    await write(opened(t), 30)
    await forge(1)
    t.same(await look(keys), ['warning operation log unchecked'])
    const log = opened(t)
    await write(log, 3)
    t.match(log.alerts(), [{ cause: 'operation log end', level: 'danger' }])
    t.same(await look(keys), ['warning operation log unchecked'])
  })

  t.test('an old key that LOG_KEY does not name leaves what it signed unchecked, and no more', async (t) => {
    await write(opened(t), 5)
    await write(opened(t, { keys: second }), 5)
    t.match(await verifyLog(db, second), { checked: 6, broken: null, unchecked: { count: 5 } })
    t.match((await verifyLog(db, keys)).broken, { seq: 6, message: /not known here/ }, 'with the old one alone')
  })

  t.test('nothing in a row makes the verification fail instead of finding it', async (t) => {
    const columns = [`start_time = 'infinity'`, `start_time = '-infinity'`, `target = '7'`, `target = 'null'`]
    const more = [`target = '{}'`, `hash = ''`, `time_cost = -5`, `target = '["x"]'`, `seq = 9223372036854775807`]
    for (const change of [...columns, ...more]) {
      for (const seal of [false, true]) {
        await database.reset()
        const log = opened(t)
        await write(log, 5)
        if (seal) {
          const handlers = operationLogsHandlers({ db, reading: (read) => read(db), keys, operationLog: log })
          await handlers.deleteOperationLogs({
            user: await signedIn(db, 'root'),
            request: {},
            body: { operationLogIds: [2] },
          } as never)
        }
        await run(`update operation_logs set ${change} where seq = ${seal ? 6 : 5}`)
        t.ok((await verifyLog(db, keys)).broken, change)
        log.append(logEntry())
        await log.flush()
        t.notSame((await verifyLog(db, keys)).broken, null, `${change}: nor does it keep the log from going on`)
      }
    }
  })
})

t.test('through the door', async (t) => {
  const s = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on' } })
  await s.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = s.app.server.address() as { port: number }
  const logged = (condition: string) =>
    s.db.select().from(operationLogs).where(sql.raw(condition)).orderBy(operationLogs.seq)
  const send = async (bytes: string | Buffer): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('error', () => {})
    socket.write(bytes)
    await eventually(() => /\r\n\r\n[\s\S]/.test(answer), 'an answer')
    socket.destroy()
    return answer
  }
  const raw = (url: string): Buffer => Buffer.from(`GET ${url} HTTP/1.1\r\nhost: x\r\n\r\n`, 'latin1')

  await t.test('an odd request is an entry, and what follows it is another', async (t) => {
    const long = 'x'.repeat(2000)
    for (const [bytes, condition] of [
      [raw('/api/%zz'), `path = '/%zz' and status = 400`],
      [raw('/api/v1/diet/%c0%af'), `path = '/v1/diet/%c0%af' and status = 400`],
      [raw('/api/%ed%a0%80'), `path = '/%ed%a0%80' and status = 400`],
      [raw('/api/\xed\xa0\x80/\xff'), `method = '' or (path like '/%' and status in (400, 404) and path ~ '[^ -~]')`],
      [raw(`/api/v1/diet/plans/${long}`), `path like '/v1/diet/plans/x%' and status in (401, 404)`],
      [`GET /api/user/info HTTP/1.1\r\n\r\n`, `path = '/user/info' and status = 400`],
      [`GET /api/user/info HTTP/1.0\r\n\r\n`, `path = '/user/info' and status = 401 and user_agent = ''`],
      [
        raw('/api/user/info')
          .toString()
          .replace('\r\n\r\n', '\r\nx-forwarded-for: \x80\x81,,;\r\nuser-agent: \xff\r\n\r\n'),
        `path = '/user/info' and user_agent <> ''`,
      ],
      [randomBytes(300), `method = '' and path = '' and remark = 'Not an HTTP request'`],
      [
        `POST /api/base/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
        `path = '/base/login' and status = 499`,
      ],
    ] as const) {
      await send(bytes)
      await eventually(async () => (await logged(condition)).length > 0, condition)
      const reply = await s.call('getUserInfo', { token: s.token })
      t.equal(reply.code, 0)
    }
    t.equal((await s.call('listOperationLogs', { token: s.token })).code, 0)
    t.equal((await s.call('getReadiness')).status, 200)
    t.ok((await logged('true')).every(({ ip }) => ip !== null))
  })

  await t.test('a request whose client resets the connection is in it', async (t) => {
    await s.call('cleanOperationLogs', { token: s.token })
    const [clean] = await logged(`path = '/log/operation/clean' and method = 'SEAL'`)
    const count = 60
    await Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(`GET /api/user/info HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${s.token}\r\n\r\n`)
        // Resets before, while and after the request is read. A busy machine reads none within milliseconds.
        if (i % 3 === 1) await sleep(1)
        if (i % 3 === 2) await Promise.race([once(socket, 'data'), once(socket, 'close')])
        socket.resetAndDestroy()
      }),
    )
    const { code } = await s.call('addMenu', { token: s.token, body: { name: 'after', title: 'After' } as never })
    t.equal(typeof code, 'number')
    await eventually(async () => (await logged(`path = '/menu/add'`)).length === 1, 'what follows is written')
    const entries = await logged(`path = '/user/info' and seq > ${clean?.seq}`)
    t.ok(entries.length > 0 && entries.length <= count, `${entries.length} of ${count} arrived before the reset`)
    // The kernel forgets the address of a connection that is reset before it is accepted: such a request is not handled.
    for (const { ip, status } of entries) t.ok(ip === '127.0.0.1' || (ip === '' && status === 499), `${ip} ${status}`)
    t.match(await verifyLog(s.db, logKeys(logSecrets(s.config.dataDir, s.config))), { broken: null })
  })

  await t.test('a client that resets in the middle of its body is not taken for a database that is away', async (t) => {
    const before = s.logs.length
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    const arrives = once(s.app.server, 'request')
    socket.write('POST /api/base/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n')
    socket.write(`content-length: 100\r\nuser-agent: resets\r\n\r\n{"username":`)
    await arrives
    socket.resetAndDestroy()
    await eventually(async () => (await logged(`user_agent = 'resets'`)).length === 1, 'it is in the log')
    t.match(await logged(`user_agent = 'resets'`), [{ status: 499, path: '/base/login' }])
    t.notMatch(s.logs.slice(before).join(''), /database is not available/)
  })

  await t.test('while entries cannot be written, reading goes on and nothing else', async (t) => {
    const cause = 'operation log stuck'
    const open = () => s.db.select().from(alerts).where(sql`cause = ${cause} and handled_at is null`)
    const stuckFacts = async () => (await s.call('listSecurityStatus', { token: s.token })).data
    await refuse(s.db, 'true')
    t.teardown(() => stopRefusing(s.db))
    t.equal((await s.call('getUserInfo', { token: s.token })).code, 0)
    await eventually(async () => (await s.call('getReadiness')).status === 503, 'readiness fails')
    t.match(await s.call('getReadiness'), {
      status: 503,
      data: [{ field: 'operationLog' }],
    })
    await eventually(async () => (await open()).length === 1, 'an alert')
    t.match(await open(), [{ level: 'danger', title: 'The operation log cannot be written' }])
    t.equal((await s.call('getUserInfo', { token: s.token })).code, 0, 'reading goes on')
    t.equal((await s.call('listOperationLogs', { token: s.token })).code, 0)
    t.match(
      (await stuckFacts()).find(({ name }) => name === 'Operation log'),
      { status: 'danger', details: /cannot be written now/ },
    )
    const refused = await s.call('login', { body: { username: 'admin', password: 'x' } })
    t.match(refused, { code: 503, msg: 'the operation log cannot be written now', headers: { 'retry-after': '5' } })
    t.equal((await s.call('cleanOperationLogs', { token: s.token })).code, 503)
    const help = await s.call('callForHelp', { token: s.token, body: { type: 'fire', description: 'now' } })
    t.equal(help.code, 200, 'a call for help is never refused: its own record and alert show it')
    await stopRefusing(s.db)
    t.equal((await s.call('cleanOperationLogs', { token: s.token })).code, 0, 'at once, when it can be written again')
    await eventually(async () => (await open()).length === 0, 'the alert closes')
    t.match(await s.db.select().from(alerts).where(eq(alerts.cause, cause)), [{ handledBy: 'system' }])
    t.equal((await s.call('getReadiness')).status, 200)
    await eventually(
      async () => (await logged(`path = '/log/operation/refused'`)).length === 1,
      'what was refused is told',
    )
    t.equal((await logged(`path = '/v1/security/emergency'`)).length, 1)
  })

  await t.test('the dashboard is asked as often as a page needs it', async (t) => {
    const replies = []
    for (let i = 0; i < 61; i++) {
      replies.push(await s.call('dashboard', { headers: { 'x-forwarded-for': '198.51.100.31' } }))
    }
    t.equal(replies.filter(({ code }) => code === 0).length, 60)
    t.equal(replies.at(-1)?.code, 429)
  })

  await t.test('a burst of refusals is counted, and a stop loses none of them', async (t) => {
    await s.call('cleanOperationLogs', { token: s.token })
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    for (let i = 0; i < 50; i++) await s.app.inject({ url: `/api/none/${i}`, ...from('198.51.100.32') })
    for (let i = 0; i < 50; i++) await s.call('listUsers', from('2001:db8:7::1'))
    for (let i = 0; i < 50; i++) {
      await s.call('login', { ...from('198.51.100.33'), body: { username: 'nobody', password: 'x' } })
    }
    await s.close()
    const counted = await s.db
      .select({
        path: operationLogs.path,
        status: operationLogs.status,
        ip: operationLogs.ip,
        times: operationLogs.times,
      })
      .from(operationLogs)
      .where(sql`times > 1`)
      .orderBy(operationLogs.seq)
    t.match(counted.slice(-3), [
      { status: 404, ip: '198.51.100.32', times: 30 },
      { status: 401, path: '/user/list', ip: '2001:db8:7:0/64', times: 30 },
      { path: '/base/login', ip: '198.51.100.33' },
    ])
    const operationLog = { stuck: () => null }
    const facts = await gatherFacts({
      ...{ db: s.db, reading: onPrimary(s.db), keys: logKeys(logSecrets(s.config.dataDir, s.config)), operationLog },
      ...{ settings: goodFacts.settings, deviceTimeout: day },
    })
    t.ok(facts.requests.signInFailures + facts.requests.limited >= 50, 'and the evidence has all of them')
    t.equal(facts.chain.broken, null)
    t.equal(statusOf({ ...facts, settings: goodFacts.settings }).length, 8)
    t.equal(await s.db.$count(operationLogWriters), 0, 'a stop takes note of itself')
  })
})

t.test('a process that ends', async (t) => {
  t.beforeEach(() => database.reset())
  const present = async (t: Teardown, dataDir: string, alone = true) => {
    const told: string[] = []
    const raise = async (_tx: unknown, alerts: readonly { level: string; title: string }[]) =>
      void told.push(...alerts.map(({ level, title }) => `${level}: ${title}`))
    const presence = await openPresence({ db, keys, dataDir, alone, raise, log: silent })
    t.teardown(() => presence.end(null))
    return { ...presence, told }
  }

  await t.test('with a stop raises an alert only when the stop lost entries', async (t) => {
    const dataDir = t.testdir()
    const first = await present(t, dataDir)
    await first.end(null)
    t.same((await present(t, dataDir)).told, [])
    const second = await present(t, dataDir)
    await second.end({ entries: 7, refused: 2, since: new Date('2026-03-01T10:00:00Z') })
    t.match(await unreportedLosses(db, { dataDir, alone: true }), [
      /^7 entries were lost at a stop at \d.*2 requests had/,
    ])
    t.same((await present(t, dataDir)).told, ['danger: A stop lost entries of the operation log'], 'once, not twice')
    t.same((await present(t, dataDir)).told, [])
    t.same(await unreportedLosses(db, { dataDir, alone: true }), [])
    t.match(await verifyLog(db, keys), {
      checked: 1,
      broken: null,
      gaps: [{ seq: 1, message: /^7 entries were lost/ }],
    })
    writeFileSync(join(dataDir, 'operation-log', 'lost-00000000-0000-4000-8000-000000000000.json'), 'no JSON')
    t.match(await unreportedLosses(db, { dataDir, alone: true }), [/^An unknown number of entries were lost/])
  })

  await t.test('raises one alert where two processes share a folder', async (t) => {
    const dataDir = t.testdir()
    mkdirSync(join(dataDir, 'operation-log'), { recursive: true })
    const note = join(dataDir, 'operation-log', 'lost-00000000-0000-4000-8000-000000000000.json')
    writeFileSync(note, JSON.stringify({ entries: 7, refused: 0 }))
    const both = await Promise.all([present(t, dataDir, false), present(t, dataDir, false)])
    t.same(
      both.flatMap(({ told }) => told),
      ['danger: A stop lost entries of the operation log'],
    )
    t.match(await verifyLog(db, keys), { checked: 1, gaps: [{ seq: 1, message: /^7 entries were lost/ }] })
    t.notOk(existsSync(note))
    writeFileSync(note, JSON.stringify({ entries: 7, refused: 0 }))
    t.same(
      await unreportedLosses(db, { dataDir, alone: false }),
      [],
      'a note that could not be removed is told already',
    )
    for (const { look } of both) await look()
    t.equal(both.flatMap(({ told }) => told).length, 1)
  })

  await t.test('says where it ran by more than the name of the host', async (t) => {
    const bootFile = '/proc/sys/kernel/random/boot_id'
    if (!existsSync(bootFile)) return t.pass('this system has no id of the boot')
    await present(t, t.testdir(), false)
    const [writer] = await db.select().from(operationLogWriters)
    t.same(writer?.host.split(' ').slice(0, 2), [hostname(), readFileSync(bootFile, 'utf8').trim()])
  })

  await t.test('without one raises an alert when its heartbeats end, unless the database was away', async (t) => {
    const dataDir = t.testdir()
    const gone = (id: number, seenAgo: number, host = 'elsewhere') =>
      db.execute(sql`insert into operation_log_writers (id, host, pid, seen_at)
        values (${`00000000-0000-4000-8000-00000000000${id}`}, ${host}, 4194305, now() - make_interval(secs => ${seenAgo}))`)
    await gone(1, 5)
    await gone(2, 500)
    const presence = await present(t, dataDir, false)
    t.same(presence.told, [], 'at the start their silence may be the database’s')
    await presence.look()
    t.same(presence.told, ['warning: The service ended without a stop'])
    t.equal(await db.$count(operationLogWriters), 2)
    await presence.look()
    t.equal(presence.told.length, 1)
    t.match(
      (await present(t, dataDir, true)).told,
      ['warning: The service ended without a stop'],
      'the embedded database has one process',
    )
    t.equal((await verifyLog(db, keys)).gaps.length, 2)
  })
})

t.test('a start while the log is stuck', { skip: postgresMissing }, async (t) => {
  const postgres = await testPostgres(t)
  const own = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
  t.teardown(own.close)
  const open = (dataDir: string) => steward(t, { directory: 'none', database: own, dataDir })
  const gone = () =>
    own.db.execute(sql`insert into operation_log_writers (id, host, pid, seen_at)
      values (gen_random_uuid(), 'elsewhere', 4194305, now() - interval '1 hour')`)
  const said = () => own.db.select().from(operationLogs).where(sql`path = '/log/operation/lost'`)
  const dataDir = t.testdir()
  const { config, close } = await open(dataDir)
  await close()
  const ownKeys = logKeys(logSecrets(dataDir, config))

  await t.test('goes on where another instance holds the end of the log and hangs', async (t) => {
    await gone()
    mkdirSync(join(dataDir, 'operation-log'), { recursive: true })
    writeFileSync(join(dataDir, 'operation-log', 'lost-00000000-0000-4000-8000-000000000000.json'), 'no JSON')
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const taken = new Promise<void>((resolve, reject) => {
      own.db
        .transaction(async (tx) => {
          await tx.execute(sql`select pg_advisory_xact_lock(7302114906)`)
          resolve()
          await held
        })
        .catch(reject)
    })
    await taken
    const presence = await openPresence({
      ...{ db: own.db, keys: ownKeys, dataDir, alone: false, log: silent },
      raise: async () => {},
    })
    await presence.look()
    const [sign] = await own.db.select().from(operationLogWriters).where(sql`host <> 'elsewhere'`)
    t.ok(sign !== undefined && Date.now() - sign.seenAt.getTime() < 10_000, 'it goes on sending heartbeats')
    release()
    await eventually(async () => (await said()).length > 0, 'the alert is raised once that is possible')
    await presence.look()
    t.match(await said(), [{ remark: /^An unknown number/ }], 'once')
    await presence.look()
    t.match(await said(), [{ remark: /^An unknown number/ }, { remark: /ended without a stop/ }])
    await presence.end(null)
  })

  await t.test('answers, and says that it is not ready', async (t) => {
    await refuse(own.db, 'true')
    t.teardown(() => stopRefusing(own.db))
    await own.db.execute(sql`insert into operation_log_writers (id, host, pid, seen_at)
      select gen_random_uuid(), host, 4194305, now() from operation_log_writers union all
      select gen_random_uuid(), 'elsewhere', 4194305, now() - interval '1 hour'`)
    const s = await open(dataDir)
    t.equal((await s.call('getUserInfo', { token: s.token })).code, 0)
    await eventually(async () => (await s.call('getReadiness')).status === 503, 'it is not ready')
    t.equal((await s.call('cleanOperationLogs', { token: s.token })).code, 503)
    await stopRefusing(own.db)
    t.equal((await s.call('cleanOperationLogs', { token: s.token })).code, 0)
    t.match(await verifyLog(own.db, ownKeys), { broken: null })
    await s.close()
  })
})

t.test('the service as it runs', { skip: postgresMissing }, async (t) => {
  const postgres = await testPostgres(t)
  const dataDir = await dataFolder(t)
  const environment = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, EMBEDDED_LDAP_PORT: 'off', LOG_LEVEL: 'warn' }
  const verify = (...given: string[]) => runVerifyLog(environment, given)
  const first = await startServer(t, environment)
  const token = await first.signIn()
  t.equal((await first.call('getUserInfo', { token })).code, 0)

  await t.test(
    'whose stop loses entries says so at the next start, and verify-log fails until it is known',
    async (t) => {
      await postgres.stop()
      for (let i = 0; i < 5; i++) await first.call('getUserInfo', { token })
      const { code } = await first.stop()
      t.equal(typeof code, 'number')
      await postgres.start()
      t.match(await verify(), { code: 3, output: /GAP that no entry tells of yet: \d+ entries were lost at a stop/ })
      const second = await startServer(t, environment)
      const found = await verify()
      t.match(found, { code: 3, output: /GAP at entry \d+: \d+ entries were lost at a stop/ })
      const [seq = ''] = /(?<=GAP at entry )\d+/.exec(found.output) ?? []
      t.match(await verify('--known-gaps', seq), { code: 0, output: /\(known\)/ })
      t.match(await verify('--known-gaps', 'x'), { code: 2, output: /Usage: npm run verify-log/ })
      const { data } = await second.call('listAlerts', { token: await second.signIn() })
      t.match(
        data.alerts.filter(({ title }) => title === 'A stop lost entries of the operation log'),
        [{ level: 'danger' }],
      )
      await second.kill()
    },
  )

  await t.test('that was killed says so at the next start', async (t) => {
    const third = await startServer(t, environment)
    const { data } = await third.call('listAlerts', { token: await third.signIn() })
    t.match(
      data.alerts.filter(({ title }) => title === 'The service ended without a stop'),
      [{ level: 'warning' }],
    )
    await third.stop()
    const database = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
    t.teardown(database.close)
    const seals = await database.db.select().from(operationLogs).where(sql`path = '/log/operation/lost'`)
    t.match(seals, [{ remark: /entries were lost/ }, { remark: /ended without a stop/ }])
    t.equal(await database.db.$count(operationLogWriters), 0)
  })
})
