import type { HTTPRequest } from 'puppeteer-core'
import t from 'tap'
import { backups } from '../../src/console/locales/en/backups.ts'
import { diet } from '../../src/console/locales/en/diet.ts'
import { people } from '../../src/console/locales/en/people.ts'
import { permissions } from '../../src/console/locales/en/permissions.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { byName, consoleService, fill, press, sees, signInOn } from './service.ts'

t.test('a dialog takes no focus from the one above it', { skip: browserMissing }, async (t) => {
  const { take, person, open } = await consoleService(t)
  const { id: group } = await take('addGroup', {
    body: { groupName: 'Hall', groupType: 'cn', parentId: 0, remark: '' },
  })
  const { id } = await person('goes.away', { departmentId: [group] })
  const { page } = await open(`/people?person=${id}&tab=groups`)
  await signInOn(page, 'admin', adminPassword)
  const opener = await byName(page, 'button', en.pickers.takeAway('Hall')).waitHandle()
  await opener.focus()
  await page.keyboard.press('Enter')
  await sees(page, people.bulk.consequences.removeGroups(1))
  // It goes with the membership, before the report takes the place of the button that was pressed.
  const confirm = await page.waitForSelector('[role=dialog] form button[type=submit]:not(:disabled)')
  await confirm?.focus()
  await page.keyboard.press('Enter')
  await sees(page, people.bulk.report(1, 0))
  await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] [data-autofocus]'), { timeout: 5000 })
  t.equal(await opener.evaluate((button) => button.isConnected), false, 'what opened the dialog is gone')
})

