import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { executable } from '../test/browser.ts'

/**
 * `npm run pictures`: the pictures of docs/, in both languages, from the demo after a day on which DingTalk stopped showing
 * people. Chromium must be installed, and a font for Chinese (`fonts-noto-cjk`).
 *
 *     npm run pictures -- [--folder docs/pictures] [--theme light] [--width 1280] [--only people,diet]
 */
const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: 'docs/pictures' },
    theme: { type: 'string', default: 'light' },
    width: { type: 'string', default: '1280' },
    only: { type: 'string', default: '' },
    browser: { type: 'string', default: executable ?? '/usr/bin/chromium' },
  },
})

const languages = ['en', 'zh-CN'] as const

type Place = readonly [name: string, address: string]

/** The pages, for a run that is held and a role. */
const places = (heldRun: number, role: number): Place[] => [
  ['home', '/'],
  ['people', '/people'],
  ['groups', '/groups'],
  ['roles', '/roles'],
  ['role', `/roles/${role}?tab=operations`],
  ['menus', '/menus'],
  ['apis', '/apis'],
  ['sources', '/sources'],
  ['laboratory', '/sources/extb'],
  ['runs', '/runs'],
  ['held-run', `/runs/${heldRun}`],
  ['directory', '/directory'],
  ['log', '/log'],
  ['backups', '/backups'],
  ['security', '/security'],
  ['alerts', '/security/alerts'],
  ['devices', '/security/devices'],
  ['diet', '/diet'],
  ['me', '/me'],
]

