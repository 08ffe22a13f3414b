import { password } from './office.ts'
import { trySignIns } from './sign-ins.ts'
import type { Application } from './trial.ts'
import { tryWay } from './way.ts'

export const python: Application = {
  name: 'python',
  logs: '/var/log/systemctl.log',
  check: async (trial) => {
    const { machine, expect } = trial
    for (const library of ['python_ldap', 'ldap3']) {
      const ask = async (name: string, secret: string): Promise<string> => {
        const { stdout, stderr } = await machine.run(
          '/usr/bin/python3',
          [`/opt/example/with_${library}.py`, name],
          secret,
        )
        return stdout.trim() || stderr
      }
      await trySignIns(trial, async (name, secret) => (await ask(name, secret)).startsWith('['))
      const groups = await ask('star*', password)
      expect(groups === `['R&D, "Core" #1', 'Rowers']`, `${library}: the groups of star* are ${groups}`)
    }
    // It takes connections and does not answer.
    await tryWay(
      trial,
      '127.0.0.25',
      '',
      async (way) => {
        way.block()
        const script = '/opt/example/with_python_ldap.py'
        const { code, stderr } = await machine.run('timeout', ['20', '/usr/bin/python3', script, 'ann'], password)
        expect(code === 1 && stderr.includes('ldap.TIMEOUT'), `python-ldap gives up: ${code} ${stderr}`)
      },
      389,
    )
  },
}
