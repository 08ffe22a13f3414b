import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Operation, Schema } from './document.ts'
import { type EnvelopeStyle, envelope, type Outcome } from './envelope.ts'
import { streamList } from './stream.ts'

/** An object as JSON, open for one more property. */
const opened = (value: object): string => {
  const text = JSON.stringify(value).slice(0, -1)
  return text === '{' ? text : `${text},`
}

/** A property of an object schema; codegen has verified that it exists. */
const propertyOf = (schema: Schema, name: string): Schema =>
  (schema.properties as Readonly<Record<string, Schema>>)[name] as Schema

/**
 * Sends a success whose `data` is a list, its `total` and perhaps plain values; the list is sent as it is read. `total`
 * comes last: the handler's value, or else the number of items sent.
 */
export const streamSuccess = async (
  reply: FastifyReply,
  style: EnvelopeStyle,
  { schema, stream }: Operation,
  outcome: Outcome,
  source: AsyncIterable<unknown[]>,
): Promise<Readable> => {
  const name = String(stream)
  // Compiled once per route: Fastify keeps serializers by schema object.
  const serialize = reply.compileSerializationSchema(propertyOf(propertyOf(schema.response, 'data'), name))
  const { data: _, ...others } = envelope(style, outcome) as Record<string, unknown>
  const { total, [name]: _list, ...beside } = outcome.data as { total?: number } & Record<string, unknown>
  const readable = await streamList({
    source,
    head: `${opened(others)}"data":${opened(beside)}${JSON.stringify(name)}:`,
    tail: (sent) => `,"total":${total ?? sent}}}`,
    serialize: (batch) => serialize(batch as unknown as Record<string, unknown>),
  })
  reply.type('application/json; charset=utf-8')
  return readable
}
