import { password } from './office.ts'
import { trySignIns } from './sign-ins.ts'
import type { Application } from './trial.ts'
import { tryWay } from './way.ts'

export const apache: Application = {
  name: 'apache',
  logs: '/var/log/apache2/error.log',
  check: async (trial) => {
    const { machine, office, expect } = trial
    const status = async (page: string, name: string, secret = password): Promise<number> => {
      const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
      // The machine has our network.
      return (await fetch(`http://localhost/${page}/`, { headers: { authorization } })).status
    }
    const is = async (wanted: number, page: string, name: string, secret?: string): Promise<void> => {
      const found = await status(page, name, secret)
      expect(found === wanted, `${JSON.stringify(name)} at /${page}/ gets ${found}, not ${wanted}`)
    }

    await trySignIns(trial, async (name, secret) => {
      const found = await status('staff', name, secret)
      expect(found === 200 || found === 401, `${JSON.stringify(name)} at /staff/ gets ${found}`)
      return found === 200
    })
    for (const name of ['visitor', 'core']) await is(200, 'staff', name)
    for (const name of ['', 'nobody']) await is(401, 'staff', name)

    // A member, one of a group below, an odd name; not those of other groups, who are asked for another name.
    for (const page of ['rowers', 'members']) {
      for (const name of ['ann', 'kid', 'john,smith', 'star*', '王小明', 'married']) await is(200, page, name)
      for (const name of ['visitor', 'core', 'left', 'maiden']) await is(401, page, name)
    }
    for (const name of ['core', 'back\\slash', '#first']) await is(200, 'core', name)
    for (const name of ['ann', 'kid']) await is(401, 'core', name)
    await is(200, 'number', 'ann')
    // Whichever way the name is typed, programs behind Apache are told one and the same.
    for (const typed of ['ANN', ' ann ', 'Ann']) await is(200, 'staff', typed)
    const { stdout } = await machine.shell(
      `grep -i ' ann *\\[' /var/log/apache2/access.log | cut -d ' ' -f 3- | cut -d '[' -f 1 | sort -u`,
    )
    expect(stdout === 'ann \n', `REMOTE_USER of ann: ${JSON.stringify(stdout)}`)
    await is(401, 'number', 'kid')

    const id = await office.addUser('apache.leaver', [office.rowers])
    await is(200, 'rowers', 'apache.leaver')
    await office.rename(id, 'apache.renamed')
    await is(401, 'rowers', 'apache.leaver')
    await is(200, 'rowers', 'apache.renamed')
    await office.disable(id)
    for (const page of ['staff', 'rowers', 'members']) await is(401, page, 'apache.renamed')
    await office.enable(id)
    await is(200, 'rowers', 'apache.renamed')
    await office.remove(id)
    await is(401, 'rowers', 'apache.renamed')

    // It takes connections and does not answer.
    await tryWay(
      trial,
      '127.0.0.26',
      'apache2',
      async (way) => {
        way.block()
        const options = ['-s', '-m', '20', '-o', '/dev/null', '-w', '%{http_code}']
        const { stdout } = await machine.run('curl', [...options, '-u', `ann:${password}`, 'http://localhost/staff/'])
        expect(stdout === '500', `Apache gives up: ${stdout}`)
        await way.open()
        await is(200, 'staff', 'ann')
      },
      389,
    )
  },
}
