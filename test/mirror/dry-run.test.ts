import { readFileSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Database } from '../../src/db/client.ts'
import { groups, users } from '../../src/db/schema.ts'
import type { Foreseen } from '../../src/mirror/comparison/foreseen.ts'
import { hashAs } from '../../src/mirror/passwords/password-values.ts'
import { type RecordKind, touchDeleted } from '../../src/mirror/touch.ts'
import { eventually } from '../eventually.ts'
import { openConsole } from '../people/console.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { idOf, type Stage, stage } from './stage.ts'

// The dry run of a comparison: it says what a comparison would do, and writes nothing.

/** What every table holds, but for these. */
const tablesBut = async (db: Database['db'], ...others: string[]): Promise<Record<string, string>> => {
  const tables = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`)
  const held: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !others.includes(table.name))) {
    const [row] = await db.execute<{ rows: string | null }>(sql`
      select string_agg(r::text, E'\n' order by r::text) as rows from ${sql.identifier(name)} r`)
    held[name] = row?.rows ?? ''
  }
  return held
}

/** Everything that the directory holds, and how many writes it was sent. */
const heldIn = async ({ slapd }: Pick<Stage, 'slapd'>) => ({
  entries: await slapd.ldapsearch('-b', slapd.baseDn, '(objectClass=*)', '*', '+'),
  writes: await slapd.operations(),
})

const foreseenFor = async ({ reconciler }: Pick<Stage, 'reconciler'>, kind: RecordKind) => {
  const changes: Foreseen[] = []
  const onChanges = async (some: readonly Foreseen[]) => void changes.push(...some)
  const report = await reconciler.foresee(kind, { onChanges, signal: new AbortController().signal })
  return { report, changes, of: (name: string) => changes.find((each) => each.name === name) }
}

/** What a dry run says; fails if it wrote anything. */
const dry = async (t: Test, s: Stage, kind: RecordKind) => {
  const before = [await heldIn(s), await tablesBut(s.db)]
  const foreseen = await foreseenFor(s, kind)
  t.strictSame([await heldIn(s), await tablesBut(s.db)], before, `nothing is written for a ${kind}`)
  t.notMatch(JSON.stringify(foreseen), /argon2|\{SSHA/i, 'no hash is shown')
  return foreseen
}

const figures = ['total', 'added', 'updated', 'moved', 'unchanged', 'skipped', 'failed'] as const

/** The comparison after a dry run counts what that foresaw. */
const comesTrue = async (
  t: Test,
  s: Stage,
  kind: RecordKind,
  { report }: Awaited<ReturnType<typeof foreseenFor>>,
): Promise<void> => {
  const done = await s.reconciler.synchronize(kind, 'all')
  for (const each of figures) t.equal(report[each], done[each], `${each} of a ${kind}`)
}

t.test('on slapd', { skip: skipWithoutSlapd }, async (t) => {
  t.test('records that were never written are foreseen, with the groups below each other', async (t) => {
    const s = await stage(t, { started: false })
    const added = await s.addUsers('ada', 'ben')
    const top = await s.addGroup('Company', { type: 'ou' })
    const team = await s.addGroup('Team', { parent: idOf(top, 'group'), members: added.map(({ id }) => id) })
    const people = await dry(t, s, 'user')
    t.match(people.report, { completed: true, total: 2, added: 2, problems: { length: 2 } })
    t.match(people.report.problems, [{ stated: { code: 'mirror.layout_missing' } }, {}], 'the units are missing')
    const entry = { dn: `uid=ada,ou=people,${s.slapd.baseDn}`, cn: 'Nick ada', mail: 'ada@example.org' }
    t.match(people.of('ada'), { action: 'add', after: { ...entry }, obstacle: null })
    await s.reconciler.settle(added)
    await s.reconciler.synchronize('user', 'pending')

    const teams = await dry(t, s, 'group')
    t.match(teams.of('Team'), {
      action: 'add',
      after: {
        dn: `cn=Team,ou=Company,${s.slapd.baseDn}`,
        member: [`uid=ada,ou=people,${s.slapd.baseDn}`, `uid=ben,ou=people,${s.slapd.baseDn}`],
      },
    })
    t.match(teams.report, { total: 2, added: 2, failed: 0 })
    await comesTrue(t, s, 'group', teams)
    t.ok(team.length > 0)
    const again = await dry(t, s, 'group')
    t.match([again.changes, again.report], [{ length: 0 }, { total: 2, unchanged: 2, problems: { length: 0 } }])
  })

  t.test('what differs is foreseen with its values, and nothing of it is repaired', async (t) => {
    const s = await stage(t, { started: false })
    const { baseDn } = s.slapd
    const dn = (uid: string, unit = 'people') => `uid=${uid},ou=${unit},${baseDn}`
    const added = await s.addUsers('ada', 'ben', 'cleo', 'dee', 'eve', 'finn', 'gus')
    await s.reconciler.settle(added, 10_000)
    const [, , , , eve, , gus] = added
    await s.db
      .update(users)
      .set({ status: 2 })
      .where(eq(users.id, eve?.id ?? 0))
    await s.reconciler.settle(await s.change('user', eve?.id ?? 0), 10_000)
    await s.reconciler.synchronize('user', 'all')
    const modify = (at: string, attribute: string, ...values: string[]) =>
      s.directory.write({ kind: 'modify', dn: at, changes: [{ operation: 'replace', attribute, values }] })
    await modify(dn('ada'), 'cn', 'Other')
    await s.directory.write({ kind: 'delete', dn: dn('ben') })
    await s.directory.write({ kind: 'rename', dn: dn('cleo'), newDn: dn('cleopatra') })
    await modify(dn('eve', 'disabled'), 'roomNumber', 'secret room')
    await modify(dn('finn'), 'userPassword', (await hashAs('SSHA512', 'seven-quiet-lanterns', async () => '')) ?? '')
    await s.directory.write({
      kind: 'add',
      dn: dn('printer'),
      attributes: { objectClass: ['inetOrgPerson'], uid: ['printer'], cn: ['P'], sn: ['P'] },
    })
    await s.db.transaction((tx) => touchDeleted(tx, 'user', [gus?.id ?? 0]))
    await s.db.delete(users).where(eq(users.id, gus?.id ?? 0))

    const found = await dry(t, s, 'user')
    t.match(found.of('ada'), { action: 'update', before: { cn: 'Other' }, after: { cn: 'Nick ada' } })
    t.match(found.of('ben'), { action: 'add', after: { dn: dn('ben'), userPassword: '***' } })
    t.match(found.of('cleo'), { action: 'move', before: { dn: dn('cleopatra') }, after: { dn: dn('cleo') } })
    t.match(found.of('eve'), { action: 'update', before: { roomNumber: '***' } }, 'what others wrote is not shown')
    t.match(found.of('finn'), { action: 'update', note: { code: 'mirror.password_taken_over' } })
    t.match(found.of(dn('gus')), { action: 'remove', before: { dn: dn('gus') } })
    t.equal(found.of('dee'), undefined, 'an entry that is as it should be is not listed')
    t.match(found.report, { total: 7, added: 1, moved: 1, skipped: 1, failed: 0 })
    t.match(found.report.problems, [{ name: dn('printer'), stated: { code: 'mirror.orphan' } }], 'not the moved one')
    // The adoption of a password is not a repair, and is counted when the record is written.
    found.report.updated--
    found.report.unchanged++
    await comesTrue(t, s, 'user', found)
  })

  t.test('groups that were moved, and what their place prevents', async (t) => {
    const s = await stage(t, { started: false })
    const { baseDn } = s.slapd
    const people = await s.addUsers('ada', 'ben')
    await s.reconciler.settle(people, 10_000)
    const top = await s.addGroup('Company', { type: 'ou' })
    const parent = idOf(top, 'group')
    const team = await s.addGroup('Team', { parent, members: people.map(({ id }) => id) })
    const other = await s.addGroup('Other')
    await s.reconciler.settle([...top, ...team, ...other], 10_000)
    await s.reconciler.synchronize('group', 'all')
    await s.directory.write({ kind: 'rename', dn: `ou=Company,${baseDn}`, newDn: `ou=Firm,${baseDn}` })
    const stray = `cn=Taken,${baseDn}`
    const member = [`uid=ada,ou=people,${baseDn}`]
    await s.directory.write({
      kind: 'add',
      dn: stray,
      attributes: { objectClass: ['groupOfNames'], cn: ['Taken'], member },
    })
    await s.db
      .update(groups)
      .set({ groupName: 'Taken', groupNameKey: 'taken' })
      .where(eq(groups.id, idOf(other, 'group')))
    await s.change('group', idOf(other, 'group'))
    const found = await dry(t, s, 'group')
    t.match(found.of('Company'), {
      action: 'move',
      before: { dn: `ou=Firm,${baseDn}` },
      after: { dn: `ou=Company,${baseDn}` },
    })
    t.match(found.of('Taken'), { obstacle: { code: 'mirror.not_ours_beside' } }, 'the name is taken by another entry')
    t.match(found.report, { total: 3, moved: 1, failed: 1, unchanged: 1 }, 'the group below comes back with its group')
    await comesTrue(t, s, 'group', found)
  })

  t.test('POSIX numbers are foreseen and not given', async (t) => {
    const numbers = { from: 5000, to: 5002 }
    const posix = { accounts: 'all', numbers, primaryGid: null, home: '/home/{username}', shell: '/bin/sh' } as const
    const s = await stage(t, {
      started: false,
      overlays: { rfc2307bis: true },
      posix: { ...posix, gecos: '{name}', memberUid: true },
    })
    await s.addUsers('ada', 'ben', 'cleo', 'dee')
    const found = await dry(t, s, 'user')
    const numberOf = (name: string) => found.of(name)?.after.uidNumber
    t.same(
      ['ada', 'ben', 'cleo', 'dee'].map(numberOf),
      ['5000', '5001', '5002', undefined],
      'the last one has none left',
    )
    await comesTrue(t, s, 'user', found)
    t.match(await s.find('(uid=cleo)', 'uidNumber'), /uidNumber: 5002/)
  })

  t.test('SSH keys of other tools are foreseen and not taken over', async (t) => {
    const s = await stage(t, { started: false, overlays: { opensshLpk: true } })
    const [ada] = await s.addUsers('ada')
    await s.reconciler.settle([...(await s.change('user', ada?.id ?? 0))], 10_000)
    const keys = readFileSync(new URL('../fixtures/ssh-keys/keys.pub', import.meta.url), 'utf8')
    const key = /^ssh-ed25519 .*$/m.exec(keys)?.[0] ?? ''
    await s.directory.write({
      kind: 'modify',
      dn: `uid=ada,ou=people,${s.slapd.baseDn}`,
      changes: [
        { operation: 'add', attribute: 'objectClass', values: ['ldapPublicKey'] },
        { operation: 'add', attribute: 'sshPublicKey', values: [key] },
      ],
    })
    await s.db.update(users).set({ sshKeys: { keys: [], takesOver: true } })
    await s.change('user', ada?.id ?? 0)
    const found = await dry(t, s, 'user')
    t.match(found.of('ada')?.after.sshPublicKey, key.split(' ').slice(0, 2).join(' '), 'without the comment')
  })

  t.test('it ends between two parts when the service stops', async (t) => {
    const s = await stage(t, { started: false })
    await s.addUsers('ada')
    const signal = AbortSignal.abort(new Error('stopping'))
    await t.rejects(s.reconciler.foresee('user', { onChanges: async () => {}, signal }), /stopping/)
  })
})

t.test(
  'a directory that is out of reach fails the dry run, and no record says so',
  { skip: skipWithoutSlapd },
  async (t) => {
    const s = await stage(t, { started: false })
    await s.addUsers('ada')
    await s.slapd.stop()
    const before = await tablesBut(s.db)
    const { report, changes } = await foreseenFor(s, 'user')
    t.match([report, changes], [{ completed: false, problems: [{ step: 'connect' }] }, { length: 0 }])
    t.strictSame(await tablesBut(s.db), before)
  },
)

t.test('by the operation', async (t) => {
  const c = await openConsole(t)
  const { ask, take, directory, db } = c
  for (const name of ['ann', 'bo']) await c.addUser(name)
  const cnOf = async (name: string) => (await c.values(c.userDn(name), 'cn'))?.[0]
  await eventually(async () => (await cnOf('bo')) === 'bo', 'the entries')
  const changes = [{ operation: 'replace' as const, attribute: 'cn', values: ['Other'] }]
  const own = ['runs', 'run_changes', 'operation_logs', 'operation_log_head', 'sessions', 'tasks', 'jobs', 'throttles']
  // The comparison of the start may still be under way, and repairs what it meets.
  const { reply, before } = await eventually(async () => {
    await directory.write({ kind: 'modify', dn: c.userDn('ann'), changes })
    const before = await tablesBut(db, ...own)
    const reply = await ask('compareDirectory', { body: { kind: 'users', dryRun: true } })
    return (await cnOf('ann')) === 'Other' && { reply, before }
  }, 'the entry stays as it was changed')
  t.match(reply, {
    status: 200,
    msg: /^planned: nothing was written; see GET .*\/changes/,
    data: {
      source: 'sql',
      state: 'planned',
      dryRun: true,
      total: 3,
      updated: 1,
      unchanged: 2,
      heldBecause: { length: 0 },
      planHash: '',
    },
  })
  t.strictSame(await tablesBut(db, ...own), before)
  t.equal(await cnOf('ann'), 'Other')
  const id = reply.data.runId
  t.match(await take('listRunChanges', { params: { id } }), {
    total: 1,
    changes: [
      { seq: 1, action: 'update', name: 'ann', state: 'planned', before: { cn: 'Other' }, after: { cn: 'ann' } },
    ],
  })
  t.match(await take('listRunChanges', { params: { id }, query: { action: 'add' } }), { total: 0 })

  t.test('it cannot be confirmed or discarded', async (t) => {
    await db.execute(sql`update sessions set stepped_up_at = now()`)
    const planHash = '0'.repeat(64)
    t.match(await ask('confirmRun', { params: { id }, body: { planHash } }), {
      status: 409,
      reason: 'sync.run_not_held',
    })
    t.match(await ask('discardRun', { params: { id } }), { status: 409, reason: 'sync.run_not_held' })
    t.equal(await cnOf('ann'), 'Other')
  })

  t.test('two at once are one, and a comparison is another one', async (t) => {
    const dryRun = { body: { kind: 'users', dryRun: true } } as const
    const [first, second, real] = await Promise.all([
      ask('compareDirectory', dryRun),
      ask('compareDirectory', dryRun),
      ask('compareDirectory', { body: { kind: 'users' } }),
    ])
    t.match(
      [first.data, second.data, real.data],
      [{ dryRun: true }, { dryRun: true }, { dryRun: false, state: 'done' }],
    )
    t.equal(await cnOf('ann'), 'ann', 'the comparison repairs')
  })

  t.test('other spellings are refused', async (t) => {
    for (const dryRun of ['true', 1, null]) {
      t.match(await ask('compareDirectory', { body: { kind: 'users', dryRun } }), {
        status: 400,
        data: [{ field: 'dryRun' }],
      })
    }
  })
})

t.test('it waits for a comparison of another instance, and not for one whose instance is gone', async (t) => {
  const { ask, take, db } = await steward(t, { directory: 'none', env: { SYNC_WAIT: '1s' } })
  await db.execute(sql`
    insert into runs (source, kind, state, dry_run, exclusive, lease_owner, lease_until)
    values ('sql', 'users', 'running', true, true, gen_random_uuid(), now() + interval '1 hour')`)
  const other = (await take('listRuns')).runs[0]?.runId ?? 0
  const compare = () => ask('compareDirectory', { body: { kind: 'groups', dryRun: true } })
  const busy = await compare()
  t.match(busy, { status: 409, reason: 'sync.source_busy', params: { source: 'sql', id: String(other) } })
  t.equal(busy.headers['retry-after'], '10')
  await db.execute(sql`update runs set lease_until = now()`)
  t.match(await compare(), { status: 502, data: { dryRun: true, state: 'failed' } })
  const { state, problems } = await take('getRun', { params: { id: other } })
  t.match([state, problems], ['failed', [{ stated: { code: 'sync.broken_off' } }]])
})

t.test('without a directory it says so', async (t) => {
  const { ask } = await steward(t, { directory: 'none' })
  t.match(await ask('compareDirectory', { body: { kind: 'groups', dryRun: true } }), {
    status: 502,
    params: { 'problem.0': /mirror.no_directory/ },
  })
})
