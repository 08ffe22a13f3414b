import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { axeFindings } from '../axe.ts'
import { browserMissing, type OpenPage } from '../browser.ts'
import { sampleOf } from '../nightly.ts'
import { adminPassword } from '../steward.ts'
import { acting, addresses, cutHeadings, exampleOf, openers, settled, tooWide } from './addresses.ts'
import { faintPlaceholders } from './faint-placeholders.ts'
import { consoleService, signInOn, type TestConsole } from './service.ts'

/** Names as long as they may be, which are what makes a page too wide. */
const fillConsole = async ({ take, person }: TestConsole): Promise<void> => {
  const long = 'Verylongname'.repeat(4)
  const { id: department } = await take('addGroup', {
    body: { groupName: long, groupType: 'cn', parentId: 0, remark: `${long} `.repeat(2) },
  })
  await person('a.person.whose.user.name.is.rather.long', { departmentId: [department], roleIds: [2] })
  await take('syncSqlGroups', { body: {} })
  await take('addApi', {
    body: { method: 'GET', path: `/v1/${'long/'.repeat(10)}path`, category: 'own', remark: long },
  })
  await take('createBackup', { body: { type: 'manual' } })
}

const phone = { width: 360, height: 740 }
/** 1280 pixels at 400 per cent. */
const narrow = { width: 320, height: 640 }
const desk = { width: 1280, height: 900 }

const setTheme = async (page: Page, theme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ])
  await page.waitForFunction((wanted) => document.documentElement.dataset.mantineColorScheme === wanted, {}, theme)
}

/** Links that are called the current page and lead elsewhere; in the menu, a page stands for all below it. */
const notHere = (page: Page): Promise<string[]> =>
  page.$$eval('a[aria-current=page]:not(.place)', (links) =>
    links.map((link) => (link as HTMLAnchorElement).pathname).filter((path) => path !== location.pathname),
  )

/** Holds what the page shows now against the rules of every page. */
const check = async (t: Test, { page, complaints }: OpenPage, name: string): Promise<void> => {
  await settled(page)
  t.strictSame(await axeFindings(page), [], `${name}: axe`)
  t.strictSame(await cutHeadings(page), [], `${name}: titles of columns`)
  t.strictSame(await notHere(page), [], `${name}: what is called the current page`)
  await setTheme(page, 'dark')
  t.strictSame(await axeFindings(page, 'colours'), [], `${name}: axe, dark`)
  t.strictSame(await faintPlaceholders(page), [], `${name}: placeholders, dark`)
  await setTheme(page, 'light')
  t.strictSame(await faintPlaceholders(page), [], `${name}: placeholders, light`)
  await page.setViewport(phone)
  t.strictSame(await tooWide(page), [], `${name}: ${phone.width} px wide`)
  t.strictSame(await axeFindings(page, 'scrolling'), [], `${name}: axe, ${phone.width} px wide`)
  await page.setViewport(desk)
  t.strictSame(complaints.splice(0), [], `${name}: complaints`)
}

/** Opens each tab in this part of the page. */
const checkTabs = async (t: Test, opened: OpenPage, name: string, within: string): Promise<void> => {
  const tabs = `${within} [role=tab]`
  const count = (await opened.page.$$(tabs)).length
  for (let index = 0; index < count; index++) {
    const tab = (await opened.page.$$(tabs))[index]
    if (tab === undefined || (await tab.evaluate((each) => each.ariaSelected === 'true'))) continue
    await tab.click()
    await check(t, opened, `${name}, tab ${index + 1}`)
  }
}

/** Opens the first row of a list, if rows can be opened, and what is behind the page's own button. */
const checkOpened = async (t: Test, opened: OpenPage, name: string, address: string): Promise<void> => {
  const { page } = opened
  const over = '[role=dialog], [role=menu]'
  for (const [what, opener] of openers) {
    const found = await page.$(opener)
    if (found === null || (what === 'button' && acting.has(name))) continue
    await found.click()
    await page.waitForFunction(
      (shown, before) => document.querySelector(shown) !== null || location.pathname !== before,
      {},
      over,
      new URL(address).pathname,
    )
    if (await page.$(over)) {
      await check(t, opened, `${name}, ${what}`)
      await checkTabs(t, opened, `${name}, ${what}`, '[role=dialog]')
      await page.keyboard.press('Escape')
      await page.waitForFunction((shown) => document.querySelector(shown) === null, {}, over)
    } else {
      // A row that leads to a page of its own: that is an address too.
      await page.goto(address)
      await settled(page)
    }
  }
}

