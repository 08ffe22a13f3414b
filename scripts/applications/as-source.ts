import type { Test } from 'tap'
import { freePort } from '../../test/free-port.ts'
import { ldapTools, type ServerUnderTest } from '../../test/ldap-server/ldap-tools.ts'
import { accountsOf } from '../../test/services/accounts.ts'
import { testSlapd } from '../../test/slapd.ts'
import { steward } from '../../test/steward.ts'
import { bindsAs, entriesOf } from './entries.ts'
import { furtherDirectory, settledIn } from './office.ts'
import type { OtherServer, RunningServer } from './other-server.ts'
import type { Trial } from './trial.ts'

/** Steward takes its people over, into the embedded directory and a slapd. */
export const tryAsSource = async (
  t: Test,
  { source }: OtherServer,
  server: RunningServer,
  settings: Readonly<Record<string, string>>,
  expect: Trial['expect'],
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
