import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { me } from '../../src/console/locales/en/me.ts'
import { people } from '../../src/console/locales/en/people.ts'
import { security } from '../../src/console/locales/en/security.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import { failedCall, faults, injectFaults } from './fault-injection.ts'
import {
  byName,
  codeOf,
  consoleService,
  fill,
  press,
  refusals,
  sees,
  shownSecret,
  signInOn,
  type TestConsole,
} from './service.ts'

/** What the browser says of code that is missing. */
const missing = /status of 404|dynamically imported module/

interface Open extends TestConsole {
  page: Page
  /** Opens an address of the console. */
  go(path: string): Promise<void>
}

/** Something that a call waits for. */
const gate = () => {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** Waits until the dialog with this text is closed, and the one below it is the uppermost. */
const closed = async (page: Page, text: string): Promise<void> => {
  await page.waitForFunction((wanted) => !document.body.innerText.includes(wanted), {}, text)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}

const whileSaving = async (t: Test, { page, go, person }: Open): Promise<void> => {
  await person('is.taken')
  const { meanwhile } = await injectFaults(page)
  await go('/people?hire=true')
  await fill(page, en.fields.nickname, 'Wang Wei')
  await fill(page, en.fields.username, 'is.taken')
  const first = gate()
  meanwhile('addUser', () => first.passed)
  await press(page, people.hire.action)
  await page.keyboard.press('Escape')
  await sees(page, en.forms.underWay)
  await press(page, en.actions.cancel)
  await closed(page, en.forms.underWay)
  first.open()
  await sees(page, en.failures.fieldsAtFault(1))
  t.equal(await page.$eval('[data-name=nickname]', (input) => (input as HTMLInputElement).value), 'Wang Wei')

  const second = gate()
  meanwhile('addUser', () => second.passed)
  await press(page, people.hire.action)
  await page.keyboard.press('Escape')
  await sees(page, en.forms.underWay)
  await press(page, en.forms.leave)
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  second.open()
  await page.waitForSelector('.notices [role=alert]')
  t.match(
    await page.$eval('.notices', (notices) => (notices as HTMLElement).innerText),
    /User name.+is\.taken|User name/,
  )
}

const afterSaving = async (t: Test, { page, go, person, take }: Open): Promise<void> => {
  const { id } = await person('saved.twice')
  const { id: device } = await take('registerDevice', { body: { name: 'Door', type: 'door' } })
  await go(`/security/devices?device=${device}`)
  await fill(page, en.fields.location, 'North')
  await press(page, en.actions.save)
  await sees(page, security.devices.changed('Door'))
  await fill(page, en.fields.location, 'South')
  await page.keyboard.press('Escape')
  await sees(page, en.forms.unsaved)
  await press(page, en.forms.leave)
  await closed(page, en.forms.unsaved)
  t.equal(new URL(page.url()).searchParams.get('device'), null)

  await go('/people?q=saved.twice')
  await page.locator(`[role=row][aria-rowindex="2"]`).click()
  await fill(page, en.fields.position, 'Cook')
  await page.evaluate(() => history.back())
  await sees(page, en.forms.unsaved)
  await page.keyboard.press('Escape')
  await closed(page, en.forms.unsaved)
  t.equal(new URL(page.url()).searchParams.get('person'), String(id), 'who stays is where they were')
  await page.keyboard.press('Escape')
  await sees(page, en.forms.unsaved)
  await press(page, en.forms.leave)
  await closed(page, en.forms.unsaved)
}

const declined = async (t: Test, { page, go }: Open): Promise<void> => {
  const { emergency } = security
  await go('/security?call=true')
  await fill(page, emergency.type, 'Fire')
  await fill(page, emergency.description, 'In the kitchen')
  await press(page, emergency.send)
  await sees(page, emergency.confirm)
  await press(page, en.actions.cancel)
  await closed(page, emergency.confirm)
  await page.keyboard.press('Escape')
  await sees(page, en.forms.unsaved)
  await press(page, en.actions.cancel)
  await closed(page, en.forms.unsaved)
  t.equal(await page.$eval('[data-field=description] textarea', (input) => input.value), 'In the kitchen')
  await page.keyboard.press('Escape')
  await sees(page, en.forms.unsaved)
  await press(page, en.forms.leave)
  await closed(page, en.forms.unsaved)
}

const shownOnce = async (t: Test, { page, go }: Open): Promise<void> => {
  const { devices } = security
  await go('/security/devices?new=true')
  await fill(page, en.fields.name, 'Camera')
  await fill(page, en.fields.type, 'camera')
  await press(page, en.actions.save)
  await sees(page, devices.once)
  for (const leave of [() => page.mouse.click(200, 500), () => page.keyboard.press('Escape')]) {
    await leave()
    await sees(page, en.forms.shownOnce)
    await press(page, en.actions.cancel)
    await closed(page, en.forms.shownOnce)
    await sees(page, devices.once)
  }
  await press(page, devices.copied)
  await closed(page, devices.once)
  t.equal(new URL(page.url()).searchParams.get('new'), null)
}

const oneLayer = async (t: Test, { page, go, person }: Open): Promise<void> => {
  const { id } = await person('stays.open')
  await go(`/people?person=${id}&tab=sign-in`)
  await press(page, people.bulk.menu.disable)
  await sees(page, people.bulk.consequences.disable(1))
  await page.keyboard.press('Escape')
  await closed(page, people.bulk.consequences.disable(1))
  t.equal(new URL(page.url()).searchParams.get('person'), String(id), 'the record below stays open')
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
}

/** Waits for a message that stays until it is closed. */
const isTold = (page: Page, text: RegExp): Promise<unknown> =>
  page.waitForFunction(
    (pattern) =>
      [...document.querySelectorAll<HTMLElement>('.notices [role=alert]')].some(({ innerText }) =>
        new RegExp(pattern).test(innerText),
      ),
    {},
    text.source,
  )

const moving = async (t: Test, { page, go, take }: Open): Promise<void> => {
  const fault = faults.find(({ name }) => name === '500')
  if (fault === undefined) throw new Error('no such fault')
  const top = await take('addGroup', { body: { groupName: 'Factory', groupType: 'ou', parentId: 0 } })
  const below = await take('addGroup', { body: { groupName: 'Store', groupType: 'ou', parentId: top.id } })
  const { failNext, meanwhile } = await injectFaults(page)
  const isMeant = (body: unknown): boolean => !JSON.stringify(body).includes('dryRun')
  const prepare = async (): Promise<void> => {
    await go(`/people?department=${below.id}`)
    await press(page, people.move.open)
    await byName(page, 'switch', people.move.toTop).click()
    await sees(page, people.move.effect(1, 0))
  }
  await prepare()
  await press(page, people.move.action)
  await sees(page, people.move.done('Store', null))
  failNext('moveDepartment', fault, isMeant)
  await press(page, en.actions.undo)
  await isTold(page, fault.says)

  await take('moveDepartment', { params: { id: below.id }, body: { parent: top.id } })
  const held = gate()
  await prepare()
  meanwhile(
    'moveDepartment',
    async () => {
      await take('addGroup', { body: { groupName: 'Store', groupType: 'ou', parentId: 0 } })
      await held.passed
    },
    isMeant,
  )
  await press(page, people.move.action)
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  held.open()
  await isTold(page, /is already taken/)
  t.pass('the refusal is said')
}

const manyAtOnce = async (t: Test, { page, go, person }: Open): Promise<void> => {
  await person('many.one')
  const { meanwhile } = await injectFaults(page)
  await go('/people?q=many.one')
  await sees(page, people.total(1))
  await press(page, en.table.selectAll, 'checkbox')
  await press(page, people.bulk.menu.disable)
  await sees(page, people.bulk.consequences.disable(1))
  const held = gate()
  meanwhile('changePeople', () => held.passed)
  await page.locator('[role=dialog] button[type=submit]').click()
  await page.waitForSelector('[role=dialog] button[type=submit][data-loading]')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  held.open()
  await sees(page, people.bulk.report(1, 0))
  await page.keyboard.press('Escape')
  await closed(page, people.bulk.report(1, 0))
  t.pass('closed when its result has been shown')
}

const leftMeanwhile = async (t: Test, { page, go, person, take }: Open): Promise<void> => {
  const { id } = await person('left.meanwhile')
  const { meanwhile } = await injectFaults(page)
  const disableAndLeave = async (act: () => Promise<unknown>): Promise<void> => {
    await go(`/people?person=${id}&tab=sign-in`)
    await press(page, people.bulk.menu.disable)
    await sees(page, people.bulk.consequences.disable(1))
    const held = gate()
    meanwhile('changePeople', async () => {
      await act()
      await held.passed
    })
    await page.locator('[role=dialog] button[type=submit]').click()
    await page.waitForSelector('[role=dialog] button[type=submit][data-loading]')
    await page.evaluate((address) => document.querySelector<HTMLElement>(address)?.click(), 'a[href="/console/groups"]')
    await sees(page, en.forms.underWay)
    await press(page, en.forms.leave)
    await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
    held.open()
  }
  await disableAndLeave(async () => undefined)
  await sees(page, people.bulk.report(1, 0))
  await take('changePeople', { body: { action: 'enable', ids: [id], dryRun: false } })
  await disableAndLeave(() => take('changePeople', { body: { action: 'delete', ids: [id], dryRun: false } }))
  await page.waitForSelector('.notices [role=alert]')
  t.pass('what it came to is said')
}

const enrolling = async (t: Test, { page, go, person }: Open): Promise<void> => {
  const { enrolment } = en.signIn
  const { password } = await person('enrols', { roleIds: [2] })
  await page.deleteCookie(...(await page.cookies()))
  await go('/me?tab=secondFactor')
  await signInOn(page, 'enrols', password)
  await press(page, me.secondFactor.setUp)
  await fill(page, en.fields.oldPassword, password)
  await press(page, en.actions.next)
  const secret = await shownSecret(page)
  const { meanwhile } = await injectFaults(page)
  const held = gate()
  meanwhile('confirmTotp', () => held.passed)
  await fill(page, enrolment.code, codeOf(secret))
  await press(page, enrolment.submit)
  await page.waitForSelector('[role=dialog] button[type=submit][data-loading]')
  await page.keyboard.press('Escape')
  held.open()
  await sees(page, enrolment.codesTitle)
  await page.keyboard.press('Escape')
  await sees(page, enrolment.codesTitle)
  await byName(page, 'checkbox', enrolment.kept).click()
  await press(page, enrolment.done)
  await sees(page, me.secondFactor.on)
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  t.pass('the recovery codes were seen')
}

/** As after an update of the service: what the page has not loaded yet has another name by now. */
const codeMissing = async (t: Test, { page, go }: Open): Promise<void> => {
  await go('/me')
  await fill(page, en.fields.name, 'Typed before')
  await page.setRequestInterception(true)
  page.on('request', (request) =>
    request.url().includes('/assets/') ? void request.respond({ status: 404 }) : void request.continue(),
  )
  await page.keyboard.down('Control')
  await page.keyboard.press('k')
  await page.keyboard.up('Control')
  await sees(page, en.states.reload)
  // Twice as long as until the page is loaded anew by itself: the browser's question would fail the test.
  await new Promise((resolve) => setTimeout(resolve, 4500))
  await sees(page, en.states.outdated)
  t.equal(await page.$eval('[data-field=name] input', (input) => (input as HTMLInputElement).value), 'Typed before')
  await page.setRequestInterception(false)
}

t.test('nothing is lost by leaving', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { directory: 'none' })
  const tests: [name: string, test: (t: Test, open: Open) => Promise<void>][] = [
    ['a form that is being saved is not left unasked, and a refusal is said also to who has left', whileSaving],
    ['a form that was saved and changed again is not left unasked, not by Escape either', afterSaving],
    ['what was not sent because the caller said no is not saved', declined],
    ['a token that is shown once is left by its button', shownOnce],
    ['Escape closes the uppermost dialog, and not the one below it', oneLayer],
    ['a move that fails says so, also when its dialog is closed, and so does taking it back', moving],
    ['what is done to many people says what it came to', manyAtOnce],
    ['what is done to many people is said also to who has left', leftMeanwhile],
    ['the recovery codes of a second factor that is being set up are shown', enrolling],
    ['a page is not loaded anew by itself while what was typed would be lost', codeMissing],
  ]
  for (const [name, test] of tests) {
    await t.test(name, async (t) => {
      const { page } = await service.open('/me', { test: t, expected: [refusals, failedCall, missing] })
      await signInOn(page, 'admin', adminPassword)
      await sees(page, 'Profile')
      const go = async (path: string): Promise<void> => void (await page.goto(`${service.url}/console${path}`))
      await test(t, { ...service, page, go })
    })
  }
})
