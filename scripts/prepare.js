// Builds at `npm ci`. Without development packages (`npm ci --omit=dev`) there is nothing to build with, and what was built
// before is used.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const folder = new URL('..', import.meta.url)
const has = (path) => existsSync(new URL(path, folder))

if (has('node_modules/typescript')) {
  const { status } = spawnSync('npm', ['run', 'build'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
} else if (!has('dist/main/server.js')) {
  console.error(
    'dist/ is missing, and without development packages it cannot be built: run npm ci first, without --omit',
  )
  process.exitCode = 1
}
