import type { Operation } from '../../src/contract/document.ts'
import { isObject, type Json, type Source } from './source.ts'

type RateLimit = NonNullable<Operation['rateLimit']>

export const isCount = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0

const keys = new Set(['max', 'window', 'by', 'bucket'])

/** The `x-rate-limit` of an operation; null where it is not one. */
export const readRateLimit = (limit: Json): RateLimit | null => {
  if (!isObject(limit) || !Object.keys(limit).every((key) => keys.has(key))) return null
  const { max, window, by, bucket } = limit
  if (!isCount(max) || !isCount(window) || (by !== 'address' && by !== 'user')) return null
  if (bucket === undefined) return { max, window, by }
  return typeof bucket === 'string' && /^[a-z][a-z-]*$/.test(bucket) ? { max, window, by, bucket } : null
}

/** Operations of a document that share a bucket share one count, so they have to say the same of it. */
export const verifyBuckets = ({ refuse }: Source, operations: readonly Operation[]): void => {
  const buckets = new Map<string, { stated: string; where: string }>()
  for (const { rateLimit, method, path } of operations) {
    if (rateLimit?.bucket === undefined) continue
    const { max, window, by, bucket } = rateLimit
    const stated = `${max} in ${window} s by ${by}`
    const first = buckets.get(bucket) ?? { stated, where: `${method} ${path}` }
    buckets.set(bucket, first)
    if (first.stated !== stated) {
      const at = ['paths', path, method.toLowerCase(), 'x-rate-limit']
      refuse(at, `the bucket ${bucket} is ${first.stated} at ${first.where}`)
    }
  }
}
