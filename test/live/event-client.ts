import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestSteward } from '../steward.ts'

/** A client of a stream of events, over a socket. */
export interface EventClient {
  status: number
  /** The next event with this property, parsed; earlier events are passed over. @throws when the stream ends before */
  next(wanted?: (data: unknown) => boolean): Promise<unknown>
  /** Reads on until the service has ended the stream. */
  ended(): Promise<void>
  close(): void
}

/** Lets the service listen on a free port. */
export const listening = async ({ app }: Pick<TestSteward, 'app'>): Promise<number> => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

export const watch = async (port: number, path: string, token: string): Promise<EventClient> => {
  const asked = request({ port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${token}` } })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  const events = eventsOf(response)
  return {
    status: response.statusCode ?? 0,
    async ended() {
      while (!(await events.next()).done);
    },
    close: () => asked.destroy(),
    async next(wanted = () => true) {
      for (;;) {
        const { done, value } = await events.next()
        if (done) throw new Error('the stream ended')
        if (wanted(value)) return value
      }
    },
  }
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<unknown, void, undefined> {
  let text = ''
  for await (const chunk of response) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}
