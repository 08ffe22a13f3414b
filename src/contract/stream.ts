import { Readable } from 'node:stream'

export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

export interface StreamedList {
  source: AsyncIterable<unknown[]>
  /** Everything before the list's `[`. */
  head: string
  /** Everything after its `]`, given the number of sent items. */
  tail: (total: number) => string
  /** A batch as a JSON array. */
  serialize: (batch: unknown[]) => string
}

/**
 * Sends a list as it is read, no faster than the client accepts it; it stops when the client disconnects. The first
 * batch is read before this resolves, so that a query that fails at once is an ordinary error.
 */
export const streamList = async ({ source, head, tail, serialize }: StreamedList): Promise<Readable> => {
  const batches = source[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<unknown[]>> | null = Promise.resolve(await batches.next())
  let text = `${head}[`
  let total = 0

  const pull = async (): Promise<void> => {
    for (;;) {
      const result = await (next ?? batches.next())
      next = null
      if (result.done) {
        stream.push(`${text}]${tail(total)}`)
        stream.push(null)
        return
      }
      if (result.value.length === 0) continue
      const items = serialize(result.value).slice(1, -1)
      stream.push(total === 0 ? text + items : `,${items}`)
      text = ''
      total += result.value.length
      return
    }
  }
  const stream = new Readable({
    read() {
      pull().catch((error: Error) => stream.destroy(error))
    },
    destroy(error, done) {
      Promise.resolve(batches.return?.()).then(
        () => done(error),
        () => done(error),
      )
    },
  })
  return stream
}
