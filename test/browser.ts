import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import type { Teardown } from './database.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const executable = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((file) => existsSync(file))

/** The reason to skip a test that needs a browser; false when there is one, or when REQUIRE_SERVERS wants a failure. */
export const browserMissing: string | false =
  executable || process.env.REQUIRE_SERVERS === '1' ? false : 'Chromium is not installed here'

/** A browser that reaches this machine and nothing else. */
export const startBrowser = async (t: Teardown): Promise<Browser> => {
  if (!executable) throw new Error('Chromium is not installed here and REQUIRE_SERVERS=1')
  const browser = await puppeteer.launch({
    executablePath: executable,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  t.teardown(() => browser.close())
  return browser
}

export interface Watched {
  page: Page
  /** What it asked for, without what comes with the page itself. */
  requests: string[]
  /** What it complained about. */
  complaints: string[]
}

/** Opens an address and notes down what the page does. */
export const watch = async (browser: Browser, url: string): Promise<Watched> => {
  const page = await browser.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => void requests.push(request.url()))
  page.on('console', (message) => void complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => void complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(url, { waitUntil: 'networkidle0' })
  return { page, requests, complaints }
}
