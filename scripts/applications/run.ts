import { turnOf } from '../../test/nightly.ts'
import { apache } from './apache.ts'
import { dovecot } from './dovecot.ts'
import { ds389 } from './ds389.ts'
import { freeradius } from './freeradius.ts'
import { ldapvi } from './ldapvi.ts'
import { openMachine } from './machine.ts'
import { nslcd } from './nslcd.ts'
import { type Directory, openOffice } from './office.ts'
import type { OtherServer } from './other-server.ts'
import { readPage } from './page.ts'
import { phpldapadmin } from './phpldapadmin.ts'
import { postfix } from './postfix.ts'
import { python } from './python.ts'
import { samba } from './samba.ts'
import { sshd } from './sshd.ts'
import { sssd } from './sssd.ts'
import type { Application, Trial } from './trial.ts'
import { tryServer } from './try-server.ts'

const applications: readonly Application[] = [
  apache,
  sssd,
  sshd,
  nslcd,
  dovecot,
  postfix,
  freeradius,
  python,
  ldapvi,
  phpldapadmin,
]

/** Directories that people are taken over from, and written to. */
const servers: readonly OtherServer[] = [samba, ds389]

/** Those of a sample, on the directory whose turn it is on this day. */
const sample = ['apache', 'sssd', 'sshd']

/**
 * @param given names of pages, by default all; or --sample
 * @returns the exit code
 */
export const runApplications = async (given: readonly string[]): Promise<number> => {
  const isSample = given[0] === '--sample'
  const names = isSample ? sample : given
  const unknown = names.filter((name) => ![...applications, ...servers].some((each) => each.name === name))
  if (unknown.length > 0) throw new Error(`no such page: ${unknown.join(', ')}`)
  const isChosen = ({ name }: { name: string }): boolean => names.length === 0 || names.includes(name)
  const chosen = applications.filter(isChosen)
  const pages = new Map(
    [...chosen.flatMap(({ name, after = [] }) => [...after, name])].map((name) => [name, readPage(name)]),
  )
  const office = await openOffice(Object.assign({}, ...[...pages.values()].map(({ settings }) => settings)))
  const comment = (...text: string[]): void => console.log(text.join(' '))
  const kinds = office.directories.map(({ name }) => name)
  const turn = isSample ? turnOf({ comment }, 'directories', kinds, kinds.length) : kinds
  const directories = office.directories.filter(({ name }) => turn.includes(name))
  const failed: string[] = []
  try {
    const passwords = new Map<string, string>()
    for (const [name, { account }] of pages) passwords.set(name, await office.createAccount(account))
    const follow = async ({ name, after = [], logs, prepare, check }: Application, directory: Directory) => {
      const started = Date.now()
      const faults: string[] = []
      const expect: Trial['expect'] = (holds, what) => void (holds || faults.push(what))
      const machine = await openMachine(directory)
      try {
        const password = passwords.get(name) ?? ''
        const trial = { machine, office, directory, password, tag: `${name}-${directory.name}`, expect }
        await prepare?.(trial)
        for (const page of [...after, name]) {
          const read = pages.get(page)
          if (read !== undefined) await machine.follow(read, passwords.get(page) ?? '')
        }
        await check(trial)
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error))
      }
      if (faults.length > 0) console.error((await machine.shell(`tail -n 30 ${logs}`)).stdout)
      await machine.end()
      console.log(`${name} on ${directory.name}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
      failed.push(...faults.map((fault) => `${name} on ${directory.name}: ${fault}`))
    }
    // An application has the ports of its page for itself, so only different ones run at a time.
    const first = chosen.filter(({ portsOf }) => !chosen.some(({ name }) => name === portsOf))
    const jobs = [
      ...first.map((one) => async () => {
        for (const each of [one, ...chosen.filter(({ portsOf }) => portsOf === one.name)])
          for (const directory of directories) await follow(each, directory)
      }),
      ...servers.filter(isChosen).map((server) => async () => void failed.push(...(await tryServer(server)))),
    ]
    const lane = async (): Promise<void> => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job()
    }
    await Promise.all([lane(), lane(), lane()])
  } finally {
    await office.end()
  }
  for (const line of failed) console.error(`not so: ${line}`)
  return failed.length === 0 ? 0 : 1
}
