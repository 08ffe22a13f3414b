import type { Logger } from '../../src/runtime/log.ts'

const drop = (): void => {}

/** A logger that says nothing. */
export const quiet: Logger = { debug: drop, info: drop, warn: drop, error: drop }
