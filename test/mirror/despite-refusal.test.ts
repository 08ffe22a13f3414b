import { and, eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { directoryEntries } from '../../src/db/schema.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'

// A directory that refuses one value of a change takes the rest of it that takes something from a person.

const [first, second] = ['seven-quiet-lanterns', 'eight-quiet-lanterns'] as const

const office = async (t: Test) => {
  const slapd = await testSlapd(t)
  const s = await steward(t, { directory: slapd, env: { DRIFT_INTERVAL: '1h' } })
  const team = (await s.take('addGroup', { body: { groupName: 'Team', groupType: 'cn', parentId: 0 } })).id
  const maria = (await s.take('addUser', { body: person('maria', { password: first, departmentId: [team] }) })).id
  await becomesEqual(t, s, slapd)
  return {
    ...s,
    slapd,
    team,
    maria,
    /** Makes these changes while the directory is away, so that it gets all of them in one. */
    async atOnce(kind: 'user' | 'group', id: number, ...changes: (() => Promise<unknown>)[]) {
      const version = async (): Promise<number> => {
        const [row] = await s.db
          .select()
          .from(directoryEntries)
          .where(and(eq(directoryEntries.kind, kind), eq(directoryEntries.recordId, id)))
        return row?.version ?? 0
      }
      await slapd.stop()
      const answers: Promise<unknown>[] = []
      for (const change of changes) {
        const before = await version()
        answers.push(change())
        await eventually(async () => (await version()) > before, 'the change is stored')
      }
      await slapd.start()
      await Promise.all(answers)
    },
  }
}

t.test('whatever it refuses of a person, the former password goes', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria, team } = s
  const bind = async (password: string) =>
    (await ldapTools(slapd).as(`uid=maria,ou=people,${slapd.baseDn}`, password, 'ldapwhoami', [])).code
  const session = await s.signIn('maria', first)
  await slapd.refuse('title', '#')
  await s.atOnce(
    'user',
    maria,
    () => s.call('changeOwnPassword', { token: session, body: { oldPassword: first, newPassword: second } }),
    () => s.ask('updateUser', { body: { ...person('maria', { position: '#1', departmentId: [team] }), id: maria } }),
  )
  await eventually(async () => (await bind(second)) === 0, 'the password is in the directory')
  t.equal(await bind(first), 49)
  t.match((await s.take('listUsers', { query: { username: 'maria' } })).users, [{ syncState: 2, syncError: /title/ }])
  await slapd.accept()
  await s.take('syncSqlUsers', { body: { userIds: [maria] } })
  await becomesEqual(t, s, slapd)
  t.equal(await bind(second), 0)
})

t.test('whatever it refuses of a group, who left it is not in it', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria, team } = s
  const members = () => slapd.ldapsearch('-b', `cn=Team,${slapd.baseDn}`, '-s', 'base', 'member')
  t.match(await members(), /uid=maria/)
  await slapd.refuse('description', '#')
  await s.atOnce(
    'group',
    team,
    () => s.ask('updateGroup', { body: { id: team, groupName: 'Team', remark: '#1' } }),
    () => s.ask('removeGroupUsers', { body: { groupId: team, userIds: [maria] } }),
  )
  await eventually(async () => !/uid=maria/.test(await members()), 'the person is not in it')
  t.match((await s.take('listGroups', { query: { groupName: 'Team' } })).groups, [{ syncState: 2, syncError: /descr/ }])
  await slapd.accept()
  await s.take('syncSqlGroups', { body: { groupIds: [team] } })
  await becomesEqual(t, s, slapd)
})
