import { sql } from 'drizzle-orm'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { me } from '../../src/console/locales/en/me.ts'
import { people } from '../../src/console/locales/en/people.ts'
import { en } from '../../src/console/locales/en.ts'
import { browserMissing } from '../browser.ts'
import { adminPassword } from '../steward.ts'
import {
  byName,
  codeOf,
  consoleService,
  fill,
  press,
  refusals,
  sees,
  setHidden,
  shownSecret,
  signInOn,
  type TestConsole,
} from './service.ts'

const { enrolment, mustChange, secondFactor } = en.signIn
const expected = [refusals]

/** Ends the sessions of this user but that of the token, such as one in a browser. */
const endOtherSessions = async ({ take }: TestConsole, token: string): Promise<void> => {
  for (const { id, current } of await take('listOwnSessions', { token })) {
    if (!current) await take('endOwnSession', { token, params: { sessionId: id } })
  }
}

const signInAndOut = async (t: Test, { open }: TestConsole): Promise<void> => {
  const { page } = await open('/me?tab=password', { test: t, expected })
  await signInOn(page, 'admin', 'not the password')
  await sees(page, 'wrong')
  t.equal(
    await page.$eval('input[autocomplete=username]', (input) => (input as HTMLInputElement).value),
    'admin',
    'the name stays',
  )
  await fill(page, en.signIn.password, adminPassword)
  await press(page, en.signIn.submit)
  await sees(page, me.password.submit)
  t.match(page.url(), /\/console\/me\?tab=password$/)
  const cookies = await page.browserContext().cookies()
  t.match(cookies, [{ httpOnly: true, sameSite: 'Strict' }])
  t.equal(await page.evaluate(() => document.cookie), '', 'no script sees the session')
  t.notMatch(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })), /eyJ/, 'nor a token')

  await press(page, `${en.nav.me}: Administrator`)
  await press(page, en.actions.signOut, 'menuitem')
  await sees(page, en.signIn.forgotten)
  t.same(await page.browserContext().cookies(), [])
}

/** A browser that first refuses to copy, and then does not. */
const copiesAtLast = async (t: Test, page: Page): Promise<void> => {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
    Object.defineProperty(document, 'execCommand', { value: () => false, configurable: true })
  })
  await press(page, enrolment.copyAll)
  await sees(page, en.actions.notCopied)
  await page.evaluate(() => Reflect.deleteProperty(document, 'execCommand'))
  await press(page, enrolment.copyAll)
  await sees(page, en.actions.copied)
  const shown = await page.evaluate(() => document.body.innerText)
  t.notOk(shown.includes(en.actions.notCopied), 'what did not work before is not said any more')
}

const ownFactor = async (t: Test, { open, person }: TestConsole): Promise<void> => {
  const { password } = await person('has.factor', { roleIds: [2] })
  const { page } = await open('/me?tab=secondFactor', { test: t, expected })
  await signInOn(page, 'has.factor', password)
  await press(page, me.secondFactor.setUp)
  await fill(page, en.fields.oldPassword, password)
  await press(page, en.actions.next)
  const secret = await shownSecret(page)
  await fill(page, enrolment.code, codeOf(secret, -1))
  await press(page, enrolment.submit)
  await sees(page, enrolment.codesTitle)
  await copiesAtLast(t, page)
  const recoveryCode = await page.evaluate(
    () => [...document.querySelectorAll('[role=dialog] code')].map((each) => each.textContent ?? '').at(0) ?? '',
  )
  await byName(page, 'checkbox', enrolment.kept).click()
  await press(page, enrolment.done)
  await sees(page, me.secondFactor.on)

  const again = await open('/', { test: t, expected })
  await signInOn(again.page, 'has.factor', password)
  await sees(again.page, secondFactor.app)
  await fill(again.page, secondFactor.code, '000000')
  await press(again.page, secondFactor.submit)
  await sees(again.page, /wrong|valid/)
  await fill(again.page, secondFactor.code, codeOf(secret))
  await press(again.page, secondFactor.submit)
  await sees(again.page, en.nav.home)

  const lost = await open('/', { test: t, expected })
  await signInOn(lost.page, 'has.factor', password)
  await sees(lost.page, secondFactor.app)
  await fill(lost.page, secondFactor.code, recoveryCode)
  await press(lost.page, secondFactor.submit)
  await sees(lost.page, en.nav.home)
}

