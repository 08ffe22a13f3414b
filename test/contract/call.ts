/**
 * The one door through which tests call operations. Every reply is checked on the wire against the published contract.
 */
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Data } from '../../src/contract/handler.ts'
import type { Operations } from '../../src/generated/documents.ts'
import { inject } from './inject.ts'
import { type PublishedOperation, publishedOperations } from './published.ts'

export interface CallInput {
  body?: unknown
  query?: Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>
  /** The path's parameters. */
  params?: Readonly<Record<string, string | number>>
  token?: string | undefined
  headers?: Readonly<Record<string, string>>
}

/** A reply as it came; `assertReply` takes light-my-request's too. */
export interface RawReply {
  statusCode: number
  headers: Readonly<Record<string, unknown>>
  body: string
}

/** `data` has the operation's type when `code` says success; on failure it is null or a list of field problems. */
export interface Reply<D = unknown> {
  status: number
  code: number
  /** `msg` or `message`, whichever the envelope has. */
  msg: string
  data: D
  /** Why it failed; undefined for a success. */
  reason?: string
  params?: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string | undefined>>
  body: string
}

export type Call = <Id extends keyof Operations>(id: Id, input?: CallInput) => Promise<Reply<Data<Operations[Id]>>>

/** What a successful reply brings; throws with code and text otherwise. */
export const dataOf = <D>({ code, msg, data }: Reply<D>): D => {
  if (code !== 0 && code !== 200) throw new Error(`${code} ${msg}`)
  return data
}

/** Calls operations of an app (without a socket) or of a running service: its address, with its base path. */
export const caller = (target: FastifyInstance | string): Call =>
  ((id: string, input?: CallInput) => shippedDoor().call(target, id, input)) as Call

/** Fails unless a reply is one that the operation may give. For requests that no client library would make. */
export const assertReply = (id: keyof Operations, reply: RawReply): Reply => shippedDoor().assertReply(id, reply)

let shipped: Door | undefined

const shippedDoor = (): Door => {
  shipped ??= openDoor()
  return shipped
}

export interface Door {
  call: (target: FastifyInstance | string, id: string, input?: CallInput) => Promise<Reply>
  assertReply: (id: string, reply: RawReply) => Reply
}

/** The door for `openapi/*.yaml`, or for contracts given as YAML texts. */
export const openDoor = (contracts?: string[]): Door => {
  const operations = publishedOperations(contracts)
  const find = (id: string): PublishedOperation => {
    const operation = operations.get(id)
    assert.ok(operation, `no operation ${id} in the contract`)
    return operation
  }
  const assertReply = (id: string, reply: RawReply): Reply => readReply(find(id), reply)
  return {
    assertReply,
    call: async (target, id, input = {}) => assertReply(id, await send(target, find(id), input)),
  }
}

const send = async (
  target: FastifyInstance | string,
  { method, path, media }: PublishedOperation,
  input: CallInput,
): Promise<RawReply> => {
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((item): [string, string] => [name, String(item)]),
    ),
  ).toString()
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''))
  const url = `${filled}${query === '' ? '' : `?${query}`}`
  const headers: Record<string, string> = {
    ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(input.token === undefined ? {} : { authorization: `Bearer ${input.token}` }),
    ...input.headers,
  }
  const payload = input.body === undefined ? undefined : JSON.stringify(input.body)
  if (typeof target !== 'string') {
    const options = { method: method as 'GET', url, headers, ...(payload !== undefined && { payload }) }
    return inject(target, options, media)
  }
  const response = await fetch(`${target}${url}`, { method, headers, ...(payload !== undefined && { body: payload }) })
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

/**
 * Headers that say nothing of an operation: those of the connection and of every response, what proxies are told, and the
 * console's cookie, which any response may renew.
 */
const general = new Set([
  ...['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length', 'content-type', 'content-encoding'],
  ...['content-security-policy', 'cross-origin-resource-policy', 'referrer-policy', 'strict-transport-security'],
  ...['x-content-type-options', 'x-frame-options', 'x-accel-buffering', 'x-request-id', 'set-cookie'],
  ...['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-expose-headers'],
])
/** What all responses have unless the operation says otherwise. */
const usual: Readonly<Record<string, RegExp>> = { 'cache-control': /^no-store$/, vary: /^origin$/i }

/** The headers that a client could read only if the operation declares them. */
const telling = (headers: RawReply['headers']): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || general.has(name) || usual[name]?.test(String(value)) ? [] : [name],
  )

const readReply = ({ id, method, path, reply, media, headers }: PublishedOperation, raw: RawReply): Reply => {
  const where = `${id} (${method} ${path})`
  const isFile = raw.statusCode === 200 && !media.includes('application/json')
  const validate = isFile ? undefined : reply(raw.statusCode)
  // First: a response of something between here and the service has headers of its own.
  assert.ok(isFile || validate, `${where}: HTTP ${raw.statusCode} is not in the contract: ${raw.body.slice(0, 500)}`)
  const declared = headers(raw.statusCode)
  for (const [name, always] of declared) if (always) assert.ok(raw.headers[name], `${where}: the header ${name}`)
  for (const name of telling(raw.headers)) {
    assert.ok(declared.has(name), `${where}: ${name} is sent and not declared`)
  }
  if (isFile) {
    const type = String(raw.headers['content-type']).split(';')[0] ?? ''
    assert.ok(media.includes(type), `${where}: content type ${type}`)
    return { status: 200, code: 200, msg: '', data: null, headers: raw.headers as Reply['headers'], body: raw.body }
  }
  assert.match(String(raw.headers['content-type']), /^application\/json(;|$)/, `${where}: content type`)
  const envelope = JSON.parse(raw.body) as Pick<Reply, 'code' | 'data' | 'reason' | 'params'> & Record<string, unknown>
  const problems = validate?.(envelope) ? [] : (validate?.errors ?? [])
  assert.deepEqual(
    problems.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`),
    [],
    `${where}: the reply is not as published: ${raw.body.slice(0, 500)}`,
  )
  if ('message' in envelope) assert.equal(raw.statusCode, envelope.code, `${where}: the status is the code`)
  return {
    status: raw.statusCode,
    code: envelope.code,
    msg: String(envelope.msg ?? envelope.message),
    data: envelope.data,
    ...(envelope.reason !== undefined && { reason: envelope.reason }),
    ...(envelope.params !== undefined && { params: envelope.params }),
    headers: raw.headers as Reply['headers'],
    body: raw.body,
  }
}
