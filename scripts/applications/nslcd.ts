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
    // Administrators of the host have to get in when the directory takes connections and answers nothing.
    await tryWay(trial, '127.0.0.22', 'nslcd', async (way) => {
      way.block()
      const { code, stdout } = await trial.machine.run('timeout', ['20', 'id', '-Gn', 'root'])
      trial.expect(code === 0 && stdout === 'root\n', `root does not wait for the directory: ${code} ${stdout}`)
    })
  },
}
