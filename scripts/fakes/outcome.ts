import type { ServerResponse } from 'node:http'
import type { FakeCall } from './cloud.ts'
import type { AnswerFault } from './fault.ts'
import type { FakeReply, Platform } from './platform.ts'

/** The outcome of a call; without a reply, or with one broken off, the connection ends. */
export interface Outcome {
  reply?: FakeReply
  ending?: 'reset' | 'truncated' | 'cut' | 'silent'
}

/** What comes instead of the usual reply. */
export const distort = (fault: AnswerFault, platform: Platform, path: string, usual: () => FakeReply): Outcome => {
  switch (fault.kind) {
    case 'error':
      return { reply: platform.error(fault, path) }
    case 'limited':
      return { reply: platform.limited(fault, path) }
    case 'html':
      return {
        reply: { status: fault.status ?? 200, headers: { 'content-type': 'text/html' }, body: platform.blockPage },
      }
    case 'blocked':
      return { reply: { body: { status: 1111, wait: 5, source: 'x5' } } }
    case 'expire':
      return { reply: platform.expired(path) }
    case 'truncated':
    case 'cut':
      return { reply: usual(), ending: fault.kind }
    case 'reset':
    case 'silent':
      return { ending: fault.kind }
  }
}

/** Sends it, and notes in the call what was sent. */
export const send = (response: ServerResponse, { reply, ending }: Outcome, call: FakeCall): void => {
  if (ending === 'silent') return
  if (reply === undefined) {
    response.socket?.resetAndDestroy()
    return
  }
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
  const body = Buffer.from(text)
  call.status = reply.status ?? 200
  call.code = codeOf(reply)
  const headers = {
    'content-type': typeof reply.body === 'string' ? 'text/plain' : 'application/json; charset=utf-8',
    'content-length': ending === 'cut' ? body.length >> 1 : body.length,
    ...reply.headers,
  }
  response.writeHead(call.status, headers)
  if (ending === undefined) response.end(body)
  else if (ending === 'cut') response.end(body.subarray(0, body.length >> 1))
  else response.write(body.subarray(0, body.length >> 1), () => response.destroy())
}

const codeOf = ({ status = 200, body }: FakeReply): number => {
  if (typeof body !== 'object' || body === null) return status
  const { errcode, code = errcode ?? 0 } = body as { errcode?: unknown; code?: unknown }
  return typeof code === 'number' ? code : status
}
