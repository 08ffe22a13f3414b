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
