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

/** Palettes of Mantine that no page uses: variables of two themes for each of their shades and kinds. */
const unused = /^--mantine-color-(pink|grape|violet|indigo|blue|cyan|lime|orange)-/

/** Leaves the variables of palettes out that no page uses. */
const withoutUnusedPalettes = {
  postcssPlugin: 'without-unused-palettes',
  Declaration: (declaration: { prop: string; remove(): void }): void => {
    if (unused.test(declaration.prop)) declaration.remove()
  },
}

/** Without the names of all that share a file. */
const shortName = (name: string): string => name.replace(/[~.].*/, '')

export default defineConfig({
  root,
  // Addresses are relative to the shell's <base>, which the service sets: BASE_PATH is known when it runs.
  base: './',
  plugins: [react(), precompress()],
  css: { postcss: { plugins: [withoutUnusedPalettes] } },
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    // For the list of what a release contains.
    license: { fileName: '.vite/license.json' },
    modulePreload: { polyfill: false },
    // An inlined file would be a data: address, which the content security policy allows for pictures alone.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // What no one uses is left out: no module of ours or of a library does anything when a property or a global is read.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
        assetFileNames: ({ names: [name = 'file'] }) => `assets/${shortName(name)}-[hash][extname]`,
        // Many small chunks compress badly, and each is a request: what starts together is one file, and so is what two or
        // more pages share. Pages of an area are one file by the module that names them, such as pages/administration.ts.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], test: (id) => !/(index\.html|main\.tsx)$/.test(id) },
            { name: 'shared', test: (id) => !id.includes('/locales/'), minShareCount: 2 },
            // A page has less than a kilobyte of its own. That of the largest area stays with it.
            { name: 'pages', test: /pages\/(?!attributes).*\.css$/ },
          ],
        },
      },
    },
  },
})
