import { readFileSync } from 'node:fs'
import {
  Client,
  ConstraintViolationError,
  InappropriateAuthError,
  InvalidCredentialsError,
  UnwillingToPerformError,
} from 'ldapts'
import type { Test } from 'tap'
import { sameDn } from '../../src/ldap/dn.ts'
import { equals } from '../../src/ldap/filter.ts'
import { freePort } from '../../test/free-port.ts'
import { ldapTools, type ServerUnderTest } from '../../test/ldap-server/ldap-tools.ts'
import type { OwnServer } from '../../test/own-server.ts'
import { person } from '../../test/people/console.ts'
import { accountsOf } from '../../test/services/accounts.ts'
import { testSlapd } from '../../test/slapd.ts'
import { steward } from '../../test/steward.ts'
import { type Machine, openMachine } from './machine.ts'
import { endings, furtherDirectory, officeOf, settledIn } from './office.ts'
import { readServerPage } from './page.ts'
import type { Trial } from './run.ts'
import { type SignInOptions, trySignIns } from './sign-ins.ts'

/** One that runs, as its page finds it. */
export interface RunningServer extends OwnServer, ServerUnderTest {
  /** Over TLS. */
  url: string
  caFile: string
  address: string
  /** Before the page is followed, on a machine that the server is on. */
  prepare?: (machine: Machine) => Promise<void>
}

/** A directory of others: Steward takes people over from it, or writes people to it. */
export interface OtherServer {
  /** The name of its page. */
  name: string
  /** Its host on the page. */
  host: string
  open: (t: Pick<Test, 'teardown'>) => Promise<RunningServer>
  /** Changes of people that Steward takes over, as LDIF. */
  source: {
    /** Names that people can have there. */
    names: readonly string[]
    dnOf: (name: string, base: string) => string
    add: (name: string, secret: string, base: string) => string
    rename: (from: string, to: string, base: string) => string
    disable: (name: string, base: string) => string
    enable: (name: string, base: string) => string
    addGroup: (name: string, members: readonly string[], base: string) => string
  }
  /** What people are there after Steward has written them. */
  target: {
    secret: string
    /** Passwords that it takes. */
    hostile: readonly string[]
    /** Names that it refuses, as its page says. */
    refused?: readonly string[]
    signIns?: SignInOptions
  }
}

type Expect = Trial['expect']

/** Of the account with which Steward binds: READER_PASSWORD of the page. */
const stewardsPassword = 'Stewards own 1 password'

/** A line of LDIF. */
export const line = (name: string, value: string): string => `${name}:: ${Buffer.from(value).toString('base64')}\n`

/** What a server answers to a person who may not sign in: the wrong password, or an account that is locked. */
const refusals = [InvalidCredentialsError, InappropriateAuthError, UnwillingToPerformError, ConstraintViolationError]

const clientOf = ({ url, caFile }: Pick<ServerUnderTest, 'url' | 'caFile'>): Client =>
  new Client({ url, timeout: 20_000, ...(caFile && { tlsOptions: { ca: [readFileSync(caFile)] } }) })

/** Whether an application lets this person in: it binds as the entry, with the password. */
const bindsAs = async (
  server: Pick<ServerUnderTest, 'url' | 'caFile'>,
  dn: string,
  secret: string,
): Promise<boolean> => {
  // RFC 4513 section 5.1.2: a server may take an empty password for an anonymous bind, so applications refuse it.
  if (secret === '') return false
  const client = clientOf(server)
  try {
    await client.bind(dn, secret)
    return true
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return false
    throw error
  } finally {
    await client.unbind()
  }
}

/** The DNs of the entries below `base` whose `attribute` is `value`, and other values of theirs. */
const entriesOf = async (server: ServerUnderTest, base: string, attribute: string, value: string) => {
  const client = clientOf(server)
  try {
    await client.bind(server.bindDn, server.bindPassword)
    const { searchEntries } = await client.search(base, {
      filter: equals(attribute, value),
      explicitBufferAttributes: [],
    })
    return searchEntries
  } finally {
    await client.unbind()
  }
}

