import type { Application } from './trial.ts'
import { tryWay } from './way.ts'

export const sshd: Application = {
  name: 'sshd',
  after: ['sssd'],
  logs: '/var/log/systemctl.log',
  prepare: async ({ machine, office }) => {
    const { stdout } = await machine.shell(`
      ssh-keygen -q -t ed25519 -N '' -C '' -f /root/ann
      ssh-keygen -q -t ed25519 -N '' -C '' -f /root/other
      cat /root/ann.pub`)
    await office.addKey('ann', stdout.trim())
  },
  check: async (trial) => {
    const { machine, office, tag, expect } = trial
    const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
    const signsIn = async (wanted: boolean, name: string, key: string): Promise<void> => {
      const { stdout, stderr } = await machine.run('ssh', [
        ...['-n', '-F', 'none', '-i', `/root/${key}`, ...options.flatMap((each) => ['-o', each])],
        ...['-l', name, 'localhost', 'whoami; pwd'],
      ])
      const right = stdout === `${name}\n/home/${name}\n`
      const isRefused = stdout === '' && stderr.includes('Permission denied')
      expect(wanted ? right : isRefused, `${name} with the key ${key}: ${stdout}${stderr}`)
    }
    await signsIn(true, 'ann', 'ann')
    await signsIn(false, 'ann', 'other')
    await signsIn(false, 'kid', 'ann')
    await signsIn(false, 'left', 'ann')
    for (const name of ['*', 'ann)(uid=*', 'a*']) {
      const { stdout } = await machine.run('/usr/local/bin/steward-keys', [name])
      expect(stdout === '', `no keys for the name ${name}`)
    }

    const id = await office.addUser(`${tag}.coder`)
    const name = `${tag}.coder`
    const other = (await machine.run('cat', ['/root/other.pub'])).stdout.trim()
    await office.addKey(name, other)
    await signsIn(true, name, 'other')
    await office.rename(id, `${name}2`)
    await machine.shell(`sss_cache -E; ! getent passwd ${name}`)
    await signsIn(true, `${name}2`, 'other')
    await office.disable(id)
    await signsIn(false, `${name}2`, 'other')
    await office.enable(id)
    await signsIn(true, `${name}2`, 'other')
    await office.remove(id)

    await tryWay(trial, '127.0.0.23', 'ssh', async (way) => {
      way.block()
      const { code } = await machine.run('timeout', ['20', '/usr/local/bin/steward-keys', 'ann'])
      expect(code === 0, `the command does not wait for a directory that does not answer: ${code}`)
    })

    // SSSD serves the keys too.
    await machine.write(
      '/etc/ssh/sshd_config.d/steward.conf',
      'AuthorizedKeysCommand /usr/bin/sss_ssh_authorizedkeys %u\nAuthorizedKeysCommandUser steward-keys\n',
    )
    await machine.shell('sss_cache -E; systemctl restart ssh')
    await signsIn(true, 'ann', 'ann')
    await signsIn(false, 'ann', 'other')
  },
}
