import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'

/**
 * `npm run pictures`: the pictures of docs/, in both languages, from the demo after a day on which DingTalk stopped showing
 * people. Chromium must be installed.
 *
 *     npm run pictures -- [--folder docs/pictures] [--theme light] [--width 1280] [--only people,diet]
 */
const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: 'docs/pictures' },
    theme: { type: 'string', default: 'light' },
    width: { type: 'string', default: '1280' },
    only: { type: 'string', default: '' },
    browser: { type: 'string', default: '/usr/bin/chromium' },
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

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-pictures-'))
  const demo = await startDemo(folder)
  const browser = await puppeteer.launch({
    executablePath: options.browser,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const { heldRun, role } = await fill(demo)
    const wanted = options.only.split(',').filter((name) => name !== '')
    const chosen = places(heldRun, role).filter(([name]) => wanted.length === 0 || wanted.includes(name))
    for (const language of languages) await take(browser, demo, language, chosen)
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

const take = async (
  browser: Browser,
  { url, password }: Demo,
  language: (typeof languages)[number],
  chosen: readonly Place[],
): Promise<void> => {
  const folder = resolve(options.folder, language)
  mkdirSync(folder, { recursive: true })
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
  for (const [name, address] of chosen) {
    await page.goto(`${url}/console${address}`)
    await page.waitForSelector('main h1')
    await settled(page)
    await page.screenshot({ path: join(folder, `${name}.webp`), type: 'webp', quality: 80 })
    process.stdout.write(`${language} ${name}\n`)
  }
  await context.close()
}

/** Waits until nothing is loaded or drawn any more; streams of progress stay open. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForNetworkIdle({ idleTime: 400, concurrency: 2 })
  await page.waitForFunction(`document.querySelector('[aria-busy=true], .mantine-Skeleton-root') === null`)
}

await main()
