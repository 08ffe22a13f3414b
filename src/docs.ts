import { readFile } from 'node:fs/promises'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import type { ContractDocument } from './contract/document.ts'

/** Next to `src` as well as next to `dist`. */
const contractFolder = new URL('../openapi/', import.meta.url)

export interface DocsOptions {
  documents: readonly ContractDocument[]
  /** Where the service is mounted: empty, or `/prefix`. */
  basePath: string
}

/** The documents as `/openapi/<name>.yaml` and `.json`, and a page to read and try them at `/docs`. */
export const docs: FastifyPluginAsync<DocsOptions> = async (app, { documents, basePath }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(pageHeaders)
    done()
  })
  for (const { name } of documents) {
    let rendered: Promise<Rendered> | undefined
    const render = () => {
      rendered ??= renderContract(name, basePath)
      return rendered
    }
    app.get(`/openapi/${name}.yaml`, async (_request, reply) =>
      reply.type('application/yaml').send((await render()).yaml),
    )
    app.get(`/openapi/${name}.json`, async (_request, reply) =>
      reply.type('application/json').send((await render()).json),
    )
  }
  app.register(swagger, { mode: 'static', specification: { document: signpost } })
  app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: basePath,
    theme: { title: 'Steward API' },
    uiConfig: {
      urls: documents.map(({ name, title }) => ({ url: `${basePath}/openapi/${name}.json`, name: title })),
      deepLinking: true,
      docExpansion: 'none',
      // The page's own copy: a browser would show what it kept after a change.
      requestInterceptor: (request) => Object.assign(request, { cache: 'no-store' }),
    },
  })
  app.get('/', (_request, reply) => reply.redirect(`${basePath}/docs`))
}

/** A page may load our own files and nothing else; swagger-ui sets styles from its script. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
} as const

/** swagger-ui insists on a document of its own at `/docs/json`; its page reads those above. */
const signpost = {
  openapi: '3.0.0',
  info: { title: 'Steward', version: '1', description: 'The documents are at /openapi/<name>.json' },
  paths: {},
}

interface Rendered {
  yaml: string
  json: string
}

/**
 * The document with its server's variables set to where this installation is; without a base path the YAML is the file
 * itself. Done when first asked for: parsing takes too long for every start.
 */
const renderContract = async (name: string, basePath: string): Promise<Rendered> => {
  const { isMap, parseDocument } = await import('yaml')
  const yaml = await readFile(new URL(`${name}.yaml`, contractFolder), 'utf8')
  const document = parseDocument(yaml)
  const variables = document.getIn(['servers', 0, 'variables'])
  if (basePath !== '' && isMap(variables)) {
    for (const { key } of variables.items) document.setIn(['servers', 0, 'variables', String(key), 'default'], basePath)
  }
  return { yaml: basePath === '' ? yaml : String(document), json: JSON.stringify(document) }
}
