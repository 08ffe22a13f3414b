import { sql } from 'drizzle-orm'
import t from 'tap'
import { type FakePerson, generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { permitUser } from '../../src/access/permits/users.ts'
import type { Db } from '../../src/db/client.ts'
import { matchingKey } from '../../src/ldap/dn.ts'
import { touch } from '../../src/mirror/touch.ts'
import { changeStatus } from '../../src/people/user-writes.ts'
import { stemOf } from '../../src/text/stem.ts'
import { testDatabase } from '../database.ts'
import { admin, type Engine, engine, relation } from './engine-service.ts'
import { crowd, department, departments, people, person } from './small-organisation.ts'

const database = await testDatabase(t)

/** The only problem of a run for people before one for departments. */
const departmentsMissing = { length: 1, 0: { stated: { code: 'sync.departments_missing' } } }

const user = async (db: Db, sourceId: string) => {
  const [row] = await db.execute<{ user: Record<string, unknown> }>(sql`
    select json_build_object('username', username, 'nickname', nickname, 'mail', mail, 'mobile', mobile, 'jobNumber', job_number,
      'status', status) as user from users where source = 'exta' and source_user_id = ${sourceId}`)
  return row?.user
}

/** The departments as paths of names, sorted. */
const paths = async (db: Db): Promise<string[]> => {
  const rows = await db.execute<{ path: string }>(sql`
    with recursive tree as (
      select id, group_name as path from groups where parent_id is null
      union all select g.id, tree.path || '/' || g.group_name from groups g join tree on g.parent_id = tree.id
    )
    select path from tree order by path collate "C"`)
  return rows.map(({ path }) => path)
}

const edit = (db: Db, sourceId: string, change: ReturnType<typeof sql>) =>
  db.execute(sql`update users set ${change} where source = 'exta' and source_user_id = ${sourceId}`)

t.test('every person is added, and a second run writes nothing', async (t) => {
  const organisation = generateOrganisation({ seed: 1, people: 600, departments: 60 })
  const { both, state, db } = await engine(t, { database, organisation })
  const { groups, users } = await both()
  t.equal(groups.added, 61, 'the departments and the group they hang below')
  t.equal(users.added + users.skipped, 600)
  const [here] = await db.execute<{ users: number; roles: number }>(sql`
    select count(*)::int as users, count(*) filter (where exists (
      select from user_roles r join roles on roles.id = r.role_id where r.user_id = u.id and keyword = 'user'))::int as roles
    from users u where source = 'exta'`)
  t.strictSame(here, { users: users.added, roles: users.added }, 'each has the role of users')
  const before = await state()
  const again = await both()
  t.match(again, {
    groups: { added: 0, updated: 0, moved: 0, disabled: 0 },
    users: { added: 0, updated: 0, moved: 0, disabled: 0 },
  })
  t.equal(again.users.unchanged, users.added)
  t.strictSame(await state(), before)
})

t.test('people', async (t) => {
  t.test('what changed at the source changes here, and nothing else', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: people(person('anna', { mail: 'a@x.org' }), person('bert')),
    })
    await run('users')
    source.organisation = people(
      person('anna', { mail: 'a@x.org', name: 'Renamed' }),
      person('bert', { mail: 'b@x.org' }),
    )
    t.match(await run('users'), { total: 2, updated: 2, added: 0, unchanged: 0 })
    t.match(await user(db, 'anna'), { nickname: 'Renamed', mail: 'a@x.org' })
    t.match(await user(db, 'bert'), { nickname: 'Name of bert', mail: 'b@x.org' })
  })

  t.test('who gets another address is told so at the former one', async (t) => {
    const { db, source, run } = await engine(t, {
      database,
      organisation: people(
        ...[
          person('anna', { mail: 'a@x.org' }),
          person('bert', { mail: 'b@x.org' }),
          person('cora', { mail: 'c@x.org' }),
        ],
        ...[person('dora', { mail: 'd@x.org' }), person('emil', { mail: '' })],
      ),
    })
    await run('users')
    source.organisation = people(
      // Two exchange theirs.
      ...[person('anna', { mail: 'b@x.org' }), person('bert', { mail: 'a@x.org' })],
      ...[person('cora', { mail: 'C@x.org' }), person('dora', { mail: '' }), person('emil', { mail: 'e@x.org' })],
    )
    await run('users')
    const told = await db.execute(
      sql`select content->>'to' as "to", content->>'text' as text from notifications order by 1`,
    )
    t.match(told, [
      { to: 'a@x.org', text: /"anna" is now b@x\.org/ },
      { to: 'b@x.org', text: /"bert" is now a@x\.org/ },
      { to: 'd@x.org', text: /"dora" was removed/ },
    ])
    t.equal(told.length, 3)
  })

  t.test('a field that the source leaves out stays; a field that the source sends empty is cleared', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: people(person('anna', { mail: 'a@x.org', mobile: '1' })),
    })
    await run('users')
    const { mail: _mail, ...silent } = person('anna', { mobile: '' })
    source.organisation = people(silent as never)
    t.match(await run('users'), { updated: 1 })
    t.match(await user(db, 'anna'), { mail: 'a@x.org', mobile: '' })
  })

  t.test('a person whose name is empty there is shown by their username, or keeps the name they have', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: people(person('p1', { name: '' }), person('p2')),
    })
    t.match(await run('users'), { added: 2 })
    t.match(await user(db, 'p1'), { nickname: 'p1' })
    t.match(await run('users'), { updated: 0, unchanged: 2 })
    source.organisation = people(person('p1', { name: '' }), person('p2', { name: '', title: 'Boss' }))
    t.match(await run('users'), { updated: 1, unchanged: 1 })
    t.match(await user(db, 'p1'), { nickname: 'p1' })
    t.match(await user(db, 'p2'), { nickname: 'Name of p2' })
  })

  t.test('a person who left is disabled, and enabled when they return; one disabled by hand stays so', async (t) => {
    const { run, source, db } = await engine(t, { database, organisation: people(...crowd(3)) })
    await run('users')
    await edit(db, 'p3', sql`status = 2`)
    source.organisation = people(person('p1'))
    t.match(await run('users'), { disabled: 1, unchanged: 1, total: 2 })
    t.match(await user(db, 'p2'), { status: 2 })
    source.organisation = people(person('p1'), person('p2', { state: 'left' }), person('p3'))
    t.match(await run('users'), { disabled: 0, updated: 0 })
    source.organisation = people(...crowd(3))
    t.match(await run('users'), { updated: 1, unchanged: 2 })
    t.match(await user(db, 'p2'), { status: 1 })
    t.match(await user(db, 'p3'), { status: 2 })
  })

  t.test('who was disabled by hand stays so, also after having left once', async (t) => {
    const { run, source, db } = await engine(t, { database, organisation: people(...crowd(3)) })
    const byHand = async (sourceId: string, status: number): Promise<void> => {
      const [row] = await db.execute<{ id: string }>(sql`select id from users where source_user_id = ${sourceId}`)
      const id = Number(row?.id)
      await db.transaction(async (tx) => {
        await changeStatus(await permitUser(tx, 'operator', id), id, status)
        await touch(tx, 'user', [id])
      })
    }
    await run('users')
    source.organisation = people(person('p1'))
    t.match(await run('users'), { disabled: 2 })
    // One returns and is disabled again; one is told to stay away while gone.
    await byHand('p2', 1)
    source.organisation = people(person('p1'), person('p2'))
    t.match(await run('users'), { unchanged: 2 })
    await byHand('p2', 2)
    await byHand('p3', 2)
    source.organisation = people(...crowd(3))
    t.match(await run('users'), { updated: 0, unchanged: 3 })
    t.match([await user(db, 'p2'), await user(db, 'p3')], [{ status: 2 }, { status: 2 }])
    await byHand('p2', 1)
    source.organisation = people(person('p1'), person('p3'))
    t.match(await run('users'), { disabled: 1 }, 'who was enabled by hand still leaves')
    source.organisation = people(...crowd(3))
    t.match(await run('users'), { updated: 1 })
    t.match([await user(db, 'p2'), await user(db, 'p3')], [{ status: 1 }, { status: 2 }])
  })

  t.test('a username that is taken gets a number that sticks', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: people(person('1', { jobNumber: 'Wang' }), person('2', { jobNumber: 'wang' })),
    })
    await db.execute(
      sql`update field_relations set attributes = ${JSON.stringify({ ...relation.users, username: 'jobNumber', jobNumber: '""' })}::jsonb where flag = 'exta_user'`,
    )
    await db.execute(
      sql`insert into users (username, username_key, nickname) values ('wang2', 'wang2', 'somebody else')`,
    )
    t.match(await run('users'), { added: 2, problems: departmentsMissing })
    t.match(await user(db, '1'), { username: 'Wang' })
    t.match(await user(db, '2'), { username: 'wang3' })
    source.organisation = people(
      person('2', { jobNumber: 'wang' }),
      person('3', { jobNumber: 'WANG' }),
      person('1', { jobNumber: 'Li' }),
    )
    t.match(await run('users'), { added: 1, updated: 1, unchanged: 1 })
    t.match(await user(db, '1'), { username: 'Li' })
    t.match(await user(db, '2'), { username: 'wang3' })
    t.equal(String((await user(db, '3'))?.username).startsWith('WANG'), true)
    t.match(await run('users'), { unchanged: 3 })
  })

  t.test(
    'a number is not appended directly to another number, and a name with its number is not too long',
    async (t) => {
      const longest = 'n'.repeat(50)
      const organisation = (...names: string[]) =>
        people(...names.map((name, index) => person(`${index}`, { jobNumber: name })))
      const names = [
        'b0002',
        'B0002',
        'b0002',
        'maria',
        'Maria',
        longest,
        longest.toUpperCase(),
        `${longest.slice(0, 49)}x`,
      ]
      const { run, source, db } = await engine(t, { database, organisation: organisation(...names) })
      await db.execute(
        sql`update field_relations set attributes = ${JSON.stringify({ ...relation.users, username: 'jobNumber', jobNumber: '""' })}::jsonb where flag = 'exta_user'`,
      )
      // A person whom an earlier release gave a number right behind the other keeps it.
      for (const [username, sourceId] of [['b00022', '8'], ['b0002-3', ''], [`${longest.slice(0, 49)}x`, '']] as const) {
      await db.execute(sql`
        insert into users (username, username_key, nickname, source, source_user_id, source_fields)
        values (${username}, ${username}, 'n', ${sourceId && 'exta'}, ${sourceId}, ${sourceId ? '{"username": "b0002"}' : null}::jsonb)`)
    } // biome-ignore format: a table
      await db.execute(sql`
      insert into directory_entries (kind, record_id) select 'user', id from users where source_user_id = '8'`)
      source.organisation = organisation(...names, 'b0002')
      t.match(await run('users'), { added: 8, failed: 0, problems: departmentsMissing })
      const found = async () =>
        Promise.all([...names, 'b0002'].map(async (_, index) => (await user(db, `${index}`))?.username))
      const cut = 'n'.repeat(39)
      const expected = [
        'b0002',
        'B0002-2',
        'b0002-4',
        'maria',
        'Maria2',
        longest,
        `${cut.toUpperCase()}2`,
        `${cut}3`,
        'b00022',
      ]
      t.same(await found(), expected)
      t.match(await run('users'), { updated: 0, unchanged: 9 })
      t.same(await found(), expected, 'it sticks')
    },
  )

  t.test('a name keeps its key when a number is appended', async (t) => {
    for (const name of [
      'maria ',
      'maria\u200b',
      'maria \u200b',
      'b0002 ',
      '\u2460',
      '\u0661',
      '王 ',
      'ΟΔΟΣ',
      `${'x'.repeat(49)} `,
      '😀'.repeat(50),
      ' 1 \u00ad ',
      '\u00b2\u2460\ufdfa\ufdfa\ufdfa\u212b\u200b \u3000\u200b',
    ]) {
      const { stem, stemKey } = stemOf(name, 50)
      t.equal(matchingKey(`${stem}17`), `${stemKey}17`, JSON.stringify(name))
      t.ok([...`${stem}2147483647`].length <= 50, JSON.stringify(name))
      t.notMatch(`${stemKey}17`, /\p{Nd}17$/u)
    }
  })

  t.test('a mobile is one number in whatever notation', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: people(
        person('dingtalk', { mobile: '13800000001' }),
        person('feishu', { mobile: '+86 138 0000 0001' }),
        person('short', { mobile: '80-01' }),
        person('long', { mobile: 'tel 8001' }),
        person('free', { mobile: '+1 202 555 0123' }),
      ),
    })
    await run('groups')
    const report = await run('users')
    t.match(report, { added: 5, failed: 0 })
    t.same(
      report.problems.map(({ sourceId, reason }) => [sourceId, reason]),
      [
        ['feishu', 'mobile: already belongs to another record of the source; left out'],
        ['short', 'mobile: already belongs to another record of the source; left out'],
      ],
    )
    t.match(await user(db, 'dingtalk'), { mobile: '13800000001' }, 'as it is said')
    source.organisation = people(
      person('dingtalk', { mobile: '+86 138-0000-0001' }),
      person('feishu', { mobile: '202 555 0123' }),
      person('short'),
      person('long', { mobile: '8001' }),
      person('free', { mobile: '(001) 2025550123' }),
    )
    t.match(
      await run('users'),
      { updated: 4, failed: 0, problems: { length: 0 } },
      'another notation of a number is not a conflict',
    )
    const keys = await db.execute(
      sql`select source_user_id as id, mobile_key as key from users where mobile <> '' order by 1`,
    )
    t.same(keys, [
      { id: 'dingtalk', key: '+8613800000001' },
      { id: 'feishu', key: '+862025550123' },
      { id: 'free', key: '+12025550123' },
      { id: 'long', key: '8001' },
    ])
  })

  t.test('a mobile that two exchange, or that is handed on along a chain, arrives with its new owner', async (t) => {
    const numbers = (...mobiles: string[]) => people(...mobiles.map((mobile, index) => person(`p${index}`, { mobile })))
    const { run, source, db } = await engine(t, { database, organisation: numbers('1', '2', '3', '4') })
    await run('users')
    source.organisation = numbers('2', '1', '4', '')
    t.match(await run('users'), { updated: 4, failed: 0, problems: departmentsMissing })
    for (const [index, mobile] of ['2', '1', '4', ''].entries()) t.match(await user(db, `p${index}`), { mobile })
    t.match(await run('users'), { unchanged: 4 })
  })

  t.test('a username that two exchange, or that is handed on along a chain, gets no number', async (t) => {
    const named = (...names: string[]) =>
      people(...names.flatMap((name, index) => (name === '' ? [] : [person(`p${index}`, { jobNumber: name })])))
    const { run, source, db } = await engine(t, { database, organisation: named('anna', 'anna2', 'bo', 'cy') })
    await db.execute(
      sql`update field_relations set attributes = ${JSON.stringify({ ...relation.users, username: 'jobNumber', jobNumber: '""' })}::jsonb where flag = 'exta_user'`,
    )
    const become = async (wanted: string[], names: string[], report: object): Promise<void> => {
      source.organisation = named(...wanted)
      t.match(await run('users'), { failed: 0, problems: departmentsMissing, ...report })
      for (const [index, username] of names.entries()) t.match(await user(db, `p${index}`), { username })
    }
    await become(['anna', 'anna2', 'bo', 'cy'], ['anna', 'anna2', 'bo', 'cy'], { added: 4 })
    await become(['anna2', 'anna', 'cy', 'dee'], ['anna2', 'anna', 'cy', 'dee'], { updated: 4 })
    // To a person who is new, and from one who gets a number because another has the name: 2 is the present owner's.
    await become(['eve', 'anna', 'dee', 'cy', 'anna2'], ['eve', 'anna', 'dee', 'cy', 'anna2'], { added: 1, updated: 3 })
    await become(['eve', 'cy', 'dee', 'cy', 'anna'], ['eve', 'cy2', 'dee', 'cy', 'anna'], { updated: 2 })
    await become(['eve', 'cy', 'dee', 'cy', 'anna'], ['eve', 'cy2', 'dee', 'cy', 'anna'], { updated: 0 })
  })

  t.test('a value that another user has is left out and reported, and everything else arrives', async (t) => {
    const { run, db } = await engine(t, {
      database,
      organisation: people(person('anna', { mail: 'Taken@x.org', mobile: '1' }), person('bert', { mobile: '1' })),
    })
    await db.execute(
      sql`insert into users (username, username_key, nickname, mail) values ('o', 'o', 'o', 'taken@X.org')`,
    )
    await run('groups')
    const report = await run('users')
    t.match(report, { added: 2, failed: 0 })
    t.strictSame(
      report.problems.map(({ sourceId, reason }) => [sourceId, reason]),
      [
        ['anna', 'mail: already belongs to o; left out'],
        ['bert', 'mobile: already belongs to another record of the source; left out'],
      ],
    )
    t.match(await user(db, 'anna'), { mail: '', mobile: '1' })
    t.match(await run('users'), { unchanged: 2 })
  })

  t.test('a person without a username is a problem, is not added, and does not count as having left', async (t) => {
    const { run, source, db } = await engine(t, { database, organisation: people(...crowd(2)) })
    await run('groups')
    await run('users')
    await db.execute(
      sql`update field_relations set attributes = attributes || '{"username": "title"}' where flag = 'exta_user'`,
    )
    source.organisation = people(person('p1'), person('p2'), person('p3'))
    const report = await run('users')
    t.match(report, { total: 3, skipped: 1, unchanged: 2, added: 0, disabled: 0 })
    t.equal(report.problems.length, 3)
    t.match(report.problems[2], { sourceId: 'p3', step: 'mapping', reason: /^username: / })
  })

  t.test('a person who has lost their username there keeps it here, and all else follows', async (t) => {
    const sales = department('2', 'Sales')
    const build = department('3', 'Build')
    const there = (where: string, more: Partial<FakePerson> = {}) => ({
      departments: [sales, build],
      people: [person('p1', { title: 'first', departmentIds: [where], ...more }), person('p2', { title: 'second' })],
    })
    const { run, source, db, both } = await engine(t, { database, organisation: there('2') })
    await db.execute(
      sql`update field_relations set attributes = attributes || '{"username": "title"}' where flag = 'exta_user'`,
    )
    await both()
    const placeOf = async (): Promise<unknown> => {
      const [row] = await db.execute(sql`
        select g.group_name as place from users u join group_members m on m.user_id = u.id join groups g on g.id = m.group_id
        where u.source_user_id = 'p1'`)
      return row?.place
    }
    source.organisation = there('3', { title: '', name: 'New' })
    const moved = await run('users')
    t.match(moved, { moved: 1, unchanged: 1, skipped: 0 })
    t.match(moved.problems, [{ sourceId: 'p1', step: 'mapping', reason: /^username: / }])
    t.match(await user(db, 'p1'), { username: 'first', nickname: 'New', status: 1 })
    t.equal(await placeOf(), 'Build')

    source.organisation = there('3', { title: '', name: 'New', state: 'left' })
    t.match(await run('users'), { total: 2, disabled: 1, unchanged: 1, skipped: 0 })
    t.match(await user(db, 'p1'), { username: 'first', status: 2 })
    source.organisation = there('3', { title: 'other', name: 'New' })
    t.match(await run('users'), { updated: 1, unchanged: 1 })
    t.match(await user(db, 'p1'), { username: 'other', status: 1 })
  })

  t.test('memberships in departments follow; those in other groups stay', async (t) => {
    const sales = department('2', 'Sales')
    const build = department('3', 'Build')
    const both = [sales, build]
    const {
      both: runBoth,
      run,
      source,
      db,
    } = await engine(t, {
      database,
      organisation: {
        departments: both,
        people: [person('anna', { departmentIds: ['2'] }), person('bert', { departmentIds: ['2', '3'] })],
      },
    })
    await runBoth()
    await db.execute(sql`insert into groups (group_name, group_name_key, group_type) values ('Club', 'club', 'cn')`)
    await db.execute(
      sql`insert into group_members select g.id, u.id from groups g, users u where g.group_name = 'Club' and u.username = 'anna'`,
    )
    source.organisation = {
      departments: both,
      people: [person('anna', { departmentIds: ['3'] }), person('bert', { departmentIds: ['2', '9'] })],
    }
    const report = await run('users')
    t.match(report, { moved: 2, unchanged: 0 })
    t.match(report.problems, [{ sourceId: '9', reason: 'department 9 is not known here; people in it: 1' }])
    const rows = await db.execute<{ member: string }>(sql`
      select u.username || ' ' || g.group_name as member from group_members m join groups g on g.id = m.group_id join users u on u.id = m.user_id order by 1`)
    t.strictSame(
      rows.map(({ member }) => member),
      ['anna Build', 'anna Club', 'bert Sales'],
    )
  })

  t.test('with SYNC_WINS=local what was changed here stays, and the rest follows', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      wins: 'local',
      organisation: people(person('anna', { mail: 'a@x.org', title: 'Clerk' })),
    })
    await run('users')
    await edit(db, 'anna', sql`nickname = 'Mine'`)
    source.organisation = people(person('anna', { name: 'Theirs', mail: 'new@x.org', title: 'Clerk' }))
    t.match(await run('users'), { updated: 1 })
    t.match(await user(db, 'anna'), { nickname: 'Mine', mail: 'new@x.org' })
    t.match(await run('users'), { unchanged: 1 })
  })

  t.test('with SYNC_WINS=source a change made here is reverted', async (t) => {
    const { run, db } = await engine(t, { database, organisation: people(person('anna')) })
    await run('users')
    await edit(db, 'anna', sql`nickname = 'Mine', username = 'mine', username_key = 'mine'`)
    t.match(await run('users'), { updated: 1 })
    t.match(await user(db, 'anna'), { nickname: 'Name of anna', username: 'anna' })
  })
})

