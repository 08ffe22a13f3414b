import { sql } from 'drizzle-orm'
import t from 'tap'
import { logKeys } from '../../src/audit/keys.ts'
import { onPrimary } from '../../src/db/replica.ts'
import { alerts, backups, devices, reports } from '../../src/db/schema.ts'
import { gatherFacts } from '../../src/posture/evidence/gather.ts'
import { settingsOf } from '../../src/posture/evidence/settings.ts'
import { healthHandlers } from '../../src/posture/health-handlers.ts'
import { gatherHistory } from '../../src/posture/report/history.ts'
import { renderReport } from '../../src/posture/report/page.ts'
import { reportsHandlers } from '../../src/posture/report-handlers.ts'
import { stewardVersion } from '../../src/runtime/version.ts'
import { loadSecrets, logSecrets } from '../../src/secrets/secrets.ts'
import { axeFindings } from '../axe.ts'
import { browserMissing, openPage, startBrowser } from '../browser.ts'
import { testDatabase } from '../database.ts'
import { signedIn } from '../signed-in.ts'
import { steward } from '../steward.ts'
import { busyReport, freshReport, hostileName } from './sample-reports.ts'

const hour = 3_600_000
const day = 24 * hour

const s = await steward(t, { directory: 'none' })
const { app, call, db, config } = s
const { reportKey } = loadSecrets(config.dataDir, config)
const keys = logKeys(logSecrets(config.dataDir, config))
const operationLog = { stuck: () => null }
const reading = onPrimary(db)

/** What `GET /report` does, as if asked this long ago. */
const reportOf = async (ago = 0): Promise<string> => {
  const now = () => Date.now() - ago
  const gather = () =>
    gatherFacts({
      db,
      reading,
      keys,
      operationLog,
      settings: settingsOf(config),
      deviceTimeout: config.deviceTimeout,
      now,
    })
  const handlers = reportsHandlers({ db, reading, gather, reportKey, config })
  const user = await signedIn(db, 'admin')
  const { url } = (await handlers.getReport({ params: {}, query: {}, body: {}, request: {} as never, user })) as {
    url: string
  }
  return url
}

const show = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://x')
  const id = /reports\/(.+)\/page$/.exec(pathname)?.[1] ?? ''
  return call('showReport', { params: { id }, query: Object.fromEntries(searchParams) })
}

