import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { nightly } from '../nightly.ts'
import { cpuSeconds } from './cpu.ts'
import { takeFiles } from './queue.ts'
import { enter } from './scopes.ts'

/** Files may set a limit of their own, up to so many times the usual one. */
const longest = nightly ? 8 : 2

/** Milliseconds for what is closed after a test, for which tap has no limit, and for the process to end by itself. */
const timeout = 60_000

/** Ends the process at a time, and says what it waits for: without that it would wait for ever. */
const endLater = (milliseconds: number, what: string, code?: number): NodeJS.Timeout =>
  setTimeout(() => {
    process.stderr.write(`${what}; open: ${process.getActiveResourcesInfo().join(', ')}\n`)
    process.exit(code)
  }, milliseconds)

// A process for each file would cost three seconds of CPU a file: for the sources to load, and for a PostgreSQL.

/**
 * Runs one test file after another in this process until every file of the queue is taken. Each file has a test of its
 * own as what it imports as `tap`, so that what it opened is closed before the next one begins.
 * @param queue the queue's folder
 * @param limit seconds for a file that sets none itself
 */
const work = async (queue: string, limit: number): Promise<void> => {
  let count = 0
  for (const { file, pass } of takeFiles(queue)) {
    const begin = Date.now()
    const cpuBefore = cpuSeconds()
    const url = pathToFileURL(resolve(file)).href
    const stuck = endLater(limit * 1000 * longest + timeout, `${file} does not end`, 1)
    const result = await t.test(file, { timeout: limit * 1000 }, async (scope) => {
      enter(url, scope)
      await import(url)
    })
    clearTimeout(stuck)
    if (result?.ok) pass()
    const seconds = ((Date.now() - begin) / 1000).toFixed(1)
    const cpu = (cpuSeconds() - cpuBefore).toFixed(1)
    process.stderr.write(`${result?.ok ? 'passed' : 'FAILED'} ${file} (${seconds} s, CPU ${cpu} s)\n`)
    count += 1
  }
  // tap fails a process without a test.
  t.pass(`ran ${count} test files`)
}

const { TEST_QUEUE, TEST_FILE_TIMEOUT } = process.env
if (TEST_QUEUE === undefined) throw new Error('npm test starts the workers')
await work(TEST_QUEUE, Number(TEST_FILE_TIMEOUT))
// Only what a test has left open keeps the process alive from here on. Whether tests failed is known by now.
endLater(timeout, 'a process of test files does not end by itself').unref()
