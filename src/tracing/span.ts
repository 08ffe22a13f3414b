/** What a span may say: names of operations, kinds, codes and numbers. Never a value that a person or a record has. */
export type Attributes = Readonly<Record<string, string | number>>

export interface SpanOptions {
  attributes?: Attributes
  /** `server`: a request that is answered. `client`: a request to another server. */
  kind?: 'server' | 'client'
  /** The header `traceparent` of a request: its span becomes the parent. */
  traceparent?: string | undefined
}

/** A piece of work that is measured. */
export interface Span {
  set(attributes: Attributes): void
  /** Runs something whose spans become children of this one. */
  within<T>(work: () => T): T
  end(outcome?: { failed: boolean }): void
}

/** Begins a span below the one that is under way, if there is one. */
export type BeginSpan = (name: string, options: SpanOptions) => Span

/** null: tracing is off, and nothing is measured. One for the process, as every room has something to measure. */
let begin: BeginSpan | null = null

/** Switches tracing on or off. @param next null: off */
export const traceWith = (next: BeginSpan | null): void => {
  begin = next
}

export const isTracing = (): boolean => begin !== null

/** @returns null: tracing is off. Otherwise the caller ends it */
export const beginSpan = (name: string, options: SpanOptions = {}): Span | null =>
  begin === null ? null : begin(name, options)

/** Measures work, which costs a check where tracing is off. @param work is given its span, to say more of it */
export const traced = <T>(name: string, options: SpanOptions, work: (span: Span | null) => Promise<T>): Promise<T> =>
  begin === null ? work(null) : measured(begin(name, options), work)

const measured = async <T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> => {
  let failed = true
  try {
    const result = await span.within(() => work(span))
    failed = false
    return result
  } finally {
    span.end({ failed })
  }
}
