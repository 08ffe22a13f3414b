/**
 * Follows the pages of docs/applications to the letter, each on a machine of its own, on the embedded directory and on
 * slapd, and tries what real applications then do with people of all kinds. Other directories are tried in both
 * directions. On Debian 12, as root, with the packages that the pages name, and without a network.
 *
 *     npx tsx scripts/applications.ts [PAGE… | --sample]
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A network of its own has the well-known ports of the pages.
if (process.env.IN_OWN_NETWORK !== '1') {
  const own = [
    '-n',
    '-m',
    '-p',
    '-f',
    '--mount-proc',
    '--kill-child',
    'sh',
    '-ec',
    'ip link set lo up; exec "$@"',
    'sh',
  ]
  const command = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  // What is left of servers that end with their processes is removed after them.
  const folder = mkdtempSync(join(tmpdir(), 'steward-pages-'))
  chmodSync(folder, 0o755)
  const { status } = spawnSync('unshare', [...own, ...command], {
    stdio: 'inherit',
    env: { ...process.env, IN_OWN_NETWORK: '1', TMPDIR: folder },
  })
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.exit(status ?? 1)
}

const { runApplications } = await import('./applications/run.ts')
process.exit(await runApplications(process.argv.slice(2)))