interface Walk {
  language: 'en' | 'zh-CN'
  /** Pages without a session. */
  open: readonly string[]
  /** Pages with a session. */
  closed: readonly string[]
  /** Those whose tabs and drawers are opened too. */
  deep: readonly string[]
}

const walk = async (t: Test, service: TestConsole, { language, open, closed, deep }: Walk): Promise<void> => {
  const { url } = service
  const opened = await service.open('/', { language, axe: false })
  const { page } = opened
  const goTo = async (path: string, shown: string): Promise<string> => {
    const address = `${url}/console${exampleOf(path)}`
    await page.goto(address)
    await page.waitForSelector(shown)
    return address
  }
  await check(t, opened, 'sign-in')
  for (const path of open) {
    await goTo(path, 'h1')
    await check(t, opened, path)
  }
  await goTo('/', 'input[autocomplete=username]')
  await page.locator('input[autocomplete=username]').fill('admin')
  await page.locator('input[type=password]').fill(adminPassword)
  await page.locator('button[type=submit]').click()
  await page.waitForSelector('#main h1')
  t.equal(await page.evaluate(() => document.documentElement.lang), language)
  for (const path of closed) {
    const address = await goTo(path, '#main h1')
    await check(t, opened, path)
    if (!deep.includes(path)) continue
    await checkTabs(t, opened, path, '#main')
    await checkOpened(t, opened, path, address)
  }
  await goTo('/no-such-page', 'h1')
  await check(t, opened, 'no such page')
}

t.test('every page, in both languages and themes, wide and narrow', { skip: browserMissing }, async (t) => {
  const service = await consoleService(t)
  await fillConsole(service)
  const pages = await addresses()
  const open = pages.filter((each) => each.open).map(({ path }) => path)
  const closed = pages.filter((each) => !each.open).map(({ path }) => path)
  const half = Math.ceil(closed.length / 2)
  await t.test('in English, with tabs and drawers', (t) => {
    const deep = sampleOf(t, 'pages whose tabs and drawers are opened', closed, half)
    return walk(t, service, { language: 'en', open, closed, deep })
  })
  await t.test('in Chinese', (t) => {
    const sample = sampleOf(t, 'pages in Chinese', closed, half)
    return walk(t, service, { language: 'zh-CN', open, closed: sample, deep: [] })
  })
})

t.test('what is chosen is told apart where the system sets the colours', { skip: browserMissing }, async (t) => {
  const { open, take } = await consoleService(t, { directory: 'none' })
  await take('addGroup', { body: { groupName: 'Kitchen', groupType: 'cn', parentId: 0, remark: '' } })
  const { page } = await open('/people', { axe: false, expected: [/status of 401/] })
  const devtools = await page.createCDPSession()
  await devtools.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] })
  await signInOn(page, 'admin', adminPassword)
  // The ground that it has in its style is not the one that is seen, unless the style says that it is.
  const isMarked = (selector: string): Promise<boolean> =>
    page
      .waitForSelector(selector)
      .then(() => page.$eval(selector, (each) => getComputedStyle(each).forcedColorAdjust === 'none'))
  t.ok(await isMarked('.place[aria-current]'), 'the page in the menu')
  t.notOk(await isMarked('.place:not([aria-current])'))
  t.ok(await isMarked('[role=treeitem][aria-selected=true]'), 'the department in the tree')
  t.notOk(await isMarked('[role=treeitem][aria-selected=false]'))
  await page.locator('nav a[href$="/diet"]').click()
  t.ok(await isMarked('[role=tab][aria-selected=true]'), 'the tab')
  t.notOk(await isMarked('[role=tab][aria-selected=false]'))
})

t.test('a long reason of the directory fits on a phone', { skip: browserMissing }, async (t) => {
  const { open, take } = await consoleService(t, { directory: 'none' })
  const body = { groupName: 'Verylongname'.repeat(4), groupType: 'cn' as const, parentId: 0, remark: '' }
  const { id } = await take('addGroup', { body })
  const { page } = await open(`/groups?group=${id}`, { ...narrow, expected: [/status of 401/] })
  await signInOn(page, 'admin', adminPassword)
  await page.waitForSelector('[role=dialog] pre')
  t.strictSame(await tooWide(page), [])
})