const requiredFactor = async (t: Test, { browser }: TestConsole): Promise<void> => {
  const { open, url } = await consoleService(t, {
    browser,
    directory: 'none',
    env: { SECOND_FACTOR: 'administrators' },
  })
  const { page } = await open('/people', { expected })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, enrolment.why)
  const code = await page.evaluate(async (address) => {
    const response = await fetch(`${address}/api/role/list`)
    return ((await response.json()) as { code: number }).code
  }, url)
  t.equal(code, 403, 'the session opens nothing else')
  await fill(page, en.fields.oldPassword, adminPassword)
  await press(page, en.actions.next)
  await fill(page, enrolment.code, codeOf(await shownSecret(page)))
  await press(page, enrolment.submit)
  await byName(page, 'checkbox', enrolment.kept).click()
  await press(page, enrolment.done)
  await sees(page, people.hire.open)
  t.match(page.url(), /\/console\/people/)
}

const setByAnother = async (t: Test, { open, person, take, db }: TestConsole): Promise<void> => {
  const { id } = await person('new.here', { roleIds: [2] })
  await db.execute(sql`update sessions set stepped_up_at = now() where user_id = 1`)
  const { password } = await take('resetUserPassword', { params: { id }, body: { way: 'shown' } })
  const { page } = await open('/', { test: t, expected })
  await signInOn(page, 'new.here', password ?? '')
  await sees(page, mustChange.title)
  await fill(page, mustChange.password, 'a river of my own 7')
  await fill(page, mustChange.repeat, 'a river of my own 8')
  await press(page, mustChange.submit)
  await sees(page, mustChange.different)
  await fill(page, mustChange.repeat, 'a river of my own 7')
  await press(page, mustChange.submit)
  await sees(page, en.nav.home)
}

const locked = async (t: Test, { open, person, call }: TestConsole): Promise<void> => {
  const { password } = await person('forgetful', { roleIds: [2] })
  const guess = (n: number) =>
    call('login', {
      body: { username: 'forgetful', password: `guess ${n}` },
      // The address is locked too, so it must not be that of the browser.
      headers: { 'x-forwarded-for': '10.1.1.1' },
    })
  let code = 0
  for (let n = 0; n < 20 && code !== 429; n++) code = (await guess(n)).code
  t.equal(code, 429)
  const { page } = await open('/', { test: t, expected })
  await signInOn(page, 'forgetful', password)
  const [before = ''] = en.signIn.locked('|').split('|')
  await sees(page, before)
  await sees(page, /Try again in \d+ (seconds|minutes)/)
}

const endedElsewhere = async (t: Test, service: TestConsole): Promise<void> => {
  const { open, person } = service
  const { password, token } = await person('typing', { roleIds: [2] })
  const { page } = await open('/me', { test: t, expected })
  await signInOn(page, 'typing', password)
  await sees(page, me.tabs.profile)
  await fill(page, en.fields.name, 'A long new name')
  await endOtherSessions(service, token)
  await press(page, en.actions.save)
  await sees(page, en.session.ended)
  await fill(page, en.signIn.password, password)
  await press(page, en.signIn.submit)
  await page.waitForFunction((text) => !document.body.innerText.includes(text), {}, en.session.ended)
  t.equal(await page.$eval('[data-field=name] input', (input) => (input as HTMLInputElement).value), 'A long new name')
  await press(page, en.actions.save)
  await sees(page, me.saved)
}

/** Moves the clock of a page; a function that runs in the page. @param ahead milliseconds */
const moveClock = (ahead: number): void => {
  globalThis.Date = new Proxy(Date, {
    construct: (real, given, made) => Reflect.construct(real, given.length === 0 ? [real.now() + ahead] : given, made),
    get: (real, name) => (name === 'now' ? () => real.now() + ahead : Reflect.get(real, name)),
  })
}

const hour = 3_600_000

const wokenUp = async (t: Test, service: TestConsole): Promise<void> => {
  const { open, person } = service
  const { password, token } = await person('sleeps', { roleIds: [2] })
  const { page } = await open('/me', { test: t, expected })
  await signInOn(page, 'sleeps', password)
  await sees(page, me.tabs.profile)
  await fill(page, en.fields.name, 'Typed before the night')
  await setHidden(page, true)
  await endOtherSessions(service, token)
  await page.evaluate(moveClock, 8 * hour)
  await setHidden(page, false)
  // Without anything being pressed.
  await sees(page, en.session.ended)
  await fill(page, en.signIn.password, password)
  await press(page, en.signIn.submit)
  await page.waitForFunction((text) => !document.body.innerText.includes(text), {}, en.session.ended)
  t.equal(
    await page.$eval('[data-field=name] input', (input) => (input as HTMLInputElement).value),
    'Typed before the night',
  )
  await press(page, en.actions.save)
  await sees(page, me.saved)
}

