import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * PGlite's WASM compiled once and plainly: for a process that lives for seconds, optimising it costs more than it
 * brings (a third of a start's CPU). Tests themselves run with it too (package.json).
 */
export const plainly = '--liftoff-only'

/**
 * Node's arguments to start an entry point of the product as it ships, which costs half of what starting its source
 * does.
 * @param name of the file in src, without its ending.
 * @throws Error when `npm run build` has not been run, or not since the last change.
 */
export const built = (name: string): string[] => {
  const dist = fileURLToPath(new URL('../dist/', import.meta.url))
  // A build leaves files alone whose source has not changed, so they say nothing of when it was.
  const stamp = join(dist, '.built')
  if (!existsSync(stamp) || statSync(stamp).mtimeMs < lastChange())
    throw new Error('run npm run build: src has changed')
  return [plainly, join(dist, `${name}.js`)]
}

/** Node's argument that has it run TypeScript; tests themselves run with it too (package.json). */
export const withTypes = `--import=${new URL('./typescript.js', import.meta.url)}`

/** Node's arguments to start a file of the tests. */
export const fromSource = (file: string): string[] => [plainly, withTypes, file]

const lastChange = (): number => {
  const sources = fileURLToPath(new URL('../src', import.meta.url))
  const changes = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => statSync(join(sources, path)).mtimeMs)
  return Math.max(...changes)
}