t.test('departments', async (t) => {
  t.test('are renamed and moved in place, also into each other’s', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: departments(
        department('2', 'A'),
        department('3', 'B', '2'),
        department('4', 'C', '3'),
        department('5', 'D'),
      ),
    })
    await run('groups')
    t.strictSame(await paths(db), ['exta', 'exta/A', 'exta/A/B', 'exta/A/B/C', 'exta/D'])
    const ids = async () => db.execute(sql`select id, source_dept_id from groups order by id`)
    const before = await ids()
    source.organisation = departments(
      department('2', 'D', '3'),
      department('3', 'A'),
      department('4', 'C', '2'),
      department('5', 'B', '3'),
    )
    t.match(await run('groups'), { moved: 4, failed: 0, problems: { length: 0 } })
    t.strictSame(await paths(db), ['exta', 'exta/A', 'exta/A/B', 'exta/A/D', 'exta/A/D/C'])
    t.strictSame(await ids(), before)
    t.match(await run('groups'), { unchanged: 4 })
  })

  t.test('exchange their names', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: departments(department('2', 'A'), department('3', 'B')),
    })
    await run('groups')
    source.organisation = departments(department('2', 'B'), department('3', 'A'))
    t.match(await run('groups'), { updated: 2, failed: 0 })
    const rows = await db.execute(
      sql`select source_dept_id as id, group_name as name from groups where parent_id is not null order by 1`,
    )
    t.strictSame(
      [...rows],
      [
        { id: '2', name: 'B' },
        { id: '3', name: 'A' },
      ],
    )
  })

  t.test('of one name under one parent get numbers that stick', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: departments(department('2', 'Team'), department('3', 'team'), department('4', 'TEAM')),
    })
    await db.execute(sql`insert into groups (group_name, group_name_key, group_type) values ('ExtA', 'exta', 'ou')`)
    await run('groups')
    t.strictSame(await paths(db), ['ExtA', 'exta2', 'exta2/TEAM3', 'exta2/Team', 'exta2/team2'])
    source.organisation = departments(department('3', 'team'), department('4', 'TEAM'))
    t.match(await run('groups'), { disabled: 1, unchanged: 2, failed: 0 })
    t.strictSame(await paths(db), ['ExtA', 'exta2', 'exta2/TEAM3', 'exta2/team2'])
  })

  t.test('that are gone are removed with what was below them', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: departments(department('2', 'A'), department('3', 'B', '2'), department('4', 'C', '3')),
    })
    await run('groups')
    source.organisation = departments(department('4', 'C'))
    t.match(await run('groups'), { disabled: 2, moved: 1, failed: 0 })
    t.strictSame(await paths(db), ['exta', 'exta/C'])
    const [pending] = await db.execute(
      sql`select count(*)::int as gone from directory_entries where kind = 'group' and deleted`,
    )
    t.match(pending, { gone: 2 })
  })

  t.test('that hold records of another origin stay, with those above them', async (t) => {
    const { run, source, db } = await engine(t, {
      database,
      organisation: departments(department('2', 'A'), department('3', 'B', '2'), department('4', 'C')),
    })
    await run('groups')
    await db.execute(
      sql`insert into groups (group_name, group_name_key, group_type, parent_id) select 'Mine', 'mine', 'cn', id from groups where group_name = 'B'`,
    )
    source.organisation = departments(department('5', 'E'))
    const report = await run('groups')
    t.match(report, { disabled: 1, added: 1, failed: 0 })
    t.match(report.problems, [{ sourceId: '3', reason: /other groups below it: 1/ }])
    t.strictSame(await paths(db), ['exta', 'exta/A', 'exta/A/B', 'exta/A/B/Mine', 'exta/E'])
  })

  t.test('that are below themselves are reported and left alone', async (t) => {
    const { run, db } = await engine(t, {
      database,
      organisation: departments(department('2', 'A', '3'), department('3', 'B', '2'), department('4', 'C', '9')),
    })
    const report = await run('groups')
    t.match(report, { added: 2, skipped: 2 })
    t.strictSame(await paths(db), ['exta', 'exta/C'])
  })

  t.test('that are below themselves keep those they are below here, also where these are gone', async (t) => {
    const { run, db, source } = await engine(t, {
      database,
      organisation: departments(department('1', 'Gone'), department('2', 'A', '1'), department('3', 'B', '2')),
    })
    await run('groups')
    source.organisation = departments(department('2', 'A', '3'), department('3', 'B', '2'))
    const report = await run('groups')
    t.match(report, { state: 'done', disabled: 0, skipped: 2, failed: 0 })
    t.strictSame(report.problems.map(({ sourceId }) => sourceId).sort(), ['2', '3'])
    t.strictSame(await paths(db), ['exta', 'exta/Gone', 'exta/Gone/A', 'exta/Gone/A/B'])
    source.organisation = departments(department('2', 'A'), department('3', 'B', '2'))
    t.match(await run('groups'), { moved: 1, disabled: 1, failed: 0 })
    t.strictSame(await paths(db), ['exta', 'exta/A', 'exta/A/B'])
  })
})

