import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { browserMissing } from '../browser.ts'
import { postgresMissing, testEmbeddedDatabase, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { consoleService, fill, press, refusals, sees, signInOn } from './service.ts'

const skipOn = (kind: string) => browserMissing || (kind === 'PostgreSQL' && postgresMissing)

t.setTimeout(600_000)

const textOf = (page: Page): Promise<string> => page.evaluate(() => document.body.innerText)

/** Notes in the page what is said above the bar of a work, from now on: such as `Writing · 5,000`. */
const noteProgress = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const noted: string[] = []
    Object.assign(window, { noted })
    new MutationObserver(() => {
      const bar = document.querySelector('#main [role=progressbar]')
      const said = bar?.parentElement?.parentElement?.textContent ?? null
      if (said !== null && said !== noted.at(-1)) noted.push(said)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })

const notedProgress = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { noted?: string[] }).noted ?? [])

t.test('every browser sees how far a backup is, also after a reload', { skip: skipOn('PostgreSQL') }, async (t) => {
  const { db, open } = await consoleService(t, { database: await testServerDatabase(t) })
  // Large enough that it takes some seconds.
  await db.execute(sql`
    insert into users (username, username_key, nickname, introduction)
    select 'p' || n, 'p' || n, 'Person ' || n, (select string_agg(md5(n::text || part), '') from generate_series(1, 20) part)
    from generate_series(1, 60000) n`)
  const pages: Page[] = []
  for (let count = 0; count < 2; count++) {
    const { page } = await open('/backups', { expected: [refusals] })
    await signInOn(page, 'admin', adminPassword)
    await sees(page, 'There is no backup yet')
    pages.push(page)
  }
  await db.execute(sql`update sessions set stepped_up_at = now()`)
  const [here, there] = pages as [Page, Page]
  for (const page of pages) await noteProgress(page)
  await press(here, 'Back up now')
  await there.waitForSelector('#main [role=progressbar]')
  await there.reload()
  await there.waitForSelector('#main [role=progressbar]')
  await noteProgress(there)
  await sees(here, 'The backup was made and verified')
  for (const [page, name] of [
    [here, 'the page that began it'],
    [there, 'another that was loaded meanwhile'],
  ] as const) {
    await page.waitForFunction(() => document.querySelector('#main [role=progressbar]') === null)
    const noted = await notedProgress(page)
    const counts = noted.map((said) => Number(/([\d,]+)(?: \/ [\d,]+)?$/.exec(said)?.[1]?.replaceAll(',', '')))
    t.ok(new Set(counts).size > 1, `${name} sees it go on: ${noted.join('; ')}`)
    await sees(page, /manual|By hand/i)
  }
})

for (const [kind, open] of [
  ['the embedded database', testEmbeddedDatabase],
  ['PostgreSQL', testServerDatabase],
] as const) {
  t.test(
    `on ${kind} a backup is made and restored, and the page outlives its session`,
    { skip: skipOn(kind) },
    async (t) => {
      const { take, person, db, open: openPage } = await consoleService(t, { database: await open(t) })
      const { secret } = await take('enrolTotp', { body: { password: adminPassword } })
      const code = TOTP.generate({ secret: Secret.fromBase32(secret) })
      const { recoveryCodes } = await take('confirmTotp', { body: { code } })
      const nextCode = (): string => recoveryCodes.shift() ?? ''

      const { page } = await openPage('/backups', { expected: [refusals] })
      await signInOn(page, 'admin', adminPassword)
      await sees(page, 'Enter the code')
      await fill(page, 'Code', nextCode())
      await press(page, 'Go on')
      await sees(page, 'There is no backup yet')
      await press(page, 'Back up now')
      await sees(page, 'The backup was made and verified')

      await person('hired.later')
      await page.locator('[role=row][data-index="0"]').click()
      const downloads: string[] = []
      page.on(
        'request',
        (request) => void (/\/backups\/1\/file/.test(request.url()) && downloads.push(request.method())),
      )
      await press(page, 'Download')
      await eventually(() => downloads.length > 0, 'the download')
      await page.waitForFunction(() => document.querySelector('[role=dialog] [data-loading]') === null)
      t.strictSame(downloads, ['GET'], 'the file is asked for once')
      await press(page, 'Restore…', 'link')
      await sees(page, 'The file is what was written')
      await sees(page, /People\s+1\s+2/)
      // The sign-in proved a second factor: the restore asks for it when that was too long ago.
      await db.execute(sql`update sessions set stepped_up_at = null`)
      await press(page, 'Restore this backup')
      await sees(page, 'Replace all data with backup 1?')
      await fill(page, 'Type “1” to confirm', '1')
      await page.locator('[role=dialog] button[type=submit]').click()
      await sees(page, 'Confirm your identity')
      await fill(page, 'Code', nextCode())
      await page.locator('[role=dialog] button[type=submit]').click()

      await sees(page, 'Your session has ended')
      t.match(await textOf(page), /The backup is restored/, 'the page stays under the sign-in')
      const [row] = await db.execute<{ people: string }>(sql`select string_agg(username, ',') as people from users`)
      t.equal(row?.people, 'admin', 'who came later is not in the restored data')
      await fill(page, 'Password', adminPassword)
      await press(page, 'Sign in')
      await sees(page, 'Enter the code')
      await fill(page, 'Code', nextCode())
      await press(page, 'Go on')
      await page.waitForFunction(() => !/Your session has ended/.test(document.body.innerText))
      t.match(await textOf(page), /The data from before is in backup 2/)
    },
  )
}
