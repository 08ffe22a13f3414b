import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const outDir = fileURLToPath(new URL('../../dist/console', import.meta.url))

/** Compresses the built files once, so that the service never does. */
const precompress = (): Plugin => ({
  name: 'precompress',
  closeBundle() {
    const assets = join(outDir, 'assets')
    for (const name of readdirSync(assets)) {
      const file = join(assets, name)
      const content = readFileSync(file)
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
      writeFileSync(
        `${file}.br`,
        brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
      )
    }
  },
})

/** Without the names of all that share a file. */
const shortName = (name: string): string => name.replace(/[~.].*/, '')

/** Pages by the file they are in: small areas that are used together share one. */
const areas: Readonly<Record<string, readonly string[]>> = {
  access: ['apis', 'groups', 'menus', 'roles'],
  records: ['backups', 'log'],
  diet: ['diet'],
  directory: ['directory'],
  home: ['home'],
  me: ['me'],
  runs: ['runs'],
  security: ['security'],
  sources: ['sources'],
}

const areaOf = (page: string | undefined): string | null =>
  Object.keys(areas).find((name) => page !== undefined && areas[name]?.includes(page)) ?? null

export default defineConfig({
  root,
  // Addresses are relative to the shell's <base>, which the service sets: BASE_PATH is known when it runs.
  base: './',
  plugins: [react(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    // An inlined file would be a data: address, which the content security policy allows for pictures alone.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
        assetFileNames: ({ names: [name = 'file'] }) => `assets/${shortName(name)}-[hash][extname]`,
        // Many small chunks compress badly, and each is a request: what starts together is one file, and so is what many
        // pages share. Texts stay apart, for a browser needs those of one language.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: (id) => !/(index\.html|main\.tsx)$/.test(id) },
            {
              name: 'parts',
              test: (id) => !id.includes('/locales/'),
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 24_000,
            },
            // The pages of small areas that belong together, with their drawers.
            { name: (id) => areaOf(/\/pages\/(\w+)\//.exec(id)?.[1]) },
          ],
        },
      },
    },
  },
})
