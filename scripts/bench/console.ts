import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import type { Browser, Page } from 'puppeteer-core'
import { type OpenPage, openPage, startBrowser } from '../../test/browser.ts'
import { adminPassword, adminToken, serviceSettings, startService } from './service.ts'
import { median, onStage, report, type Stage, timed, type Verdict } from './stage.ts'

/**
 * The web console of the built service with many people, in a browser, against the same console with 1000 people and
 * 100 departments: what its pages weigh, and how long a person waits. Both services are asked in turn, so that whatever
 * else the machine does hits both. Run `npm run build` first.
 *
 * npm run bench:console -- 1000000 100000
 */
const [people = 100_000, departments = 10_000] = process.argv.slice(2).map(Number)
const rounds = 7
/** Pages of the list that are scrolled through, and how many of them the smaller organisation has too. */
const pages = 100
const fewPages = 8
/** A tree of so many departments is opened. */
const opened = 5

/** How much longer a person may wait in the larger organisation. */
const timeGoal = 2
const rowGoal = 60
/** Megabytes that the page may need more after so many pages of people. */
const heapGoal = 40
/** Kilobytes, gzip: of the sign-in, of what a page adds, of all together. */
const weights = { signIn: 175, page: 150, all: 450 }
const routes = ['/', '/people', '/groups', '/roles', '/menus', '/apis', '/log', '/me']

interface Size {
  people: number
  departments: number
}

/** Every tenth department is at the top, with the nine that follow it below; each person is in one. */
const fill = async (url: string, size: Size): Promise<void> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`
    insert into groups (group_name, group_name_key, group_type)
    select 'Department ' || n, 'department ' || n, 'cn' from generate_series(1, ${size.departments}::int) n`
  await sql`update groups set parent_id = (id - 1) / 10 * 10 + 1 where id % 10 <> 1`
  await sql`
    insert into users (username, username_key, nickname, mail, mobile, job_number)
    select 'user' || n, 'user' || n, 'User Number ' || n, 'user' || n || '@example.org', '+49 30 ' || 1000000 + n, n::text
    from generate_series(1, ${size.people}::int) n`
  await sql`
    insert into group_members (group_id, user_id) select 1 + id % ${size.departments}::int, id from users`
  await sql`
    insert into user_roles (user_id, role_id)
    select id, (select id from roles where keyword = 'user') from users on conflict do nothing`
  await sql`vacuum analyze`
  await sql.end()
}

interface Site extends OpenPage {
  url: string
  token: string
}

/** A service of this size, and a page on which the administrator has signed in. */
const startSite = async (stage: Stage, browser: Browser, size: Size): Promise<Site> => {
  const env = await serviceSettings(stage)
  const url = await startService(stage, env)
  await fill(env.DATABASE_URL, size)
  const test = { teardown: stage.teardown, threw: (error: unknown) => console.error(error) }
  const site = await openPage(test, browser, {
    url: `${url}/console/people`,
    // Before the sign-in.
    expected: [/status of 401/],
  })
  const { page } = site
  await page.waitForSelector('input[type=password]')
  await page.type('input[type=text], input:not([type])', 'admin')
  await page.type('input[type=password]', adminPassword)
  await page.keyboard.press('Enter')
  await page.waitForSelector(firstRow)
  return { ...site, url, token: await adminToken(url) }
}

const firstRow = '.row-table [data-index="0"]'

/** Waits for an expression of the page's own to be true. */
const until = (page: Page, expression: string) => page.waitForFunction(expression, { polling: 'raf', timeout: 60_000 })

/** Of the list or of the tree, whichever has more. */
const rowsDrawn = async (page: Page): Promise<number> =>
  Math.max(
    await page.$$eval('.row-table [data-index]', (drawn) => drawn.length),
    await page.$$eval('[role=treeitem]', (drawn) => drawn.length),
  )

