import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Entry } from '../../src/ldap/directory.ts'
import { findDrift } from '../../src/mirror/comparison/drift.ts'
import { testDatabase } from '../database.ts'

// A comparison reads records and entries by turns. Whatever the order in which the directory lists them, it finds the same.

t.setTimeout(120_000)

const baseDn = 'dc=example,dc=org'
/** More than PostgreSQL is asked for at once, and than entries may wait for their records. */
const people = 25_000
const pageSize = 4000

const dnOf = (n: number): string => `uid=u${n},ou=people,${baseDn}`
const entryOf = (n: number, entryCSN = `csn ${n}`): Entry => ({ dn: dnOf(n), attributes: { entryCSN: [entryCSN] } })

const shared = testDatabase(t)
t.before(async () => {
  const { db } = await shared
  await db.execute(
    sql.raw(`insert into directory_entries (directory, kind, record_id, version, synced_version, dn, entry_csn)
    select 1, 'user', n, 1, 1, 'uid=u' || n || ',ou=people,${baseDn}', 'csn ' || n from generate_series(1, ${people}) n`),
  )
})

/** @param entries what the container of people lists, in this order */
const driftOf = async (entries: readonly Entry[], beforePage = async (_: number) => {}) => {
  const { db } = await shared
  return findDrift(
    { db, directory: 1 },
    {
      baseDn,
      bindDn: `cn=admin,${baseDn}`,
      features: async () => ({ entryCsn: true }) as never,
      read: async (dn) => ({ dn, attributes: {} }) as never,
      async *search(base) {
        if (!base.startsWith('ou=people,')) return
        for (let start = 0; start < entries.length; start += pageSize) {
          await beforePage(start / pageSize)
          yield entries.slice(start, start + pageSize)
        }
      },
    },
    'user',
  )
}

const all = Array.from({ length: people }, (_, n) => n + 1)
const missing = 20_000
const changed = 777
const foreign = 'uid=stranger,ou=people,dc=example,dc=org'

/** In the order of the records, with one of each deviation. */
const listed: readonly Entry[] = all
  .filter((n) => n !== missing)
  .map((n) => (n === changed ? entryOf(n, 'another') : entryOf(n)))
  .toSpliced(100, 0, { dn: foreign, attributes: { entryCSN: ['theirs'] } })

const suite = async (t: Test, entries: readonly Entry[]): Promise<number> => {
  const drift = await driftOf(entries)
  t.equal(drift.total, people)
  t.equal(drift.unchanged, people - 2)
  t.same(drift.suspects, [changed, missing])
  t.same(drift.orphans, [foreign])
  t.ok(drift.isUnchanged(people))
  t.notOk(drift.isUnchanged(changed))
  return drift.fingerprint
}

t.test('in the order of the records, backwards, and mixed', async (t) => {
  const inOrder = await suite(t, listed)
  t.equal(await suite(t, listed.toReversed()), inOrder)
  t.equal(
    await suite(
      t,
      listed.toSorted((a, b) => (a.dn < b.dn ? -1 : 1)),
    ),
    inOrder,
  )
})

t.test('an entry that is listed twice is of one record', async (t) => {
  const drift = await driftOf([...listed, entryOf(5)].toReversed())
  t.same(drift.suspects, [changed, missing])
})

t.test('a directory without entries, and one that breaks off', async (t) => {
  const empty = await driftOf([])
  t.equal(empty.total, people)
  t.equal(empty.suspects.length, people)
  const broken = new Error('the connection broke')
  const breaksAt = (wanted: number) => async (page: number) => {
    if (page === wanted) throw broken
  }
  for (const page of [0, 3]) await t.rejects(driftOf(listed, breaksAt(page)), broken)
})
