import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sampleOf } from '../test/nightly.ts'
import { makeQueue, notPassed } from '../test/workers/queue.ts'

// npm test [-- FILE … | OPTION …]: the test files given, or all of them but most of the seldom ones, by three processes of
// tap that take one file after another. Options are tap's. `npx tap FILE` runs a file in a process of its own. With
// TEST_FAILED=<file> the paths of the test files that did not pass are written there, a line each.

/**
 * What takes a minute or more, and what starts most processes: it begins first, so that at the end no processor is idle
 * for long.
 */
const longest = [
  // It measures its process, whose heap is small as long as no other file has run in it.
  'test/ldap-server/hardening',
  'test/audit/log-hardening',
  'test/fuzz',
  'test/mirror/reconciler.',
  'test/faults/',
  'test/sync/platforms',
  'test/demo',
  'test/db/embedded',
  'test/console/',
  'test/backups/',
  'test/alerts/',
  'test/mirror/',
  'test/sync/',
]

/** What takes longest, most of it because it ends and starts processes many times: three of these a day, and all by night. */
const seldom = [
  'backups/restore-command',
  'console/faults',
  'db/embedded',
  'faults/backups',
  'faults/instances',
  'faults/large-lists',
  'faults/restarts',
  'faults/sync',
  'faults/sync-kills',
].map((name) => `test/${name}.test.ts`)

/** More do not make it faster on two processors, and each waits longer for its turn. */
const workerNames = ['1', '2', '3']

const allFiles = (): string[] => {
  const comment = (...text: string[]): void => console.log(`# ${text.join(' ')}`)
  const left = new Set(seldom)
  for (const file of sampleOf({ comment }, 'seldom files', seldom, 3)) left.delete(file)
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .filter((file) => !left.has(file))
    .sort()
  const rank = (file: string): number => {
    const found = longest.findIndex((start) => file.startsWith(start))
    return found < 0 ? longest.length : found
  }
  return files.sort((a, b) => rank(a) - rank(b))
}

const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('-'))
const named = given.filter((argument) => !argument.startsWith('-'))
const files = named.length > 0 ? named : allFiles()

const queue = makeQueue(files)
const workers = workerNames.slice(0, files.length).map((name) => `test/workers/${name}.ts`)
const { status } = spawnSync('tap', ['--timeout=28800', ...options, ...workers], {
  stdio: 'inherit',
  env: { ...process.env, TEST_QUEUE: queue, TEST_FILE_TIMEOUT: process.env.TAP_TIMEOUT ?? '600' },
})
const failed = notPassed(queue)
rmSync(queue, { recursive: true, force: true })
for (const file of failed) {
  console.log(`failed: ${file}`)
  if (process.env.TEST_FAILED !== undefined) appendFileSync(process.env.TEST_FAILED, `${file}\n`)
}
process.exitCode = failed.length > 0 ? 1 : (status ?? 1)
