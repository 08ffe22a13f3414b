import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import t from 'tap'
import { buildApp } from '../../src/main/app.ts'
import type { Teardown } from '../database.ts'

const site = async (t: Teardown, basePath = '') => {
  const app = await buildApp({
    config: { basePath, bodyLimit: 65_536, corsOrigins: [], timeZone: 'UTC', trustProxy: false },
    log: pino({ level: 'silent' }),
    documents: [],
    authenticate: async () => {
      throw new Error('no operation is called here')
    },
  })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

const assetsOf = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => String(path))

t.test('the console is at /console, and / leads there', async (t) => {
  const app = await site(t)
  t.match(await app.inject({ url: '/' }), { statusCode: 302, headers: { location: '/console' } })
  const page = await app.inject({ url: '/console' })
  t.match(page.headers, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  t.match(page.body, /<base href="\/console\/" ?\/>/)
  const assets = assetsOf(page.body)
  t.ok(assets.length >= 3)
  for (const asset of assets) {
    const { statusCode, headers } = await app.inject({ url: `/console/${asset}` })
    t.equal(statusCode, 200, asset)
    t.match(headers['cache-control'], /max-age=31536000, immutable/, asset)
  }
})

t.test('every address below is the same page, but a file that does not exist is 404', async (t) => {
  const app = await site(t)
  for (const url of [
    '/console/',
    '/console/people?q=li&department=3',
    '/console/roles/7/operations',
    '/console/%E4%B8%AD',
  ]) {
    const page = await app.inject({ url })
    t.equal(page.statusCode, 200, url)
    t.match(page.body, /<div id="root">/, url)
  }
  for (const url of ['/console/assets/gone-1234.js', '/console/assets/..%2f..%2fmain/server.js', '/nothing']) {
    t.equal((await app.inject({ url })).statusCode, 404, url)
  }
})

t.test('the page may load our files and nothing else, and each answer has its own nonce', async (t) => {
  const app = await site(t)
  const nonces = new Set<string>()
  for (let n = 0; n < 3; n++) {
    const { headers, body } = await app.inject({ url: '/console' })
    const policy = String(headers['content-security-policy'])
    const nonce = /<meta name="style-nonce" content="([^"]+)"/.exec(body)?.[1] ?? ''
    t.equal(
      policy,
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    )
    t.ok(Buffer.from(nonce, 'base64').length >= 16)
    nonces.add(nonce)
    t.notMatch(body, /<script>|<style|style=|https?:/)
    t.match(headers, {
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  }
  t.equal(nonces.size, 3)
})

t.test('files are compressed when they are built', async (t) => {
  const app = await site(t)
  const [asset] = assetsOf((await app.inject({ url: '/console' })).body).filter((path) => path.endsWith('.js'))
  const url = `/console/${asset}`
  const plain = await app.inject({ url })
  for (const [encoding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const packed = await app.inject({ url, headers: { 'accept-encoding': encoding } })
    t.equal(packed.headers['content-encoding'], encoding)
    t.match(packed.headers['content-type'], /javascript/)
    t.ok(unpack(packed.rawPayload).equals(plain.rawPayload), encoding)
  }
})

t.test('under a base path everything moves along', async (t) => {
  const app = await site(t, '/it/steward')
  t.match(await app.inject({ url: '/it/steward/' }), { statusCode: 302, headers: { location: '/it/steward/console' } })
  const page = await app.inject({ url: '/it/steward/console/people' })
  t.match(page.body, /<base href="\/it\/steward\/console\/" ?\/>/)
  for (const asset of assetsOf(page.body)) {
    t.equal((await app.inject({ url: `/it/steward/console/${asset}` })).statusCode, 200, asset)
  }
  t.equal((await app.inject({ url: '/console' })).statusCode, 404)
})

t.test('the files are as small as a sign-in over a slow line needs', async (t) => {
  const folder = new URL('../../dist/console/', import.meta.url)
  const size = (path: string): number => readFileSync(new URL(`${path}.gz`, folder)).length
  interface Chunk {
    file: string
    imports?: string[]
    dynamicImports?: string[]
    css?: string[]
    isEntry?: boolean
    isDynamicEntry?: boolean
  }
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8'))
  /** What a chunk brings with it, without what is loaded later. */
  const filesOf = (key: string, found = new Set<string>()): Set<string> => {
    const chunk = manifest[key]
    if (chunk === undefined || found.has(chunk.file)) return found
    found.add(chunk.file)
    for (const css of chunk.css ?? []) found.add(css)
    for (const each of chunk.imports ?? []) filesOf(each, found)
    return found
  }
  const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + size(file), 0)
  const keys = Object.keys(manifest)
  const entry = keys.find((key) => manifest[key]?.isEntry) ?? ''
  const signIn = filesOf(entry)
  const largest = (locales: RegExp): number => {
    const each = keys.filter((key) => locales.test(key))
    t.equal(each.length, 2)
    return Math.max(...each.map((key) => sum([...filesOf(key)].filter((file) => !signIn.has(file)))))
  }
  const largestLocale = largest(/locales\/[\w-]+\.ts$/)
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
  t.ok(sum(signIn) + largestLocale <= 175 * 1024, `sign-in: ${kilobytes(sum(signIn) + largestLocale)} of 175`)
  const shell = filesOf('app/Shell.tsx', new Set(signIn))
  for (const page of keys.filter((key) => key.startsWith('pages/') && manifest[key]?.isDynamicEntry)) {
    const files = [...filesOf(page, new Set(shell))].filter((file) => !signIn.has(file))
    t.ok(sum(files) <= 150 * 1024, `${page}: ${kilobytes(sum(files))} of 150 more`)
  }
  const all = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]))
  const code = [...all].filter((file) => /\.(js|css)$/.test(file))
  t.ok(sum(code) <= 450 * 1024, `all: ${kilobytes(sum(code))} of 450`)
})

t.test('no page names a colour whose palette is left out', async (t) => {
  const assets = new URL('../../dist/console/assets/', import.meta.url)
  const styles = readdirSync(assets).filter((name) => /^first-.*\.css$/.test(name))
  const css = styles.map((name) => readFileSync(new URL(name, assets), 'utf8')).join('')
  const palettes = 'dark gray red pink grape violet indigo blue cyan green lime yellow orange teal'.split(' ')
  const isThere = (palette: string): boolean => css.includes(`--mantine-color-${palette}-filled:`)
  t.ok(['gray', 'red', 'green', 'yellow'].every(isThere))
  const out = palettes.filter((palette) => !isThere(palette))
  t.ok(out.length > 0)
  const named = new RegExp(`["'](${out.join('|')})["'.]|color-(${out.join('|')})-`)
  const source = new URL('../../src/console/', import.meta.url)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(tsx|css)$/.test(name))
  t.same(
    files.filter((name) => named.test(readFileSync(new URL(name, source), 'utf8'))),
    [],
  )
})
