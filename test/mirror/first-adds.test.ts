import { inArray, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../src/db/schema.ts'
import { type Directory, DirectoryError } from '../../src/ldap/directory.ts'
import { touchDeleted } from '../../src/mirror/touch.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { type Stage, type StageOptions, stage } from './stage.ts'

// A new person is added without a search for their entry: sighting.ts.

t.setTimeout(240_000)

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}`)

/** A stage whose reconciler works only when it is asked, and which people's entries were read since the last look. */
const watched = async (t: Test, options: StageOptions = {}) => {
  const read: string[] = []
  const s = await stage(t, {
    started: false,
    ...options,
    faults: (real) => ({
      ...options.faults?.(real),
      read: (dn, attributes) => {
        if (dn.startsWith('uid=p') && attributes.includes('cn')) read.push(dn)
        return real.read(dn, attributes)
      },
    }),
  })
  return { s, reads: (): string[] => read.splice(0).sort() }
}

const ledgerOf = (s: Stage) =>
  s.db.execute<{ username: string; dn: string | null; leftover: boolean; code: string | null }>(sql`
    select u.username, e.dn, coalesce(e.target_dn, e.add_digest) is not null as leftover, e.stated->>'code' as code
    from directory_entries e join users u on u.id = e.record_id
    where e.kind = 'user' and e.version <> e.synced_version order by u.username`)

/** The entries are there, and exactly as Steward writes those of new people of these names, but they are not Steward's. */
const leaveEqualEntries = async (s: Stage, ...usernames: string[]): Promise<void> => {
  await s.reconciler.settle(await s.addUsers(...usernames))
  const attributes = ['objectClass', 'uid', 'cn', 'sn', 'displayName', 'mail', 'userPassword']
  const copies = await Promise.all(
    usernames.map(async (name) => {
      const copy = await s.directory.read(`uid=${name},ou=people,${s.slapd.baseDn}`, attributes)
      if (copy === null) throw new Error(`${name} has no entry`)
      return copy
    }),
  )
  const gone = await s.db.transaction(async (tx) => {
    const rows = await tx.delete(users).where(inArray(users.username, usernames)).returning({ id: users.id })
    return touchDeleted(
      tx,
      'user',
      rows.map(({ id }) => id),
    )
  })
  await s.reconciler.settle(gone)
  for (const copy of copies) await s.directory.write({ kind: 'add', ...copy })
}

for (const transactions of [true, false]) {
  const how = transactions ? 'in a transaction' : 'one by one'

  t.test(`new people are added without a search: ${how}`, { skip: skipWithoutSlapd }, async (t) => {
    const { s, reads } = await watched(t, { transactions })
    const touched = await s.addUsers(...names(150))
    t.equal(await s.reconciler.settle(touched), true)
    t.strictSame(reads(), [])
    const { added, failed, unchanged } = await s.reconciler.synchronize('user', 'all')
    t.strictSame({ added, failed, unchanged }, { added: 0, failed: 0, unchanged: 150 })
    reads()
    const [first] = touched
    await s.reconciler.settle(await s.change('user', first?.id ?? 0))
    t.strictSame(reads(), [`uid=p0,ou=people,${s.slapd.baseDn}`], 'once they are there, they are searched')
  })

  t.test(`an equal entry that was there before is not taken over: ${how}`, { skip: skipWithoutSlapd }, async (t) => {
    const { s } = await watched(t, { transactions })
    await leaveEqualEntries(s, 'p7', 'p120')
    const before = await s.find('(|(uid=p7)(uid=p120))', 'entryUUID', 'entryCSN')
    t.equal(before.match(/^entryUUID: /gm)?.length, 2)
    t.equal(await s.reconciler.settle(await s.addUsers(...names(150))), false)
    const not = { leftover: false, dn: null, code: 'mirror.not_ours' }
    t.strictSame(
      [...(await ledgerOf(s))].map((row) => ({ ...row })),
      [
        { username: 'p120', ...not },
        { username: 'p7', ...not },
      ],
      'the others are there',
    )
    t.equal(await s.find('(|(uid=p7)(uid=p120))', 'entryUUID', 'entryCSN'), before, 'untouched')
  })
}

t.test('an add whose answer was lost is recognized', { skip: skipWithoutSlapd }, async (t) => {
  let lose = true
  const faults = (real: Directory): Partial<Directory> => ({
    write: async (change, ...rest) => {
      await real.write(change, ...rest)
      if (change.kind === 'add' && lose && change.dn.startsWith('uid=p1,')) {
        lose = false
        throw new DirectoryError('unavailable', 'the connection was lost')
      }
    },
  })
  const { s, reads } = await watched(t, { faults, started: true })
  const touched = await s.addUsers('p1')
  t.equal(await s.reconciler.settle(touched), false)
  const before = await s.find('(uid=p1)', 'entryUUID')
  t.match(before, 'entryUUID')
  await s.quiet()
  t.not(reads().length, 0, 'it was searched')
  t.equal(await s.find('(uid=p1)', 'entryUUID'), before, 'the same entry')
  t.strictSame([...(await ledgerOf(s))], [])
})

t.test('a dry run searches', { skip: skipWithoutSlapd }, async (t) => {
  const { s } = await watched(t)
  await leaveEqualEntries(s, 'p3')
  await s.addUsers(...names(5))
  const foreseen: unknown[] = []
  await s.reconciler.foresee('user', {
    signal: new AbortController().signal,
    onChanges: async (changes) =>
      void foreseen.push(...changes.map(({ name, obstacle }) => [name, obstacle?.code ?? null])),
  })
  t.strictSame(foreseen.map(String).sort(), ['p0,', 'p1,', 'p2,', 'p3,mirror.not_ours', 'p4,'])
})

t.test('an entry that a backup remembers is searched', { skip: skipWithoutSlapd }, async (t) => {
  const { s, reads } = await watched(t)
  const touched = await s.addUsers('p1')
  await s.reconciler.settle(touched)
  const before = await s.find('(uid=p1)', 'entryUUID')
  const { Add: adds } = await s.slapd.operations()
  // As a restore into a new database leaves it: the entry has another DN there, or none is known.
  await s.db.execute(sql`
    update directory_entries set dn = null, synced_version = 0, tried_at = null, next_at = now() where kind = 'user'`)
  t.equal(await s.reconciler.settle(touched), true)
  t.strictSame(reads(), [`uid=p1,ou=people,${s.slapd.baseDn}`])
  t.equal((await s.slapd.operations()).Add, adds, 'it was not added')
  t.equal(await s.find('(uid=p1)', 'entryUUID'), before)
})
