import type { FastifyInstance, InjectOptions } from 'fastify'
import type { RawReply } from './call.ts'

/**
 * Sends a request without a socket. Of a stream of events, which does not end by itself, the first event is read; then
 * the client goes away.
 * @param media the types of a success, as the operation has them
 */
export const inject = async (
  app: FastifyInstance,
  options: InjectOptions,
  media: readonly string[] | undefined,
): Promise<RawReply> => {
  if (!media?.includes('text/event-stream')) return app.inject(options)
  const response = await app.inject({ ...options, payloadAsStream: true })
  const { statusCode, headers } = response
  const isStream = /^text\/event-stream/.test(String(headers['content-type']))
  let body = ''
  const stream = response.stream()
  for await (const chunk of stream) {
    body += String(chunk)
    if (isStream && /(^|\n)data: .*\n\n/.test(body)) break
  }
  stream.destroy()
  return { statusCode, headers, body }
}
