import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'ldapts'
import t from 'tap'
import { openCompanies } from '../scripts/demo/companies.ts'
import { startFakeDingtalk } from '../scripts/fakes/dingtalk.ts'
import { built, plainly } from './built.ts'
import { caller } from './contract/call.ts'
import { copyTemplate } from './database.ts'
import { eventually } from './eventually.ts'

// What a newcomer does: starts the demo, presses sync, looks into the directory; and the command for the terminal.

const folder = await mkdtemp(join(tmpdir(), 'steward-demo-'))
const dataDir = join(folder, 'demo-data')
const script = fileURLToPath(new URL('../scripts/demo.ts', import.meta.url))
const demoScript = [plainly, '--import', import.meta.resolve('tsx'), script]

interface Ran {
  child: ChildProcess
  stdout: string
  stderr: string
  /** The exit code; null: it was killed. */
  ended: Promise<number | null>
}

/** As `npm run` starts it, but in a folder of the test's and without its environment. */
const run = (node: string[], { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {}): Ran => {
  const child = spawn(process.execPath, [...node, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ran: Ran = { child, stdout: '', stderr: '', ended }
  child.stdout.on('data', (chunk) => (ran.stdout += chunk))
  child.stderr.on('data', (chunk) => (ran.stderr += chunk))
  const killAtExit = (): void => void child.kill('SIGKILL')
  process.once('exit', killAtExit)
  ended.then(() => process.off('exit', killAtExit))
  return ran
}

/** Waits until a process has printed this: a process that starts may take any time on a busy machine. */
const printed = (ran: Ran, what: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const found = what.exec(ran.stdout + ran.stderr)
      if (found !== null) resolve(found)
    }
    ran.child.stdout?.on('data', look)
    ran.child.stderr?.on('data', look)
    look()
    ran.ended.then(() => reject(new Error(`${what} was not printed: ${ran.stdout}${ran.stderr}`)))
  })

t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

t.test('the demo', async (t) => {
  await copyTemplate(dataDir)
  const demo = run(demoScript)
  const [, url = ''] = await printed(demo, /Steward listens on (\S+)/)
  const [, password = ''] = await printed(demo, /as admin with the password (.*)$/m)
  const [, ldapUrl = '', bindDn = '', bindPassword = ''] = await printed(demo, /-H (\S+) -D (\S+) -w (\S+)/)
  const [, base = '', filter = ''] = await printed(demo, /-b (\S+) '(\S+)'/)
  const call = caller(url)
  const { token } = (await call('login', { body: { username: 'admin', password } })).data
  const all = [
    ...(['syncExtADepts', 'syncExtAUsers', 'syncExtBDepts', 'syncExtBUsers'] as const),
    ...(['syncExtCDepts', 'syncExtCUsers'] as const),
  ]
  /** The report of a run when it has ended, which may be after its response. */
  const take = async (id: (typeof all)[number]) => {
    const { runId } = (await call(id, { token })).data
    for (;;) {
      const { data } = await call('getRun', { token, params: { id: runId } })
      if (data.state !== 'running') return data
      await delay(100)
    }
  }

  await t.test('brings three organisations into the directory', async (t) => {
    let people = 0
    for (const id of all) {
      const report = await take(id)
      t.match(report, { state: 'done', failed: 0, skipped: 0, problems: { length: 0 } }, id)
      t.ok(report.added > 8 && report.added === report.total, id)
      if (report.kind === 'users') people += report.added
    }
    const client = new Client({ url: ldapUrl })
    t.teardown(() => client.unbind())
    await client.bind(bindDn, bindPassword)
    // The directory follows a run.
    const { searchEntries } = await eventually(async () => {
      const found = await client.search(base, { filter })
      return found.searchEntries.length > people && found
    }, 'entries of all people')
    t.equal(searchEntries.length, people + 1, 'every person, and the administrator')
    const [first] = (await call('listUsers', { token, query: { mail: '@lanqiao.example', pageSize: 1 } })).data.users
    t.match(
      searchEntries.find(({ uid }) => uid === first?.username),
      { cn: first?.nickname, mail: first?.mail },
    )
  })

  await t.test('finds nothing to do a second time', async (t) => {
    for (const id of all) {
      const { total, unchanged, state } = await take(id)
      t.same({ unchanged, state }, { unchanged: total, state: 'done' }, id)
    }
  })

  await t.test('lets a day pass when Enter is pressed', async (t) => {
    demo.child.stdin?.write('\n')
    await printed(demo, /It is day 1: /)
    const reports = []
    for (const id of all) reports.push(await take(id))
    t.ok(reports.every(({ state, failed, problems }) => state === 'done' && failed === 0 && problems.length === 0))
    t.ok(reports.some(({ added, updated, moved, disabled }) => added + updated + moved + disabled > 3))
  })

  await t.test('has its database for itself', async (t) => {
    const env = { DATA_DIR: dataDir, EXTA_APP_KEY: 'key', EXTA_APP_SECRET: 'secret' }
    const sync = run(built('commands/sync'), { args: ['exta'], env })
    t.equal(await sync.ended, 2)
    t.match(sync.stderr, /DATA_DIR: the service that runs on .* has the embedded database .* \/docs, or stop it first/)
    t.match(await call('ping'), { code: 0 })
  })

  await t.test('ends by Ctrl-C', async (t) => {
    demo.child.kill('SIGINT')
    t.equal(await demo.ended, 0, demo.stderr)
    t.equal(demo.stderr, '')
  })
})

t.test('npm run sync', async (t) => {
  const [company] = openCompanies(2)
  const cloud = await startFakeDingtalk({ organisation: company.organisation })
  t.teardown(() => cloud.close())
  const { appKey = '', appSecret = '' } = cloud.credentials
  const env = {
    DATA_DIR: dataDir,
    EMBEDDED_LDAP_PORT: '0',
    EXTA_APP_KEY: appKey,
    EXTA_APP_SECRET: appSecret,
    EXTA_URL: cloud.url,
    EXTA_API_URL: cloud.url,
  }
  const sync = async (...args: string[]) => {
    const ran = run(built('commands/sync'), { args, env })
    return { code: await ran.ended, stdout: ran.stdout, stderr: ran.stderr }
  }

  await t.test('says how it is called', async (t) => {
    const wrong = [[], ['extd'], ['exta', 'all'], ['exta', '--force']]
    const replies = await Promise.all(wrong.map((args) => sync(...args)))
    for (const { code, stderr, stdout } of replies) {
      t.equal(code, 2)
      t.match(stderr, /^Usage: npm run sync -- <source>/m)
      t.equal(stdout, '')
    }
    t.match(await sync('--help'), { code: 0, stdout: /^Usage: / })
  })

  await t.test('names the settings that are missing', async (t) => {
    t.match(await sync('extb'), {
      code: 2,
      stderr: /extb is not configured \(feishu\): set EXTB_APP_ID, EXTB_APP_SECRET/,
    })
  })

  await t.test('shows a plan without carrying it out, and then carries it out', async (t) => {
    const planned = await sync('exta', '--dry-run')
    t.equal(planned.code, 0, planned.stderr)
    t.match(planned.stdout, /^What would be done: people\nAction +Name +What changes\n/m)
    t.match(planned.stdout, /^(add|update|move|disable|enable) +\S+ /m)
    t.match(planned.stderr, /^departments: \w+$/m)
    const figures = /people +planned +(\d+ +\d+ +\d+ +\d+ +\d+ +\d+ +\d+ +\d+)/.exec(planned.stdout)?.[1]
    t.type(figures, 'string')

    const done = await sync('exta')
    t.equal(done.code, 0, done.stderr)
    t.match(done.stdout, /^ *run +of +state +total +added .*\n *\d+ +departments +done .*\n *\d+ +people +done /m)
    t.equal(/people +done +(\d+ +\d+ +\d+ +\d+ +\d+ +\d+ +\d+ +\d+)/.exec(done.stdout)?.[1], figures)
  })

  await t.test('says why a plan is held, and how to confirm it', async (t) => {
    const { departments, people } = company.organisation
    cloud.organisation = { departments, people: people.slice(0, 10) }
    const held = await sync('exta', 'users')
    t.equal(held.code, 3, held.stderr)
    t.match(held.stdout, /^disable +\S+ +status 1 → 2$/m)
    t.match(held.stdout, /^… and \d\d more; --all prints them$/m)
    t.match(held.stdout, /^ {2}It would disable \d\d of \d\d people: the limit is 20 \(SYNC_MAX_REMOVALS\)$/m)
    t.match(held.stdout, /runs\/\d+\/confirm {3}\{"planHash": "[0-9a-f]{64}"}/)
    const planned = await sync('exta', 'users', '--dry-run', '--all')
    t.equal(planned.code, 3, planned.stderr)
    t.match(planned.stdout, /^This plan would be held/m)
    t.ok((planned.stdout.match(/^disable /gm) ?? []).length > 60)
  })

  await t.test('ends a run by Ctrl-C', async (t) => {
    cloud.faults = [{ kind: 'slow', delay: 20_000 }]
    const stopped = run(built('commands/sync'), { args: ['exta'], env })
    await printed(stopped, /departments: starting/)
    stopped.child.kill('SIGINT')
    t.equal(await stopped.ended, 1)
    t.match(stopped.stdout, /departments +failed/)
    t.match(stopped.stdout, /^Not begun: people$/m)
    t.match(stopped.stdout, /the service was stopped/)
  })

  await t.test('tells what is wrong with a source', async (t) => {
    env.EXTA_APP_SECRET = 'a secret of another app'
    const failed = await sync('exta', 'groups')
    t.equal(failed.code, 1)
    t.match(
      failed.stdout,
      /^reading: DingTalk .*invalidClientIdOrSecret.*\n {2}→ Check the app key and the app secret/m,
    )
    t.notMatch(failed.stdout + failed.stderr, /a secret of another app/)
  })
})
