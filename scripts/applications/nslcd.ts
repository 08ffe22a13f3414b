import { tryHost } from './sssd.ts'
import type { Application } from './trial.ts'

export const nslcd: Application = {
  name: 'nslcd',
  logs: '/var/log/systemctl.log',
  // Other pages need SSSD on the same machine; where it does not run, its module lets no account pass.
  prepare: async ({ machine }) => void (await machine.shell('pam-auth-update --remove sss')),
  check: (trial) => tryHost(trial, async () => {}),
}
