import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { browserMissing, type OpenPage } from '../browser.ts'
import { eventually } from '../eventually.ts'
import { sampleOf } from '../nightly.ts'
import { adminPassword } from '../steward.ts'
import { addresses, exampleOf, settled } from './addresses.ts'
import { consoleService, signInOn, type TestConsole } from './service.ts'

/** A page that has more of it lets a click land on what is beside what was meant: CLS, of the window in view. */
const steady = 0.002

/** Keeps what moves by itself, as the browser measures it. */
const watchShifts = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const from = ({ node, previousRect, currentRect }) =>
        (node?.innerText ?? node?.className ?? '').slice(0, 40) +
        ' from ' + [previousRect.x, previousRect.y] + ' to ' + [currentRect.x, currentRect.y]
      window.shifts.push({ value, what: sources.map(from) })
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

/**
 * Lets answers come one after another, and not in the order of the questions.
 * @returns waits until the page asks nothing more: all that it asked has been answered then
 */
const answerInTurn = async (page: Page): Promise<() => Promise<void>> => {
  let turn = 0
  let asked = performance.now()
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    turn = (turn + 137) % 400
    asked = performance.now()
    const wait = request.url().includes('/api/') ? 50 + turn : 0
    setTimeout(() => void request.continue().catch(() => {}), wait)
  })
  return async () => void (await eventually(() => performance.now() - asked > 900, 'the page asks nothing more'))
}

/** What is too small for a finger: less than 24 pixels high or wide. Links in a text may be as small as that is. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pressed = 'a, button, input, select, [role=button], [role=tab], [role=switch], [role=treeitem]'
    const isSmall = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect()
      return width > 0 && (width < 24 || height < 24)
    }
    return [...document.querySelectorAll<HTMLElement>(pressed)]
      .filter((each) => isSmall(each) && getComputedStyle(each).opacity !== '0')
      .filter((each) => !(each instanceof HTMLAnchorElement && each.closest('p') !== null))
      .filter((each) => each.closest('.skip') === null)
      .filter((each) => each.closest('label, .mantine-Input-wrapper') === null)
      .map((each) => `${each.outerHTML.slice(0, 120)} (${each.offsetWidth} × ${each.offsetHeight})`)
  })

/** Fields whose letters are so small that Safari makes the page larger when they get the focus, or that change what is typed. */
const unfitFields = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox], [type=radio], [readonly]), textarea')]
      .filter((each) => each.checkVisibility())
      .filter(
        (each) =>
          Number.parseFloat(getComputedStyle(each).fontSize) < 16 ||
          (each.type === 'text' && each.getAttribute('autocapitalize') === null),
      )
      .map((each) => each.outerHTML.slice(0, 160)),
  )

const fillConsole = async ({ take }: TestConsole): Promise<void> => {
  const { id } = await take('addGroup', { body: { groupName: 'Kitchen', groupType: 'ou', parentId: 0, remark: '' } })
  await take('addGroup', { body: { groupName: 'Bakery', groupType: 'cn', parentId: id, remark: '' } })
  await take('syncSqlGroups', { body: {} })
  await take('createBackup', { body: { type: 'manual' } })
}

const walk = async (t: Test, { url }: TestConsole, { page }: OpenPage, paths: readonly string[]): Promise<void> => {
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('#main h1')
  await page.evaluateOnNewDocument(watchShifts)
  const quiet = await answerInTurn(page)
  for (const path of paths) {
    await page.goto(`${url}/console${path}`)
    await page.waitForSelector('#main h1')
    await settled(page)
    await quiet()
    await settled(page)
    const shifts = (await page.evaluate('window.shifts')) as { value: number; what: string[] }[]
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    t.ok(sum <= steady, `${path} moves nothing while it loads`, { shifts })
    t.strictSame(
      (await page.evaluate(() => matchMedia('(pointer: coarse)').matches))
        ? [...(await smallTargets(page)), ...(await unfitFields(page))]
        : [],
      [],
    )
  }
}

t.test('pages stay where they are while they load, and have room for fingers', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t)
  await fillConsole(service)
  const pages = (await addresses()).filter(({ open }) => !open).map(({ path }) => exampleOf(path))
  const more = ['/people?person=1&tab=sign-in', '/groups?group=1', '/me?tab=sessions']
  await t.test('on a phone', async (t) => {
    const opened = await service.open('/', { test: t, axe: false, expected: [/status of 401/] })
    await opened.page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
    await walk(t, service, opened, sampleOf(t, 'pages on a phone', [...pages, ...more], 12))
  })
  await t.test('at a desk', async (t) => {
    const opened = await service.open('/', { test: t, axe: false, expected: [/status of 401/] })
    await walk(t, service, opened, sampleOf(t, 'pages at a desk', [...pages, ...more], 8))
  })
})
