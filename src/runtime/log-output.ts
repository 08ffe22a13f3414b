import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { codeOf } from '../failures/caught-error.ts'

export interface LogOutput {
  /** Takes a line with its end, and writes it after this turn of the event loop. It never throws and never waits. */
  write(line: string): void
}

export interface LogOutputOptions {
  /** Default: standard output. */
  fd?: number
  /** Bytes of lines that wait while they cannot be written; further ones are dropped and counted. Default: 1 MiB. */
  max?: number
}

const defaultMax = 1_048_576
/**
 * Milliseconds until lines that wait are tried again, at first and at most. A reader takes what is in a pipe, 64 KiB, within one: one
 * that was slow for a moment would otherwise get too little from then on, and lines would be lost for as long as there are many.
 */
const pauses = { first: 2, last: 200 }
/** Milliseconds in which a process that ends offers its reader what still waits: since it has last taken some, and in all. */
const exitTimeout = { idle: 500, all: 2500 }

/** Failures that do not end: no one will ever read what is written there. */
const final: ReadonlySet<unknown> = new Set(['EPIPE', 'EBADF'])

/**
 * Where the log goes. Lines that cannot be written just now, because the disk is full or the program that reads them has
 * stopped reading, wait in memory: a log that no one takes must not stop those who sign in. pino's own output ends the
 * process at a full disk, waits at its end until there is space again, and keeps without limit what a pipe does not take.
 */
export const openLogOutput = ({ fd = 1, max = defaultMax }: LogOutputOptions = {}): LogOutput => {
  const target = withoutWaiting(fd)
  let lines: string[] = []
  /** What an attempt has left. */
  let rest = Buffer.alloc(0)
  let size = 0
  let dropped = 0
  let ended = false
  let isScheduled = false
  let pause = pauses.first

  const keep = (line: string): void => {
    const bytes = Buffer.byteLength(line)
    if (size + bytes > max) {
      dropped += 1
      return
    }
    lines.push(line)
    size += bytes
  }

  /** Throws where not all of it was written. */
  const writeAll = (): void => {
    rest = Buffer.concat([rest, Buffer.from(lines.join(''))])
    lines = []
    while (rest.length > 0) {
      rest = rest.subarray(writeSync(target, rest))
      size = rest.length
      pause = pauses.first
    }
  }

  const flush = (): void => {
    isScheduled = false
    try {
      writeAll()
      if (dropped > 0) {
        keep(lostLines(dropped))
        dropped = 0
        writeAll()
      }
    } catch (error) {
      ended = final.has(codeOf(error))
      // A process that has nothing else to do does not wait for it.
      if (ended) return
      schedule(() => setTimeout(flush, pause).unref())
      pause = Math.min(2 * pause, pauses.last)
    }
  }

  const flushAtExit = (): void => {
    const began = performance.now()
    let takenAt = began
    flush()
    while (!ended && size > 0) {
      const now = performance.now()
      if (now > takenAt + exitTimeout.idle || now > began + exitTimeout.all) return
      Atomics.wait(clock, 0, 0, pauses.first)
      const before = size
      flush()
      if (size < before) takenAt = now
    }
  }

  const schedule = (timer: () => unknown): void => {
    if (isScheduled) return
    isScheduled = true
    timer()
  }

  process.on('exit', flushAtExit)
  return {
    write(line) {
      if (ended) return
      keep(line)
      // The lines of one turn of the event loop are one write.
      schedule(() => setImmediate(flush))
    },
  }
}

/** Never changes: to wait for it is to let time pass. */
const clock = new Int32Array(new SharedArrayBuffer(4))

const lostLines = (count: number): string =>
  `${JSON.stringify({ level: 40, time: Date.now(), lines: count, msg: 'lines of the log are lost: they could not be written' })}\n`

/**
 * A descriptor for the same pipe that never waits: a pipe whose reader has stopped reading would stop the service. It is
 * another descriptor, because what is set for this one also holds for the programs that have it from the same parent. Files do not
 * wait; of other kinds (a socket, a system without /proc) the descriptor itself is used.
 */
const withoutWaiting = (fd: number): number => {
  try {
    if (!fstatSync(fd).isFIFO()) return fd
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return fd
  }
}
