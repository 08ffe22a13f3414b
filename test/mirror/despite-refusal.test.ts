import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { directoryEntries } from '../../src/db/schema.ts'
import { type RecordKind, touch } from '../../src/mirror/touch.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { type SlapdOptions, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'

// A directory that refuses one value of a change takes the rest of it that takes something from a person.

const [first, second] = ['seven-quiet-lanterns', 'eight-quiet-lanterns'] as const

const office = async (t: Test, options: SlapdOptions = {}, env: Record<string, string> = {}) => {
  const slapd = await testSlapd(t, options)
  const s = await steward(t, { directory: slapd, env: { DRIFT_INTERVAL: '1h', ...env } })
  const team = (await s.take('addGroup', { body: { groupName: 'Team', groupType: 'cn', parentId: 0 } })).id
  const maria = (await s.take('addUser', { body: person('maria', { password: first, departmentId: [team] }) })).id
  await becomesEqual(t, s, slapd)
  return {
    ...s,
    slapd,
    team,
    maria,
    /** The result of a bind there; 49: the password is not right. */
    bind: async (rdn: string, password: string = first) =>
      (await ldapTools(slapd).as(`${rdn},${slapd.baseDn}`, password, 'ldapwhoami', [])).code,
    shown: (rdn: string, ...attributes: string[]) =>
      slapd.ldapsearch('-b', `${rdn},${slapd.baseDn}`, '-s', 'base', ...attributes),
    addPerson: async (name: string) =>
      (await s.take('addUser', { body: person(name, { password: first, departmentId: [team] }) })).id,
    /** Makes changes of records in one transaction, as a run does. */
    async inOne(touched: readonly [RecordKind, number][], ...changes: ReturnType<typeof sql>[]) {
      await s.db.transaction(async (tx) => {
        for (const change of changes) await tx.execute(change)
        for (const [kind, id] of touched) await touch(tx, kind, [id])
      })
      s.mirror.reconciler.wake()
    },
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
  const bind = (password: string) => s.bind('uid=maria,ou=people', password)
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
  const shown = async () => (await s.take('listGroups', { query: { groupName: 'Team' } })).groups[0]
  await eventually(async () => (await shown())?.syncState === 2, 'the list says that it was refused')
  t.match(await shown(), { syncError: /descr/ })
  await slapd.accept()
  await s.take('syncSqlGroups', { body: { groupIds: [team] } })
  await becomesEqual(t, s, slapd)
})

const renamed = (id: number, to: string) =>
  sql`update users set username = ${to}, username_key = ${to} where id = ${id}`
/** It becomes that of the first administrator. */
const otherPassword = (id: number) => sql`
  update users set password_hash = (select password_hash from users where id = 1) where id = ${id}`

t.test('nor do keys and lists stay that let the person in', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t, { opensshLpk: true, memberOfFrom: 'schema' }, { LDAP_MEMBER_OF: 'on' })
  const { slapd, maria, team } = s
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDl+yX5sJxS8Z9P3zqTn3qX5m9m3n0l8g0m3S0Xr8vQz'
  t.equal((await s.ask('addPersonSshKey', { params: { id: maria }, body: { name: 'Desk', key } })).code, 200)
  const shown = () => s.shown('uid=maria,ou=people', 'sshPublicKey', 'memberOf')
  t.match(await shown(), /memberOf: cn=Team[\s\S]*sshPublicKey: /)
  await slapd.refuse('title', '#')
  await s.inOne(
    [
      ['user', maria],
      ['group', team],
    ],
    sql`update users set position = '#1', ssh_keys = jsonb_set(ssh_keys, '{keys}', '[]') where id = ${maria}`,
    sql`delete from group_members where user_id = ${maria}`,
  )
  await eventually(async () => !/sshPublicKey|memberOf/.test(await shown()), 'they are gone')
  await slapd.accept()
  await s.take('syncSqlUsers', { body: { userIds: [maria] } })
  await becomesEqual(t, s, slapd)
})

