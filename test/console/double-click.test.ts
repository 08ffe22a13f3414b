import type { Page } from 'puppeteer-core'
import t from 'tap'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'
import { backups } from '../../src/console/locales/en/backups.ts'
import { log } from '../../src/console/locales/en/log.ts'
import { security } from '../../src/console/locales/en/security.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { byName, consoleService, press, sees, signInOn } from './service.ts'

/** Both clicks come before the page can draw anything. */
const clickTwice = async (page: Page, name: string): Promise<void> => {
  const button = await byName(page, 'button', name).waitHandle()
  await button.evaluate((each) => {
    for (let count = 0; count < 2; count++) (each as HTMLButtonElement).click()
  })
}

t.test('a double click does a thing once', { skip: browserMissing }, async (t) => {
  const { open, url, take } = await consoleService(t, { directory: 'none' })
  const { page } = await open('/')
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.log)
  const sent: string[] = []
  page.on('request', (request) => void sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const timesOf = (id: OperationId): number =>
    sent.filter((each) => each === `${calls[id].method} ${calls[id].url}`).length

  await page.goto(`${url}/console/log`)
  await clickTwice(page, log.chain.verify)
  await sees(page, log.chain.verifiedAt)
  t.equal(timesOf('verifyLog'), 1)

  await page.goto(`${url}/console/backups`)
  await clickTwice(page, backups.make)
  await page.waitForSelector('#main [role=row][data-index="0"]')
  t.equal(timesOf('createBackup'), 1)

  const { devices } = security
  const { id } = await take('registerDevice', { body: { name: 'Door', type: 'door' } })
  await page.goto(`${url}/console/security/devices?device=${id}`)
  await clickTwice(page, devices.remove)
  const question = devices.removeWhy('Door')
  await sees(page, question)
  await press(page, en.actions.cancel)
  await page.waitForFunction((text) => !document.body.innerText.includes(text), {}, question)
  await clickTwice(page, devices.remove)
  await sees(page, question)
  t.pass('a question is asked once, and again when it was answered')
})
