import { sql } from 'drizzle-orm'
import t from 'tap'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { tellForeignPasswords } from '../../src/mirror/passwords/foreign-passwords.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

// A password that the directory takes and Steward does not know is an alert for as long as it is there.

const title = 'Unknown passwords in the directory'
const outbox = openOutbox({ recipients: [], webhook: false, timeZone: 'UTC' })

const alertsOf = async ({ call, token }: TestSteward, handled: boolean) => {
  const { data } = await call('listAlerts', { token, query: { handled } })
  return data.alerts.filter((alert) => alert.title === title)
}

const raised = ({ db }: Pick<TestSteward, 'db'>) =>
  db.execute<{ id: string; description: string; times: number; handledBy: string }>(sql`
    select id, description, times, handled_by as "handledBy" from alerts where title = ${title} order by id`)

const syncStateOf = async ({ call, token }: TestSteward, username: string) => {
  const { data } = await call('listUsers', { token, query: { username } })
  return data.users.find((user) => user.username === username)
}

t.test('on slapd, of a second password and of one that cannot be verified', { skip: skipWithoutSlapd }, async (t) => {
  const [ours, theirs] = ['seven-quiet-lanterns', 'eight-quiet-lanterns']
  const slapd = await testSlapd(t)
  const tools = ldapTools(slapd)
  const s = await steward(t, { directory: slapd, env: { DRIFT_INTERVAL: '1s' } })
  const { call, token } = s
  const dnOf = (uid: string) => `uid=${uid},ou=people,${slapd.baseDn}`
  const bind = async (uid: string, password: string) => (await tools.as(dnOf(uid), password, 'ldapwhoami', [])).code
  const modify = async (uid: string, how: 'add' | 'delete' | 'replace', value: string) => {
    const ldif = [`dn: ${dnOf(uid)}`, 'changetype: modify', `${how}: userPassword`, `userPassword: ${value}`, '']
    const { code, stderr } = await tools.run('ldapmodify', [], ldif.join('\n'))
    t.equal(code, 0, stderr)
  }
  for (const username of ['ada', 'bob', 'eve']) {
    t.match(await call('addUser', { token, body: person(username, { password: ours }) }), { code: 0 })
  }
  await becomesEqual(t, s, slapd)
  t.same(await alertsOf(s, false), [])

  await modify('ada', 'add', theirs)
  t.equal(await bind('ada', theirs), 0, 'it lets its owner in')
  t.equal(await bind('ada', ours), 0, 'beside ours')
  const [alert] = await eventually(async () => {
    const found = await alertsOf(s, false)
    return found.length > 0 && found
  }, 'the alert')
  t.match(alert, { level: 'warning', description: /accepted for a sign-in: ada\. / })
  t.match(await syncStateOf(s, 'ada'), { syncState: 1, syncError: /holds 2 passwords/ })
  await call('syncSqlUsers', { token })
  await tellForeignPasswords({ db: s.db, outbox, log: silent })
  t.match(await raised(s), [{ times: 1, handledBy: '' }], 'who was told of is not told of again')

  await modify('bob', 'replace', '{CRYPT}$6$salt$notahash')
  await eventually(
    async () => /accepted for a sign-in: ada, bob\. /.test((await alertsOf(s, false))[0]?.description ?? ''),
    'both',
  )
  t.match(await raised(s), [{ times: 2 }], 'in the same alert')

  await modify('ada', 'delete', theirs)
  t.equal(await bind('ada', theirs), 49)
  await eventually(async () => (await syncStateOf(s, 'ada'))?.syncError === '', 'ada holds ours alone')
  await tellForeignPasswords({ db: s.db, outbox, log: silent })
  t.equal((await alertsOf(s, false)).length, 1, 'as long as one is left it stays')
  const bob = await s.signIn('bob', ours)
  await call('changeOwnPassword', { token: bob, body: { oldPassword: ours, newPassword: theirs } })
  await eventually(async () => (await alertsOf(s, true)).length > 0, 'the end of the alert')
  t.match(await raised(s), [{ id: String(alert?.id), handledBy: 'system' }])

  await modify('eve', 'add', theirs)
  await eventually(async () => (await alertsOf(s, false)).length > 0, 'another alert')
  t.match(await alertsOf(s, false), [{ description: /accepted for a sign-in: eve\. / }])
  t.match(await call('deleteUsers', { token, body: { userIds: [(await syncStateOf(s, 'eve'))?.id ?? 0] } }), {
    code: 0,
  })
  await eventually(async () => (await alertsOf(s, false)).length === 0, 'it ends with the person')
})

t.test('with ten names, whatever their number, and without the deleted', async (t) => {
  const { db } = await testDatabase(t)
  const tell = () => tellForeignPasswords({ db, outbox, log: silent })
  await db.execute(sql`
    with u as (
      insert into users (username, username_key, nickname)
      select 'u' || n, 'u' || n, '' from generate_series(10, 22) n returning id)
    insert into directory_entries (kind, record_id, foreign_password_at, deleted)
    select 'user', id, now(), false from u`)
  await tell()
  const [first] = await raised({ db })
  t.match(first?.description, 'in: u10, u11, u12, u13, u14, u15, u16, u17, u18, u19 and 3 more. ')
  await Promise.all([tell(), tell(), tell()])
  t.match(await raised({ db }), [{ times: 1 }])
  await db.execute(sql`update directory_entries set deleted = true
    where record_id in (select id from users where username <> 'u22')`)
  await db.execute(sql`update directory_entries set foreign_password_at = null where not deleted`)
  await tell()
  t.match(await raised({ db }), [{ handledBy: 'system' }])
})
