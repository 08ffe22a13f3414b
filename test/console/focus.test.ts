import type { HTTPRequest } from 'puppeteer-core'
import t from 'tap'
import { people } from '../../src/console/locales/en/people.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
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

t.test(
  'what is opened has its frame at once, and the focus where its content wants it',
  { skip: browserMissing },
  async (t) => {
    const { open } = await consoleService(t, { directory: 'none' })
    const { page } = await open('/people', { expected: [/status of 401/], axe: false })
    await signInOn(page, 'admin', adminPassword)
    await page.waitForSelector('[role=row][data-index="0"]')
    await page.waitForNetworkIdle()
    const held: HTTPRequest[] = []
    await page.setRequestInterception(true)
    page.on(
      'request',
      (request) => void (request.resourceType() === 'script' ? held.push(request) : request.continue()),
    )
    const opened = async (name: string, how: () => Promise<unknown>): Promise<void> => {
      await how()
      await page.waitForSelector('[role=dialog] [role=status]')
      t.ok(held.length > 0, `the code of ${name} is on its way`)
      for (const request of held.splice(0)) await request.continue()
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
    await opened('the search', () => withControl('k'))
    await asking()
    await closed()
    await opened('a new person', () => press(page, people.hire.open))
    await asking()
    await closed()
    await page.focus('[role=row][data-index="0"]')
    await opened('a record', () => page.keyboard.press('Enter'))
    await closed()
    await page.waitForFunction(() => document.activeElement?.matches('[role=row]'), { timeout: 5000 })
  },
)