t.test('a name that it refuses, or that is not free, keeps no password', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd } = s
  const [ben, dan, eve] = [await s.addPerson('ben'), await s.addPerson('dan'), await s.addPerson('eve')]
  await becomesEqual(t, s, slapd)
  await slapd.refuse('uid', '#')
  await s.inOne(
    [
      ['user', ben],
      ['user', dan],
    ],
    ...[renamed(ben, '#ben'), renamed(dan, 'ben'), otherPassword(ben), otherPassword(dan)],
  )
  await eventually(async () => (await s.bind('uid=ben,ou=people')) === 49, 'that of the person who is renamed')
  await eventually(async () => (await s.bind('uid=dan,ou=people')) === 49, 'that of the person who waits for the name')
  await slapd.refuse('uid', 'v')
  await s.ask('changeUserStatus', { body: { id: eve, status: 2 } })
  await eventually(async () => (await s.bind('uid=eve,ou=people')) === 49, 'that of a person who is disabled')
  await slapd.accept()
  await s.take('syncSqlUsers', { body: { userIds: [ben, dan, eve] } })
  await becomesEqual(t, s, slapd)
})

t.test('nor does a name that an entry of another program has', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria, team } = s
  const others = [
    ['uid=taken,ou=people', 'account'],
    ['cn=Taken', 'applicationProcess'],
  ] as const
  for (const [rdn, objectClass] of others) {
    const named = (rdn.split(',')[0] ?? '').replace('=', ': ')
    const entry = `dn: ${rdn},${slapd.baseDn}\nobjectClass: ${objectClass}\n${named}\n`
    t.equal((await ldapTools(slapd).run('ldapadd', [], entry)).code, 0)
  }
  await s.inOne(
    [
      ['user', maria],
      ['group', team],
    ],
    ...[renamed(maria, 'taken'), otherPassword(maria), sql`delete from group_members where user_id = ${maria}`],
    sql`update groups set group_name = 'Taken', group_name_key = 'taken' where id = ${team}`,
  )
  await eventually(async () => (await s.bind('uid=maria,ou=people')) === 49, 'the former password is gone')
  await eventually(async () => !/uid=maria/.test(await s.shown('cn=Team', 'member')), 'the person is not in it')
  const { users } = await s.take('listUsers', { query: { username: 'taken' } })
  t.match(users, [{ syncState: 2, syncError: /not Steward's/ }])
  for (const [rdn] of others) {
    t.equal((await ldapTools(slapd).run('ldapdelete', [`${rdn},${slapd.baseDn}`])).code, 0)
  }
  await s.take('syncSqlUsers', { body: { userIds: [maria] } })
  await s.take('syncSqlGroups', { body: { groupIds: [team] } })
  await becomesEqual(t, s, slapd)
})

t.test('an entry that it does not remove has no password and no members', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria, team } = s
  await s.addPerson('ben')
  for (const rdn of ['uid=maria,ou=people', 'cn=Team']) {
    const entry = `dn: cn=book,${rdn},${slapd.baseDn}\nobjectClass: applicationProcess\ncn: book\n`
    t.equal((await ldapTools(slapd).run('ldapadd', [], entry)).code, 0)
  }
  const before = Date.now()
  for (const answer of [
    await s.ask('deleteUsers', { body: { userIds: [maria] } }),
    await s.ask('deleteGroups', { body: { groupIds: [team] } }),
  ]) {
    t.match(answer, { code: 0, msg: /the directory follows/ })
  }
  t.ok(Date.now() - before < 10_000, 'neither waits for an administrator')
  await eventually(async () => (await s.bind('uid=maria,ou=people')) === 49, 'the password is gone')
  await eventually(async () => /^member: cn=nobody,[^\n]*\n\n/m.test(await s.shown('cn=Team', 'member')), 'so are they')
  for (const rdn of ['uid=maria,ou=people', 'cn=Team']) {
    t.equal((await ldapTools(slapd).run('ldapdelete', [`cn=book,${rdn},${slapd.baseDn}`])).code, 0)
  }
  await becomesEqual(t, s, slapd)
})

t.test('a server that refuses every write is not asked again at once', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, team } = s
  const userList = Array.from({ length: 60 }, (_, at) => person(`p${at}`, { password: first, departmentId: [team] }))
  for (const body of userList) await s.take('addUser', { body })
  await becomesEqual(t, s, slapd)
  await slapd.readOnly(true)
  const before = (await slapd.operations()).Modify
  const people = await s.db.execute<{ id: string }>(sql`select id from users where id > 1`)
  await s.inOne(
    people.map(({ id }) => ['user', Number(id)]),
    sql`update users set position = 'Cook', password_hash = (select password_hash from users where id = 1) where id > 1`,
  )
  await eventually(async () => {
    const [row] = await s.db.execute<{ left: number }>(sql`
      select count(*)::int as left from directory_entries where version <> synced_version and error = ''`)
    return row?.left === 0
  }, 'all say why')
  await delay(1000)
  t.ok((await slapd.operations()).Modify - before < 200)
  await slapd.readOnly(false)
  await becomesEqual(t, s, slapd)
})

