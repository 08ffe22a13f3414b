import { sql } from 'drizzle-orm'
import t from 'tap'
import { touchSelected } from '../../src/mirror/touch.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'
import { userOf } from './looks.ts'

// What the server refuses for reasons of its own is in the directory as soon as it accepts changes again.

const password = 'seven-quiet-lanterns'

const lateAlert = async ({ call, token }: TestSteward, handled: boolean) => {
  const { data } = await call('listAlerts', { token, query: { handled } })
  return data.alerts.find(({ title }) => title === 'Withdrawals are not in the directory')
}

t.test('on slapd', { skip: skipWithoutSlapd }, async (t) => {
  t.test(
    'a person who was disabled while the server was read-only loses access once it takes changes again',
    async (t) => {
      const slapd = await testSlapd(t)
      const tools = ldapTools(slapd)
      const s = await steward(t, { directory: slapd })
      const { call, token } = s
      const team = await call('addGroup', { token, body: { groupName: 'Vault', groupType: 'cn', parentId: 0 } })
      for (const username of ['leaver', 'gone', 'member', 'changer']) {
        const body = person(username, { departmentId: [team.data.id], password })
        t.match(await call('addUser', { token, body }), { code: 0 })
      }
      await becomesEqual(t, s, slapd)
      const ids = Object.fromEntries(
        await Promise.all(
          ['leaver', 'gone', 'member'].map(async (username) => [username, (await userOf(s, username)).id] as const),
        ),
      )
      const changer = await s.signIn('changer', password)

      await slapd.readOnly(true)
      const follows = { code: 0, msg: 'saved; the directory follows' }
      const started = Date.now()
      t.match(await call('changeUserStatus', { token, body: { id: ids.leaver ?? 0, status: 2 } }), follows)
      t.ok(Date.now() - started < 10_000, 'a request does not wait for what is refused')
      t.match(await userOf(s, 'leaver'), { syncState: 2, syncError: /unwillingToPerform \(53\)/ })
      t.match(await call('deleteUsers', { token, body: { userIds: [ids.gone ?? 0] } }), follows)
      const body = { groupId: team.data.id, userIds: [ids.member ?? 0] }
      t.match(await call('removeGroupUsers', { token, body }), follows)
      const newPassword = 'eight-quiet-lanterns'
      t.match(
        await call('changeOwnPassword', { token: changer, body: { oldPassword: password, newPassword } }),
        follows,
      )
      t.match(await call('addUser', { token, body: person('newcomer', { password }) }), follows)
      for (const username of ['leaver', 'member', 'changer', 'newcomer']) {
        t.match(await userOf(s, username), { syncState: 2, syncError: /./ }, `${username} is told why`)
      }

      t.equal(await lateAlert(s, false), undefined, 'a minute is not over')
      await s.db.execute(sql`update directory_entries set withdraws_at = withdraws_at - interval '61 seconds'`)
      const alert = await eventually(() => lateAlert(s, false), 'the alert')
      t.match(alert, { level: 'danger', description: /leaver \(disabled\)/ })
      for (const named of ['gone (deleted)', 'changer (password)', 'Vault (members of the group)', '(53)']) {
        t.match(alert.description, named)
      }
      const [stored] = await s.db.execute<{ params: Record<string, string> }>(sql`
        select params from alerts where rule = 'lateWithdrawals'`)
      const stated = Object.entries(stored?.params ?? {}).flatMap(([name, json]) =>
        /\.\d$/.test(name) ? [`${name.replace(/\d$/, '')}${JSON.parse(json).code}`] : [],
      )
      for (const code of ['names.mirror.late_disabled', 'names.mirror.late_members', 'reason.ldap.no_changes']) {
        t.ok(stated.includes(code), `${code} can be translated: ${stated}`)
      }
      t.notMatch(alert.description, /newcomer/, 'a person who is only to be added is not in the alert')
      const { data: status } = await call('listSecurityStatus', { token })
      t.match(
        status.find(({ name }) => name === 'Directory'),
        { status: 'danger' },
      )
      t.equal(s.logs.filter((line) => line.includes('still in the directory after a minute')).length, 1, 'said once')

      await slapd.readOnly(false)
      await becomesEqual(t, s, slapd)
      t.equal((await tools.as(`uid=leaver,ou=people,${slapd.baseDn}`, password, 'ldapwhoami', [])).code, 49)
      t.equal((await tools.as(`uid=gone,ou=people,${slapd.baseDn}`, password, 'ldapwhoami', [])).code, 49)
      t.equal((await tools.as(`uid=changer,ou=people,${slapd.baseDn}`, password, 'ldapwhoami', [])).code, 49)
      t.equal((await tools.as(`uid=changer,ou=people,${slapd.baseDn}`, newPassword, 'ldapwhoami', [])).code, 0)
      await eventually(async () => !(await lateAlert(s, false)), 'the end of the alert')
      t.match(await lateAlert(s, true), { id: alert.id })
    },
  )

  t.test('thousands that wait do not ask a read-only server again and again', async (t) => {
    const slapd = await testSlapd(t)
    const s = await steward(t, { directory: slapd })
    await becomesEqual(t, s, slapd)
    await slapd.readOnly(true)
    const before = await slapd.operations()
    await s.db.execute(sql`
      insert into users (username, username_key, nickname) select 'u' || n, 'u' || n, 'N ' || n from generate_series(1, 5000) n`)
    await touchSelected(s.db, 'user', sql`select id from users where nickname like 'N %'`)
    const listed = (more: object) =>
      s.call('listUsers', { token: s.token, query: { pageNum: 1, pageSize: 1, ...more } })
    await eventually(async () => {
      const [row] = await s.db.execute<{ count: string }>(
        sql`select count(*) from directory_entries where version <> synced_version and error like '%(53)%'`,
      )
      return row?.count === '5000'
    }, 'a reason for each')
    const writes = async (): Promise<number> =>
      Object.values(await slapd.operations()).reduce((sum, count) => sum + count, 0) -
      Object.values(before).reduce((sum, count) => sum + count, 0)
    const tried = await writes()
    t.ok(tried < 500, `${tried} writes for 5000 that wait`)
    // Until it has been asked anew, twice.
    const trials = async (): Promise<boolean> => (await writes()) >= tried + 10
    await eventually(trials, 'two trials')
    t.ok((await writes()) - tried < 40, `${(await writes()) - tried} more`)
    await slapd.readOnly(false)
    const began = Date.now()
    await eventually(async () => (await listed({ syncState: 2 })).data.total === 0, 'all of them')
    t.comment(`5000 caught up in ${Date.now() - began} ms`)
  })
})