t.test('a report is shown to any client that has its address', async (t) => {
  const reply = await show(await reportOf())
  t.equal(reply.code, 200)
  t.match(reply.headers, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'/,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  t.match(reply.body, /^<!doctype html>/)
  t.match(reply.body, /There is no proven backup/)
  t.match(reply.body, /There is no mail server/)
  t.match(reply.body, /1 of 1 administrator has no second factor: admin\./)
})

t.test('a caller who may ask for one gets such an address, under the base path', async (t) => {
  const { data, code } = await call('getReport', { token: s.token })
  t.equal(code, 200)
  t.match(data.url, /^\/api\/v1\/operations\/reports\/\d+\/page\?expires=\d+&signature=[\w-]{43}$/)
  t.equal((await show(data.url)).code, 200)
  t.equal((await call('getReport')).status, 401)
  const { token } = await s.person('nora')
  t.equal((await call('getReport', { token })).status, 403)
  const at = { ...config, basePath: '/steward' }
  const gather = () => gatherFacts({ db, reading, keys, operationLog, settings: settingsOf(config), deviceTimeout: 1 })
  const { getReport } = reportsHandlers({ db, reading, gather, reportKey, config: at })
  const answer = await getReport({
    params: {},
    query: {},
    body: {},
    request: {} as never,
    user: await signedIn(db, 'a'),
  })
  t.match(answer, { url: /^\/steward\/api\/v1\/operations\/reports\// })
})

t.test('pages are not made without end', async (t) => {
  const { token } = await s.person('eager', { roleIds: [1] })
  const codes: number[] = []
  for (let n = 0; n < 11; n += 1) codes.push((await call('getReport', { token })).code)
  t.same(codes, [...Array<number>(10).fill(200), 429])
  t.match((await call('getReport', { token })).headers, { 'retry-after': /^\d+$/ })
  t.equal((await call('getReport', { token: s.token })).code, 200, 'no other caller is limited for it')
})

t.test('an address that was changed shows nothing', async (t) => {
  const url = await reportOf()
  const other = Number(/reports\/(\d+)/.exec(await reportOf())?.[1])
  const expires = Number(/expires=(\d+)/.exec(url)?.[1])
  for (const changed of [
    url.replace(/reports\/\d+/, `reports/${other}`),
    url.replace(/expires=\d+/, `expires=${expires + 3600}`),
    url.replace(/signature=./, (text) => (text.endsWith('A') ? 'signature=B' : 'signature=A')),
    url.replace(/signature=.*/, 'signature=x'),
  ]) {
    const reply = await show(changed)
    t.equal(reply.status, 404, changed)
    t.match(reply.headers['content-type'], /^application\/json/)
    t.match(JSON.parse(reply.body), { code: 404, data: null })
  }
  t.equal((await show(url)).code, 200)
})

t.test('an address counts for ten minutes, and expired reports are not kept', async (t) => {
  const expired = await reportOf(601_000)
  t.equal((await show(expired)).status, 404)
  const nearly = await reportOf(590_000)
  t.equal((await show(nearly)).code, 200)
  const kept = await db.select({ id: reports.id, left: sql<boolean>`${reports.expiresAt} > now()` }).from(reports)
  await reportOf()
  const left = await db.select({ id: reports.id }).from(reports)
  t.ok(
    kept.some((report) => !report.left),
    'one had expired',
  )
  t.equal(left.length, kept.filter((report) => report.left).length + 1)
})

t.test('days are those of the time zone, without gaps', async (t) => {
  const database = await testDatabase(t)
  const at = new Date('2026-03-05T20:00:00Z')
  const raised = (level: 'info' | 'danger', raisedAt: string) => ({
    ...{ cause: raisedAt, title: '', description: '', level },
    raisedAt: new Date(raisedAt),
  })
  await database.db
    .insert(alerts)
    .values([
      raised('info', '2026-03-05T15:59:59Z'),
      raised('danger', '2026-03-05T16:00:00Z'),
      raised('danger', '2026-02-20T15:59:59Z'),
      raised('info', '2026-02-20T16:00:01Z'),
    ])
  const backup = { type: 'auto' as const, path: '', formatVersion: 1, size: 5 }
  await database.db.insert(backups).values([
    { ...backup, status: 'success', startedAt: new Date(at.getTime() - 31 * day) },
    { ...backup, status: 'success', startedAt: new Date(at.getTime() - day) },
    { ...backup, status: 'running', startedAt: at },
  ])
  await database.db.insert(devices).values([
    { name: 'a', type: 'door', status: 'online', tokenHash: 'a' },
    { name: 'b', type: 'door', status: 'offline', tokenHash: 'b', battery: 7, batteryLow: true },
  ])
  const history = await gatherHistory(database.db, at, 'Asia/Shanghai')
  t.equal(history.alerts.length, 14)
  t.same(history.alerts[0], { day: '2026-02-21', info: 1, warning: 0, danger: 0 })
  t.same(history.alerts[12], { day: '2026-03-05', info: 1, warning: 0, danger: 0 })
  t.same(history.alerts[13], { day: '2026-03-06', info: 0, warning: 0, danger: 1 })
  t.same(history.signIns.at(-1), { day: '2026-03-06', signedIn: 0, failed: 0 })
  t.match(history.backups, [{ at: new Date(at.getTime() - day), status: 'success', size: 5 }])
  t.equal(history.backups.length, 1)
  t.match(history.devices, [
    { name: 'b', battery: 7 },
    { name: 'a', battery: null },
  ])
})

t.test('no name becomes part of the page', async (t) => {
  const page = renderReport(busyReport)
  t.notMatch(page, /<script|<img|onerror=alert\(1\)>|<b>|\u202e/)
  t.ok(page.includes('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/svg&gt;&lt;script&gt;'))
  t.notMatch(page, /\b(src|href|action)="(?!data:|#)/, 'and nothing is loaded from anywhere')
  t.notMatch(page, /@import|url\(/)
})

t.test('every chart says the same in words and in a table', async (t) => {
  const page = renderReport(busyReport)
  const figures = [...page.matchAll(/<figure[\s\S]*?<\/figure>/g)].map(([figure]) => figure)
  t.equal(figures.length, 5)
  for (const figure of figures) {
    t.match(figure, /role="img" aria-labelledby="[\w-]+-title [\w-]+-desc"/)
    t.match(figure, /<title id="[\w-]+-title">[^<]+<\/title>\s*<desc id="[\w-]+-desc">[^<]+<\/desc>/)
    t.match(figure, /<details>[\s\S]*<th scope="col">[\s\S]*<td/)
    t.notMatch(figure, /NaN|Infinity|undefined|null/)
  }
  t.notMatch(renderReport(freshReport), /NaN|Infinity|undefined|>null/)
})

/** The address of a page that no header protects. */
const withoutPolicy = (report: Parameters<typeof renderReport>[0]): string =>
  `data:text/html;charset=utf-8,${encodeURIComponent(renderReport(report))}`

/** Runs in the page, whose types are not known here. */
const measure = `({
  over: document.documentElement.scrollWidth - window.innerWidth,
  ground: getComputedStyle(document.body).backgroundColor,
  outside: [...document.querySelectorAll('figure > svg')].flatMap((svg) => {
    const frame = svg.getBoundingClientRect()
    const isOutside = ({ left, right, bottom }) => left < frame.left - 1 || right > frame.right + 1 || bottom > frame.bottom + 1
    return [...svg.querySelectorAll('text')].filter((text) => isOutside(text.getBoundingClientRect())).map((text) => text.textContent)
  }),
})`

t.test('in a browser', { skip: browserMissing }, async (t) => {
  const browser = await startBrowser(t)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })

  await t.test('the page runs nothing, loads nothing and complains about nothing', async (t) => {
    const url = `${address}${await reportOf()}`
    const { page, requests } = await openPage(t, browser, { url })
    await page.waitForNetworkIdle()
    t.same(requests, [url])
  })

  await t.test('names stay text, also without the policy that would stop them', async (t) => {
    const { page, requests } = await openPage(t, browser, { url: withoutPolicy(busyReport) })
    await page.waitForNetworkIdle()
    t.equal(requests.length, 1)
    t.match(await page.title(), /^Security report/)
    t.match(await page.$eval('header bdi', (name) => name.textContent), hostileName.replace('\u202e', '\ufffd'))
    t.equal(await page.$$eval('script, img, iframe', (found) => found.length), 0)
  })

  await t.test('axe finds nothing serious, light and dark, wide and narrow', async (t) => {
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        const { page } = await openPage(t, browser, { url: withoutPolicy(busyReport), theme, width })
        t.strictSame(await axeFindings(page), [], `${theme}, ${width} px`)
      }
    }
  })

  await t.test('it fits a phone, a desk and paper, light and dark', async (t) => {
    const { page } = await openPage(t, browser, { url: withoutPolicy(busyReport) })
    const look = () => page.evaluate(measure) as Promise<{ over: number; ground: string; outside: string[] }>
    const grounds: string[] = []
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      for (const width of [360, 800, 1400]) {
        await page.setViewport({ width, height: 900 })
        const { over, ground, outside } = await look()
        t.equal(over, 0, `${width} px are enough`)
        t.same(outside, [], 'every label is inside its chart')
        grounds.push(ground)
      }
    }
    t.equal(new Set(grounds).size, 2)
    await page.emulateMediaType('print')
    t.equal((await look()).ground, 'rgb(255, 255, 255)', 'paper is white, also in the dark theme')
    const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1')
    const pages = Number(/\/Type \/Pages\b[\s\S]*?\/Count (\d+)/.exec(pdf)?.[1])
    t.ok(pages >= 2 && pages <= 4, `${pages} pages`)
  })
})