t.test('a drawer that takes the place of a form leads back to the page', { skip: browserMissing }, async (t) => {
  const { open } = await consoleService(t, { directory: 'none' })
  const { page } = await open('/people', { expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await press(page, people.hire.open)
  await fill(page, en.fields.nickname, 'Key Board')
  await fill(page, en.fields.username, 'key.board')
  await page.keyboard.press('Enter')
  await sees(page, people.hire.done)
  await sees(page, people.person.signIn)
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null)
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  await page.waitForFunction(() => document.activeElement?.closest('#main') !== null, { timeout: 5000 })
  t.notOk(await page.evaluate(() => document.activeElement === document.body), 'the keyboard goes on at the page')
})

t.test('a record leads back to its row', { skip: browserMissing }, async (t) => {
  const { open } = await consoleService(t, { directory: 'none' })
  const { page } = await open('/people', { expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('[role=row][data-index="0"]')
  await page.focus('[role=row][data-index="0"]')
  await page.keyboard.press('Enter')
  await sees(page, people.person.signIn)
  await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null)
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  await page.waitForFunction(() => document.activeElement?.matches('[role=row]'), { timeout: 5000 })
  t.pass('the row has the focus')
})

t.test('who leaves the page by Tab is not brought back by what changes on it', { skip: browserMissing }, async (t) => {
  const { open } = await consoleService(t, { directory: 'none' })
  const { page } = await open('/people', { expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('[role=row][data-index="0"]')
  const isOutside = () => page.evaluate(() => document.activeElement === document.body)
  await page.focus('[role=row][data-index="0"]')
  for (let presses = 0; presses < 30 && !(await isOutside()); presses += 1) await page.keyboard.press('Tab')
  t.ok(await isOutside(), 'the page has an end')
  await page.evaluate(async () => {
    document.querySelector('main')?.append(document.createElement('p'))
    await new Promise((resolve) => setTimeout(resolve, 200))
  })
  t.ok(await isOutside(), 'and it was left')
})

t.test(
  'what is opened has its frame at once, and the focus where its content wants it',
  { skip: browserMissing },
  async (t) => {
    const { open } = await consoleService(t, { directory: 'none' })
    const { page } = await open('/people', { expected: [/status of 401/], axe: false })
    await signInOn(page, 'admin', adminPassword)
    await page.waitForSelector('[role=row][data-index="0"]')
    await page.waitForNetworkIdle()
    let waiting: HTTPRequest[] | undefined
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (request.resourceType() === 'script' && waiting !== undefined) waiting.push(request)
      else void request.continue()
    })
    const opened = async (how: () => Promise<unknown>): Promise<void> => {
      waiting = []
      await how()
      await page.waitForSelector('[role=dialog] [role=status]')
      await eventually(() => waiting?.length !== 0, 'its code is asked for')
      const held = waiting
      waiting = undefined
      for (const request of held) await request.continue()
      await page.waitForFunction(() => !document.querySelector('[role=dialog] [role=status]'))
    }
    const asking = () =>
      page.waitForFunction(() => document.activeElement?.matches('[role=dialog] [data-autofocus]'), { timeout: 5000 })
    const closed = async (): Promise<void> => {
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => !document.querySelector('[role=dialog]'))
    }
    const withControl = async (key: 'k'): Promise<void> => {
      await page.keyboard.down('Control')
      await page.keyboard.press(key)
      await page.keyboard.up('Control')
    }
    await opened(() => withControl('k'))
    await asking()
    await closed()
    await opened(() => press(page, people.hire.open))
    await asking()
    await closed()
    await page.focus('[role=row][data-index="0"]')
    await opened(() => page.keyboard.press('Enter'))
    await closed()
    await page.waitForFunction(() => document.activeElement?.matches('[role=row]'), { timeout: 5000 })
  },
)

t.test('the focus stays on the page, and a held Enter presses once', { skip: browserMissing }, async (t) => {
  const { take, call, token, open, url } = await consoleService(t, { directory: 'none' })
  const { today } = (await call('listDietDays', { token, query: { days: 1 } })).data
  const meal = { time: '08:00', name: 'Breakfast', ingredients: [{ name: 'egg', amount: '60g' }] }
  await take('savePlan', { body: { date: today, meals: [meal] } })
  const { page } = await open('/backups', { expected: [/status of 401/], axe: false })
  await signInOn(page, 'admin', adminPassword)
  const posts: string[] = []
  page.on(
    'request',
    (request) => void (request.url().endsWith('/backups') && request.method() === 'POST' && posts.push(request.url())),
  )
  const holdEnter = async (): Promise<void> => {
    for (let times = 0; times < 20; times++) {
      await page.keyboard.down('Enter')
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    await page.keyboard.up('Enter')
  }
  const focused = (selector: string) =>
    page.waitForFunction((selector) => document.activeElement?.matches(selector), { timeout: 5000 }, selector)

  const backUp = await byName(page, 'button', backups.make).waitHandle()
  await backUp.focus()
  await holdEnter()
  await page.waitForSelector('[role=row][data-index="0"]')
  await page.waitForFunction((button) => document.activeElement === button, { timeout: 5000 }, backUp)
  t.equal(posts.length, 1, 'once')

  await page.goto(`${url}/console/roles/2?tab=operations`)
  await page.waitForSelector('[role=treeitem][tabindex="0"]')
  await page.focus('[role=treeitem][tabindex="0"]')
  await page.keyboard.press('Space')
  const save = await byName(page, 'button', permissions.changes.save).waitHandle()
  await save.focus()
  await page.keyboard.press('Enter')
  await focused('[role=treeitem]')

  await page.goto(`${url}/console/diet?tab=plan`)
  const remove = await byName(page, 'button', diet.removeMeal('Breakfast')).waitHandle()
  await remove.focus()
  await page.keyboard.press('Enter')
  await focused('#main :is(a, button)')
  t.equal(await remove.evaluate((button) => button.isConnected), false)

  // Who clicks beside everything wants none.
  await page.click('h1')
  await page.evaluate(() => document.body.append(document.createElement('i')))
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.id === 'main'))
})

t.test(
  'a field that cannot be used while its form is sent has the focus again',
  { skip: browserMissing },
  async (t) => {
    const { person, open } = await consoleService(t, { directory: 'none' })
    const { id } = await person('not.saved')
    const { page } = await open(`/people?person=${id}`, { expected: [/status of (401|503)/], axe: false })
    await signInOn(page, 'admin', adminPassword)
    await fill(page, en.fields.nickname, 'Not Saved')
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (request.method() === 'GET') void request.continue()
      else setTimeout(() => void request.respond({ status: 503, body: 'too busy' }), 300)
    })
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('[data-field=nickname] input:disabled'))
    await page.waitForSelector('[role=dialog] [role=alert]')
    await page.waitForFunction(() => document.activeElement?.matches('[data-field=nickname] input'), { timeout: 5000 })
  },
)
