import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type Options = Parameters<FastifyBaseLogger['child']>[1]
/** What Fastify's methods take: an object and a text, or a text. */
type Line = [first: unknown, text?: string, ...values: unknown[]]

/** Whether a line of this level may be written. Loggers without levels are assumed to write all. */
export const mayLog = (log: FastifyBaseLogger, level: string): boolean =>
  !('isLevelEnabled' in log) || typeof log.isLevelEnabled !== 'function' || log.isLevelEnabled(level) === true

/** A logger that is made when it first writes. */
class LazyLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  readonly #options: Options
  #made: FastifyBaseLogger | null = null

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get #logger(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings, this.#options)
    return this.#made
  }

  get level(): string {
    return this.#logger.level
  }

  /** As pino has it. */
  isLevelEnabled(level: string): boolean {
    return mayLog(this.#parent, level)
  }

  child(bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.#logger.child(bindings, options)
  }

  fatal(...line: Line): void {
    this.#logger.fatal(...line)
  }

  error(...line: Line): void {
    this.#logger.error(...line)
  }

  warn(...line: Line): void {
    this.#logger.warn(...line)
  }

  info(...line: Line): void {
    this.#logger.info(...line)
  }

  debug(...line: Line): void {
    this.#logger.debug(...line)
  }

  trace(...line: Line): void {
    this.#logger.trace(...line)
  }

  silent(): void {}
}

/**
 * The log of one request, which has its id in each line. Fastify makes it for every request, which takes longer than to find
 * the route; where requests are not logged, almost none writes a line.
 */
export const lazyRequestLog = (logger: FastifyBaseLogger, bindings: Bindings, options: Options): FastifyBaseLogger =>
  new LazyLogger(logger, bindings, options)
