import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { knownMigrations } from '../src/db/schema-version.ts'
import { buildArtefacts, packageOf } from './release/artefacts.ts'
import { isLater, nextVersion, releases, withRelease } from './release/changelog.ts'
import { writePreviousRelease } from './release/previous.ts'

const usage = `Usage: npm run release -- [--version X.Y.Z] [--no-check] [--tag] [--out <folder>]
       npm run release -- --build-only [--out <folder>]

Sets the version that follows from CHANGELOG.md, in package.json, package-lock.json, the Helm chart, the Dockerfile and the
changelog, and builds everything that a release consists of into a folder (release). The tree must have no uncommitted changes.
See docs/releases.md.

  --version     this version instead, for example 1.0.0
  --no-check    without npm run check; not allowed with --tag
  --tag         commit the new version, and tag the commit; nothing is pushed or signed
  --build-only  build the version that the tree has, and change nothing else

Exit code: 0 done, 1 failed, 2 not possible as asked`

/** The release is not possible as asked. */
class Refusal extends Error {}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** Changes one place of a file. @throws Error where it is not found */
const edit = (file: string, pattern: RegExp, text: string): void => {
  const before = readFileSync(file, 'utf8')
  if (!pattern.test(before)) throw new Error(`${file} does not name its version where it is expected`)
  writeFileSync(file, before.replace(pattern, text))
}

const setVersion = (version: string, date: string): void => {
  // package.json and package-lock.json
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'])
  edit('deploy/helm/steward/Chart.yaml', /^version: .*$/m, `version: ${version}`)
  edit('deploy/helm/steward/Chart.yaml', /^appVersion: .*$/m, `appVersion: '${version}'`)
  edit('Dockerfile', /(image\.version)="[^"]*"/, `$1="${version}"`)
  writePreviousRelease({ ref: `v${version}`, migration: knownMigrations().at(-1)?.tag ?? '' })
  writeFileSync('CHANGELOG.md', withRelease(readFileSync('CHANGELOG.md', 'utf8'), version, date))
}

const chosenVersion = (wanted: string | undefined, changelog: string): string => {
  const { version: current } = packageOf('.')
  if (wanted === undefined) return nextVersion(current, changelog)
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(wanted))
    throw new Refusal(`--version: ${wanted} is not a version such as 1.2.3`)
  const [last] = releases(changelog)
  if (last !== undefined && !isLater(wanted, last.version))
    throw new Refusal(`--version: ${last.version} is released already`)
  return wanted
}

/** The day of the newest release: what is built from its tree has this time, whenever that is. */
const epoch = (changelog: string, version: string): number => {
  const found = releases(changelog).find((each) => each.version === version)
  if (found === undefined) throw new Refusal(`CHANGELOG.md has no release ${version}, the version of package.json`)
  return Date.parse(found.date) / 1000
}

const asked = () => {
  try {
    return parseArgs({
      options: {
        version: { type: 'string' },
        'no-check': { type: 'boolean' },
        tag: { type: 'boolean' },
        'build-only': { type: 'boolean' },
        out: { type: 'string', default: 'release' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

const main = (): void => {
  const values = asked()
  if (values.help) {
    console.log(usage)
    return
  }
  if (values.tag && values['no-check']) throw new Refusal('--tag: only a version that was checked is tagged')
  const dirty = git('status', '--porcelain')
  if (dirty !== '') throw new Refusal(`The tree has uncommitted changes:\n${dirty}`)
  const readChangelog = (): string => readFileSync('CHANGELOG.md', 'utf8')
  if (!values['build-only']) {
    const version = chosenVersion(values.version, readChangelog())
    if (git('tag', '--list', `v${version}`) !== '') throw new Refusal(`There is a tag v${version} already`)
    const date = new Date().toISOString().slice(0, 10)
    withRelease(readChangelog(), version, date)
    if (!values['no-check']) execFileSync('npm', ['run', 'check'], { stdio: 'inherit' })
    setVersion(version, date)
  }
  const { version } = packageOf('.')
  const out = resolve(values.out)
  const names = buildArtefacts('.', out, epoch(readChangelog(), version))
  if (values.tag && !values['build-only']) {
    git('commit', '--quiet', '--all', '--message', `Release ${version}`)
    git('tag', '--annotate', '--message', `Steward ${version}`, `v${version}`)
  }
  console.log(`Steward ${version}, in ${out}:\n${names.map((name) => `  ${name}`).join('\n')}`)
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof Refusal ? 2 : 1
}
