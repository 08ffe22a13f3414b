import type { IncomingMessage } from 'node:http'
import type { FakeRequest } from './platform.ts'

/** Without the query, which may hold secrets. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? '/'

export const readRequest = async (
  message: IncomingMessage,
  path: string,
  segments: Record<string, string>,
): Promise<FakeRequest> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const { headers, method = '', url = '/' } = message
  const query = new URLSearchParams(url.slice(path.length))
  return { method, path, segments, query, headers, body: jsonObject(headers['content-type'], Buffer.concat(chunks)) }
}

/** A body of another type, or none that can be read, has no parameters in it. */
const jsonObject = (type: string | undefined, body: Buffer): Record<string, unknown> => {
  if (type === undefined || !/^application\/json\b/i.test(type)) return {}
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