t.test('health', async (t) => {
  await t.test('is answered to any caller, and not logged', async (t) => {
    const entries = async () =>
      (await call('listOperationLogs', { token: s.token, query: { path: '/health' } })).data.total
    t.match(await call('getLiveness'), { status: 200, data: { status: 'live', version: stewardVersion } })
    t.match(await call('getReadiness'), { status: 200, data: { status: 'ready' } })
    t.equal(await entries(), 0)
  })

  await t.test('is 503 and names the schema when a migration is missing', async (t) => {
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 100000000000`)
    const reply = await call('getReadiness')
    t.match(reply, { status: 503, headers: { 'retry-after': '5' } })
    t.match(reply, {
      reason: 'posture.not_ready',
      params: { part: 'schema', problem: 'is not up to date' },
      data: [{ field: 'schema', message: 'is not up to date', reason: 'posture.schema_outdated' }],
    })
    t.equal((await call('getLiveness')).status, 200)
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + 100000000000`)
    t.equal((await call('getReadiness')).status, 200)
  })

  await t.test('is 503 and names the database when it is away', async (t) => {
    const database = await testDatabase(t)
    const { getReadiness } = healthHandlers({ db: database.db, operationLog, redis: null, draining: () => false })
    const input = { params: {}, query: {}, body: {}, request: {} as never }
    t.same(await getReadiness(input), { status: 'ready' })
    await database.close()
    t.match(await getReadiness(input).catch((error: unknown) => error), {
      kind: 'unavailable',
      details: [{ field: 'database' }],
    })
  })
})
