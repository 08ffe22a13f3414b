import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Directory } from './office.ts'
import type { Page } from './page.ts'

export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

/** A copy of this machine: what it writes below /etc, /var and the like is gone when it ends, and so are its processes. */
export interface Machine {
  /** Runs a program as root. `input` is its standard input. */
  run(command: string, args: readonly string[], input?: string): Promise<Run>
  /** Runs lines of a shell. */
  shell(lines: string, input?: string): Promise<Run>
  write(path: string, text: string, mode?: string): Promise<void>
  /** Does what a page says, with this password in place of READER_PASSWORD and the base DN of the directory. Throws where a step fails. */
  follow(page: Pick<Page, 'steps'>, password: string): Promise<void>
  end(): Promise<void>
}

/** Folders that the copy may change. */
const changed = ['etc', 'var', 'run', 'home', 'root', 'srv', 'usr/local']

const init = `set -e
mount -t tmpfs tmpfs /mnt
for folder in ${changed.join(' ')}; do
  mkdir -p /mnt/$folder/new /mnt/$folder/work
  mount -t overlay overlay -o lowerdir=/$folder,upperdir=/mnt/$folder/new,workdir=/mnt/$folder/work /$folder
done
echo ready
# The first process of a machine has to collect those that have ended.
while :; do sleep 3600 & wait $!; done`

/** @param directory what `ldap.example.org`, or another host, is to this machine */
export const openMachine = async (
  { address, ca, baseDn }: Omit<Directory, 'name'>,
  host = 'ldap.example.org',
): Promise<Machine> => {
  const child = spawn('unshare', ['-m', '-p', '-f', '--mount-proc', '--kill-child', 'bash', '-c', init], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [started] = await Promise.race([once(child.stdout, 'data'), ended])
  if (!String(started).includes('ready')) throw new Error('no machine: mounts are needed, and root')
  const [inside = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')

  const run: Machine['run'] = async (command, args, input = '') => {
    const entered = spawn('nsenter', ['-t', inside, '-m', '-p', '--wd=/', '--', 'timeout', '90', command, ...args], {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        LANG: 'C.UTF-8',
        HOME: '/root',
        TERM: 'xterm',
      },
    })
    let stdout = ''
    let stderr = ''
    entered.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    entered.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // A program that ends before it has read anything says why by its exit code.
    entered.stdin.once('error', () => {})
    entered.stdin.end(input)
    const [code] = (await once(entered, 'close')) as [number | null]
    return { code, stdout, stderr }
  }
  const shell: Machine['shell'] = (lines, input) => run('bash', ['-c', `set -eu\n${lines}`], input)
  const write: Machine['write'] = async (path, text, mode = '644') => {
    const script = 'mkdir -p "$(dirname "$1")" && cat >"$1" && chmod "$2" "$1"'
    const { code, stderr } = await run('sh', ['-c', script, 'sh', path, mode], text)
    if (code !== 0) throw new Error(`${path}: ${stderr}`)
  }
  const follow: Machine['follow'] = async ({ steps }, password) => {
    for (const step of steps) {
      const text = step.text.replaceAll('READER_PASSWORD', password).replaceAll('dc=example,dc=org', baseDn)
      if (step.kind === 'file') {
        await write(step.path, text)
        continue
      }
      const { code, stdout, stderr } = await shell(text)
      if (code !== 0) throw new Error(`exit code ${code} of\n${step.text}\n${stdout}${stderr}`)
      if (step.output !== null && stdout !== step.output)
        throw new Error(`${step.text}\nprinted\n${stdout}\nand not\n${step.output}\n${stderr}`)
    }
  }

  await write('/etc/hosts', `127.0.0.1 localhost ${hostname()}\n${address} ${host}\n`)
  await write('/etc/ssl/certs/steward-ca.pem', readFileSync(ca, 'utf8'))
  await write('/usr/local/sbin/systemctl', readFileSync(new URL('systemctl', import.meta.url), 'utf8'), '755')
  return {
    run,
    shell,
    write,
    follow,
    end: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
