import { linked } from '../../concurrency/abort.ts'
import { endless, maxPlaces } from '../bounds.ts'
import { statements } from '../statements.ts'

export interface Walk<Place, Row> {
  /** Reads one place; reports further places by `found`, which accepts each key once. */
  read: (place: Place, found: (place: Place) => void, signal: AbortSignal) => AsyncIterable<readonly Row[]>
  keyOf: (place: Place) => string
  /** Places read at the same time. */
  max: number
  signal: AbortSignal
}

/**
 * Reads `starts` and every place found on the way, a few at a time, and yields their results as they come. Each place
 * is read at most one batch ahead of the caller. The first failure ends all of them and is thrown.
 * @throws SourceError where the places do not end
 */
export async function* readTogether<Place, Row>(
  starts: readonly Place[],
  { read, keyOf, max, signal }: Walk<Place, Row>,
): AsyncGenerator<readonly Row[]> {
  const link = linked(signal)
  const known = new Set<string>()
  const waiting: Place[] = []
  const found = (place: Place): void => {
    if (known.has(keyOf(place))) return
    if (known.size >= maxPlaces) throw endless(statements.endless_places({ limit: maxPlaces }))
    known.add(keyOf(place))
    waiting.push(place)
  }
  type Step = { readonly iterator: AsyncIterator<readonly Row[]>; result: IteratorResult<readonly Row[]> }
  const underWay = new Map<AsyncIterator<readonly Row[]>, Promise<Step>>()
  const advance = (iterator: AsyncIterator<readonly Row[]>): void => {
    const step = iterator.next().then((result) => ({ iterator, result }))
    // It may fail while the caller processes an earlier batch, before anything awaits it.
    step.catch(() => {})
    underWay.set(iterator, step)
  }

  starts.forEach(found)
  try {
    for (;;) {
      while (underWay.size < max) {
        const place = waiting.pop()
        if (place === undefined) break
        advance(read(place, found, link.signal)[Symbol.asyncIterator]())
      }
      if (underWay.size === 0) return
      const { iterator, result } = await Promise.race(underWay.values())
      if (result.done) underWay.delete(iterator)
      else {
        advance(iterator)
        yield result.value
      }
    }
  } finally {
    link.abort(signal.reason)
    await Promise.allSettled(underWay.values())
    link.release()
  }
}
