import type { Test } from 'tap'
import { sameDn } from '../../src/ldap/dn.ts'
import { person } from '../../test/people/console.ts'
import { steward } from '../../test/steward.ts'
import { bindsAs, entriesOf } from './entries.ts'
import { officeOf } from './office.ts'
import type { OtherServer, RunningServer } from './other-server.ts'
import { trySignIns } from './sign-ins.ts'
import type { Trial } from './trial.ts'

/** Steward writes people to it, who sign in there. */
export const tryAsDirectory = async (
  t: Test,
  { name, target }: OtherServer,
  server: RunningServer,
  settings: Readonly<Record<string, string>>,
  expect: Trial['expect'],
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
