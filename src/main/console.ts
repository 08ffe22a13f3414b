import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'

/** What `npm run build:console` made. The path is right from `src` and from `dist`. */
const built = fileURLToPath(new URL('../../dist/console/', import.meta.url))

export interface ConsoleOptions {
  /** The base path of the service: empty, or `/prefix`. */
  basePath: string
  /** The folder of the built files; default: what this package ships. */
  folder?: string
}

/**
 * The web console at `/console`: one page that draws every address below it, and its files. The page is never cached and
 * its files are for ever, because their names change with their content.
 */
export const webConsole: FastifyPluginAsync<ConsoleOptions> = async (app, { basePath, folder = built }) => {
  const page = existsSync(`${folder}index.html`) ? await readFile(`${folder}index.html`, 'utf8') : notBuilt
  const [before = '', after = ''] = page.split('<!-- place -->')

  const sendPage = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    const place = `<base href="${basePath}/console/" /><meta name="style-nonce" content="${nonce}" />`
    return reply
      .headers({ ...pageHeaders(nonce), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(before + place + after)
  }

  if (existsSync(`${folder}assets`)) {
    await app.register(fastifyStatic, {
      root: `${folder}assets`,
      prefix: '/console/assets/',
      decorateReply: false,
      wildcard: true,
      index: false,
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
    })
  }
  app.get('/', (_request, reply) => reply.redirect(`${basePath}/console`))
  app.get('/console', sendPage)
  app.get('/console/*', sendPage)
}

/**
 * The page loads our own files and talks to this service only. The nonce is for the style elements that Mantine makes;
 * styles can do no more than look, and no script is allowed but our files.
 */
const pageHeaders = (nonce: string) => ({
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; " +
    "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
})

const notBuilt =
  '<!doctype html><html lang="en"><head><!-- place --><title>Steward</title></head><body>' +
  '<p>The console is not built. Run <code>npm run build</code>, then start the service again.</p></body></html>'