t.test('keys and hashes that are replaced by refused ones', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t, { opensshLpk: true, ntHash: true }, { LDAP_NT_HASH: 'on' })
  const { slapd, maria } = s
  const key = (end: string) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDl+yX5sJxS8Z9P3zqTn3qX5m9m3n0l8g0m3S0Xr8v${end}`
  for (const end of ['Qz', 'Rz']) {
    const body = { name: end, key: key(end) }
    t.equal((await s.ask('addPersonSshKey', { params: { id: maria }, body })).code, 200)
  }
  const shown = () => s.shown('uid=maria,ou=people', 'sshPublicKey', 'stewardNtHash')
  t.match(await shown(), /stewardNtHash/)
  await slapd.refuse('sshPublicKey', '@')
  await slapd.refuse('stewardNtHash', '0-9A-F')
  const session = await s.signIn('maria', first)
  await s.inOne(
    [['user', maria]],
    sql`update users set ssh_keys = jsonb_set(ssh_keys, '{keys,0,blob}', '"@"') where id = ${maria}`,
  )
  await eventually(async () => !(await shown()).includes('r8vQz'), 'the key is gone')
  t.match(await shown(), /r8vRz/, 'that which was not to go is there')
  await s.ask('changeOwnPassword', { token: session, body: { oldPassword: first, newPassword: second } })
  await eventually(async () => !/stewardNtHash/.test(await shown()), 'the hash of the former password is gone')
})

t.test('a server that takes nothing now is soon asked again', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria, team } = s
  const taken = `uid=taken,ou=people,${slapd.baseDn}`
  t.equal((await ldapTools(slapd).run('ldapadd', [], `dn: ${taken}\nobjectClass: account\nuid: taken\n`)).code, 0)
  await slapd.readOnly(true)
  await s.inOne([['user', maria]], renamed(maria, 'taken'), otherPassword(maria))
  const state = async () => (await s.take('listUsers', { query: { username: 'taken' } })).users[0]
  await eventually(async () => state().then((one) => /not Steward's/.test(one?.syncError ?? '')), 'it is told')
  t.equal(await s.bind('uid=maria,ou=people'), 0)
  await slapd.readOnly(false)
  await eventually(async () => (await s.bind('uid=maria,ou=people')) === 49, 'the former password is gone')
  t.equal((await ldapTools(slapd).run('ldapdelete', [taken])).code, 0)
  await s.take('syncSqlUsers', { body: { userIds: [maria] } })
  await s.take('syncSqlGroups', { body: { groupIds: [team] } })
  await becomesEqual(t, s, slapd)
})

t.test('nor has one that another program moved to where it stays', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  const { slapd, maria } = s
  const tools = ldapTools(slapd)
  const elsewhere = `ou=elsewhere,${slapd.baseDn}`
  t.equal(
    (await tools.run('ldapadd', [], `dn: ${elsewhere}\nobjectClass: organizationalUnit\nou: elsewhere\n`)).code,
    0,
  )
  const from = `uid=maria,ou=people,${slapd.baseDn}`
  t.equal((await tools.run('ldapmodrdn', ['-r', '-s', elsewhere, from, 'uid=maria'])).code, 0)
  const book = `cn=book,uid=maria,${elsewhere}`
  t.equal((await tools.run('ldapadd', [], `dn: ${book}\nobjectClass: applicationProcess\ncn: book\n`)).code, 0)
  t.equal(await s.bind('uid=maria,ou=elsewhere'), 0)
  const answer = s.ask('deleteUsers', { body: { userIds: [maria] } })
  await eventually(async () => (await s.bind('uid=maria,ou=elsewhere')) === 49, 'the password is gone')
  t.equal((await tools.run('ldapdelete', [book])).code, 0)
  await answer
  await eventually(async () => (await tools.run('ldapdelete', [elsewhere])).code === 0, 'the entry is gone')
  await becomesEqual(t, s, slapd)
})
