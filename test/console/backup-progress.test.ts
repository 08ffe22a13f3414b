import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import type { Database } from '../../src/db/client.ts'
import { browserMissing } from '../browser.ts'
import { postgresMissing, testEmbeddedDatabase, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, fill, press, refusals, sees, signInOn } from './service.ts'

/** What a backup reads, and a restore loads, a page of rows at a time. */
const pages = { read: /"rows of a page"/, load: /insert into[\s\S]* as record/ } as const

/** A real database whose pages of rows wait here, so that a test says how far a backup or a restore has come. */
const gated = (database: Database) => {
  let held: keyof typeof pages | null = null
  let left = 0
  const waiting: (() => void)[] = []
  const dialect = new PgDialect()
  const textOf = (query: SQL | string): string =>
    typeof query === 'string' ? query : dialect.sqlToQuery(query.getSQL()).sql
  const pass = (query: SQL | string): Promise<void> | undefined => {
    if (held === null || !pages[held].test(textOf(query))) return undefined
    if (left > 0) {
      left--
      return undefined
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  const executing = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(on, name) {
        const value = Reflect.get(on, name)
        // The client is a function, too, and is known by its identity.
        if (typeof value !== 'function' || name === '$client') return value
        if (name === 'execute') {
          return async (query: SQL | string) => {
            await pass(query)
            return value.call(on, query)
          }
        }
        if (name === 'transaction') {
          return (work: (tx: object) => unknown, ...rest: unknown[]) =>
            value.call(on, (tx: object) => work(executing(tx)), ...rest)
        }
        return value.bind(on)
      },
    })
  const letPass = (count: number): void => {
    left = count
    const passing = waiting.splice(0, count)
    left -= passing.length
    for (const resolve of passing) resolve()
  }
  return {
    database: { ...database, db: executing(database.db) },
    /** From now on these pages wait, and no others. */
    hold(what: keyof typeof pages) {
      letPass(Number.POSITIVE_INFINITY)
      held = what
      left = 0
    },
    letPass,
    waits: () => waiting.length > 0,
    open() {
      held = null
      letPass(Number.POSITIVE_INFINITY)
    },
  }
}

type Gate = ReturnType<typeof gated>

const bar = '#main [role=progressbar]'

/** The figures beside the bar: what it does, how many rows are done, and of how many; null without a bar. */
const progressOn = (page: Page) =>
  page.evaluate((bar) => {
    const shown = document.querySelector(bar)?.closest('.mantine-Stack-root') as HTMLElement | null
    const [, label = '', done = '', total] = /^(.*) · ([\d,]+)(?: \/ ([\d,]+))?/.exec(shown?.innerText ?? '') ?? []
    const number = (text: string | undefined) => (text === undefined ? null : Number(text.replaceAll(',', '')))
    return done === '' ? null : { label, done: number(done) ?? 0, total: number(total) }
  }, bar)

/** Until each of these pages shows this, all with the same figure. */
const allShow = async (
  pages: readonly Page[],
  label: string,
  isSo: (done: number, total: number | null) => boolean,
): Promise<number> => {
  let done = 0
  await eventually(async () => {
    const shown = await Promise.all(pages.map(progressOn))
    done = shown[0]?.done ?? 0
    return shown.every((each) => each?.label === label && each.done === done && isSo(each.done, each.total))
  }, `${label} on all pages`)
  return done
}

const openGated = async (t: Test) => {
  const gate = gated(await testServerDatabase(t))
  t.teardown(gate.open)
  const service = await consoleService(t, { directory: 'none', database: gate.database })
  const openAs = async (path: string): Promise<Page> => {
    const { page } = await service.open(path, { expected: [refusals] })
    await signInOn(page, 'admin', adminPassword)
    return page
  }
  return { ...service, gate, openAs }
}

/** Lets some pages of rows pass until the figure is a larger one, on all pages. */
const movesOn = async (
  t: Test,
  gate: Gate,
  pages: readonly Page[],
  label: string,
  from: number,
  count = 12,
): Promise<number> => {
  await eventually(gate.waits, 'a page of rows that waits')
  gate.letPass(count)
  const to = await allShow(pages, label, (done) => done > from)
  t.ok(to > from, `${label}: from ${from} to ${to}`)
  return to
}

