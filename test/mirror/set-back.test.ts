import t, { type Test } from 'tap'
import { openAlertQueue } from '../../src/alerts/alert-queue.ts'
import { openOutbox } from '../../src/alerts/notifications/outbox.ts'
import { regularComparison } from '../../src/mirror/comparison/regular-comparison.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { configIdentity, databaseDn } from '../slapd-configuration.ts'
import { steward, type TestSteward } from '../steward.ts'
import { userOf } from './looks.ts'

// slapd that has an earlier state again while the service runs: restored from a backup (slapcat), or another server that
// did not have the newest changes yet.

t.setTimeout(180_000)

const first = 'the first password of ann'
const second = 'the second password of ann'

const add = async ({ take }: TestSteward, username: string, fields: object = {}): Promise<number> =>
  (await take('addUser', { body: person(username, fields) })).id

const change = async (s: TestSteward, username: string, oldPassword: string, newPassword: string): Promise<void> => {
  const token = await s.signIn(username, oldPassword)
  const { code, msg } = await s.call('changeOwnPassword', { token, body: { oldPassword, newPassword } })
  if (code !== 0) throw new Error(msg)
}

const binds = async (slapd: TestSlapd, username: string, bindPassword: string): Promise<boolean> => {
  const as = ldapTools({ ...slapd, bindDn: `uid=${username},ou=people,${slapd.baseDn}`, bindPassword })
  return (await as.run('ldapwhoami', [])).code === 0
}

/** The comparison of every DRIFT_INTERVAL, now. */
const comparisonOf = ({ db, mirror }: TestSteward) => {
  const outbox = openOutbox({ recipients: [], webhook: false, timeZone: 'UTC' })
  return regularComparison({ db, mirror, raise: openAlertQueue({ db, outbox, log: silent }).raise })
}

const alertAbout = async ({ take }: TestSteward, title: string) =>
  (await take('listAlerts', { query: { handled: false } })).alerts.find((each) => each.title.includes(title))

const opened = async (t: Test) => {
  const slapd = await testSlapd(t)
  const s = await steward(t, { directory: slapd, env: { DRIFT_INTERVAL: '1h' } })
  return { slapd, s, compares: comparisonOf(s) }
}

t.test('the passwords of an earlier state do not come back', { skip: skipWithoutSlapd }, async (t) => {
  const { slapd, s } = await opened(t)
  await add(s, 'ann', { password: first })
  await add(s, 'bob', { password: first })
  await becomesEqual(t, s, slapd)
  const before = await slapd.dump()
  await change(s, 'ann', first, second)
  t.ok(await binds(slapd, 'ann', second))

  await slapd.setBack(before)
  t.ok(await binds(slapd, 'ann', first))
  await eventually(() => binds(slapd, 'ann', second), 'the present password is there again')
  t.notOk(await binds(slapd, 'ann', first))
  t.ok(await binds(slapd, 'bob', first), 'one that was not changed since')
  await becomesEqual(t, s, slapd)
  t.ok(await s.signIn('ann', second))
  await t.rejects(s.signIn('ann', first))
  t.match(s.logs.join(), /"names":\["ann"\],"msg":"the directory had earlier passwords of these people/)
  t.notMatch(s.logs.join(), /was taken over/)
})

t.test(
  'a password that was changed in the directory is taken over after that',
  { skip: skipWithoutSlapd },
  async (t) => {
    const { slapd, s, compares } = await opened(t)
    await add(s, 'ann', { password: first })
    const before = await slapd.dump()
    await change(s, 'ann', first, second)
    await slapd.setBack(before)
    await eventually(() => binds(slapd, 'ann', second), 'the present password is there again')

    const root = ldapTools(slapd)
    const dn = `uid=ann,ou=people,${slapd.baseDn}`
    t.equal((await root.run('ldappasswd', ['-s', first, dn])).code, 0)
    t.ok(await binds(slapd, 'ann', first))
    await compares()
    await eventually(
      () => s.signIn('ann', first).catch(() => null),
      'the same password again, but changed by its owner',
    )
    await becomesEqual(t, s, slapd)
    t.match(await userOf(s, 'ann'), { syncState: 1, syncError: '' })
  },
)

t.test('who was deleted here and is back there is named', { skip: skipWithoutSlapd }, async (t) => {
  const { slapd, s, compares } = await opened(t)
  const id = await add(s, 'ann', { password: first })
  await add(s, 'bob', { password: first })
  const before = await slapd.dump()
  await s.take('deleteUsers', { body: { userIds: [id] } })
  await slapd.setBack(before)
  const named = { level: 'warning', description: /uid=ann,ou=people,.*adopt or ignore/ }
  await compares()
  t.match(await alertAbout(s, 'without a record'), named)
  t.notMatch((await alertAbout(s, 'without a record'))?.description, /uid=bob/)
  t.ok(await binds(slapd, 'ann', first), 'which is why')

  await ldapTools(slapd).run('ldapdelete', [`uid=ann,ou=people,${slapd.baseDn}`])
  await compares()
  t.equal(await alertAbout(s, 'without a record'), undefined, 'it is over')
})

t.test('a directory that does not let all be read is named', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const seen: TestSlapd = Object.create(slapd, Object.getOwnPropertyDescriptors(slapd))
  const directory = Object.assign(seen, await slapd.hidePasswords())
  const s = await steward(t, { directory, env: { DRIFT_INTERVAL: '1h' } })
  const compares = comparisonOf(s)
  for (const name of ['ann', 'bob', 'cyd']) await add(s, name)
  await becomesEqual(t, s, slapd)
  const limit = async (size: string): Promise<void> => {
    const lines = [`dn: ${databaseDn}`, 'changetype: modify', 'replace: olcSizeLimit', `olcSizeLimit: ${size}`, '']
    const { code, stderr } = await ldapTools({ ...slapd, ...configIdentity }).run('ldapmodify', [], lines.join('\n'))
    t.equal(code, 0, stderr)
  }
  await limit('size.soft=2 size.hard=2 size.prtotal=2')
  await t.rejects(compares(), /sizeLimitExceeded/)
  const about = 'cannot be compared'
  t.match(await alertAbout(s, about), { level: 'warning', description: /sizeLimitExceeded \(4\).*olcLimits/ })
  await limit('unlimited')
  await compares()
  t.equal(await alertAbout(s, about), undefined, 'it is over')
})
