import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { browserMissing, openPage, startBrowser } from '../browser.ts'
import { plainly } from '../built.ts'
import { copyTemplate } from '../database.ts'
import { press, sees, signInOn } from './service.ts'

/** `npm run demo` in a folder of its own; it ends with the test. */
const startDemo = async (t: Test): Promise<{ url: string; password: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-demo-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  await copyTemplate(join(folder, 'demo-data'))
  const script = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url))
  const child = spawn(process.execPath, [plainly, '--import', import.meta.resolve('tsx'), script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(async () => {
    if (child.exitCode === null && child.kill('SIGINT')) await once(child, 'exit')
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url, password] = /Open (\S+)\/console and sign in as admin with the password (.+)$/.exec(line) ?? []
    if (url !== undefined && password !== undefined) return { url, password }
  }
  throw new Error('the demo ended')
}

t.test('the demo opens on the console, which brings the three companies over', { skip: browserMissing }, async (t) => {
  const { url, password } = await startDemo(t)
  const browser = await startBrowser(t)
  const { page } = await openPage(t, browser, { url: `${url}/` })
  t.match(page.url(), /\/console/)
  await signInOn(page, 'admin', password)
  for (const source of ['ExtA', 'ExtB', 'ExtC']) {
    for (const kind of ['Departments', 'People']) {
      await press(page, 'Sources', 'link')
      await sees(page, /DingTalk[\s\S]*Feishu[\s\S]*WeCom/)
      await press(page, `Run: ${source}, ${kind}`)
      await sees(page, new RegExp(`${source} · ${kind}[\\s\\S]*Done[\\s\\S]*Compared`))
    }
  }
  await press(page, 'Sources', 'link')
  await page.waitForFunction(() => document.body.innerText.match(/^Connected$/gm)?.length === 3)
  await press(page, 'Home', 'link')
  for (const source of ['ExtA', 'ExtB', 'ExtC']) await sees(page, new RegExp(`${source}\\s+People\\s+Done`))
})