/** A file of the console as it is sent to a browser that asks for gzip, in kilobytes. */
const weightOf = (address: string): number => {
  const [, file] = /\/console\/(assets\/[^?]+)$/.exec(address) ?? []
  if (file === undefined) return 0
  return readFileSync(new URL(`../../dist/console/${file}.gz`, import.meta.url)).length / 1024
}

const filesAsked = (requests: readonly string[]): Set<string> =>
  new Set(requests.filter((address) => address.includes('/console/assets/')))

const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + weightOf(file), 0)

/** What the sign-in and each page load, from an empty cache. */
const weigh = async (stage: Stage, browser: Browser, site: Site): Promise<Verdict[]> => {
  const verdicts: Verdict[] = []
  const add = (what: string, weight: number, goal: number): void => {
    const ratio = weight / goal
    verdicts.push({ what: `${what} (${weight.toFixed(1)} KB)`, ratio, goal: `≤ 1 of ${goal} KB`, met: ratio <= 1 })
  }
  const test = { teardown: stage.teardown, threw: (error: unknown) => console.error(error) }
  const expected = [/status of 401/]
  const outside = await openPage(test, browser, { url: `${site.url}/console`, expected })
  await outside.page.waitForSelector('input[type=password]')
  const signIn = filesAsked(outside.requests)
  const all = new Set(signIn)
  add('the sign-in', sum(signIn), weights.signIn)
  const { page, requests } = site
  await page.setCacheEnabled(false)
  for (const route of routes) {
    requests.length = 0
    await page.goto(`${site.url}/console${route}`, { waitUntil: 'networkidle2' })
    const more = [...filesAsked(requests)].filter((file) => !signIn.has(file))
    for (const file of more) all.add(file)
    add(`the page ${route}`, sum(more), weights.page)
  }
  await page.setCacheEnabled(true)
  add('all pages together', sum(all), weights.all)
  return verdicts
}

/** What a person does and then waits for. Each resolves to milliseconds. */
const actions: Record<string, (site: Site) => Promise<number>> = {
  'opening the list of people': ({ page, url }) =>
    timed(async () => {
      await page.goto(`${url}/console/people`, { waitUntil: 'domcontentloaded' })
      await page.waitForSelector(firstRow)
    }),
  'opening a person': async ({ page }) => {
    const took = await timed(async () => {
      await page.click('.row-table [data-index="3"]')
      await page.waitForSelector('[role=dialog] [data-name]')
    })
    await page.keyboard.press('Escape')
    await until(page, 'document.querySelector("[role=dialog] [data-name]") === null')
    return took
  },
  'searching while typing': async ({ page }) => {
    const field = 'main input[type=search]'
    await page.type(field, 'user77', { delay: 20 })
    const took = await timed(() => sees(page, 'user77'))
    await page.click(field, { count: 3 })
    await page.keyboard.press('Backspace')
    await sees(page, 'admin')
    return took
  },
}

/** Waits until the first row of the list names this user. */
const sees = (page: Page, username: string): Promise<unknown> =>
  until(page, `document.querySelector('${firstRow}')?.textContent.includes('${username}')`)

const heightOf = 'document.querySelector(".row-table .body").clientHeight'

/** Milliseconds until each of these pages of the list was there, and the most rows that were drawn. */
const scroll = async ({ page, url }: Site, count: number): Promise<{ took: number[]; rows: number }> => {
  await page.goto(`${url}/console/people`)
  await page.waitForSelector(firstRow)
  const took: number[] = []
  let rows = 0
  for (let step = 0; step < count; step++) {
    const before = await page.evaluate(heightOf)
    took.push(
      await timed(async () => {
        await page.evaluate('document.querySelector(".row-table").scrollTo(0, 1e9)')
        await until(page, `${heightOf} > ${before}`)
      }),
    )
    rows = Math.max(rows, await rowsDrawn(page))
  }
  return { took, rows }
}

/** What is below the department that has the focus is drawn. */
const nextIsBelow =
  'Number(document.activeElement.nextElementSibling?.getAttribute("aria-level")) > ' +
  'Number(document.activeElement.getAttribute("aria-level"))'

