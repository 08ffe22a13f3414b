import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'
import { en } from '../../src/console/locales/en.ts'
import { stewardVersion } from '../../src/runtime/version.ts'
import { browserMissing } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { adminPassword } from '../steward.ts'
import { type Fault, failedCall, faults, injectFaults } from './fault-injection.ts'
import { holdClock } from './held-clock.ts'
import { consoleService, press, refusals, sees, signInOn, type TestConsole } from './service.ts'

const faultOf = (name: string): Fault => {
  const fault = faults.find((each) => each.name === name)
  if (fault === undefined) throw new Error(`no fault ${name}`)
  return fault
}

const mayLook: readonly OperationId[] = ['listNotices', 'watchNotices']

/** How often a page without a stream asks, and after what time it opens a refused stream again, in milliseconds. */
const asksEvery = 3000
const opensAgainAfter = 10_000

/** Until every request that the page has sent by now is known here: one more, which comes after them, is answered. */
const allSent = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await fetch(location.href)
  })

/** A page of this user, with its time in the hand of the test, whose stream of notices a proxy has refused. */
const openPolling = async (
  t: Test,
  { open, url }: TestConsole,
  { username, password }: { username: string; password: string },
) => {
  const { page, requests } = await open('/me', { test: t, expected: [refusals, failedCall] })
  await signInOn(page, username, password)
  await sees(page, 'Profile')
  const clock = await holdClock(page)
  const injector = await injectFaults(page)
  // The document that is left has opened a stream, or is about to: neither is counted, nor refused in its place.
  await page.goto('about:blank')
  const before = requests.length
  const refused = injector.failNext('watchNotices', faultOf('502 of a proxy'))
  await page.goto(`${url}/console/me`)
  await sees(page, 'Profile')
  await eventually(async () => refused.came && (await clock.waits()).includes(opensAgainAfter), 'a refused stream')
  await allSent(page)
  const asked = (id: OperationId): number =>
    requests.slice(before).filter((address) => new URL(address).pathname === calls[id].url).length
  return { page, clock, injector, asked: { once: () => asked('listNotices'), stream: () => asked('watchNotices') } }
}

type Polling = Awaited<ReturnType<typeof openPolling>>

/** Lets time pass until this is so: a page that still waits for an answer does not ask again. */
const passUntil = ({ clock }: Polling, isSo: () => boolean | Promise<boolean>, what: string): Promise<boolean> =>
  eventually(async () => {
    if (await isSo()) return true
    await clock.pass(asksEvery)
    return false
  }, what)

const asksAgain = (polling: Polling): Promise<boolean> => {
  const before = polling.asked.once()
  return passUntil(polling, () => polling.asked.once() > before, 'one more question')
}

/** That the page asks nothing more, however long it stays open. */
const asksNoMore = async (t: Test, polling: Polling): Promise<void> => {
  const { page, clock, asked } = polling
  const waits = async (): Promise<number[]> =>
    (await clock.waits()).filter((wait) => wait === asksEvery || wait === opensAgainAfter)
  await passUntil(polling, async () => (await waits()).length === 0, 'an end of asking')
  await allSent(page)
  const before = [asked.once(), asked.stream()]
  await clock.pass(60 * 60_000)
  await allSent(page)
  t.same([asked.once(), asked.stream()], before)
}

const sessionEnds = async (t: Test, service: TestConsole): Promise<void> => {
  const { id, password } = await service.holderOf('left.open', mayLook)
  const polling = await openPolling(t, service, { username: 'left.open', password })
  await asksAgain(polling)
  await service.take('changePeople', { body: { action: 'disable', ids: [id] } })
  await asksNoMore(t, polling)
  await sees(polling.page, en.session.ended)
}

const grantEnds = async (t: Test, service: TestConsole): Promise<void> => {
  const { take, holderOf } = service
  const { id, password } = await holderOf('may.less', mayLook)
  const polling = await openPolling(t, service, { username: 'may.less', password })
  await asksAgain(polling)
  const { roles } = await take('getPerson', { params: { id } })
  await take('changePeople', { body: { action: 'removeRoles', ids: [id], roleIds: roles.map((role) => role.id) } })
  await asksNoMore(t, polling)
}

const opensAgain = async (t: Test, service: TestConsole): Promise<void> => {
  const callForHelp = (type: string, description: string) =>
    service.take('callForHelp', { body: { type, description } })
  await callForHelp('Flood', 'in the cellar')
  const polling = await openPolling(t, service, { username: 'admin', password: adminPassword })
  const { page, clock, asked } = polling
  // The first answer is there: a page that still waits for one does not ask again, and its time would pass for nothing.
  await page.waitForSelector('button[aria-label^="Urgent"]')
  const first = asked.once()
  await clock.pass(opensAgainAfter - 1)
  await eventually(() => asked.once() > first, 'a question meanwhile')
  t.same([asked.stream(), (await clock.waits()).includes(opensAgainAfter)], [1, true], 'not before the time')
  await clock.pass(1)
  await eventually(async () => asked.stream() === 2, 'another stream')
  await eventually(async () => !(await clock.waits()).includes(asksEvery), 'an end of asking')
  const before = asked.once()
  await callForHelp('Fire', 'in the kitchen')
  await sees(page, 'Emergency: Fire')
  t.equal(asked.once(), before, 'the stream said it')
}

const leave = async (page: Page): Promise<void> => {
  await page.locator('header button[aria-label^="My account: "]').click()
  await sees(page, `Steward ${stewardVersion}`)
  await press(page, en.actions.signOut, 'menuitem')
  await sees(page, en.signIn.forgotten)
}

const nextUser = async (t: Test, { open, call, token, person }: TestConsole): Promise<void> => {
  const { page } = await open('/me', { test: t, expected: [refusals] })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('button[aria-label^="Urgent"], button[aria-label="Nothing is urgent"]')
  await call('callForHelp', { token, body: { type: 'Thief', description: 'in the safe' } })
  await sees(page, 'Emergency: Thief')
  const { password: others } = await person('comes.next')
  for (const [username, password] of [
    ['admin', adminPassword],
    ['comes.next', others],
  ] as const) {
    await leave(page)
    // The page of another user is loaded again.
    const loaded = username === 'admin' ? null : page.waitForNavigation()
    await signInOn(page, username, password)
    await loaded
    await sees(page, 'Profile')
    t.notMatch(await page.$eval('.notices', (messages) => (messages as HTMLElement).innerText), /Thief/, username)
  }
}

t.test('notices and messages of a session', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t, { directory: 'none' })
  const tests: [name: string, test: (t: Test, service: TestConsole) => Promise<void>][] = [
    ['a page whose session has ended does not ask for what is urgent any more', sessionEnds],
    ['a page that may not ask any more does not', grantEnds],
    ['a stream that was refused is opened again ten seconds later', opensAgain],
    ['the next user of a tab does not see the messages of the one before', nextUser],
  ]
  for (const [name, test] of tests) await t.test(name, (t) => test(t, service))
})
