/**
 * Simulates power cuts on the embedded database and counts what is missing afterwards.
 *
 *   sudo npx tsx scripts/power-cut.ts [runs]        10 runs by default
 *
 * Needs root, Linux, loop devices, mkfs.ext4 and 600 MB in the temporary folder. Each run makes an ext4 file system in a
 * file and mounts it; a process writes to a database there and says what was acknowledged; in the middle of that the
 * process is frozen and the file is copied, which has all that reached the "disk" and nothing of what the kernel still
 * held in memory. The copy is mounted, the database in it opened, and every acknowledged row looked up. Every third run
 * cuts the very first start. The last run is the control: without syncing it must lose rows, or the others prove nothing.
 * What this cannot show is a disk that lies about its own cache.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../src/db/client.ts'
import { facts } from '../src/db/schema.ts'
import type { Logger } from '../src/runtime/log.ts'

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

interface Result {
  cut: string
  acknowledged: number
  opened: string
  missing: number
}

const main = async (runs: number): Promise<void> => {
  if (process.getuid?.() !== 0) throw new Error('Needs root: it makes and mounts file systems')
  const results: Result[] = []
  for (let run = 1; run <= runs; run++) {
    results.push(run % 3 === 0 ? await cut({ durable: true, first: true }) : await cut({ durable: true, first: false }))
    console.log(`run ${run} of ${runs}`, results.at(-1))
  }
  const control = await cut({ durable: false, first: false })
  console.table([...results, { ...control, cut: `${control.cut}, control without sync` }])
  const lost = results.filter(({ opened, missing }) => opened !== 'yes' || missing > 0).length
  const blind = control.opened === 'yes' && control.missing === 0
  console.log(lost === 0 ? 'Nothing acknowledged was lost.' : `${lost} of ${runs} runs lost something.`)
  if (blind) console.log('But the control lost nothing either: the cut came too late to prove anything.')
  process.exitCode = lost > 0 || blind ? 1 : 0
}

const cut = async ({ durable, first }: { durable: boolean; first: boolean }): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-power-cut-'))
  const [disk, copy, before, after] = ['disk', 'copy', 'before', 'after'].map((name) => join(folder, name)) as Paths
  execFileSync('truncate', ['-s', '300M', disk])
  execFileSync('mkfs.ext4', ['-q', '-F', disk])
  const undo = [() => rmSync(folder, { recursive: true, force: true })]
  const mount = (image: string, at: string): void => {
    mkdirSync(at)
    execFileSync('mount', ['-o', 'loop', image, at])
    undo.unshift(() => execFileSync('umount', [at]))
  }
  try {
    mount(disk, before)
    const writer = startWriter(join(before, 'data'), durable)
    if (!first) await writer.opened
    const pause = Math.round(first ? 500 + Math.random() * 4000 : 500 + Math.random() * 4000)
    await delay(pause)
    writer.child.kill('SIGSTOP')
    await delay(50) // what it had said before is still on its way through the pipe
    const acknowledged = [...writer.acknowledged]
    copyFileSync(disk, copy)
    writer.child.kill('SIGKILL')
    await once(writer.child, 'close')
    mount(copy, after)
    const found = await namesIn(join(after, 'data')).catch((error: Error) => error)
    return {
      cut: `${pause} ms after the ${first ? 'very first start began' : 'first write'}`,
      acknowledged: acknowledged.length,
      opened: found instanceof Error ? found.message.slice(0, 80) : 'yes',
      missing: found instanceof Error ? acknowledged.length : acknowledged.filter((name) => !found.has(name)).length,
    }
  } finally {
    for (const step of undo) step()
  }
}

type Paths = [disk: string, copy: string, before: string, after: string]

const startWriter = (dataDir: string, durable: boolean) => {
  const file = fileURLToPath(import.meta.url)
  const child = spawn(process.execPath, ['--import', 'tsx', file, 'write', dataDir, durable ? 'durable' : 'fast'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => line !== 'open' && acknowledged.push(line))
  return { child, acknowledged, opened: once(lines, 'line') }
}

/** The process that is cut off: single rows, pairs in a transaction, and a checkpoint now and then. */
const write = async (dataDir: string, durable: boolean): Promise<void> => {
  const { db } = await openDatabase({ url: null, dataDir, log: quiet, durable })
  process.stdout.write('open\n')
  for (let number = 0; ; number++) {
    const row = (kind: string) => ({ name: `${kind}${number}`, value: 'x'.repeat(200) })
    await db.insert(facts).values(row('single'))
    process.stdout.write(`single${number}\n`)
    await db.transaction(async (tx) => {
      await tx.insert(facts).values(row('first'))
      await tx.insert(facts).values(row('second'))
    })
    process.stdout.write(`first${number}\nsecond${number}\n`)
    if (Math.random() < 0.01) await db.execute('checkpoint')
  }
}

const namesIn = async (dataDir: string): Promise<Set<string>> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ url: null, dataDir, log: quiet })
  try {
    return new Set((await database.db.select({ name: facts.name }).from(facts)).map(({ name }) => name))
  } finally {
    await database.close()
  }
}

const [command = '10', dataDir = '', mode = ''] = process.argv.slice(2)
if (command === 'write') await write(dataDir, mode === 'durable')
else await main(Number(command))
