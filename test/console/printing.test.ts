import { sql } from 'drizzle-orm'
import t from 'tap'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, signInOn } from './service.ts'

t.test('a list is printed whole, without what leads elsewhere', { skip: browserMissing }, async (t) => {
  const { open, db } = await consoleService(t, { directory: 'none' })
  await db.execute(sql`
    insert into users (username, username_key, nickname)
    select 'print.' || n, 'print.' || n, 'Person ' || n from generate_series(1, 200) n`)
  const { page } = await open('/people', { expected: [/status of 401/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('[role=row][data-index="0"]')
  const drawn = () => page.$$eval('[role=row][data-index]', (rows) => rows.length)
  const before = await drawn()
  const pdf = Buffer.from(await page.pdf({ format: 'A4' })).toString('latin1')
  t.ok((pdf.match(/\/Type \/Page\b/g) ?? []).length >= 3, 'over pages')
  await page.waitForFunction(
    (before) => document.querySelectorAll('[role=row][data-index]').length <= before,
    {},
    before,
  )

  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMediaType('print')
  await page.waitForFunction(() => document.querySelectorAll('[role=row][data-index]').length >= 50)
  t.same(
    await page.evaluate(() => ({
      menu: document.querySelector('nav')?.checkVisibility(),
      head: document.querySelector('header')?.checkVisibility(),
      tree: document.querySelector('.people-tree')?.checkVisibility(),
      title: document.querySelector('h1')?.checkVisibility(),
    })),
    { menu: false, head: false, tree: false, title: true },
  )
  const places = await page.$$eval('[role=row][data-index]', (rows) =>
    rows.map((row) => [row.getBoundingClientRect().top, row.getBoundingClientRect().bottom] as const),
  )
  t.ok(
    places.every(([top], index) => index === 0 || top >= (places[index - 1]?.[1] ?? 0) - 1),
    'no row stands on another',
  )
  const list = await page.$eval('.row-table', (list) => list.getBoundingClientRect().bottom)
  t.ok((places.at(-1)?.[1] ?? 0) <= list + 1, 'none is cut off')
})
