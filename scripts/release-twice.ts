/**
 * Makes a release in a copy of this checkout, commits it, builds the same commit once more in a clone elsewhere, under
 * another time zone, language and mask, and compares every byte. It takes some minutes and 2 GB; nothing here is changed.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageOf } from './release/artefacts.ts'
import { releases } from './release/changelog.ts'

const folder = mkdtempSync(join(tmpdir(), 'steward-twice-'))
const [first, second] = [join(folder, 'first'), join(folder, 'elsewhere', 'a folder of', 'another-name')]

const run = (cwd: string, command: string, args: readonly string[], env: Record<string, string> = {}): string =>
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  })
const git = (cwd: string, ...args: string[]): string =>
  run(cwd, 'git', ['-c', 'user.name=release', '-c', 'user.email=release@example.org', ...args])
const expect = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`not so: ${what}`)
  console.log(`ok    ${what}`)
}

/** The files that git knows, as they are now, and the packages. */
const copyCheckout = (): void => {
  for (const name of git('.', 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')) {
    if (name === '') continue
    mkdirSync(join(first, dirname(name)), { recursive: true })
    cpSync(name, join(first, name))
  }
  copyPackages(first)
  git(first, 'init', '--quiet')
  git(first, 'add', '--all')
  git(first, 'commit', '--quiet', '--message', 'Copy')
}

const copyPackages = (to: string): void => {
  run('.', 'cp', ['-a', '--reflink=auto', 'node_modules', to])
  rmSync(join(to, 'node_modules/.cache'), { recursive: true, force: true })
}

const checkContents = (out: string, version: string): void => {
  const names = readdirSync(out).sort()
  const expected = [
    'SHA256SUMS',
    `steward-${version}.cdx.json`,
    `steward-${version}.tgz`,
    `steward-chart-${version}.tgz`,
    ...['console', 'containers', 'deploy', 'openapi'].map((name) => `steward-${name}-${version}.tar.gz`),
  ].sort()
  expect(names.join() === expected.join(), `a release consists of ${expected.join(', ')}`)
  run(out, 'sha256sum', ['--check', '--strict', 'SHA256SUMS'])
  expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8').split('\n').length === names.length, 'every file has a checksum')
  const has = (archive: string, path: string): void =>
    expect(
      run(out, 'tar', ['-tzf', `${archive}`])
        .split('\n')
        .includes(path),
      `${archive} has ${path}`,
    )
  has(`steward-${version}.tgz`, 'package/dist/commands/steward.js')
  has(`steward-${version}.tgz`, 'package/dist/console/index.html')
  has(`steward-${version}.tgz`, 'package/npm-shrinkwrap.json')
  has(`steward-chart-${version}.tgz`, 'steward/Chart.yaml')
  has(`steward-openapi-${version}.tar.gz`, `steward-openapi-${version}/operations.json`)
  has(`steward-console-${version}.tar.gz`, `steward-console-${version}/index.html`)
  has(`steward-containers-${version}.tar.gz`, `steward-containers-${version}/Dockerfile`)
  has(`steward-deploy-${version}.tar.gz`, `steward-deploy-${version}/deploy/systemd/steward.service`)
  const chart = run(out, 'tar', ['-xzOf', `steward-chart-${version}.tgz`, 'steward/Chart.yaml'])
  const image = run(out, 'tar', [
    '-xzOf',
    `steward-containers-${version}.tar.gz`,
    `steward-containers-${version}/Dockerfile`,
  ])
  expect(image.includes(`org.opencontainers.image.version="${version}"`), 'the image has a label with the version')
  expect(chart.includes(`version: ${version}\nappVersion: '${version}'`), `the chart is of version ${version}`)
}

try {
  copyCheckout()
  // Later than any, so that every file that names the version has to change.
  run(first, 'npx', ['tsx', 'scripts/release.ts', '--no-check', '--version', '999.0.0'])
  const { version } = packageOf(first)
  expect(version === '999.0.0', 'package.json has the version')
  const [newest] = releases(readFileSync(join(first, 'CHANGELOG.md'), 'utf8'))
  expect(newest?.version === version, `the changelog has the release ${version}`)
  checkContents(join(first, 'release'), version)
  git(first, 'commit', '--quiet', '--all', '--message', `Release ${version}`)

  mkdirSync(dirname(second), { recursive: true })
  git(folder, 'clone', '--quiet', first, second)
  copyPackages(second)
  const away = { TZ: 'Asia/Kathmandu', LC_ALL: 'C' }
  run(second, 'sh', ['-c', 'umask 077; exec npx tsx scripts/release.ts --build-only'], away)
  expect(git(second, 'status', '--porcelain') === '', 'a build changes no file of the commit')
  const [one, other] = [join(first, 'release'), join(second, 'release')]
  const differing = readdirSync(one).filter(
    (name) => !readFileSync(join(one, name)).equals(readFileSync(join(other, name))),
  )
  if (process.env.KEEP_DIFFERING && differing.length > 0) {
    cpSync(one, join(process.env.KEEP_DIFFERING, 'one'), { recursive: true })
    cpSync(other, join(process.env.KEEP_DIFFERING, 'other'), { recursive: true })
  }
  expect(differing.length === 0, `two builds of a commit have the same bytes (${differing.join(', ') || 'all files'})`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
