import type { Application } from './run.ts'
import { trySignIns } from './sign-ins.ts'

export const freeradius: Application = {
  name: 'freeradius',
  logs: '/var/log/systemctl.log /var/log/freeradius/radius.log',
  check: async (trial) => {
    const { machine } = trial
    const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
    const accepts = async (name: string, secret: string): Promise<boolean> => {
      const request = `User-Name = ${quoted(name)}, User-Password = ${quoted(secret)}\n`
      const { stdout } = await machine.run('radclient', ['-x', '-r', '1', 'localhost', 'auth', 'testing123'], request)
      return stdout.includes('Received Access-Accept')
    }
    // The page says why a request can be refused once.
    const signsIn = async (name: string, secret: string): Promise<boolean> =>
      (await accepts(name, secret)) || (await accepts(name, secret))
    await trySignIns(trial, signsIn, {
      oneByOne: true,
      impossible: [
        ...[
          'john,smith',
          '#first',
          'back\\slash',
          'quote"d',
          'star*',
          'paren(x)',
          'DOMAIN\\joe',
          'a+b',
          'a=b',
          '<tag>',
          'semi;colon',
        ],
      ],
      // RFC 2865: 128 bytes.
      cannotSend: (secret) => Buffer.byteLength(secret) > 128,
    })
  },
}
