import type { InjectOptions } from 'fastify'
import type { ContractDocument, Operation } from '../../src/contract/document.ts'
import { type Input, type Json, RawNumber } from './inputs.ts'

/** A request as it is sent: a body is text. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  payload?: string
}

/** Writes an input down as a request of an operation. */
export const wireRequest = (document: ContractDocument, { method, path }: Operation, input: Input): WireRequest => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(input.params[name] ?? ''))
  const pairs = Object.entries(input.query).flatMap(([name, texts]) =>
    texts.map((text) => `${encode(name)}=${encode(text)}`),
  )
  return {
    method,
    url: `${document.prefix}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`,
    ...(input.body !== undefined && { payload: writeJson(input.body) }),
  }
}

/** The same for light-my-request, with more headers. */
export const injected = ({ method, url, payload }: WireRequest, headers: Record<string, string>): InjectOptions => ({
  method,
  url,
  headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
  ...(payload !== undefined && { payload }),
})

/** Half of a surrogate pair has no UTF-8; what a careless client sends in its place is U+FFFD. */
const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))

/** Like JSON.stringify, with numbers that JavaScript cannot hold and names that it treats differently. */
const writeJson = (value: Json): string => {
  if (value instanceof RawNumber) return value.text
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, child]) => `${JSON.stringify(name)}:${writeJson(child)}`)
    .join(',')}}`
}
