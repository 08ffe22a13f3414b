import { tryHost } from './sssd.ts'
import type { Application } from './trial.ts'
import { tryWay } from './way.ts'

export const nslcd: Application = {
  name: 'nslcd',
  logs: '/var/log/systemctl.log',
  // Other pages need SSSD on the same machine; where it does not run, its module lets no account pass.
  prepare: async ({ machine }) => void (await machine.shell('pam-auth-update --remove sss')),
  check: async (trial) => {
    await tryHost(trial, async () => {})
    // It takes connections and does not answer. Administrators of the host have to get in all the same.
    await tryWay(
      trial,
      '127.0.0.22',
      'nslcd',
      async (way) => {
        const { machine, expect } = trial
        way.block()
        const root = await machine.run('timeout', ['20', 'id', '-Gn', 'root'])
        expect(root.code === 0 && root.stdout === 'root\n', `root does not wait for the directory: ${root.code}`)
        const ann = await machine.run('timeout', ['30', 'getent', 'passwd', 'ann'])
        expect(ann.code === 2, `nslcd gives up: ${ann.code} ${ann.stdout}`)
      },
      389,
    )
  },
}
