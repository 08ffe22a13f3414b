import { existsSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer-core'
import { axeFindings } from './axe.ts'
import type { Teardown } from './database.ts'

/** Chromium without its own windows costs less than half of the time; then as it is installed on a desk. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const folders = (process.env.PATH ?? '').split(delimiter)
const find = (names: readonly string[]): string | undefined =>
  names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
/** undefined: not installed. */
export const executable = find(names)
const firefox = find(['firefox-esr', 'firefox'])

/** The reason to skip a test that needs a browser; false when there is one, or when REQUIRE_SERVERS wants a failure. */
export const browserMissing: string | false =
  executable || process.env.REQUIRE_SERVERS === '1' ? false : 'Chromium is not installed here'

/** A browser that reaches this machine and nothing else: one for all pages of a test file. */
export const startBrowser = async (t: Teardown): Promise<Browser> => {
  if (!executable) throw new Error('Chromium is not installed here and REQUIRE_SERVERS=1')
  const browser = await puppeteer.launch({
    executablePath: executable,
    headless: basename(executable) === shell ? 'shell' : true,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  t.teardown(() => browser.close())
  return browser
}

/** The reason to skip a test in Firefox, as `browserMissing` for Chromium. */
export const firefoxMissing: string | false =
  firefox || process.env.REQUIRE_SERVERS === '1' ? false : 'Firefox is not installed here'

/** Firefox without windows and motion. @param downloads the folder that it saves files in */
export const startFirefox = async (t: Teardown, downloads: string): Promise<Browser> => {
  if (!firefox) throw new Error('Firefox is not installed here and REQUIRE_SERVERS=1')
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox,
    extraPrefsFirefox: {
      'ui.prefersReducedMotion': 1,
      'intl.accept_languages': 'en',
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
    },
  })
  t.teardown(() => browser.close())
  return browser
}

/** The part of tap's test that a page needs. */
interface PageTest extends Teardown {
  /** Fails the test, also when it has ended; what else is to be cleaned up still is. */
  threw(error: unknown): unknown
}

export interface PageOptions {
  url: string
  /** What the browser asks for and formats in. */
  language?: 'en' | 'zh-CN'
  /** What the system prefers. */
  theme?: 'light' | 'dark'
  /** In CSS pixels. */
  width?: number
  height?: number
  /** Of the host of `url`. */
  cookies?: Readonly<Record<string, string>>
  /** Complaints that the page is known to make. */
  expected?: readonly RegExp[]
  /** Whether what it shows when it is left or closed is held against axe, too. */
  axe?: boolean
}

export interface OpenPage {
  page: Page
  /** The addresses that the page has asked for, its own included; not the icon that a browser asks for by itself. */
  requests: string[]
  /**
   * Everything that is wrong with the page so far: errors and warnings on its console, uncaught errors, dialogs, what the
   * content security policy refused, requests to another host, and, with `axe`, what people cannot use.
   */
  complaints: string[]
}

/**
 * Opens an address in a profile of its own, without motion and in UTC, and resolves when the page has loaded. The test
 * fails at its end when the page has complained of anything that is not expected.
 */
export const openPage = async (t: PageTest, browser: Browser, options: PageOptions): Promise<OpenPage> => {
  const { url, cookies = {}, expected = [], axe = false } = options
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const devtools = await page.createCDPSession()
  const opened: OpenPage = { page, requests: [], complaints: [] }
  if (axe) examineWhenLeft(opened)
  t.teardown(async () => {
    // What the page has said until now is known after its answer.
    if (!page.isClosed()) await page.evaluate('0')
    if (!page.isClosed()) await page.close()
    await context.close()
    const unexpected = opened.complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)))
    if (unexpected.length > 0) t.threw(new Error(`${url} complained:\n${unexpected.join('\n')}`))
  })
  await listen(opened, devtools, url)
  await emulate(page, devtools, { agent: await browser.userAgent(), ...options })
  await context.setCookie(
    ...Object.entries(cookies).map(([name, value]) => ({ name, value, domain: new URL(url).hostname })),
  )
  await page.goto(url)
  return opened
}

/** What this process has examined: axe takes longer than most of what a test does. */
const examined = new Set<string>()

/** Which page is shown, and in what state: its tab, what is open above it, whether it says what failed. */
const state = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)].map((each) => each.innerText.replaceAll(/\\d+/g, '0'))
  return JSON.stringify([
    document.documentElement.lang,
    location.pathname.replaceAll(/\\d+/g, '0'),
    all('h1'),
    all('[role=dialog] h2'),
    all('[role=tab][aria-selected=true]'),
    all('[role=alert]').length > 0,
    all('[aria-invalid=true]').length > 0,
  ])
})()`

/** Before another document takes its place, or nothing does. */
const examineWhenLeft = ({ page, complaints }: OpenPage): void => {
  const examine = async (): Promise<void> => {
    if (!page.url().startsWith('http')) return
    const shown = String(await page.evaluate(state))
    if (examined.has(shown)) return
    examined.add(shown)
    for (const { rule, elements } of await axeFindings(page)) {
      complaints.push(`axe, ${rule}, at ${page.url()}: ${elements.join('; ')}`)
    }
  }
  const { goto, reload, close } = page
  Object.assign(page, {
    goto: async (...args: Parameters<typeof goto>) => {
      await examine()
      return goto.apply(page, args)
    },
    reload: async (...args: Parameters<typeof reload>) => {
      await examine()
      return reload.apply(page, args)
    },
    close: async (...args: Parameters<typeof close>) => {
      await examine()
      return close.apply(page, args)
    },
  })
}

const isIcon = (url: string): boolean => URL.canParse(url) && new URL(url).pathname === '/favicon.ico'

/** What is closed before it has been shown has nothing to focus; Mantine looks a moment later, and says so. */
const closedAtOnce = /use-focus-trap\] Failed to find focusable element/

const listen = async ({ page, requests, complaints }: OpenPage, devtools: CDPSession, url: string): Promise<void> => {
  const { host } = new URL(url)
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (isIcon(asked.href)) return
    requests.push(asked.href)
    if (/^(http|ws)s?:$/.test(asked.protocol) && asked.host !== host) {
      complaints.push(`request to another host: ${asked.href}`)
    }
  })
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warn') return
    if (closedAtOnce.test(message.text())) return
    const { url: at = '' } = message.location()
    if (!isIcon(at)) complaints.push(`${message.type()}: ${message.text()} (${at})`)
  })
  page.on('pageerror', (error) => void complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  devtools.on('Audits.issueAdded', ({ issue }) => {
    const refused = issue.details.contentSecurityPolicyIssueDetails
    if (refused === undefined) return
    const { url: file = '', lineNumber = '' } = refused.sourceCodeLocation ?? {}
    complaints.push(`${refused.violatedDirective} refuses ${refused.blockedURL ?? 'inline'} (${file}:${lineNumber})`)
  })
  await devtools.send('Audits.enable')
}

const emulate = async (
  page: Page,
  devtools: CDPSession,
  { agent, language = 'en', theme = 'light', width = 1280, height = 900 }: PageOptions & { agent: string },
): Promise<void> => {
  await page.setViewport({ width, height })
  await page.emulateTimezone('UTC')
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ])
  await devtools.send('Emulation.setUserAgentOverride', { userAgent: agent, acceptLanguage: language })
  await devtools.send('Emulation.setLocaleOverride', { locale: language })
}