t.test(
  'a backup is seen to move in every browser, also after a reload',
  { skip: browserMissing || postgresMissing },
  async (t) => {
    const { gate, openAs } = await openGated(t)
    const [page, elsewhere] = [await openAs('/backups'), await openAs('/backups')]
    for (const each of [page, elsewhere]) await sees(each, 'There is no backup yet')
    gate.hold('read')
    await press(page, 'Back up now')
    const writing = 'Writing the backup'
    const start = await allShow([page, elsewhere], writing, () => true)
    const first = await movesOn(t, gate, [page, elsewhere], writing, start)
    await elsewhere.reload()
    await sees(elsewhere, writing)
    const second = await movesOn(t, gate, [page, elsewhere], writing, first)
    t.ok(await elsewhere.$(`${bar}[aria-label="${writing}"]`))
    t.ok(second > first)
    gate.open()
    for (const each of [page, elsewhere]) {
      await sees(each, 'Verified')
      await each.waitForFunction((bar) => document.querySelector(bar) === null, {}, bar)
    }
  },
)

t.test(
  'a restore is seen to move, also after a reload and in a second browser',
  { skip: browserMissing || postgresMissing },
  async (t) => {
    const { db, gate, openAs, take } = await openGated(t)
    const { id } = await take('createBackup', { body: { type: 'manual' } })
    const page = await openAs(`/backups/${id}/restore`)
    const elsewhere = await openAs(`/backups/${id}/restore`)
    for (const each of [page, elsewhere]) await sees(each, 'The file is what was written')
    await db.execute(sql`update sessions set stepped_up_at = now()`)
    gate.hold('read')
    await press(page, 'Restore this backup')
    await fill(page, `Type “${id}” to confirm`, String(id))
    await page.locator('[role=dialog] button[type=submit]').click()
    const safety = 'Making the safety backup'
    await allShow([page, elsewhere], safety, () => true)
    await elsewhere.reload()
    await sees(elsewhere, `Backup ${id} is being restored`)
    await allShow([page, elsewhere], safety, () => true)

    gate.hold('load')
    const loading = 'Loading the records'
    const start = await allShow([page, elsewhere], loading, (done, total) => total !== null && done < total)
    const valueNow = () => page.$eval(bar, (each) => Number(each.getAttribute('aria-valuenow')))
    const before = await valueNow()
    const middle = await movesOn(t, gate, [page, elsewhere], loading, start, 1)
    await eventually(async () => (await valueNow()) > before, 'a bar that moved')
    t.ok((await valueNow()) < 100, 'it is not at the end')
    t.ok(middle > start)
    gate.open()
    for (const each of [page, elsewhere]) await sees(each, 'Your session has ended')
    t.match(await page.evaluate(() => document.body.innerText), /The backup is restored/)
    await fill(elsewhere, 'Password', adminPassword)
    await press(elsewhere, 'Sign in')
    await sees(elsewhere, 'The file is what was written')
  },
)

/** Notes in the page every figure that is shown beside the bar, from now on. */
const noteFigures = (page: Page): Promise<void> =>
  page.evaluate((bar) => {
    const noted: string[] = []
    Object.assign(window, { noted })
    new MutationObserver(() => {
      const said = document.querySelector(bar)?.closest('.mantine-Stack-root')?.textContent ?? null
      if (said !== null && said !== noted.at(-1)) noted.push(said)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, bar)

t.test(
  'the embedded database has one session, and a backup is seen to move all the same',
  { skip: browserMissing },
  async (t) => {
    const { db, open } = await consoleService(t, { directory: 'none', database: await testEmbeddedDatabase(t) })
    // Large enough that it takes some seconds.
    await db.execute(sql`
      insert into users (username, username_key, nickname, introduction)
      select 'p' || n, 'p' || n, 'Person', (select string_agg(md5(n::text || part), '') from generate_series(1, 20) part)
      from generate_series(1, 30000) n`)
    const { page } = await open('/backups', { expected: [refusals] })
    await signInOn(page, 'admin', adminPassword)
    await sees(page, 'There is no backup yet')
    await noteFigures(page)
    await press(page, 'Back up now')
    await sees(page, 'The backup was made and verified')
    const noted = await page.evaluate(() => (window as unknown as { noted: string[] }).noted)
    const counts = noted.map((said) => /·\s*([\d,]+)/.exec(said)?.[1])
    t.ok(new Set(counts).size > 1, `it goes on: ${noted.join('; ')}`)
  },
)
