import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing, openPage, startBrowser } from '../browser.ts'
import { testDatabase } from '../database.ts'
import { adminPassword, steward, type TestSteward } from '../steward.ts'
import { consoleService, fill, press, sees, signInOn } from './service.ts'

/** A service that can be stopped, and started again at the same address with the same records. */
const openRestartable = async (t: Test) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-data-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const database = await testDatabase(t)
  let running: TestSteward
  let port = 0
  const start = async (): Promise<string> => {
    running = await steward(t, { directory: 'none', database, dataDir })
    const url = await running.app.listen({ host: '127.0.0.1', port })
    port = Number(new URL(url).port)
    return url
  }
  return { start, stop: () => running.close() }
}

t.test('the console waits for a service that restarts', { skip: browserMissing }, async (t) => {
  const { start, stop } = await openRestartable(t)
  const url = await start()
  const browser = await startBrowser(t)
  const expected = [
    /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|status of 503|dynamically imported module|CodeMissing/,
  ]
  const { page } = await openPage(t, browser, { url: `${url}/console`, expected, axe: true })
  const inside = await openPage(t, browser, { url: `${url}/console/me`, expected, axe: true })
  await signInOn(inside.page, 'admin', adminPassword)
  await sees(inside.page, 'Profile')
  await sees(page, 'Forgotten your password')
  await stop()

  await signInOn(page, 'admin', adminPassword)
  await sees(page, 'The service cannot be reached. Your input is kept')
  await fill(inside.page, 'Name', 'A new name')
  await press(inside.page, 'Save')
  await sees(inside.page, 'The service cannot be reached. Your input is kept')
  t.equal(
    await inside.page.$eval('[data-field=name] input', (input) => (input as HTMLInputElement).value),
    'A new name',
  )

  await start()
  await press(page, 'Sign in')
  await page.waitForSelector('nav a[href$="/roles"]')
  await press(inside.page, 'Save')
  await sees(inside.page, 'Saved')

  await stop()
  await page.locator('nav a[href$="/roles"]').click()
  await sees(page, 'The page retries automatically')
  t.ok(await page.$('nav a[href$="/people"]'), 'the menu is there')
  await start()
  await page.waitForSelector('#main [role=row][data-index="0"]')
  t.match(page.url(), /\/roles$/)
})

t.test('the console loads itself anew where an update took its parts away', { skip: browserMissing }, async (t) => {
  const { person, open } = await consoleService(t, { directory: 'none' })
  const { password } = await person('before.update')
  for (const parts of [/\.css$/, /\.js$/]) {
    const expected = [/status of 40[14]/, /preload CSS|dynamically imported module|CodeMissing/]
    const { page } = await open('/', { expected, axe: false })
    await sees(page, 'Forgotten your password')
    // What the page that is open knows by its old name; the one that is loaded then knows the new one.
    let isOld = true
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false
      if (isOld && parts.test(request.url())) void request.respond({ status: 404 })
      else void request.continue()
    })
    await signInOn(page, 'before.update', password)
    await page.waitForSelector('nav .place')
    t.notOk(isOld, `without ${parts.source}`)
  }
})

t.test('the console gives up on a part that stays missing', { skip: browserMissing }, async (t) => {
  const { person, open } = await consoleService(t, { directory: 'none' })
  const { password } = await person('after.update')
  const { page } = await open('/', { expected: [/status of 40[14]/, /dynamically imported|CodeMissing/], axe: false })
  await sees(page, 'Forgotten your password')
  // As if it had been loaded anew three times within the last minutes.
  await page.evaluate(() => {
    const times = [3, 2, 1].map((minutes) => Date.now() - minutes * 60_000)
    sessionStorage.setItem('steward.reloaded', times.join(' '))
  })
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    if (/Shell.*\.js$/.test(request.url())) void request.respond({ status: 404 })
    else void request.continue()
  })
  const navigations: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) navigations.push(request.url())
  })
  await signInOn(page, 'after.update', password)
  await sees(page, en.states.outdated)
  // Twice as long as until it would be loaded anew.
  await new Promise((resolve) => setTimeout(resolve, 4500))
  t.same(navigations, [])
})
