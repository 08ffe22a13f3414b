import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// tsx does more than the sources need, such as looking for files without their endings and reading CommonJS twice, and
// costs each of a hundred test processes a second of CPU. Our imports have their endings and our types can be erased.

/** A file for each source: the hash of the source, a line break, and the source without its types. */
const cache = fileURLToPath(new URL('../node_modules/.cache/steward/typescript', import.meta.url))
mkdirSync(cache, { recursive: true })

const hashOf = (text) => createHash('sha1').update(text).digest('hex')

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @returns the source as JavaScript, with the map of its lines */
const erased = async (file, source) => {
  // Loaded only when a source has changed: it costs more than all that is read from the cache.
  const { transformWithOxc } = await import('vite')
  const options = { target: 'es2023', sourcemap: true, typescript: { onlyRemoveTypeImports: true } }
  const { code, map } = await transformWithOxc(source, file, options)
  const lines = Buffer.from(JSON.stringify({ ...map, sourcesContent: undefined })).toString('base64')
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${lines}\n`
}

const ownTap = new URL('./workers/own-tap.js', import.meta.url).href
const tapScopes = new URL('./workers/tap-scopes.js', import.meta.url).href

/**
 * In a worker, which runs many test files, `tap` is for each of them a test of its own. And tap finds the test of an
 * uncaught error by a cheaper way than its own.
 */
export const resolve = async (specifier, context, next) => {
  if (specifier === 'async-hook-domain') return { url: tapScopes, shortCircuit: true }
  if (specifier === 'async_hooks' && context.parentURL?.includes('/@tapjs/core/')) {
    return { url: tapScopes, shortCircuit: true }
  }
  const ofWorker =
    process.env.TEST_QUEUE !== undefined && specifier === 'tap' && context.parentURL?.endsWith('.test.ts')
  if (!ofWorker) return next(specifier, context)
  return { url: `${ownTap}?${encodeURIComponent(context.parentURL)}`, shortCircuit: true }
}

export const load = async (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const file = fileURLToPath(url)
  const source = readFileSync(file, 'utf8')
  const kept = join(cache, hashOf(file))
  const hash = hashOf(source)
  const found = read(kept)
  if (found.startsWith(`${hash}\n`)) {
    return { format: 'module', shortCircuit: true, source: found.slice(hash.length + 1) }
  }
  const code = await erased(file, source)
  // Test processes that write it at the same time write the same.
  const draft = `${kept}-${process.pid}`
  writeFileSync(draft, `${hash}\n${code}`)
  renameSync(draft, kept)
  return { format: 'module', shortCircuit: true, source: code }
}
