import type { Page } from 'puppeteer-core'
import { calls, type OperationId } from '../../src/console/generated/calls.ts'

/** How a call fails on its way, and what the page has to say of it. */
export interface Fault {
  name: string
  /** What answers instead of the service; absent: the connection breaks. */
  answer?: { status: number; headers?: Readonly<Record<string, string>>; body: string }
  says: RegExp
}

const refused = (
  code: number,
  reason: string,
  message: string,
  more: { params?: object; headers?: Readonly<Record<string, string>> } = {},
): NonNullable<Fault['answer']> => ({
  status: code,
  headers: { 'content-type': 'application/json', ...more.headers },
  body: JSON.stringify({ code, msg: message, message, data: null, reason, params: more.params ?? {} }),
})

export const faults: readonly Fault[] = [
  {
    name: '403',
    answer: refused(403, 'access.not_granted', 'none of your roles grants this operation'),
    says: /None of your roles grants this operation\./,
  },
  {
    name: '409',
    answer: refused(409, 'access.role_held', '2 users have role 7', { params: { count: '2', id: '7' } }),
    says: /2 users have role 7\./,
  },
  {
    name: '429',
    answer: refused(429, 'service.limited', 'too many requests', { headers: { 'retry-after': '7' } }),
    says: /Too many requests\. Wait 7 seconds/,
  },
  {
    name: '500',
    answer: refused(500, 'service.internal', 'internal error, request 4f', { params: { request: '4f' } }),
    says: /Internal error, request 4f\./,
  },
  {
    name: '502 of a proxy',
    answer: { status: 502, headers: { 'content-type': 'text/html' }, body: '<html><h1>Bad Gateway</h1></html>' },
    says: /could not be read \(HTTP 502\)/,
  },
  {
    name: '503 of a proxy that says how long to wait',
    answer: { status: 503, headers: { 'content-type': 'text/html', 'retry-after': '9' }, body: '<html></html>' },
    says: /could not be read \(HTTP 503\).*Wait 9 seconds/,
  },
  { name: 'a connection that breaks', says: /service cannot be reached/ },
]

/** The browser's own line for a call that failed. */
export const failedCall =
  /Failed to load resource: (the server responded with a status of [45]|net::ERR_CONNECTION_RESET)/

export interface Injector {
  /**
   * Lets the next call of this operation fail, before the service sees it.
   * @returns whether that call came
   */
  failNext(operation: OperationId, fault: Fault, isMeant?: (body: unknown) => boolean): { came: boolean }
  /**
   * Does something on the way of the next call of this operation, before the service sees it.
   * @returns whether that call came
   */
  meanwhile(
    operation: OperationId,
    act: () => Promise<unknown>,
    isMeant?: (body: unknown) => boolean,
  ): { came: boolean }
}

const pathOf = (id: OperationId): RegExp => new RegExp(`${calls[id].url.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

interface Waiting {
  takes(method: string, url: string, body: unknown): boolean
  does: Fault | (() => Promise<unknown>)
  came: boolean
}

/** Stands between a page and the service. */
export const injectFaults = async (page: Page): Promise<Injector> => {
  const devtools = await page.createCDPSession()
  let waiting: Waiting | null = null
  devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
    const goOn = () => void devtools.send('Fetch.continueRequest', { requestId }).catch(() => {})
    const body: unknown = request.postData === undefined ? null : JSON.parse(request.postData)
    if (waiting === null || !waiting.takes(request.method, new URL(request.url).pathname, body)) return goOn()
    const { does } = waiting
    waiting.came = true
    waiting = null
    if (typeof does === 'function') {
      void does().then(goOn)
    } else if (does.answer === undefined) {
      void devtools.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
    } else {
      void devtools.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: does.answer.status,
        responseHeaders: Object.entries(does.answer.headers ?? {}).map(([name, value]) => ({ name, value })),
        body: Buffer.from(does.answer.body).toString('base64'),
      })
    }
  })
  await devtools.send('Fetch.enable', { patterns: [{ resourceType: 'Fetch' }, { resourceType: 'EventSource' }] })
  const next = (operation: OperationId, does: Waiting['does'], isMeant = (_body: unknown) => true): Waiting => {
    const path = pathOf(operation)
    const { method } = calls[operation]
    waiting = {
      takes: (sent, pathname, body) => sent === method && path.test(pathname) && isMeant(body),
      does,
      came: false,
    }
    return waiting
  }
  return { failNext: next, meanwhile: next }
}
