import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Tx } from '../../src/db/client.ts'
import { ledger } from '../../src/mirror/ledger.ts'
import { readingsOf, readRecords } from '../../src/mirror/ledger-rows.ts'
import { type RecordKind, touch, touchLists } from '../../src/mirror/touch.ts'
import { testDatabase } from '../database.ts'

// A request that is alone claims its records with a shorter statement where the directory has nothing of what few have.

const base = 'dc=example,dc=org'
const book = { directory: 1 }
const [top, below, unit] = [1, 2, 3]
/** More than twenty, so that who joins is read alone. */
const people = 30

const database = testDatabase(t)

/** The departments 1, 2 below it, and 3 of type `ou`; people 1 to 30 in both, and 31 disabled. */
t.before(async () => {
  const { db, reset } = await database
  await reset()
  const fill = (lines: string): Promise<unknown> => db.execute(sql.raw(lines))
  await fill(`insert into groups (group_name, group_name_key, group_type, parent_id)
    values ('Top', 'top', 'cn', null), ('Below', 'below', 'cn', 1), ('Unit', 'unit', 'ou', null)`)
  await fill(`insert into users (username, username_key, nickname, mail, status, password_hash, attributes)
    select 'u' || n, 'u' || n, 'U ' || n, 'u' || n || '@example.org', case when n > ${people} then 2 else 1 end, 'hash',
      case when n = 1 then '{"room": ["7"]}' else '{}' end::jsonb
    from generate_series(1, ${people + 1}) n`)
  await fill(`insert into declared_attributes (kind, name, label_en, label_zh, type, ldap_attribute, object_class)
    values ('user', 'room', 'Room', 'Room', 'string', 'roomNumber', 'inetOrgPerson')`)
  await fill(`insert into group_members (group_id, user_id)
    select g, n from generate_series(1, 3) g, generate_series(1, ${people + 1}) n`)
  await fill(`insert into posix_numbers (kind, record_id, number) values ('user', 2, 10002), ('group', 1, 20001)`)
  await fill(`insert into directory_entries (directory, kind, record_id, version, synced_version, dn)
    select 1, 'user', id, 1, 1, 'uid=' || username || ',ou=people,${base}' from users`)
  await fill(`insert into directory_entries (directory, kind, record_id, version, synced_version, dn)
    select 1, 'group', id, 1, 1, case when id = 2 then 'cn=Below,cn=Top,${base}' else 'cn=' || group_name || ',${base}' end
    from groups`)
})

class Undone extends Error {}

/** Carries out and undoes. */
const undone = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  const { db } = await database
  const results: T[] = []
  await db
    .transaction(async (tx) => {
      results.push(await work(tx))
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return results[0] as T
}

t.test('both statements read the same', async (t) => {
  const readings = readingsOf(book, base)
  const { db } = await database
  await touchLists(db, sql`select ${top}::bigint as id`, { joined: [people] })
  const ids: Record<RecordKind, number[]> = {
    user: Array.from({ length: people + 1 }, (_, n) => n + 1),
    group: [top, below, unit],
  }
  for (const kind of ['user', 'group'] as const) {
    const read = (by: 'claimed' | 'claimedSimple') =>
      readRecords<Record<string, unknown>>({ db, ...book }, readings[by][kind], { kind, ids: ids[kind] })
    const [whole, simple] = [await read('claimed'), await read('claimedSimple')]
    t.equal(whole.length, ids[kind].length)
    t.same(simple, whole, `${kind}s`)
    if (kind === 'group') {
      t.match(whole, [
        { facts: { joinedOnly: true } },
        { facts: { parentDn: `cn=Top,${base}`, joinedOnly: false } },
        {},
      ])
      t.same(whole[0]?.facts?.members, [`uid=u${people},ou=people,${base}`])
    }
  }
})

interface Facts {
  facts: Record<string, unknown> | null
  layout: string
}

t.test('where the directory is not simple, the shorter statement claims nothing', async (t) => {
  const { db } = await database
  const shaped = (shape: object): string =>
    `update directories set shape = coalesce(shape, '{}') || '${JSON.stringify(shape)}'`
  const ways: { name: string; change: string; kind: RecordKind; shows: object }[] = [
    {
      name: 'a flat layout',
      change: `update directories set group_layout = 'flat'`,
      kind: 'group',
      shows: { layout: 'flat', facts: { parentDn: `ou=groups,${base}` } },
    },
    {
      name: 'nested lists',
      change: shaped({ nestedGroups: 'members' }),
      kind: 'group',
      shows: { facts: { members: { length: people } } },
    },
    {
      name: 'memberOf',
      change: `update directories set member_of = 'written'`,
      kind: 'user',
      shows: { facts: { memberOf: { length: 2 } } },
    },
    {
      name: 'NT hashes',
      change: `insert into nt_hashes (user_id, sealed) values (1, 'sealed'); ${shaped({ ntHash: true })}`,
      kind: 'user',
      shows: { facts: { ntHash: 'sealed' } },
    },
    {
      name: 'a scheme of its own',
      change: shaped({ ownScheme: 'SSHA512' }),
      kind: 'user',
      shows: { facts: { ownHash: { scheme: 'SSHA512' } } },
    },
  ]
  for (const { name, change, kind, shows } of ways) {
    const { claimWith } = ledger({ db, ...book }, base)
    const claimed = (tx: Tx): Promise<{ ids: number[]; rows?: Facts[] | null }> =>
      claimWith(tx, { kind, owner: 'tester', ids: [1] }) as never
    const first = await undone(async (tx) => {
      await touch(tx, kind, [1])
      return claimed(tx)
    })
    t.same(first.ids, [1], `${name}: it is claimed, and found to be simple`)
    await undone(async (tx) => {
      for (const line of change.split('; ')) await tx.execute(sql.raw(line))
      await touch(tx, kind, [1])
      t.same((await claimed(tx)).ids, [], `${name}: nothing is claimed`)
      const { ids, rows } = await claimed(tx)
      t.same(ids, [1], `${name}: it is claimed by the longer statement`)
      t.match(rows?.[0], shows)
    })
    t.same(
      await undone(async (tx) => {
        await touch(tx, kind, [1])
        return (await claimed(tx)).ids
      }),
      [1],
      `${name}: it is claimed after that`,
    )
  }
})