/** With a browser whose clock is wrong by this. */
const wrongClock =
  (ahead: number) =>
  async (t: Test, { open, url }: TestConsole): Promise<void> => {
    const { page } = await open('/', { test: t, expected })
    await page.evaluateOnNewDocument(moveClock, ahead)
    await page.goto(`${url}/console/me?tab=sessions`)
    await signInOn(page, 'admin', adminPassword)
    await page.waitForSelector('#main time')
    const times = await page.$$eval('#main time', (shown) => shown.map(({ innerText }) => innerText))
    t.ok(times.length > 0)
    t.same(
      times.filter((time) => !/^(now|(1 second|\d+ seconds|1 minute|\d+ minutes) ago)$/.test(time)),
      [],
      'a session of this test was opened a moment ago',
    )
    await page.goto(`${url}/console/log?range=hour`)
    await page.waitForSelector('#main [role=row][data-index="0"]')
    await page.goto(`${url}/console/me`)
    await press(page, en.actions.save)
    await sees(page, me.saved)
  }

const twoTabs = async (t: Test, { open, url }: TestConsole): Promise<void> => {
  const { page } = await open('/', { test: t, expected })
  const second = await page.browserContext().newPage()
  await second.goto(`${url}/console/me`)
  await sees(second, en.signIn.forgotten)
  // A tab in the background draws nothing, so it cannot be pressed.
  await page.bringToFront()
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.home)
  await sees(second, me.tabs.access)
  await press(page, `${en.nav.me}: Administrator`)
  await press(page, en.actions.signOut, 'menuitem')
  await sees(page, en.signIn.forgotten)
  await sees(second, en.session.ended)
  const cover = await second.$eval('.mantine-Modal-overlay', (each) => getComputedStyle(each).backgroundColor)
  t.notMatch(cover, /rgba|\//, 'what the page has is out of sight')
  await second.bringToFront()
  await second.waitForFunction(() => document.activeElement?.matches('[type=password]'))
  await second.keyboard.down('Control')
  await second.keyboard.press('k')
  await second.keyboard.up('Control')
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.ok(
    await second.evaluate(() => document.activeElement?.matches('[type=password]')),
    'no search opens below, which would be given the password',
  )
}

/** A page that the browser kept while another one was shown is told nothing of what other tabs did. */
const keptPage = async (t: Test, { open }: TestConsole): Promise<void> => {
  const { page } = await open('/me', { test: t, expected })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, me.tabs.access)
  const context = page.browserContext()
  await context.deleteCookie(...(await context.cookies()))
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await sees(page, en.session.ended)
}

/** What was typed is asked about by the browser when a page is left: not here, where it would keep the page in sight. */
const anotherUser = async (t: Test, { open, person, url }: TestConsole): Promise<void> => {
  const { password } = await person('comes.after', { roleIds: [2] })
  const { page } = await open('/', { test: t, expected })
  await signInOn(page, 'admin', adminPassword)
  await sees(page, en.nav.home)
  await page.goto(`${url}/console/roles?new=1`)
  await fill(page, en.fields.keyword, 'typed-by-the-first')
  const second = await page.browserContext().newPage()
  await second.goto(`${url}/console/me`)
  await press(second, `${en.nav.me}: Administrator`)
  await press(second, en.actions.signOut, 'menuitem')
  await sees(second, en.signIn.forgotten)
  await signInOn(second, 'comes.after', password)
  await sees(second, me.tabs.profile)
  await page.bringToFront()
  await sees(page, en.states.forbidden)
  t.equal(await page.$('nav a[href$="/roles"]'), null, 'the menu is that of the second user')
}

t.test('the sign-in', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { env: { TRUST_PROXY: 'on' } })
  const tests: [name: string, test: (t: Test, service: TestConsole) => Promise<void>][] = [
    ['a person signs in, and lands where the link led', signInAndOut],
    ['a second factor: set up, asked for, lost', ownFactor],
    ['who must have a second factor sets it up before anything else', requiredFactor],
    ['a password that an administrator set is changed at the sign-in', setByAnother],
    ['an account that is locked says until when', locked],
    ['a session that ends elsewhere leaves what was typed', endedElsewhere],
    ['a computer that slept says that the session has ended, and what was typed stays', wokenUp],
    ['a browser whose clock is two hours ahead', wrongClock(2 * hour)],
    ['a browser whose clock is two hours behind', wrongClock(-2 * hour)],
    ['two tabs: a sign-in in one is one in both, and so is a sign-out', twoTabs],
    ['a page that the browser kept asks whose session it is', keptPage],
    ['another user who signs in in a second tab sees nothing of the first', anotherUser],
  ]
  for (const [name, test] of tests) await t.test(name, (t) => test(t, service))
})