/** Those that need what an administrator with a second factor makes, which would change the pictures above. */
const laterPlaces = ({ person, group }: Later): Place[] => [
  ['attributes', '/attributes'],
  ['posix', `/groups?group=${group}&tab=posix`],
  ['hosts', `/people?person=${person}&tab=hosts`],
  ['service-accounts', '/service-accounts'],
  ['ssh-keys', '/me?tab=keys'],
]

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-pictures-'))
  // The browser first: it ends with this process, which the demo would outlive where there is no browser.
  const browser = await puppeteer.launch({
    executablePath: options.browser,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const demo = await startDemo(folder)
  try {
    const { heldRun, role } = await fill(demo)
    const wanted = options.only.split(',').filter((name) => name !== '')
    const chosen = (all: Place[]) => all.filter(([name]) => wanted.length === 0 || wanted.includes(name))
    const pages: [(typeof languages)[number], Page][] = []
    for (const language of languages) pages.push([language, await signIn(browser, demo, language)])
    for (const [language, page] of pages) await take(page, demo, language, chosen(places(heldRun, role)))
    const later = laterPlaces(await fillLater(demo))
    for (const [language, page] of pages) await take(page, demo, language, chosen(later))
  } finally {
    await browser.close()
    await demo.end()
    rmSync(folder, { recursive: true })
  }
}

interface Demo {
  url: string
  password: string
  /** Writes a line to its terminal, and waits until it says what happened. */
  tell(line: string): Promise<void>
  end(): Promise<void>
}

const startDemo = async (cwd: string): Promise<Demo> => {
  const script = fileURLToPath(new URL('demo.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script], {
    cwd,
    stdio: ['pipe', 'pipe'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('the demo ended')
      const match = pattern.exec(value)
      if (match !== null) return match
    }
  }
  const [, url = '', password = ''] = await nextLine(/Open (\S+)\/console and sign in as admin with the password (.+)$/)
  await nextLine(/^It is day/)
  return {
    url,
    password,
    async tell(line) {
      child.stdin.write(`${line}\n`)
      await nextLine(/people have joined|shows no one until/)
    },
    async end() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Brings the companies over, lets a day pass, and makes what the pictures show. */
const fill = async (demo: Demo): Promise<{ heldRun: number; role: number }> => {
  const { token } = await call(demo, '', 'POST', '/api/base/login', { username: 'admin', password: demo.password })
  const post = (path: string, body: unknown = {}) => call(demo, token, 'POST', path, body)
  const get = (path: string) => call(demo, token, 'GET', path)
  const sync = async (slot: string): Promise<void> => {
    await post(`/api/group/sync${slot}Depts`)
    await post(`/api/user/sync${slot}Users`)
  }
  for (const slot of ['ExtA', 'ExtB', 'ExtC']) await sync(slot)
  await demo.tell('')
  for (const slot of ['ExtA', 'ExtB', 'ExtC']) await sync(slot)
  await demo.tell('empty')
  await post('/api/user/syncExtAUsers')
  await post('/api/v1/security/backups', { type: 'manual' })
  await post('/api/v1/operations/devices', { name: 'Front door', type: 'sensor', location: 'Entrance' })
  await post('/api/v1/diet/plans', {
    date: new Date().toISOString().slice(0, 10),
    meals: [
      {
        time: '08:00',
        name: 'Breakfast',
        ingredients: [
          { name: 'egg', amount: '2 pieces' },
          { name: 'oats', amount: '60g' },
        ],
      },
      {
        time: '12:30',
        name: 'Lunch',
        ingredients: [
          { name: 'rice', amount: '150g' },
          { name: 'tofu', amount: '200g' },
        ],
      },
    ],
  })
  const { runs } = await get('/api/v1/operations/runs?state=held')
  const { roles } = await get('/api/role/list?keyword=user')
  return { heldRun: runs[0].runId, role: roles[0].id }
}

interface Later {
  /** Of a person with a POSIX account, and of their group. */
  person: number
  group: number
}

const key = (blob: string): string => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${blob.padEnd(43, 'A')}`

/** Sets up a second factor, and makes what needs one: attributes, service accounts, keys and a POSIX group. */
const fillLater = async (demo: Demo): Promise<Later> => {
  const { token } = await call(demo, '', 'POST', '/api/base/login', { username: 'admin', password: demo.password })
  const post = (path: string, body: unknown = {}) => call(demo, token, 'POST', `/api/v1/operations/${path}`, body)
  const get = (path: string) => call(demo, token, 'GET', `/api/v1/operations/${path}`)
  const { secret } = await post('second-factor/totp', { password: demo.password })
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const { recoveryCodes } = await post('second-factor/totp/confirm', { code })
  await post('step-up', { method: 'recovery', code: recoveryCodes[0] })
  const declare = (en: string, zh: string, more: object) => post('attributes', { labels: { en, 'zh-CN': zh }, ...more })
  await declare('Cost centre', '成本中心', { kind: 'user', name: 'costCentre', type: 'text', maximum: 8 })
  await declare('Start of contract', '合同开始日期', { kind: 'user', name: 'contractStart', type: 'date' })
  await declare('Keys handed out', '已发放钥匙', { kind: 'user', name: 'hasKeys', type: 'boolean', own: 'see' })
  await declare('Mail domains', '邮件域名', { kind: 'group', name: 'mailDomains', type: 'text', multiple: true })
  for (const [name, description] of [
    ['wiki', 'Wiki'],
    ['vpn', 'VPN gateway'],
  ])
    await post('service-accounts', { name, description, groups: true })
  const { people } = await get('people?source=exta&status=enabled&sort=name&limit=1')
  const { id: person } = people[0]
  const { groups } = await get(`people/${person}`)
  const { id: group } = groups[0]
  await post(`people/${person}/ssh-keys`, { name: 'Laptop', key: key('Lx') })
  await post('me/ssh-keys', { name: 'Laptop', key: key('Mv') })
  await post('me/ssh-keys', { name: 'Desk', key: key('Nw') })
  await call(demo, token, 'PUT', `/api/v1/operations/departments/${group}/posix`, { enabled: true })
  return { person, group }
}

// biome-ignore lint/suspicious/noExplicitAny: a script that reads a few fields of known answers
const call = async (demo: Demo, token: string, method: string, path: string, body?: unknown): Promise<any> => {
  const response = await fetch(`${demo.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const answer: any = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer.data
}

/** A page of the administrator, in a profile of its own. */
const signIn = async (
  browser: Browser,
  { url, password }: Demo,
  language: (typeof languages)[number],
): Promise<Page> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: Number(options.width), height: 800 })
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: options.theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ])
  await page.evaluateOnNewDocument(`localStorage.setItem('steward.language', '${language}')`)
  await page.goto(`${url}/console`)
  await page.waitForSelector('input[type=password]')
  await page.type('input[autocomplete=username]', 'admin')
  await page.type('input[type=password]', password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('nav a[href$="/people"]')
  return page
}

const take = async (
  page: Page,
  { url }: Demo,
  language: (typeof languages)[number],
  chosen: readonly Place[],
): Promise<void> => {
  const folder = resolve(options.folder, language)
  mkdirSync(folder, { recursive: true })
  for (const [name, address] of chosen) {
    await page.goto(`${url}/console${address}`)
    await page.waitForSelector('main h1')
    await settled(page)
    await page.screenshot({ path: join(folder, `${name}.webp`), type: 'webp', quality: 80 })
    process.stdout.write(`${language} ${name}\n`)
  }
}

/** Waits until nothing is loaded or drawn any more; streams of progress stay open. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForNetworkIdle({ idleTime: 400, concurrency: 2 })
  await page.waitForFunction(
    `document.querySelector('[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root') === null`,
  )
}

await main()
