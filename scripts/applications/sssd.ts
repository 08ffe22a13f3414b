import { eventually } from '../../test/eventually.ts'
import { hostileNames, hostilePasswords, password } from './office.ts'
import type { Application, Trial } from './trial.ts'
import { tryWay } from './way.ts'

/** Accounts and sign-ins as a Linux host knows them, whichever service it asks. */
export const accountsOfHost = ({ machine, expect }: Pick<Trial, 'machine' | 'expect'>) => {
  const known = async (name: string): Promise<string> => (await machine.run('getent', ['passwd', name])).stdout.trim()
  const signsIn = async (name: string, secret = password): Promise<boolean> => {
    const { code } = await machine.run('pamtester', ['login', name, 'authenticate', 'acct_mgmt'], `${secret}\n`)
    return code === 0
  }
  return {
    known,
    letsIn: signsIn,
    hasAccount: async (wanted: boolean, name: string): Promise<void> =>
      expect(((await known(name)) !== '') === wanted, `${JSON.stringify(name)} has ${wanted ? 'an' : 'no'} account`),
    signsIn: async (wanted: boolean, name: string, secret?: string): Promise<void> =>
      expect(
        (await signsIn(name, secret)) === wanted,
        `${JSON.stringify(name)} ${wanted ? 'signs' : 'does not sign'} in`,
      ),
  }
}

/** What is the same with SSSD and with nslcd. @param forget has the host ask the directory again */
export const tryHost = async (
  { machine, office, tag, expect }: Trial,
  forget: () => Promise<unknown>,
): Promise<void> => {
  const host = accountsOfHost({ machine, expect })
  const all = async (names: readonly string[], hold: (name: string) => Promise<void>): Promise<void> => {
    await Promise.all(names.map(hold))
  }
  const isPosix = (name: string): boolean => /^[a-z_][\w.-]*$/i.test(name)
  await all(['ann', 'kid', 'married'], (name) => host.signsIn(true, name))
  const { stdout } = await machine.run('getent', ['passwd', '--', 'left', 'maiden', ...hostileNames])
  const found = stdout.split('\n').map((line) => line.split(':')[0])
  const wanted = hostileNames.filter(isPosix)
  expect(found.join() === [...wanted, ''].join(), `accounts of odd names: ${found}`)
  // Each refusal takes two seconds.
  await all(['left', 'maiden', 'john,smith', 'star*', '王小明', '#first'], (name) => host.signsIn(false, name))
  await Promise.all(hostilePasswords.map((secret, index) => host.signsIn(true, `secret${index}`, secret)))
  const typist = await office.addUser(`${tag}.typist`, [office.rowers])
  await all(['', 'wrong', `${password} `], (secret) => host.signsIn(false, `${tag}.typist`, secret))
  await office.remove(typist)

  const groups = async (name: string): Promise<string[]> =>
    (await machine.run('id', ['-Gn', name])).stdout.trim().split(' ').sort()
  expect((await groups('ann')).join() === 'Rowers,users', `ann is in ${await groups('ann')}`)

  const id = await office.addUser(`${tag}.leaver`, [office.rowers])
  await host.signsIn(true, `${tag}.leaver`)
  const number = (await host.known(`${tag}.leaver`)).split(':')[2]
  await office.rename(id, `${tag}.renamed`)
  await forget()
  await host.hasAccount(false, `${tag}.leaver`)
  await host.signsIn(true, `${tag}.renamed`)
  expect((await host.known(`${tag}.renamed`)).split(':')[2] === number, 'a renamed person keeps the number')
  await office.disable(id)
  await host.signsIn(false, `${tag}.renamed`)
  await forget()
  await host.hasAccount(false, `${tag}.renamed`)
  await office.enable(id)
  await forget()
  await host.signsIn(true, `${tag}.renamed`)
  await office.remove(id)
}

/** By default SSSD asks for the directory again after a minute at the earliest, and after an hour at the latest. */
const tryReturn = (trial: Trial): Promise<void> =>
  tryWay(trial, '127.0.0.21', 'sssd', async (way) => {
    const host = accountsOfHost(trial)
    await host.signsIn(true, 'ann')
    await way.close()
    await host.signsIn(false, 'ann')
    await way.open()
    await eventually(() => host.letsIn('ann'), 'people sign in soon after the directory is back', 30_000)
  })

export const sssd: Application = {
  name: 'sssd',
  logs: '/var/log/sssd/*.log /var/log/systemctl.log',
  check: async (trial) => {
    const { machine } = trial
    await tryHost(trial, () => machine.run('sss_cache', ['-E']))
    await tryReturn(trial)
  },
}
