import { Readable } from 'node:stream'

/** A stream of server-sent events (WHATWG HTML, section 9.2) that always has the newest snapshot to send. */
export interface EventStream {
  readonly body: Readable
  /** Sends a snapshot, unless it equals the last one. While the client does not read, only the newest one is kept. */
  show(snapshot: object): void
  /** Sends a comment, so that proxies keep the connection. @returns whether the client reads */
  beat(): boolean
  /** Ends the stream; where the client does not read, the connection is cut off. */
  end(): void
}

/** Milliseconds after which a browser connects again. */
const retry = 2000

/**
 * @param event the name of the events
 * @param onClose called once, when the stream has ended or the client has gone
 */
export const eventStream = (event: string, onClose: () => void): EventStream => {
  let waiting: object | null = null
  let shown = ''
  /** The client has taken what was sent. */
  let isReady = true
  /** The end was sent, or the client has gone. */
  let isOver = false

  const body = new Readable({
    read() {
      isReady = true
      flush()
    },
    destroy(error, done) {
      waiting = null
      isOver = true
      onClose()
      done(error)
    },
  })
  const push = (text: string): void => {
    isReady = body.push(text)
  }
  const flush = (): void => {
    if (!isReady || waiting === null || isOver) return
    const snapshot = waiting
    waiting = null
    push(`event: ${event}\ndata: ${JSON.stringify(snapshot)}\n\n`)
  }

  body.push(`retry: ${retry}\n\n`)
  return {
    body,
    show(snapshot) {
      const { at: _, ...content } = snapshot as { at?: unknown }
      const text = JSON.stringify(content)
      if (text === shown) return
      shown = text
      waiting = snapshot
      flush()
    },
    beat() {
      if (isOver) return true
      if (isReady) push(': alive\n\n')
      return isReady
    },
    end() {
      if (isOver) return
      isOver = true
      if (isReady) body.push(null)
      else body.destroy()
    },
  }
}