/** Steward writes people to it, who sign in there. */
const tryAsDirectory = async (
  t: Test,
  { name, target }: OtherServer,
  server: RunningServer,
  settings: Readonly<Record<string, string>>,
  expect: Expect,
): Promise<void> => {
  const s = await steward(t, { directory: 'none', env: { ...settings, LDAP_TIMEOUT: '20s', DIRECTORY_WAIT: '5s' } })
  const office = await officeOf(s, target)
  await office.settled()
  const base = settings.LDAP_BASE_DN ?? ''
  const signsIn = async (username: string, secret: string): Promise<boolean> => {
    const [entry] = await entriesOf(server, `ou=people,${base}`, 'uid', username)
    return entry !== undefined && bindsAs(server, entry.dn, secret)
  }
  await trySignIns({ office, tag: name, expect }, signsIn, target.signIns)
  for (const refused of target.refused ?? []) {
    const { id } = await s.take('addUser', { body: person(refused, { password: target.secret }) })
    const { users } = await s.take('listUsers', { query: { username: refused } })
    const user = users.find((each) => each.id === id)
    expect(user?.syncState === 2 && user.syncError.includes(refused), `${refused} waits: ${user?.syncError}`)
    expect(!(await signsIn(refused, target.secret)), `${refused} does not sign in`)
    await office.remove(id)
  }

  const [left] = await entriesOf(server, `ou=disabled,${base}`, 'uid', 'left')
  expect(left !== undefined && !(await bindsAs(server, left.dn, target.secret)), 'left is there, and does not sign in')
  const [rowers] = await entriesOf(server, base, 'cn', 'Rowers')
  const members = [rowers?.member ?? []].flat().map(String)
  for (const username of ['ann', 'married', 'john,smith', '王小明']) {
    const [entry] = await entriesOf(server, `ou=people,${base}`, 'uid', username)
    const isMember = entry !== undefined && members.some((dn) => sameDn(dn, entry.dn))
    expect(isMember, `${username} is a member of Rowers: ${members}`)
  }
  expect(!members.some((dn) => /=(left|maiden),/i.test(dn)), `left and maiden are no members: ${members}`)
}

