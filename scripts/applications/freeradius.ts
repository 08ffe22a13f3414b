import { eventually } from '../../test/eventually.ts'
import { password } from './office.ts'
import { trySignIns } from './sign-ins.ts'
import type { Application, Trial } from './trial.ts'
import { tryWay } from './way.ts'

/** What a device of Wi-Fi does within the tunnel. */
const methods = { PEAP: 'MSCHAPV2', TTLS: 'PAP' } as const

/** A directory that takes connections and does not answer: requests are refused in time, and cost nothing. */
const trySilence = (trial: Trial): Promise<void> =>
  tryWay(
    trial,
    '127.0.0.24',
    'freeradius',
    async (way) => {
      const { machine, expect } = trial
      const answers = async (): Promise<string> => {
        const request = `User-Name = "ann", User-Password = "${password}"\n`
        const args = ['-x', '-r', '1', '-t', '25', 'localhost', 'auth', 'testing123']
        const { stdout } = await machine.run('radclient', args, request)
        return /Received Access-(\w+)/.exec(stdout)?.[1] ?? 'nothing'
      }
      const processorTime = async (): Promise<number> => {
        const { stdout } = await machine.shell(`
          cut -d ' ' -f 14,15 "/proc/$(cat /run/freeradius/freeradius.pid)/stat"
          getconf CLK_TCK`)
        const [user = 0, system = 0, ticks = 1] = stdout.split(/\s/).map(Number)
        return (user + system) / ticks
      }
      expect((await answers()) === 'Accept', 'ann is let in')
      const before = await processorTime()
      way.freeze()
      expect((await answers()) === 'Reject', 'ann is refused in time while the directory does not answer')
      const used = (await processorTime()) - before
      expect(used < 2, `waiting for the directory takes ${used} s of a processor`)
      await way.open()
      await eventually(async () => (await answers()) === 'Accept', 'ann is let in when the directory answers', 30_000)
    },
    389,
  )

export const freeradius: Application = {
  name: 'freeradius',
  logs: '/var/log/systemctl.log /var/log/freeradius/radius.log',
  check: async (trial) => {
    const { machine, expect } = trial
    await trySilence(trial)
    const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
    const accepts = async (name: string, secret: string): Promise<boolean> => {
      const request = `User-Name = ${quoted(name)}, User-Password = ${quoted(secret)}\n`
      const { stdout } = await machine.run('radclient', ['-x', '-r', '1', 'localhost', 'auth', 'testing123'], request)
      const isAnswered = /Received Access-(Accept|Reject)/.test(stdout)
      expect(isAnswered, `${JSON.stringify(name)} is answered: ${stdout}`)
      return stdout.includes('Received Access-Accept')
    }
    /** wpa_supplicant reads a text without quotes as hexadecimal octets. */
    const octets = (text: string): string => Buffer.from(text).toString('hex')
    const joins =
      (method: keyof typeof methods) =>
      async (name: string, secret: string): Promise<boolean> => {
        const network = [
          ...['key_mgmt=IEEE8021X', `eap=${method}`, `phase2="auth=${methods[method]}"`],
          ...[`identity=${octets(name)}`, `password=${secret === '' ? '""' : octets(secret)}`],
          ...['ca_cert="/etc/freeradius/3.0/certs/steward.pem"', 'domain_match="radius.example.org"'],
        ]
        const file = `/root/${method}.conf`
        await machine.write(file, `network={\n${network.join('\n')}\n}\n`)
        const args = ['-c', file, '-a', '127.0.0.1', '-s', 'testing123', '-t', '10', '-r', '0']
        const { stdout } = await machine.run('eapol_test', args)
        return stdout.trimEnd().endsWith('SUCCESS')
      }
    for (const way of ['PAP', 'TTLS', 'PEAP'] as const) {
      await trySignIns(trial, way === 'PAP' ? accepts : joins(way), {
        oneByOne: true,
        afterSignIn: way === 'PEAP',
        impossible: [
          ...['john,smith', '#first', 'back\\slash', 'quote"d', 'star*', 'paren(x)', 'DOMAIN\\joe', 'a+b', 'a=b'],
          ...['<tag>', 'semi;colon'],
        ],
        // RFC 2865: 128 bytes.
        cannotSend: (secret) => Buffer.byteLength(secret) > 128,
      })
    }
    await machine.shell('sed s/radius.example.org/evil.example.org/ /root/PEAP.conf >/root/evil.conf')
    const evil = await machine.run('eapol_test', [
      ...['-c', '/root/evil.conf', '-a', '127.0.0.1', '-s', 'testing123', '-t', '10', '-r', '0'],
    ])
    expect(!evil.stdout.trimEnd().endsWith('SUCCESS'), 'a device does not join a network with another certificate')
  },
}
