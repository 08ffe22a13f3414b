import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sbomOf } from './sbom.ts'

interface Package {
  version: string
}

export const packageOf = (folder: string): Package =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package

const run = (folder: string, command: string, args: readonly string[]): string => {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { status, error, stdout } = spawnSync(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  if (status === 0) return stdout
  // Compilers say there what is wrong.
  process.stderr.write(stdout ?? '')
  throw new Error(`${[command, ...args].join(' ')} has failed`, { cause: error ?? `exit code ${status}` })
}

/**
 * An archive that depends on names and contents alone, not on times, owners, the mask of the user or the order of the
 * folder (https://reproducible-builds.org/docs/archives). GNU tar and gzip.
 */
const archive = (folder: string, names: readonly string[], file: string, seconds: number): void => {
  const options = ['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
  const tar = execFileSync('tar', ['-C', folder, ...options, '--mode=u=rwX,go=rX', '-cf', '-', ...names], {
    maxBuffer: 256 * 1024 * 1024,
  })
  writeFileSync(file, execFileSync('gzip', ['-9', '-n'], { input: tar, maxBuffer: 256 * 1024 * 1024 }))
}

/** The package as `npm pack` makes it, packed anew: the order of its files depends on the language of the user. */
const packPackage = (folder: string, file: string, seconds: number): void => {
  const draft = mkdtempSync(join(tmpdir(), 'steward-release-'))
  try {
    // Without `prepare`, which would build again.
    run(folder, 'npm', ['run', '--silent', 'prepack'])
    const name = run(folder, 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', draft]).trim()
    run(folder, 'npm', ['run', '--silent', 'postpack'])
    execFileSync('tar', ['-xzf', join(draft, name), '-C', draft])
    archive(draft, ['package'], file, seconds)
  } finally {
    rmSync(draft, { recursive: true })
  }
}

/** A chart as `helm package` makes it, but with fixed times. */
const packChart = (folder: string, file: string, seconds: number): void =>
  archive(join(folder, 'deploy/helm'), ['steward'], file, seconds)

/** Some files and folders, below a folder that has the name of the archive. */
const packFolder = (
  folder: string,
  sources: ReadonlyMap<string, string>,
  { name, out, seconds }: { name: string; out: string; seconds: number },
): void => {
  const draft = mkdtempSync(join(tmpdir(), 'steward-release-'))
  try {
    for (const [source, target] of sources) {
      cpSync(join(folder, source), join(draft, name, target), { recursive: true, preserveTimestamps: true })
    }
    archive(draft, [name], join(out, `${name}.tar.gz`), seconds)
  } finally {
    rmSync(draft, { recursive: true })
  }
}

const same = (names: readonly string[]): Map<string, string> => new Map(names.map((name) => [name, name]))

/** What the Dockerfile copies, with the Dockerfile: `docker build` of the unpacked folder needs no checkout. */
const imageContext = (folder: string): Map<string, string> => {
  const [first, ...kept] = readFileSync(join(folder, '.dockerignore'), 'utf8').trim().split('\n')
  if (first !== '*' || !kept.every((line) => line.startsWith('!'))) {
    throw new Error('.dockerignore: expected a line "*", and then lines of what is let through')
  }
  const patterns = kept.map((line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
  const names = readdirSync(folder).filter((name) => patterns.some((each) => each.test(name)))
  return same(['.dockerignore', 'Dockerfile', ...names])
}

/**
 * Builds everything that a release consists of, in a folder of its own: the package for npm, the Helm chart, the OpenAPI
 * documents, the console, what the container image is built from, the files for systemd, HAProxy and Grafana, an SBOM, and
 * the checksums of all. The same sources give the same bytes, on any machine with the same
 * versions of Node.js and npm.
 * @param seconds since 1970: the time that archives and the SBOM have (SOURCE_DATE_EPOCH)
 * @returns the names of the files
 */
export const buildArtefacts = (folder: string, out: string, seconds: number): string[] => {
  const { version } = packageOf(folder)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  run(folder, 'npm', ['run', '--silent', 'build'])
  packPackage(folder, join(out, `steward-${version}.tgz`), seconds)
  packChart(folder, join(out, `steward-chart-${version}.tgz`), seconds)
  const pack = (name: string, sources: ReadonlyMap<string, string>): void =>
    packFolder(folder, sources, { name: `steward-${name}-${version}`, out, seconds })
  pack('openapi', new Map([['openapi/published', '.']]))
  pack('console', new Map([['dist/console', '.']]))
  pack('containers', new Map([...imageContext(folder), ...same(['compose.yaml', 'deploy/openldap'])]))
  pack(
    'deploy',
    same(['deploy/systemd', 'deploy/haproxy', 'deploy/grafana', 'deploy/syslog', '.env.example', 'LICENSE']),
  )
  writeFileSync(join(out, `steward-${version}.cdx.json`), sbomOf(folder, seconds))
  const names = readdirSync(out).sort()
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex')}  ${name}\n`,
  )
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  return [...names, 'SHA256SUMS']
}
