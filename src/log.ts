/** The part of pino's logger (and so of Fastify's) that the service uses. Objects come first, the sentence last. */
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
