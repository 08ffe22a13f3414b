import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

export interface StaticFile {
  type: string
  /** Called at the first request for the file. */
  read: () => Promise<Buffer | string>
}

interface Loaded {
  body: Buffer
  compressed: Buffer
  etag: string
}

/**
 * Serves a file that is the same for every caller: compressed once, and revalidated by its ETag. It contains nothing
 * secret and nothing from the request, so its compressed length reveals nothing (BREACH).
 */
export const serveFile = (app: FastifyInstance, url: string, { type, read }: StaticFile): void => {
  let loading: Promise<Loaded> | undefined
  app.get(url, async (request, reply) => {
    loading ??= load(read).catch((error: unknown) => {
      // A file that cannot be read now may be readable next time.
      loading = undefined
      throw error
    })
    const { body, compressed, etag } = await loading
    reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    reply.type(type)
    if (!acceptsGzip(request.headers['accept-encoding'])) return body
    reply.header('content-encoding', 'gzip')
    return compressed
  })
}

const load = async (read: StaticFile['read']): Promise<Loaded> => {
  const body = Buffer.from(await read())
  // Weak: both encodings have the same ETag.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`
  return { body, compressed: await promisify(gzip)(body, { level: 9 }), etag }
}

/** RFC 9110, section 12.5.3, as far as clients use it. */
const acceptsGzip = (header: string | string[] = ''): boolean =>
  String(header)
    .split(',')
    .some((coding) => /^\s*gzip\s*(?:;\s*q=(?:1|0\.\d*[1-9]\d*)\s*)?$/i.test(coding))
