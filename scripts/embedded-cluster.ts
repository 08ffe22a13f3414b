import crypto from 'node:crypto'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/**
 * Stores a cluster as initdb makes it in dist, for the first start of an embedded database (src/db/embedded/cluster.ts):
 * initdb in WebAssembly takes seconds and 700 MB, unpacking half of either.
 *
 * Every build makes the same bytes: initdb sees a clock that stands still, and constants for random numbers. These end
 * up in the system identifier, which matters between servers that replicate, and in a nonce for SCRAM, which the embedded
 * database does not offer.
 */
const target = fileURLToPath(new URL('../dist/db/embedded/cluster.tar.gz', import.meta.url))
const runtime = fileURLToPath(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite')))

const standStill = (moment: number): void => {
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number]) {
      super(...(given.length === 0 ? ([moment] as const) : given))
    }
    static override now(): number {
      return moment
    }
  } as DateConstructor
  Math.random = () => 0.5
  // WebAssembly's file system takes random bytes from here.
  crypto.randomFillSync = (array) => {
    if (!ArrayBuffer.isView(array)) throw new TypeError('PGlite fills views')
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(7)
    return array
  }
}

const changed = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0)

if (changed(target) < Math.max(changed(runtime), changed(import.meta.filename))) {
  standStill(Date.UTC(2026, 0, 1))
  const { PGlite } = await import('@electric-sql/pglite')
  const cluster = await PGlite.create()
  await cluster.exec('checkpoint')
  const content = await cluster.dumpDataDir('none')
  writeFileSync(target, gzipSync(Buffer.from(await content.arrayBuffer()), { level: 9 }))
  process.exit()
}
