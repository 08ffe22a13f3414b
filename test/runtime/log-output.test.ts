import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openLog } from '../../src/runtime/log.ts'
import { openLogOutput } from '../../src/runtime/log-output.ts'

/** A pipe: what the log writes to, and its reader, which reads all that is in it, or goes. */
const pipe = (t: Test): { fd: number; read: () => string; hangUp: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-log-'))
  const place = join(folder, 'pipe')
  execFileSync('mkfifo', [place])
  const reader = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK)
  const fd = openSync(place, 'w')
  let gone = false
  const hangUp = (): void => {
    if (!gone) closeSync(reader)
    gone = true
  }
  t.teardown(() => {
    hangUp()
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
  const read = (): string => {
    const buffer = Buffer.alloc(1 << 20)
    let text = ''
    for (;;) {
      try {
        text += buffer.toString('utf8', 0, readSync(reader, buffer))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return text
        throw error
      }
    }
  }
  return { fd, read, hangUp }
}

const lineOf = (number: number): string => `${String(number).padStart(999, ' ')}\n`

t.test('lines whose reader has stopped reading wait, and arrive whole and in order', async (t) => {
  const { fd, read } = pipe(t)
  const output = openLogOutput({ fd })
  const numbers = Array.from({ length: 500 }, (_, number) => number)
  for (const number of numbers) output.write(lineOf(number))
  let text = ''
  for (let tries = 0; tries < 100 && text.length < 500_000; tries += 1) {
    text += read()
    await delay(50)
  }
  t.strictSame(text, numbers.map(lineOf).join(''))
})

t.test('those that would fill the memory are dropped and counted', async (t) => {
  const { fd, read } = pipe(t)
  const output = openLogOutput({ fd, max: 10_000 })
  for (let number = 0; number < 200; number += 1) output.write(lineOf(number))
  let text = ''
  for (let tries = 0; tries < 100 && !text.includes('lost'); tries += 1) {
    text += read()
    await delay(50)
  }
  const lines = text.trim().split('\n')
  const { lines: lost, msg } = JSON.parse(lines.at(-1) ?? '') as { lines: number; msg: string }
  t.equal(lines.length - 1 + lost, 200)
  t.match(msg, /lost/)
})

t.test('a reader that was slow for a moment gets the rest as fast as it reads', async (t) => {
  const { fd, read } = pipe(t)
  const output = openLogOutput({ fd })
  for (let number = 0; number < 900; number += 1) output.write(lineOf(number))
  await delay(50)
  const began = performance.now()
  let length = 0
  while (length < 900_000 && performance.now() - began < 10_000) {
    length += read().length
    await delay(2)
  }
  t.equal(length, 900_000)
  // With 64 KiB each 200 ms it takes 2.6 s.
  t.ok(performance.now() - began < 1500, `${Math.round(performance.now() - began)} ms`)
})

/**
 * What a reader gets of 900 lines of 1000 bytes, written by a process that ends at once. A shell makes a pipe, and Node.js a socket.
 * @param reader a script
 */
const readAtEnd = (reader: string): string => {
  const script = `
    import { openLogOutput } from './src/runtime/log-output.ts'
    const output = openLogOutput()
    for (let number = 0; number < 900; number += 1) output.write(String(number).padStart(999) + '\\n')
    process.exit()`
  const run = ['--import=./test/typescript.js', '--input-type=module', '--eval', script]
  return execFileSync('sh', ['-c', `"$@" | (${reader})`, 'sh', process.execPath, ...run], { encoding: 'utf8' })
}

t.test('a process that ends leaves its last lines to who reads', async (t) => {
  t.equal(readAtEnd('sleep 0.1; cat').split('\n').length, 901, 'who is late')
  // 64 KiB each 50 ms: all of it takes more than 700. A reader that starts a program first may be too late for all.
  const slowly = `
    while piece=$(dd bs=65536 count=1 2>/dev/null; echo .); [ "$piece" != . ]
    do printf %s "\${piece%.}"; sleep 0.05; done`
  t.equal(readAtEnd(slowly).split('\n').length, 901, 'who is slow')
})

t.test('a full disk ends nothing', { skip: !existsSync('/dev/full') && 'there is no /dev/full' }, async (t) => {
  const fd = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(fd))
  const log = openLog('info', openLogOutput({ fd }))
  t.doesNotThrow(() => log.info('a line'))
  await delay(500)
  t.doesNotThrow(() => log.info('one after the next attempt'))
})

t.test('nor does a reader that is gone', async (t) => {
  const { fd, hangUp } = pipe(t)
  const output = openLogOutput({ fd })
  hangUp()
  t.doesNotThrow(() => {
    for (let number = 0; number < 3; number += 1) output.write(lineOf(number))
  })
})