t.test('the guard', async (t) => {
  const leave = async (engine: Engine, left: number) => {
    engine.source.organisation = people(...engine.source.organisation.people.slice(left))
    return engine.run('users')
  }

  t.test('allows a few removals, and holds a plan that would disable more than the limit', async (t) => {
    const service = await engine(t, { database, organisation: people(...crowd(300)) })
    await service.run('users')
    t.match(await leave(service, 30), { state: 'done', disabled: 30 }, '10 % of 300')
    const before = await service.state()
    const held = await leave(service, 28)
    t.match(held, { state: 'held', disabled: 0, held: 28 }, 'more than 10 % of 270 and than 20')
    t.strictSame(await service.state(), before, 'nothing was written')
    const hash = await service.planHash(held.runId)
    await t.rejects(service.importer.confirm(held.runId, 'another', admin), /planHash/)
    t.match(await service.importer.confirm(held.runId, hash, admin), { state: 'done', disabled: 28, held: 0 })
    await t.rejects(service.importer.confirm(held.runId, hash, admin), /is (not|no longer) held/, 'once')
    t.match(await service.run('users'), { state: 'done', unchanged: 242, disabled: 0 })
  })

  t.test('holds the plan of an empty snapshot, however few records there are', async (t) => {
    const service = await engine(t, { database, organisation: people(...crowd(3)) })
    await service.run('users')
    const held = await leave(service, 3)
    t.match(held, { state: 'held', held: 3 })
    await service.importer.discard(held.runId, admin)
    await t.rejects(
      service.importer.confirm(held.runId, await service.planHash(held.runId), admin),
      /is (not|no longer) held/,
    )
  })

  t.test('holds whatever would disable a user who may do everything', async (t) => {
    const service = await engine(t, { database, organisation: people(...crowd(30)) })
    await service.run('users')
    await service.db.execute(
      sql`insert into user_roles select u.id, r.id from users u, roles r where u.username = 'p1' and r.sort = 1`,
    )
    t.match(await leave(service, 1), { state: 'held', held: 1 })
  })

  t.test(
    'holds everything of a snapshot with gaps, until an administrator has confirmed that the gaps are correct',
    async (t) => {
      const service = await engine(t, { database, organisation: people(...crowd(3)) })
      service.source.gaps = ['department 7 is not visible']
      const held = await service.run('users')
      t.match(held, { state: 'held', held: 3 })
      await service.importer.confirm(held.runId, await service.planHash(held.runId), admin)
      service.source.organisation = people(...crowd(4))
      t.match(await service.run('users'), { state: 'done', added: 1 })
      service.source.gaps = ['department 7 is not visible', 'department 8 is not visible']
      service.source.organisation = people(...crowd(5))
      t.match(await service.run('users'), { state: 'held', held: 1 })
    },
  )

  t.test('replaces an older plan that is held by a newer one', async (t) => {
    const service = await engine(t, { database, organisation: people(...crowd(3)) })
    await service.run('users')
    const held = await leave(service, 3)
    service.source.organisation = people(...crowd(3))
    await service.run('users')
    await t.rejects(
      service.importer.confirm(held.runId, await service.planHash(held.runId), admin),
      /is (not|no longer) held/,
    )
  })
})

