import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { readTextFile } from '../../src/files/text-file.ts'

const pipe = (folder: string): string => {
  const file = join(folder, 'pipe')
  execFileSync('mkfifo', [file])
  return file
}

const skip = process.platform === 'win32' && 'there are no named pipes'

t.test('a pipe is read to its end, however late and slowly it is written', { skip }, async (t) => {
  const file = pipe(t.testdir())
  const writer = spawn('sh', ['-c', 'sleep 0.3; exec > "$0"; sleep 0.1; printf one; sleep 0.3; printf two', file])
  t.equal(readTextFile(file), 'onetwo')
  await once(writer, 'close')
})

t.test('a pipe that nothing is written to is an error', { skip }, async (t) => {
  t.throws(() => readTextFile(pipe(t.testdir()), 200), /pipe is a pipe, and nothing was written to it for 0.2 s$/)
})

t.test('a pipe that a program keeps open is an error', { skip }, async (t) => {
  const file = pipe(t.testdir())
  const writer = spawn('sh', ['-c', 'exec > "$0"; printf secret; exec sleep 60', file])
  t.teardown(() => writer.kill())
  t.throws(() => readTextFile(file, 1000), /pipe is a pipe, and a program keeps it open for 1 s$/)
})
