import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { parseConfig } from '../../src/config/config.ts'
import { me } from '../../src/console/locales/en/me.ts'
import { en } from '../../src/console/locales/en.ts'
import type { Database } from '../../src/db/client.ts'
import { openSteward } from '../../src/main/steward.ts'
import { openLog } from '../../src/runtime/log.ts'
import { axeFindings } from '../axe.ts'
import { browserMissing, openPage, startBrowser } from '../browser.ts'
import { testDatabase } from '../database.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'
import { byName, codeOf, fill, press, refusals, sees, shownSecret, signInOn } from './service.ts'

const newPassword = 'a long one of my own'

/** An installation that is started anew with other settings, on its records and at its address. */
const openInstallation = async (t: Test) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-data-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const database = await testDatabase(t)
  const log = openLog('silent')
  const open = async (): Promise<Database> => ({ ...database, close: async () => {} })
  let running: Awaited<ReturnType<typeof openSteward>> | null = null
  t.teardown(() => running?.close())
  let port = 0
  const start = async (env: Record<string, string>): Promise<string> => {
    await running?.close()
    const config = parseConfig({ DATA_DIR: dataDir, PORT: '0', TIME_ZONE: 'UTC', ...env })
    running = await openSteward({ config, log, open })
    const url = await running.app.listen({ host: '127.0.0.1', port })
    port = Number(new URL(url).port)
    return url
  }
  return { start }
}

const changePassword = async (page: Page): Promise<void> => {
  await press(page, 'Do it: Change your own password', 'link')
  await fill(page, en.fields.oldPassword, adminPassword)
  await fill(page, en.fields.newPassword, newPassword)
  await press(page, me.password.submit)
  await sees(page, me.password.done)
}

const setUpFactor = async (page: Page): Promise<void> => {
  const { enrolment } = en.signIn
  await press(page, 'Do it: Set up a second factor for every administrator', 'link')
  await press(page, me.secondFactor.setUp)
  await fill(page, en.fields.oldPassword, newPassword)
  await press(page, en.actions.next)
  await fill(page, enrolment.code, codeOf(await shownSecret(page)))
  await press(page, enrolment.submit)
  await sees(page, enrolment.codesTitle)
  await byName(page, 'checkbox', enrolment.kept).click()
  await press(page, enrolment.done)
  await sees(page, me.secondFactor.on)
}

const backUp = async (page: Page): Promise<void> => {
  await press(page, 'Back up now')
  await sees(page, 'Verified')
}

const settingSteps = [
  ['Encrypt backups', 'BACKUP_KEY'],
  ['Set up mail', 'SMTP_URL'],
  ['Use a directory of your own', 'LDAP_URL'],
  ['Set up https', 'TRUST_PROXY'],
] as const

/** The lines that the page offers to paste for a step that is a setting. The service that runs has not got it. */
const settingsOf = async (t: Test, page: Page, title: string, setting: string): Promise<Record<string, string>> => {
  await press(page, `Show how: ${title}`)
  const code = await page.waitForSelector(`[role=dialog] [aria-label="Setting ${setting}"]`)
  const lines = (await code?.evaluate((each) => each.textContent))?.split('\n') ?? []
  t.match(lines[0], new RegExp(`^${setting}=.`))
  await press(page, 'Look again')
  await sees(page, 'The service does not have the setting yet.')
  t.strictSame(await axeFindings(page), [], `${title}: axe`)
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2)))
}

const scoreOn = async (page: Page): Promise<number> => {
  await press(page, 'Security', 'link')
  await press(page, 'Check now')
  await sees(page, /The check gives \d+ points/)
  return Number(/The check gives (\d+) points/.exec(await page.evaluate(() => document.body.innerText))?.[1])
}

t.test(
  'the first hour: what the home page asks for, until the score is 90',
  { skip: browserMissing || skipWithoutSlapd },
  async (t) => {
    const { start } = await openInstallation(t)
    const url = await start({ ADMIN_PASSWORD: adminPassword, EMBEDDED_LDAP_PORT: '0' })
    const browser = await startBrowser(t)
    const expected = [
      refusals,
      /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|status of 503/,
    ]
    const { page } = await openPage(t, browser, { url: `${url}/console`, expected, axe: true })
    const home = async (): Promise<void> => {
      await press(page, 'Home', 'link')
      await sees(page, 'First steps')
    }
    await signInOn(page, 'admin', adminPassword)
    await sees(page, 'First steps')
    const before = await scoreOn(page)
    await home()
    await changePassword(page)
    await home()
    await setUpFactor(page)
    await home()
    const shown: Record<string, string> = {}
    for (const [title, setting] of settingSteps) Object.assign(shown, await settingsOf(t, page, title, setting))

    const organisation = generateOrganisation({ seed: 7, people: 40, departments: 6, depth: 3 })
    const { env } = await startCloud(t, 'exta', organisation)
    await press(page, 'Show how: Encrypt backups')
    await start({
      ...env,
      ...directorySettings(await testSlapd(t)),
      BACKUP_KEY: shown.BACKUP_KEY ?? '',
      SMTP_URL: 'smtps://127.0.0.1:1',
      MAIL_FROM: shown.MAIL_FROM ?? '',
      TRUST_PROXY: shown.TRUST_PROXY ?? '',
      DRIFT_INTERVAL: '2s',
    })
    await press(page, 'Look again')
    await sees(page, 'Encrypt backups: the service has the setting.')
    await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
    await page.reload()
    await sees(page, 'Make a first backup')
    await press(page, 'Do it: Make a first backup', 'link')
    await backUp(page)
    await home()
    await press(page, 'Do it: Connect a source', 'link')
    await press(page, 'Run: ExtA, Departments')
    await sees(page, /ExtA · Departments[\s\S]*Done[\s\S]*Compared/)
    await press(page, 'Sources', 'link')
    await press(page, 'Run: ExtA, People')
    await sees(page, /ExtA · People[\s\S]*Done[\s\S]*Compared/)
    await press(page, 'Directory', 'link')
    await sees(page, 'Equal to the records')
    const after = await scoreOn(page)
    t.ok(after >= 90, `from ${before} to ${after} points`)
    t.ok(before < after)
    await press(page, 'Home', 'link')
    await sees(page, 'Last backup')
    // Nothing is left.
    await page.waitForFunction(() => !document.body.innerText.includes('First steps'))
  },
)