t.test('a dry run writes nothing and plans what the run then does', async (t) => {
  const { run, state, planHash, source } = await engine(t, { database, organisation: people(...crowd(5)) })
  const before = await state()
  const dry = await run('users', { dryRun: true })
  t.match(dry, { state: 'planned', added: 5 })
  t.strictSame(await state(), before)
  source.shuffle = (items) => items.toReversed()
  source.batch = 2
  const real = await run('users')
  t.match(real, { state: 'done', added: 5 })
  t.equal(await planHash(real.runId), await planHash(dry.runId))
})

t.test('a reading that fails changes nothing', async (t) => {
  const { run, state, source } = await engine(t, { database, organisation: people(...crowd(200)) })
  await run('users')
  const before = await state()
  source.organisation = people(person('a new person'), ...crowd(190))
  for (const failAfter of [0, 50, 150, 500]) {
    source.failAfter = failAfter
    t.match(await run('users'), { state: 'failed', added: 0, disabled: 0 })
    t.strictSame(await state(), before)
  }
})

t.test('a record that is changed between plan and apply is left alone and reported', async (t) => {
  const { run, source, db, importer, planHash } = await engine(t, { database, organisation: people(...crowd(3)) })
  await run('users')
  source.organisation = people(person('p1', { name: 'New' }), person('p2', { name: 'New' }))
  source.gaps = ['some']
  const held = await run('users')
  await db.execute(
    sql`update directory_entries set version = version + 1 where record_id = (select id from users where username = 'p2')`,
  )
  const report = await importer.confirm(held.runId, await planHash(held.runId), admin)
  t.match(report, { state: 'done', updated: 1, disabled: 1, failed: 1 })
  t.match(report.problems, [{ sourceId: 'p2', reason: /changed here/ }])
  t.match(await user(db, 'p2'), { nickname: 'Name of p2' })
})

