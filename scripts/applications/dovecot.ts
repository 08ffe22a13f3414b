import { trySignIns } from './sign-ins.ts'
import type { Application } from './trial.ts'

export const dovecot: Application = {
  name: 'dovecot',
  logs: '/var/log/systemctl.log /var/log/dovecot.log',
  check: async (trial) => {
    const { machine, expect } = trial
    await trySignIns(
      trial,
      async (name, secret) => (await machine.run('doveadm', ['auth', 'test', '--', name, secret])).code === 0,
    )
    const homeOf = async (name: string): Promise<string> =>
      (await machine.run('doveadm', ['user', '-f', 'home', '--', name])).stdout.trim()
    for (const name of ['ann', 'john,smith', '王小明'])
      expect(/^\/srv\/mail\/[0-9a-f-]{36}$/.test(await homeOf(name)), `the home of ${name} is ${await homeOf(name)}`)
    const all = (await machine.run('doveadm', ['user', '*'])).stdout.split('\n')
    // What IMAP does when a person opens their mailbox for the first time.
    const saved = await machine.run('doveadm', ['save', '-u', 'ann'], 'Subject: Soup\n\nOf the day.\n')
    expect(saved.code === 0, `ann has a mailbox: ${saved.stderr}`)
    expect(all.includes('ann') && all.includes('star*') && !all.includes('left'), `the list of people: ${all.join()}`)
  },
}
