import { type DestinationStream, pino } from 'pino'
import { openLogOutput } from './log-output.ts'

/** The part of pino's logger (and so of Fastify's) that the service uses. The object comes first, the message last. */
export interface Logger {
  debug: LogLine
  info: LogLine
  warn: LogLine
  error: LogLine
}

interface LogLine {
  (message: string): void
  (details: object, message: string): void
}

/** Adds these details to every line. */
export const withDetails = (log: Logger, added: object): Logger => {
  const adding =
    (level: keyof Logger): LogLine =>
    (details: string | object, message?: string): void =>
      typeof details === 'string' ? log[level](added, details) : log[level]({ ...details, ...added }, message ?? '')
  return { debug: adding('debug'), info: adding('info'), warn: adding('warn'), error: adding('error') }
}

/** Writes nothing. */
export const noLog: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** An error in the log: its kind and place, without the values of a failed statement. */
export interface ErrorRecord {
  type: string
  message: string
  code?: string
  stack: string[]
  cause?: ErrorRecord
}

/** Drizzle writes the parameters of a failed query into the message; they may be secret, such as a password's hash. */
const withoutParameters = (message: string): string => message.replace(/\nparams: [\s\S]*$/, '')

export const errorRecord = (error: unknown, depth = 0): ErrorRecord => {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no Error was thrown', stack: [] }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: withoutParameters(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .map((line) => line.trim()),
    ...(error.cause !== undefined && depth < 4 ? { cause: errorRecord(error.cause, depth + 1) } : {}),
  }
}

/**
 * The log of a process: JSON lines, by default on standard output. An error under the key `err`, as Fastify uses it,
 * becomes an ErrorRecord.
 */
export const openLog = (level: string, to: DestinationStream = openLogOutput()) =>
  pino({ level, base: null, serializers: { err: (error: unknown) => errorRecord(error) } }, to)