/** Opens departments from the top of the tree. */
const expand = async ({ page, url }: Site): Promise<{ took: number[]; rows: number }> => {
  await page.goto(`${url}/console/people`)
  await until(page, 'document.querySelectorAll("[role=treeitem]").length > 5')
  await page.focus('[role=treeitem]')
  const took: number[] = []
  let rows = 0
  for (let step = 0; step < opened; step++) {
    await page.keyboard.press('ArrowDown')
    took.push(
      await timed(async () => {
        await page.keyboard.press('ArrowRight')
        await until(page, nextIsBelow)
      }),
    )
    await page.keyboard.press('ArrowLeft')
    rows = Math.max(rows, await rowsDrawn(page))
  }
  return { took, rows }
}

/** Megabytes in use after a collection. */
const heapOf = async (page: Page): Promise<number> => {
  const devtools = await page.createCDPSession()
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return usedSize / 2 ** 20
}

const compared = (what: string, small: readonly number[], large: readonly number[]): Verdict => {
  const [theirs, ours] = [median(small), median(large)]
  const ratio = ours / theirs
  const shown = `${what} (${theirs.toFixed(0)} ms → ${ours.toFixed(0)} ms)`
  return { what: shown, ratio, goal: `≤ ${timeGoal}`, met: ratio <= timeGoal }
}

/** How much of the opening is the browser's and the page's, and how much the service's. */
const forComparison = async (site: Site, opening: number): Promise<Verdict[]> => {
  const headers = { authorization: `Bearer ${site.token}` }
  const alone: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    alone.push(
      await timed(async () => (await fetch(`${site.url}/api/v1/operations/people?limit=50`, { headers })).text()),
    )
    bare.push(await timed(() => site.page.goto(`${site.url}/api/base/ping`)))
  }
  const goal = 'for comparison'
  return [
    { what: 'opening the list over its API call alone', ratio: opening / median(alone), goal, met: true },
    { what: 'opening the list over a bare page', ratio: opening / median(bare), goal, met: true },
  ]
}

await onStage(async (stage) => {
  const browser = await startBrowser(stage)
  const small = await startSite(stage, browser, { people: 1000, departments: 100 })
  const large = await startSite(stage, browser, { people, departments })
  const verdicts = await weigh(stage, browser, large)
  let opening = Number.NaN
  for (const [what, act] of Object.entries(actions)) {
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.small.push(await act(small))
      times.large.push(await act(large))
    }
    if (Number.isNaN(opening)) opening = median(times.large)
    verdicts.push(compared(what, times.small, times.large))
  }
  const heapBefore = await heapOf(large.page)
  const few = await scroll(small, fewPages)
  const many = await scroll(large, pages)
  const heap = (await heapOf(large.page)) - heapBefore
  verdicts.push(compared('the next page of the list', few.took, many.took.slice(0, fewPages)))
  verdicts.push(
    compared('the last of so many pages over the first', many.took.slice(0, fewPages), many.took.slice(-fewPages)),
  )
  verdicts.push({
    what: `heap after ${pages} pages (${heap.toFixed(0)} MB more)`,
    ...{ ratio: heap / heapGoal, goal: `≤ 1 of ${heapGoal} MB`, met: heap <= heapGoal },
  })
  const trees = { small: [] as number[], large: [] as number[] }
  let { rows } = many
  for (let round = 0; round < 2; round++) {
    trees.small.push(...(await expand(small)).took)
    const tree = await expand(large)
    trees.large.push(...tree.took)
    rows = Math.max(rows, tree.rows)
  }
  verdicts.push(compared('opening a department of the tree', trees.small, trees.large))
  verdicts.push({ what: `rows drawn at most (${rows})`, ratio: rows / rowGoal, goal: '≤ 1', met: rows <= rowGoal })
  verdicts.push(...(await forComparison(large, opening)))
  const { length } = large.complaints.filter((complaint) => !/status of 401/.test(complaint))
  verdicts.push({ what: 'complaints of the page', ratio: length, goal: '= 0', met: length === 0 })
  report(verdicts)
})
