import t from 'tap'
import { log } from '../../src/console/locales/en/log.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { failedCall, faults, injectFaults } from './fault-injection.ts'
import { consoleService, sees, signInOn } from './service.ts'

/** As by the picker of the browser. Keys would depend on its language, and on how fast they follow each other. */
const chooseTime = (field: Element, time: string): void => {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, time)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

t.test('the address of a range of time means the same in every time zone', { skip: browserMissing }, async (t) => {
  const { open, url } = await consoleService(t, { directory: 'none' })
  const { page, requests } = await open('/')
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.log)
  const asked = (): string | null => {
    const lists = requests.map((each) => new URL(each)).filter(({ searchParams }) => searchParams.has('from'))
    return lists.at(-1)?.searchParams.get('from') ?? null
  }
  const from = `input[aria-label="${log.filters.from}"]`
  await page.emulateTimezone('Asia/Shanghai')
  await page.goto(`${url}/console/log?range=own`)
  await page.waitForSelector(from)
  await eventually(async () => {
    await page.$eval(from, chooseTime, '2026-03-29T09:30')
    return page.evaluate(() => new URLSearchParams(location.search).get('from')?.startsWith('2026-03-29'))
  }, 'the address has it')
  await eventually(() => asked() === '2026-03-29T01:30:00.000Z', 'it is asked for')
  const shared = page.url()

  await page.emulateTimezone('America/New_York')
  requests.length = 0
  await page.goto(shared)
  await page.waitForSelector(from)
  await eventually(() => asked() === '2026-03-29T01:30:00.000Z', 'the same is asked for')
  t.equal(await page.$eval(from, (input) => (input as HTMLInputElement).value), '2026-03-28T21:30')
})

t.test('a verification that no one saw running is shown', { skip: browserMissing }, async (t) => {
  const { open, url, take } = await consoleService(t, { directory: 'none' })
  const { page } = await open('/', { expected: [failedCall] })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.log)
  const fault = faults.find(({ name }) => name === '500')
  if (fault === undefined) throw new Error('no such fault')
  // Then it is looked every few seconds, between which a verification of a small log begins and ends.
  const { failNext } = await injectFaults(page)
  const stream = failNext('watchProgress', fault)
  await page.goto(`${url}/console/log`)
  await sees(page, log.chain.verify)
  t.ok(stream.came)
  await take('verifyLog')
  await sees(page, log.chain.verifiedAt)
})
