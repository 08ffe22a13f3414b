import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Operation, Schema } from './document.ts'
import { type EnvelopeStyle, envelope, type Outcome } from './envelope.ts'
import { streamList } from './stream.ts'

/** The properties of an object schema that codegen has verified to be one. */
const propertyOf = (schema: Schema, name: string): Schema =>
  (schema.properties as Readonly<Record<string, Schema>>)[name] as Schema

/**
 * A success whose `data` is `{<list>, total}` with the list sent as it is read. `total` comes last: what the handler
 * knows it to be, else the number of items sent.
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
  const { total } = outcome.data as { total?: number }
  const readable = await streamList({
    source,
    head: `${JSON.stringify(others).slice(0, -1)},"data":{${JSON.stringify(name)}:`,
    tail: (sent) => `,"total":${total ?? sent}}}`,
    serialize: (batch) => serialize(batch as unknown as Record<string, unknown>),
  })
  reply.type('application/json; charset=utf-8')
  return readable
}