/** Steward takes its people over, into the embedded directory and a slapd. */
const tryAsSource = async (
  t: Test,
  { source }: OtherServer,
  server: RunningServer,
  settings: Readonly<Record<string, string>>,
  expect: Expect,
): Promise<void> => {
  const base = settings.EXTLDAP_BASE_DN ?? ''
  const secret = 'Soup of the 9th day'
  const tools = ldapTools(server)
  const change = async (...ldif: string[]): Promise<void> => {
    const { code, stderr } = await tools.run('ldapmodify', [], ldif.join('\n'))
    if (code !== 0) throw new Error(stderr)
  }
  const people = ['ann', 'maiden', ...source.names]
  await change(
    `dn: ou=Sales,${base}\nchangetype: add\nobjectClass: organizationalUnit\nou: Sales\n`,
    ...[...people, 'left'].map((name) => source.add(name, secret, base)),
    source.disable('left', base),
    source.addGroup('Rowers', ['ann', ...source.names], base),
  )

  const slapd = await testSlapd(t)
  const port = await freePort()
  const s = await steward(t, {
    env: {
      ...settings,
      ...furtherDirectory(slapd),
      EMBEDDED_LDAP_PORT: String(port),
      EMBEDDED_LDAPS_PORT: 'off',
      SYNC_WAIT: '60s',
    },
  })
  const account = await (await accountsOf(s)).create({ name: 'reader', groups: true })
  const placeOf = (url: string, baseDn: string): ServerUnderTest => ({
    url,
    baseDn,
    bindDn: `cn=reader,ou=service-accounts,${baseDn}`,
    bindPassword: account.password,
  })
  const directories = [placeOf(`ldap://127.0.0.1:${port}`, 'dc=steward,dc=local'), placeOf(slapd.url, slapd.baseDn)]
  const takeOver = async (): Promise<void> => {
    for (const run of ['syncExtLdapDepts', 'syncExtLdapUsers'] as const) {
      const { state, failed } = await s.take(run)
      expect(state === 'done' && failed === 0, `${run} is ${state}, with ${failed} failures`)
    }
    await settledIn(s)
  }
  const find = async (username: string) => {
    const { users } = await s.take('listUsers', { query: { username, pageSize: 100 } })
    return users.find((user) => user.username === username)
  }
  /** Whether a person is among the enabled ones, in Steward and in each of its directories. */
  const is = async (wanted: boolean, name: string): Promise<void> => {
    const user = await find(name)
    expect((user?.status === 1) === wanted, `${name} is ${wanted ? '' : 'not '}enabled in Steward`)
    for (const directory of directories) {
      const found = await entriesOf(directory, `ou=people,${directory.baseDn}`, 'uid', name)
      expect((found.length === 1) === wanted, `${name} is ${wanted ? '' : 'not '}in ${directory.baseDn}`)
    }
  }
  const signsIn = (name: string, password = secret): Promise<boolean> =>
    bindsAs(server, source.dnOf(name, base), password)

  await takeOver()
  for (const name of people) {
    await is(true, name)
    expect(await signsIn(name), `${name} signs in at the source`)
  }
  await is(false, 'left')
  expect(!(await signsIn('left')), 'left does not sign in at the source')
  expect(!(await signsIn('ann', 'wrong')), 'ann does not sign in at the source with another password')
  for (const directory of directories) {
    const [rowers] = await entriesOf(directory, directory.baseDn, 'cn', 'Rowers')
    const members = [rowers?.member ?? []].flat().map(String)
    expect(members.length === people.length - 1, `ann and the odd names are members of Rowers: ${members}`)
  }

  const before = await find('maiden')
  await change(source.rename('maiden', 'married', base))
  await takeOver()
  await is(false, 'maiden')
  await is(true, 'married')
  expect((await find('married'))?.id === before?.id, 'who is renamed stays the same person')
  await change(source.disable('married', base))
  await takeOver()
  await is(false, 'married')
  await change(source.enable('married', base))
  await takeOver()
  await is(true, 'married')

  // Passwords stay at the source: Steward's directories know one from when Steward has set it.
  const id = (await find('ann'))?.id ?? 0
  const bindsInAll = async (password: string): Promise<boolean[]> =>
    Promise.all(directories.map((each) => bindsAs(each, `uid=ann,ou=people,${each.baseDn}`, password)))
  expect((await bindsInAll(secret)).join() === 'false,false', 'the password of the source is not that of Steward')
  const { password } = await s.take('resetUserPassword', { params: { id }, body: { way: 'shown' } })
  await settledIn(s)
  expect((await bindsInAll(password ?? '')).join() === 'true,true', 'a password of Steward works in both directories')
  expect(await signsIn('ann'), 'the source keeps its password')

  // A domain has each name once, and the people of the other direction have the same ones.
  const { code, stderr } = await tools.run('ldapdelete', ['-r', `ou=Sales,${base}`])
  if (code !== 0) throw new Error(stderr)
}

/** @returns what does not hold */
export const tryServer = async (other: OtherServer): Promise<string[]> => {
  const { name, host } = other
  const page = readServerPage(name)
  const faults: string[] = []
  const { t, end } = endings()
  try {
    const server = await other.open(t)
    const machine = await openMachine({ address: server.address, ca: server.caFile, baseDn: 'dc=example,dc=org' }, host)
    t.teardown(() => machine.end())
    await server.prepare?.(machine)
    // It is no process of the machine.
    for (const step of page.steps)
      if (step.text.startsWith('systemctl restart ')) {
        await server.stop()
        await server.start()
      } else await machine.follow({ steps: [step] }, stewardsPassword)
    const here = (settings: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(settings).map(([key, value]) => [
          key,
          value
            .replace(`ldaps://${host}`, server.url)
            .replace('/etc/ssl/certs/steward-ca.pem', server.caFile)
            .replace('READER_PASSWORD', stewardsPassword),
        ]),
      )
    for (const [direction, settings, attempt] of [
      ['as a source', page.asSource, tryAsSource],
      ['as a directory', page.asDirectory, tryAsDirectory],
    ] as const) {
      const started = Date.now()
      const opened = endings()
      const expect: Expect = (holds, what) => void (holds || faults.push(`${name} ${direction}: ${what}`))
      try {
        await attempt(opened.t, other, server, here(settings), expect)
      } catch (error) {
        expect(false, error instanceof Error ? error.message : String(error))
      } finally {
        await opened.end()
      }
      console.log(`${name} ${direction}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
    }
  } catch (error) {
    faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await end()
  }
  return faults
}
