import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { cpuSeconds } from './cpu.ts'
import { takeFiles } from './queue.ts'
import { enter } from './scopes.ts'

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
    const result = await t.test(file, { timeout: limit * 1000 }, async (scope) => {
      enter(url, scope)
      await import(url)
    })
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
