import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDirectory, type Write } from '../../src/ldap/directory.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { quiet } from '../mirror/quiet.ts'
import { noPosixNumbers } from '../no-posix-numbers.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { engine } from './engine-service.ts'
import { department, person } from './small-organisation.ts'

t.test('the numbers of a source are stored once, and never pass to another record', async (t) => {
  const database = await testDatabase(t)
  const numbered = (id: string, jobNumber: string) => person(id, { jobNumber })
  const organisation = {
    departments: [department('d1', 'One'), department('d2', 'Two')],
    people: [
      numbered('p1', '5001'),
      numbered('p2', '5002'),
      numbered('p3', '5002'),
      numbered('p4', ''),
      numbered('p5', '0'),
    ],
  }
  const { db, run } = await engine(t, { database, organisation })
  const relate = (flag: string, attributes: object) =>
    db.execute(sql`update field_relations set attributes = ${JSON.stringify(attributes)}::jsonb where flag = ${flag}`)
  await relate('exta_user', { username: 'id', posixNumber: 'jobNumber' })
  await relate('exta_group', { groupName: 'name', posixNumber: '" 7001 "' })
  const numbers = async () => {
    const rows = await db.execute<{ name: string; number: string; imported: boolean }>(sql`
      select coalesce(u.source_user_id, g.source_dept_id, '-') as name, n.number, n.imported from posix_numbers n
      left join users u on n.kind = 'user' and u.id = n.record_id left join groups g on n.kind = 'group' and g.id = n.record_id
      order by n.number`)
    return rows.map(({ name, number, imported }) => `${name} ${number}${imported ? '' : ' given'}`)
  }

  t.match(await run('groups', { dryRun: true }), { added: 3 })
  t.same(await numbers(), [], 'a dry run stores none')
  const departments = await run('groups')
  t.match(departments.problems, [
    { sourceId: 'd2', reason: 'posixNumber: 7001 belongs to another record, or did; left out' },
  ])
  const first = await run('users')
  t.match(first, { added: 5 })
  t.same(first.problems.map(({ sourceId, reason }) => `${sourceId} ${reason}`).sort(), [
    'p3 posixNumber: 5002 belongs to another record, or did; left out',
    'p5 posixNumber: must be a number from 500 to 4294967293, but not 65534 or 65535',
  ])
  t.same(await numbers(), ['p1 5001', 'p2 5002', 'd1 7001'])
  t.match(await run('users'), { unchanged: 5, updated: 0 }, 'a second run has nothing to do')

  await t.test('a person who has a number keeps it', async (t) => {
    organisation.people = [
      numbered('p1', '6001'),
      numbered('p2', '5002'),
      numbered('p3', '7001'),
      numbered('p4', '5004'),
      numbered('p5', ''),
    ]
    const report = await run('users')
    t.match(report, { updated: 1, unchanged: 4 }, 'p4 gets one')
    t.same(
      report.problems.map(({ sourceId, reason }) => `${sourceId} ${reason}`),
      [
        'p1 posixNumber: 6001 is left out: it has 5001, which stays',
        'p3 posixNumber: 7001 belongs to another record, or did; left out',
      ],
    )
    t.same(await numbers(), ['p1 5001', 'p2 5002', 'p4 5004', 'd1 7001'])
  })

  await t.test('that of a deleted person passes to no other', async (t) => {
    await db.execute(sql`delete from users where source_user_id = 'p2'`)
    organisation.people = [numbered('p1', '5001'), numbered('p3', '5002'), numbered('p4', '5004'), numbered('p5', '')]
    const report = await run('users')
    t.match(report.problems, [{ sourceId: 'p3', reason: /5002 belongs to another record, or did/ }])
    t.ok((await numbers()).includes('- 5002'))
  })
})

t.test('a source gives no number of the system, and none twice', async (t) => {
  const database = await testDatabase(t)
  const taken = ['500', '2147483648', '4294967293']
  const twice = ['2000', ' 2000', '2000 ']
  const people = [...noPosixNumbers, ...taken, ...twice].map((jobNumber, index) =>
    person(`p${String(index).padStart(3, '0')}`, { jobNumber }),
  )
  const { db, run } = await engine(t, { database, organisation: { departments: [], people } })
  const attributes = JSON.stringify({ username: 'id', posixNumber: 'jobNumber' })
  await db.execute(sql`update field_relations set attributes = ${attributes}::jsonb where flag = 'exta_user'`)
  const report = await run('users')
  t.match(report, { state: 'done', added: people.length })
  const told = report.problems.map(({ reason }) => reason)
  t.equal(told.filter((reason) => reason.startsWith('posixNumber: must be a number')).length, noPosixNumbers.length)
  t.equal(told.filter((reason) => reason.includes('belongs to another record')).length, twice.length - 1)
  const rows = await db.execute<{ number: string }>(sql`select number from posix_numbers order by number`)
  t.same(
    rows.map(({ number }) => number),
    ['500', '2000', '2147483648', '4294967293'],
  )
})

t.test(
  'an organisation with POSIX accounts keeps its numbers in another directory',
  { skip: skipWithoutSlapd },
  async (t) => {
    const [source, slapd] = await Promise.all([testSlapd(t), testSlapd(t, { rfc2307bis: true })])
    const theirs = openDirectory({ ...source, startTls: false, timeout: 20_000, log: quiet })
    t.teardown(() => theirs.close())
    const unit = `ou=Hosts,${source.baseDn}`
    const account = (uid: string, uidNumber: string): Write => ({
      kind: 'add',
      dn: `uid=${uid},${unit}`,
      attributes: {
        objectClass: ['inetOrgPerson', 'posixAccount'],
        ...{ uid: [uid], cn: [uid], sn: [uid], uidNumber: [uidNumber], gidNumber: ['100'], homeDirectory: ['/'] },
      },
    })
    const entries: Write[] = [
      { kind: 'add', dn: unit, attributes: { objectClass: ['organizationalUnit'], ou: ['Hosts'] } },
      account('ann', '1042'),
      account('root2', '0'),
      {
        kind: 'add',
        dn: `cn=wheel,${unit}`,
        attributes: { objectClass: ['posixGroup'], cn: ['wheel'], gidNumber: ['2042'] },
      },
    ]
    for (const entry of entries) await theirs.write(entry)
    const s = await steward(t, {
      directory: slapd,
      env: {
        ...{ EXTLDAP_URL: source.url, EXTLDAP_BASE_DN: source.baseDn, EXTLDAP_PRESET: 'posix' },
        ...{ EXTLDAP_BIND_DN: source.bindDn, EXTLDAP_BIND_PASSWORD: source.bindPassword },
        ...{ POSIX_ACCOUNTS: 'all', SYNC_WAIT: '60s' },
      },
    })
    await s.take('syncExtLdapDepts')
    const { problems } = await s.take('syncExtLdapUsers')
    t.match(problems, [{ name: 'root2', reason: /^posixNumber: must be a number from 500/ }])
    const at = (filter: string, attribute: string) => slapd.ldapsearch('-b', slapd.baseDn, filter, attribute)
    await eventually(async () => (await at('(uid=ann)', 'uidNumber')).includes('uidNumber: 1042\n'), 'of the person')
    await eventually(async () => (await at('(cn=wheel)', 'gidNumber')).includes('gidNumber: 2042\n'), "the group's")
    t.notMatch(await at('(uid=root2)', 'uidNumber'), /uidNumber: 0\n/, 'a system account is made of no person')
  },
)
