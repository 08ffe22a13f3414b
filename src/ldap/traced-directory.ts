import { beginSpan, isTracing, type Span, traced } from '../tracing/span.ts'
import type { Directory } from './directory.ts'
import { DirectoryError } from './directory-error.ts'
import { resultCodes } from './result-code.ts'

const options = { kind: 'client' } as const

/** The result code, where a server answered; never a DN, an attribute or a value. */
const tell = (span: Span | null, error: unknown): void => {
  if (error instanceof DirectoryError && error.code !== null) span?.set({ 'ldap.result_code': error.code })
}

const measured = <T>(kind: string, attributes: { 'ldap.writes'?: number }, work: () => Promise<T>): Promise<T> =>
  traced(`ldap ${kind}`, { ...options, attributes }, async (span) => {
    try {
      const result = await work()
      span?.set({ 'ldap.result_code': resultCodes.success })
      return result
    } catch (error) {
      tell(span, error)
      throw error
    }
  })

/** The directory with a span for each of its operations, by kind and result code. Where tracing is off, the same one. */
export const tracedDirectory = (directory: Directory): Directory => {
  if (!isTracing()) return directory
  return {
    ...directory,
    read: (...input) => measured('read', {}, () => directory.read(...input)),
    readWhole: (dn) => measured('read', {}, () => directory.readWhole(dn)),
    write: (change, ...more) => measured(change.kind, {}, () => directory.write(change, ...more)),
    transact: (writes, ...more) =>
      measured('transaction', { 'ldap.writes': writes.length }, () => directory.transact(writes, ...more)),
    async *search(...input) {
      const span = beginSpan('ldap search', options)
      let failed = true
      try {
        yield* directory.search(...input)
        failed = false
        span?.set({ 'ldap.result_code': resultCodes.success })
      } catch (error) {
        tell(span, error)
        throw error
      } finally {
        span?.end({ failed })
      }
    },
  }
}
