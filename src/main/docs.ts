import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import type { FastifyPluginAsync } from 'fastify'
import type { ContractDocument } from '../contract/document.ts'
import { serveFile } from './static-file.ts'

/** The path is right from `src` and from `dist`. */
const contractFolder = new URL('../../openapi/', import.meta.url)
const pageFolder = new URL('page/', contractFolder)

/** swagger-ui as this package ships it. The package `swagger-ui-dist` reports every installation to its makers. */
const swaggerFolder = join(
  dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
  'static',
)

/** Reads a document by its name: as YAML, and as JSON. */
export interface PublishedContract {
  yaml(name: string): Promise<string>
  json(name: string): Promise<string>
}

/** The documents in this package. */
export const shippedContract: PublishedContract = {
  yaml: (name) => readFile(new URL(`${name}.yaml`, contractFolder), 'utf8'),
  json: (name) => readFile(new URL(`published/${name}.json`, contractFolder), 'utf8'),
}

export interface DocsOptions {
  documents: readonly ContractDocument[]
  contract: PublishedContract
  /** The base path of the service: empty, or `/prefix`. */
  basePath: string
}

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

/** The documents as `/openapi/<name>.yaml` and `.json`, and a page to read and try them at `/docs`. */
export const docs: FastifyPluginAsync<DocsOptions> = async (app, { documents, contract, basePath }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(pageHeaders)
    done()
  })
  for (const { name } of documents) {
    const document = placed(await contract.json(name), basePath)
    await app.register(async (scope) => {
      await scope.register(swagger, { mode: 'static', specification: { document } })
      // If nothing must be replaced it is the file, with its comments.
      const yaml = async () => (basePath === '' ? contract.yaml(name) : scope.swagger({ yaml: true }))
      const json = async () => JSON.stringify(scope.swagger())
      serveFile(scope, `/openapi/${name}.yaml`, { type: 'application/yaml', read: yaml })
      serveFile(scope, `/openapi/${name}.json`, { type: 'application/json', read: json })
    })
  }
  const ours = (file: string) => () => readFile(new URL(file, pageFolder))
  const packaged = (file: string) => () => readFile(join(swaggerFolder, file))
  serveFile(app, '/docs', { type: 'text/html; charset=utf-8', read: () => renderPage(documents) })
  serveFile(app, '/docs/start.js', { type: script, read: ours('start.js') })
  serveFile(app, '/docs/page.css', { type: style, read: ours('page.css') })
  serveFile(app, '/docs/icon.svg', { type: 'image/svg+xml', read: ours('icon.svg') })
  serveFile(app, '/docs/swagger-ui-bundle.js', { type: script, read: packaged('swagger-ui-bundle.js') })
  serveFile(app, '/docs/swagger-ui.css', { type: style, read: packaged('swagger-ui.css') })
  // The page's addresses are relative, so it works at one path only.
  app.get('/docs/', (_request, reply) => reply.redirect(`${basePath}/docs`))
}

/** A page may load our own files and nothing else; swagger-ui sets styles from its script. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
} as const

const renderPage = async (documents: readonly ContractDocument[]): Promise<string> => {
  const page = await readFile(new URL('page.html', pageFolder), 'utf8')
  const options = documents.map(({ name, title }) => `<option value="${name}">${title}</option>`)
  return page.replace('<!-- documents -->', options.join(''))
}

type PublishedDocument = StaticDocumentSpec['document']

/** A document with the address of this installation in its server's variables. */
const placed = (json: string, basePath: string): PublishedDocument => {
  const document: PublishedDocument & { servers?: { variables?: Record<string, { default: string }> }[] } =
    JSON.parse(json)
  if (basePath === '') return document
  for (const { variables = {} } of document.servers ?? []) {
    for (const variable of Object.values(variables)) variable.default = basePath
  }
  return document
}