t.test('a record that the database refuses is reported and does not stop its batch', async (t) => {
  const { run, db } = await engine(t, { database, organisation: people(...crowd(40)) })
  await db.execute(sql`alter table users add constraint no_p7 check (username not in ('p7', 'p31'))`)
  t.teardown(() => db.execute(sql`alter table users drop constraint no_p7`))
  await run('groups')
  const report = await run('users')
  t.match(report, { state: 'done', added: 38, failed: 2 })
  t.strictSame(report.problems.map(({ sourceId }) => sourceId).sort(), ['p31', 'p7'])
})

t.test('a run that breaks off reports what it has done, and the next one does the rest', async (t) => {
  const { run, runs, db } = await engine(t, { database, organisation: people(...crowd(2500)) })
  // The third batch fails in a way that a retry does not help; the first two are done.
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin
      if new.username = 'p999' then raise exception 'gone' using errcode = '57P01'; end if; return new; end $$`)
  await db.execute(sql`create trigger refuse before insert on users for each row execute function refuse()`)
  t.teardown(() => db.execute(sql`drop function refuse cascade`))
  const broken = await run('users')
  t.match(broken, { state: 'failed', added: 2000 })
  await db.execute(sql`drop trigger refuse on users`)
  t.match(await run('users'), { state: 'done', added: 500, unchanged: 2000 })
  await runs.close()
})
