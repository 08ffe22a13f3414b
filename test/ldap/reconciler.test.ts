import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { eq, inArray, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Database } from '../../src/db/client.ts'
import { directoryEntries, groupMembers, groups, users } from '../../src/db/schema.ts'
import { type Directory, DirectoryError, openDirectory } from '../../src/ldap/directory.ts'
import { matchingKey } from '../../src/ldap/dn.ts'
import { type Claim, ledger } from '../../src/ldap/ledger.ts'
import { openReconciler, type Reconciler } from '../../src/ldap/reconciler.ts'
import { type RecordKind, type Touched, touch, touchDeleted, touchSelected } from '../../src/ldap/touch.ts'
import { silent, testDatabase } from '../database.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'

const password = 'correct horse battery'
const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

const shared = testDatabase(t)

interface Stage {
  db: Database['db']
  slapd: TestSlapd
  directory: Directory
  reconciler: Reconciler
  /** Adds users `name`, and says what was touched. */
  addUsers(...names: string[]): Promise<Touched[]>
  addGroup(name: string, options?: { type?: 'ou' | 'cn'; parent?: number; members?: number[] }): Promise<Touched[]>
  change(kind: RecordKind, id: number): Promise<Touched[]>
  /** Waits until nothing is pending; parked records count as settled. */
  quiet(): Promise<void>
  /** Sorted first RDNs below the people, and the attributes asked for. */
  people(...attributes: string[]): Promise<string>
  find(filter: string, ...attributes: string[]): Promise<string>
}

/** A second stage on the same `slapd` also shares what is in the database. */
type StageOptions = {
  transactions?: boolean
  started?: boolean
  slapd?: TestSlapd
  /** DNs that the directory cannot show: slapd answers that of an entry its database has damaged. */
  damaged?: Set<string>
}

const stage = async (t: Test, options: StageOptions = {}): Promise<Stage> => {
  const slapd = options.slapd ?? (await testSlapd(t))
  const database = await shared
  if (options.slapd === undefined) await database.reset()
  const { db } = database
  const real = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 1500, connectTimeout: 500, log: silent })
  const directory: Directory = {
    ...real,
    features: async () => {
      const features = await real.features()
      return { ...features, transactions: features.transactions && options.transactions !== false }
    },
    read: async (dn, attributes) => {
      if (options.damaged?.has(dn)) throw new DirectoryError('unavailable', 'internal error', { code: 80 })
      return real.read(dn, attributes)
    },
    async *search(base, search) {
      for await (const page of real.search(base, search)) {
        if (page.some(({ dn }) => options.damaged?.has(dn))) {
          throw new DirectoryError('unavailable', 'internal error', { code: 80 })
        }
        yield page
      }
    },
  }
  const greet = async () => ({ passwordReadable: true })
  const reconciler = openReconciler({ db, directory, groupClass: 'groupOfNames', greet, log: silent })
  if (options.started !== false) reconciler.start()
  t.teardown(async () => {
    await reconciler.stop()
    await directory.close()
  })

  const person = (username: string) => ({
    username,
    usernameKey: matchingKey(username),
    nickname: `Nick ${username}`,
    mail: /^\w+$/.test(username) ? `${username}@example.org` : '',
    passwordHash,
  })
  return {
    db,
    slapd,
    directory,
    reconciler,
    addUsers: (...names) =>
      db.transaction(async (tx) => {
        const rows = await tx.insert(users).values(names.map(person)).returning({ id: users.id })
        return touch(
          tx,
          'user',
          rows.map((row) => row.id),
        )
      }),
    addGroup: (name, { type = 'cn', parent, members = [] } = {}) =>
      db.transaction(async (tx) => {
        const [row] = await tx
          .insert(groups)
          .values({ groupName: name, groupNameKey: matchingKey(name), groupType: type, parentId: parent ?? null })
          .returning({ id: groups.id })
        if (row === undefined) throw new Error('no row')
        if (members.length > 0) {
          await tx.insert(groupMembers).values(members.map((userId) => ({ groupId: row.id, userId })))
        }
        return [...(await touch(tx, 'group', [row.id])), ...(await touch(tx, 'user', members))]
      }),
    change: (kind, id) => touch(db, kind, [id]),
    quiet: async () => {
      for (let waited = 0; ; waited += 50) {
        const [row] = await db.execute<{ count: string }>(
          sql`select count(*) from directory_entries where version <> synced_version and next_at is not null`,
        )
        if (row?.count === '0') return
        if (waited > 20_000) throw new Error(`${row?.count} records are still on their way`)
        await delay(50)
      }
    },
    people: (...attributes) => slapd.ldapsearch('-b', `ou=people,${slapd.baseDn}`, '-s', 'one', ...attributes),
    find: (filter, ...attributes) => slapd.ldapsearch('-b', slapd.baseDn, filter, ...attributes),
  }
}

const idOf = (touched: readonly Touched[], kind: RecordKind = 'user'): number => {
  const found = touched.find((one) => one.kind === kind)
  if (found === undefined) throw new Error(`no ${kind} was touched`)
  return found.id
}

const entryOf = async (s: Stage, kind: RecordKind, id: number) => {
  const rows = await s.db.select().from(directoryEntries).where(eq(directoryEntries.recordId, id))
  return rows.find((row) => row.kind === kind)
}

const membersOf = async (s: Stage, group: string): Promise<string[] | undefined> =>
  (await s.directory.read(`cn=${group},${s.slapd.baseDn}`, ['member']))?.attributes.member

t.test('on slapd', { skip: skipWithoutSlapd }, async (t) => {
  t.test('people and groups arrive, nested, with members who can sign in', async (t) => {
    const s = await stage(t)
    const added = await s.addUsers('ada', 'ben')
    t.equal(await s.reconciler.settle(added), true)
    const top = await s.addGroup('Company', { type: 'ou' })
    const team = await s.addGroup('Kitchen, "the hot" one', {
      parent: idOf(top, 'group'),
      members: added.map((one) => one.id),
    })
    t.equal(await s.reconciler.settle([...top, ...team]), true)

    const found = await s.find('(objectClass=groupOfNames)', 'member')
    t.match(found, /^dn: cn=Kitchen\\2C \\22the hot\\22 one,ou=Company,dc=example,dc=org$/m)
    t.match(found, `member: uid=ada,ou=people,${s.slapd.baseDn}`)
    t.match(found, `member: uid=ben,ou=people,${s.slapd.baseDn}`)
    t.notMatch(found, /nobody/)
    t.match(await s.find('(uid=ada)', 'ou', 'departmentNumber'), /departmentNumber: Kitchen, "the hot" one/)
    const whoami = await s.slapd.ldapsearch('-b', s.slapd.baseDn, '-s', 'base')
    t.ok(whoami)
    const other = openDirectory({
      ...s.slapd,
      bindDn: `uid=ada,ou=people,${s.slapd.baseDn}`,
      bindPassword: password,
      startTls: false,
      ca: null,
      timeout: 2000,
      log: silent,
    })
    t.teardown(() => other.close())
    t.ok(await other.read(s.slapd.baseDn, ['objectClass']), 'the person binds with the password kept in SQL')
  })

  t.test('a second look at entries nobody changed writes nothing', async (t) => {
    const s = await stage(t, { started: false })
    await s.reconciler.settle(await s.addUsers('ada', 'ben', 'cleo'))
    const before = await s.people('entryCSN')
    const first = await s.reconciler.synchronize('user', 'all')
    const second = await s.reconciler.synchronize('user', 'all')
    t.match(first, { completed: true, total: 3, unchanged: 3, added: 0, updated: 0, failed: 0 })
    t.match(second, { completed: true, total: 3, unchanged: 3, added: 0, updated: 0, failed: 0 })
    t.equal(await s.people('entryCSN'), before)
  })

  t.test('a disabled person is parked without password and memberships, and comes back whole', async (t) => {
    const s = await stage(t)
    const added = await s.addUsers('ada', 'ben')
    await s.reconciler.settle(added)
    const team = await s.addGroup('Team', { members: added.map((one) => one.id) })
    await s.reconciler.settle(team)
    const ada = idOf(added)
    const setStatus = async (status: number): Promise<Touched[]> =>
      s.db.transaction(async (tx) => {
        await tx.update(users).set({ status }).where(eq(users.id, ada))
        return [...(await touch(tx, 'user', [ada])), ...(await touch(tx, 'group', [idOf(team, 'group')]))]
      })
    t.equal(await s.reconciler.settle(await setStatus(2)), true)
    const parked = await s.find('(uid=ada)', 'userPassword', 'departmentNumber')
    t.match(parked, /^dn: uid=ada,ou=disabled,/m)
    t.notMatch(parked, /userPassword/)
    await s.quiet()
    t.notMatch(await s.find('(cn=Team)', 'member'), /uid=ada/)
    t.equal(await s.reconciler.settle(await setStatus(1)), true)
    await s.quiet()
    t.match(await s.find('(uid=ada)', 'userPassword'), /^dn: uid=ada,ou=people,[\s\S]*userPassword/m)
    t.match(await s.find('(cn=Team)', 'member'), /uid=ada,ou=people/)
  })

  t.test('a group nobody is in holds a placeholder, and loses it with its first member', async (t) => {
    const s = await stage(t)
    const team = await s.addGroup('Team')
    t.equal(await s.reconciler.settle(team), true)
    t.match(await s.find('(cn=Team)', 'member'), /^member: cn=nobody,/m)
    const added = await s.addUsers('ada')
    await s.reconciler.settle(added)
    const group = idOf(team, 'group')
    await s.db.insert(groupMembers).values({ groupId: group, userId: idOf(added) })
    t.equal(await s.reconciler.settle(await s.change('group', group)), true)
    const filled = await s.find('(cn=Team)', 'member')
    t.match(filled, /^member: uid=ada,/m)
    t.notMatch(filled, /nobody/)
    await s.db.delete(groupMembers)
    t.equal(await s.reconciler.settle(await s.change('group', group)), true)
    t.match(await s.find('(cn=Team)', 'member'), /^member: cn=nobody,/m)
  })

  t.test('renaming and moving a group carries its subtree along', async (t) => {
    const s = await stage(t)
    const a = idOf(await s.addGroup('A', { type: 'ou' }), 'group')
    const b = idOf(await s.addGroup('B', { type: 'ou' }), 'group')
    const child = idOf(await s.addGroup('Child', { parent: a }), 'group')
    const leaf = idOf(await s.addGroup('Leaf', { parent: child }), 'group')
    await s.quiet()
    await s.db.update(groups).set({ groupName: 'A+', groupNameKey: 'a+' }).where(eq(groups.id, a))
    t.equal(await s.reconciler.settle(await s.change('group', a)), true)
    t.match(await s.find('(cn=Leaf)', 'cn'), /^dn: cn=Leaf,cn=Child,ou=A\\2B,dc=example/m)
    t.equal((await entryOf(s, 'group', leaf))?.dn, `cn=Leaf,cn=Child,ou=A\\+,${s.slapd.baseDn}`)
    await s.db.update(groups).set({ parentId: b }).where(eq(groups.id, child))
    t.equal(await s.reconciler.settle(await s.change('group', child)), true)
    t.match(await s.find('(cn=Leaf)', 'cn'), /^dn: cn=Leaf,cn=Child,ou=B,dc=example/m)
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 4, unchanged: 4, failed: 0, skipped: 0 })
  })

  t.test('what is compared while a group above it is renamed does not lose its place', async (t) => {
    const s = await stage(t)
    const top = idOf(await s.addGroup('Top', { type: 'ou' }), 'group')
    const kept = idOf(await s.addGroup('Kept', { parent: top }), 'group')
    const missed = idOf(await s.addGroup('Missed', { parent: top }), 'group')
    await s.quiet()
    const book = ledger(s.db, s.slapd.baseDn)
    const rename = async (groupName: string): Promise<void> => {
      await s.db
        .update(groups)
        .set({ groupName, groupNameKey: matchingKey(groupName) })
        .where(eq(groups.id, top))
      t.equal(await s.reconciler.settle(await s.change('group', top)), true)
    }
    const slow: Claim = { kind: 'group', owner: '7c0f9a3e-3c0f-4f0e-9d52-0e0a4f7f4a11', ids: [kept, missed] }
    const take = async (claim: Claim): Promise<void> => {
      for (;;) {
        const { ids } = await book.claim('group', claim.owner, { ids: claim.ids, onlyPending: false }, claim.ids.length)
        if (ids.length === claim.ids.length) return
        await book.release(claim, '')
        await delay(20)
      }
    }
    await take(slow)
    const [was, gone] = [`cn=Kept,ou=Top,${s.slapd.baseDn}`, `cn=Missed,ou=Top,${s.slapd.baseDn}`]
    await rename('Summit')
    const same = { version: 1, error: '', delay: 0, entryCsn: null, unseen: false }
    await book.record(slow, [
      { ...same, id: kept, outcome: 'in_sync', from: was, dn: was },
      { ...same, id: missed, outcome: 'retry', from: gone, dn: null },
    ])
    t.equal((await entryOf(s, 'group', kept))?.dn, `cn=Kept,ou=Summit,${s.slapd.baseDn}`)
    t.equal((await entryOf(s, 'group', missed))?.dn, `cn=Missed,ou=Summit,${s.slapd.baseDn}`)
    await s.quiet()

    // The group above is written down after what was below it.
    await take(slow)
    const above: Claim = { kind: 'group', owner: 'b7a1e7a0-6f0c-4a52-8a86-2a9f5f3f0c55', ids: [top] }
    await take(above)
    const [summit, peak] = [`ou=Summit,${s.slapd.baseDn}`, `ou=Peak,${s.slapd.baseDn}`]
    await s.directory.write({ kind: 'rename', dn: summit, newDn: peak })
    await s.db.update(groups).set({ groupName: 'Peak', groupNameKey: 'peak' }).where(eq(groups.id, top))
    await book.record(slow, [{ ...same, id: missed, outcome: 'retry', from: `cn=Missed,${summit}`, dn: null }])
    await book.record(above, [{ ...same, id: top, version: 2, outcome: 'in_sync', from: summit, dn: peak }])
    t.equal((await entryOf(s, 'group', missed))?.dn, `cn=Missed,${peak}`)
    await book.release(slow, '')
    await s.quiet()
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 3, unchanged: 3, skipped: 0 })
  })

  t.test('a group that is deleted is found and removed, whatever moves above, around and out of it', async (t) => {
    const s = await stage(t)
    const group = async (name: string, parent?: number) =>
      idOf(await s.addGroup(name, parent === undefined ? {} : { parent }), 'group')
    const other = await group('Other')
    const families: { parent: number; doomed: number; child: number }[] = []
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const parent = await group(`Parent ${n}`)
      const doomed = await group(`Doomed ${n}`, parent)
      families.push({ parent, doomed, child: await group(`Child ${n}`, doomed) })
    }
    const parents = families.map(({ parent }) => parent)
    // The youngest: what leaves it is written before it is renamed.
    const top = await group('Top')
    await s.db.update(groups).set({ parentId: top }).where(inArray(groups.id, parents))
    await touch(s.db, 'group', parents)
    await s.quiet()
    await s.db.transaction(async (tx) => {
      await tx.update(groups).set({ groupName: 'Top 2', groupNameKey: 'top 2' }).where(eq(groups.id, top))
      for (const { parent, doomed, child } of families) {
        await tx
          .update(groups)
          .set({ parentId: other })
          .where(inArray(groups.id, [parent, child]))
        await tx.delete(groups).where(eq(groups.id, doomed))
      }
      await touch(tx, 'group', [top, ...families.flatMap(({ parent, child }) => [parent, child])])
      const doomed = families.map((family) => family.doomed)
      await touchDeleted(tx, 'group', doomed)
    })
    await s.quiet()
    t.equal(await s.find('(cn=Doomed*)', 'cn'), '')
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 14, unchanged: 14, failed: 0, skipped: 0 })
  })

  t.test('a renamed person keeps every attribute that is not ours, and every membership', async (t) => {
    const s = await stage(t)
    const added = await s.addUsers('ada')
    const team = await s.addGroup('Team', { members: [idOf(added)] })
    await s.quiet()
    await s.directory.write({
      kind: 'modify',
      dn: `uid=ada,ou=people,${s.slapd.baseDn}`,
      changes: [{ operation: 'add', attribute: 'carLicense', values: ['B-AD 1'] }],
    })
    await s.db
      .update(users)
      .set({ username: 'Ada Löve', usernameKey: 'ada löve' })
      .where(eq(users.id, idOf(added)))
    t.equal(await s.reconciler.settle(await s.change('user', idOf(added))), true)
    await s.quiet()
    const entry = await s.directory.read(`uid=Ada Löve,ou=people,${s.slapd.baseDn}`, ['carLicense', 'uid', 'cn'])
    t.strictSame(entry?.attributes, { carLicense: ['B-AD 1'], uid: ['Ada Löve'], cn: ['Nick ada'] })
    const group = await s.directory.read(`cn=Team,${s.slapd.baseDn}`, ['member'])
    t.strictSame(group?.attributes.member, [`uid=Ada Löve,ou=people,${s.slapd.baseDn}`])
    t.ok(team)
  })

  t.test('only the spelling of a name changed: the entry follows', async (t) => {
    const s = await stage(t)
    const added = await s.addUsers('ada')
    await s.reconciler.settle(added)
    await s.db
      .update(users)
      .set({ username: 'ADA' })
      .where(eq(users.id, idOf(added)))
    t.equal(await s.reconciler.settle(await s.change('user', idOf(added))), true)
    t.match(await s.find('(uid=ada)', 'uid'), /^uid: ADA$/m)
  })

  t.test('a deleted record takes its entry along, and a new one may have the name at once', async (t) => {
    const s = await stage(t)
    const old = await s.addUsers('ada')
    await s.reconciler.settle(old)
    const uuid = await s.find('(uid=ada)', 'entryUUID')
    await s.slapd.stop()
    await s.db.transaction(async (tx) => {
      await touchDeleted(tx, 'user', [idOf(old)])
      await tx.delete(users).where(eq(users.id, idOf(old)))
    })
    const fresh = await s.addUsers('ada')
    t.equal(await s.reconciler.settle(fresh, 300), false)
    await s.slapd.start()
    await s.quiet()
    t.notMatch(await s.find('(uid=ada)', 'entryUUID'), uuid, 'it is another entry')
    t.equal(await entryOf(s, 'user', idOf(old)), undefined, 'nothing is left of the old one')
  })

  t.test('names that were swapped while the directory was down are swapped there, too', async (t) => {
    const s = await stage(t)
    const added = await s.addUsers('ada', 'ben')
    await s.reconciler.settle(added)
    const [ada, ben] = added.map((one) => one.id)
    if (ada === undefined || ben === undefined) throw new Error('two were added')
    await s.slapd.stop()
    await s.db.transaction(async (tx) => {
      const rename = (id: number, username: string) =>
        tx.update(users).set({ username, usernameKey: username }).where(eq(users.id, id))
      await rename(ada, 'aside')
      await rename(ben, 'ada')
      await rename(ada, 'ben')
      await touch(tx, 'user', [ada, ben])
    })
    await s.slapd.start()
    await s.quiet()
    t.match(await s.find('(uid=ben)', 'mail'), /mail: ada@example.org/)
    t.match(await s.find('(uid=ada)', 'mail'), /mail: ben@example.org/)
    t.match(await s.reconciler.synchronize('user', 'all'), { total: 2, unchanged: 2, skipped: 0 })
  })

  t.test('a directory that is down or hangs loses nothing, and catches up by itself', async (t) => {
    const s = await stage(t)
    await s.reconciler.settle(await s.addUsers('ada'))
    await s.slapd.stop('SIGKILL')
    const whileDown = await s.addUsers('ben')
    t.equal(await s.reconciler.settle(whileDown), false)
    await delay(300)
    t.match((await entryOf(s, 'user', idOf(whileDown)))?.error, /directory|ECONN/i, 'it says why')
    await s.slapd.start()
    await s.quiet()
    t.match(await s.people('uid'), /uid: ben/)

    s.slapd.freeze()
    const started = Date.now()
    const whileFrozen = await s.addUsers('cleo')
    t.equal(await s.reconciler.settle(whileFrozen), false)
    t.ok(Date.now() - started < 10_000, 'nobody waits for ever')
    s.slapd.thaw()
    await s.quiet()
    t.match(await s.people('uid'), /uid: cleo/)
  })

  t.test('a refused record is parked with the reason, and stops nobody else', async (t) => {
    const s = await stage(t)
    await s.slapd.refuse('displayName', '#')
    const added = await s.addUsers('ada', 'bad#one', 'cleo')
    t.equal(await s.reconciler.settle(added), false)
    await s.quiet()
    t.match(await s.people('uid'), /uid: ada[\s\S]*uid: cleo/)
    const bad = added[1]?.id ?? 0
    const entry = await entryOf(s, 'user', bad)
    t.match(entry, { nextAt: null, dn: null })
    t.match(entry?.error, /19|constraint/i)
    const report = await s.reconciler.synchronize('user', [bad])
    t.match(report, { total: 1, failed: 1, problems: [{ sourceId: String(bad), name: 'bad#one' }] })
    await s.slapd.accept()
    t.match(await s.reconciler.synchronize('user', 'pending'), { total: 1, added: 1, failed: 0 })
    t.equal((await entryOf(s, 'user', bad))?.error, '')
  })

  for (const transactions of [true, false]) {
    t.test(
      `three thousand people with a bad one among them, ${transactions ? 'in' : 'without'} transactions`,
      async (t) => {
        const s = await stage(t, { transactions, started: false })
        await s.slapd.refuse('displayName', '#')
        await s.db.execute(sql`
        insert into users (username, username_key, nickname)
        select 'u' || n, 'u' || n, case when n = 1500 then 'bad #' else 'N ' || n end from generate_series(1, 3000) n`)
        await touchSelected(s.db, 'user', sql`select id from users`)
        const [team] = await s.addGroup('All')
        if (team === undefined) throw new Error('no group')
        await s.db.execute(sql`insert into group_members select ${team.id}, id from users`)
        await touch(s.db, 'group', [team.id])
        const run = await s.reconciler.synchronize('user', 'pending')
        t.match(run, { completed: true, total: 3000, added: 2999, failed: 1 })
        t.match(await s.reconciler.synchronize('group', 'pending'), { total: 1, added: 1, failed: 0 })
        const members = await membersOf(s, 'All')
        t.equal(members?.length, 2999, 'whoever has no entry is no member')
        await s.db.execute(sql`delete from group_members where user_id % 3 = 0`)
        await touch(s.db, 'group', [team.id])
        t.match(await s.reconciler.synchronize('group', 'pending'), { updated: 1 })
        const [left] = await s.db.execute<{ count: string }>(
          sql`select count(*) from group_members m join users u on u.id = m.user_id where u.nickname not like 'bad%'`,
        )
        const after = await membersOf(s, 'All')
        t.equal(after?.length, Number(left?.count))
      },
    )
  }

  t.test('a bad one among the first there are spoils nothing', async (t) => {
    const s = await stage(t, { started: false })
    await s.slapd.refuse('displayName', '#')
    await s.db.execute(sql`
      insert into users (username, username_key, nickname, mail, position)
      select 'u' || n, 'u' || n, case when n in (1, 2, 90) then 'bad #' else 'N ' || n end,
        case when n > 50 then 'u' || n || '@example.org' else '' end, case when n > 60 then 'Chef' else '' end
      from generate_series(1, 300) n`)
    await touchSelected(s.db, 'user', sql`select id from users`)
    const before = await s.slapd.operations()
    t.match(await s.reconciler.synchronize('user', 'pending'), { completed: true, added: 297, failed: 3 })
    // Where a transaction that was rolled back held what was new to slapd 2.5, entries after it could not be read.
    const found = await s.people('displayName', 'mail', 'title')
    t.equal(found.match(/^displayName: N \d+$/gm)?.length, 297)
    t.equal(found.match(/^title: Chef$/gm)?.length, 239)
    const { Add: added } = await s.slapd.operations()
    t.ok(added - before.Add > 2 * 280, 'in transactions, of which the first was rolled back')
    await s.slapd.accept()
    t.match(await s.reconciler.synchronize('user', 'all'), { completed: true, added: 3, unchanged: 297, failed: 0 })
  })

  t.test('what somebody changed behind our back is repaired and reported; strangers are left alone', async (t) => {
    const s = await stage(t, { started: false })
    await s.reconciler.settle(await s.addUsers('ada', 'ben', 'cleo'))
    await s.reconciler.settle(await s.addGroup('Team'))
    await s.reconciler.synchronize('user', 'all')
    const at = (uid: string) => `uid=${uid},ou=people,${s.slapd.baseDn}`
    await s.directory.write({ kind: 'delete', dn: at('ada') })
    await s.directory.write({
      kind: 'modify',
      dn: at('ben'),
      changes: [
        { operation: 'replace', attribute: 'mail', values: ['evil@example.org'] },
        { operation: 'replace', attribute: 'userPassword', values: ['known'] },
      ],
    })
    await s.directory.write({ kind: 'rename', dn: at('cleo'), newDn: at('cleopatra') })
    await s.directory.write({
      kind: 'add',
      dn: at('stranger'),
      attributes: { objectClass: ['inetOrgPerson'], uid: ['stranger'], cn: ['s'], sn: ['s'] },
    })
    const run = await s.reconciler.synchronize('user', 'all')
    t.match(run, { completed: true, total: 3, added: 2, updated: 1, failed: 0 })
    t.equal(run.skipped, 2, 'the stranger and the renamed entry nobody speaks for')
    t.match(run.problems.map((problem) => problem.name).sort(), [at('cleopatra'), at('stranger')])
    t.match(await s.find('(uid=ben)', 'mail'), /mail: ben@example.org/)
    t.match(await s.people('uid'), /stranger/, 'reported, never deleted')
    t.match(await s.reconciler.synchronize('user', 'all'), { unchanged: 3, added: 0, updated: 0, skipped: 2 })
  })

  t.test('what was in sync and cannot be made so again is not said to be', async (t) => {
    const s = await stage(t, { started: false })
    const [ada] = await s.addUsers('ada')
    if (ada === undefined) throw new Error('no user')
    await s.reconciler.settle([ada])
    await s.slapd.refuse('displayName', 'N')
    await s.directory.write({ kind: 'delete', dn: `uid=ada,ou=people,${s.slapd.baseDn}` })
    t.match(await s.reconciler.synchronize('user', 'all'), { total: 1, failed: 1, completed: true })
    const row = await entryOf(s, 'user', ada.id)
    t.match(row, { dn: null, error: /constraintViolation/ })
    t.not(row?.version, row?.syncedVersion)
    await s.slapd.accept()
    t.match(await s.reconciler.synchronize('user', 'pending'), { total: 1, added: 1 })
    t.match(await entryOf(s, 'user', ada.id), { dn: `uid=ada,ou=people,${s.slapd.baseDn}`, error: '' })
  })

  t.test('an entry that cannot be read is the problem of its record alone', async (t) => {
    const damaged = new Set<string>()
    const s = await stage(t, { started: false, damaged })
    const touched = await s.addUsers('ada', 'ben', 'cleo')
    await s.reconciler.settle(touched)
    const [ada = 0, ...others] = touched.map(({ id }) => id)
    damaged.add(`uid=ada,ou=people,${s.slapd.baseDn}`)
    await s.db.update(users).set({ nickname: 'Somebody else' })
    for (const { id } of touched) await s.change('user', id)
    const run = await s.reconciler.synchronize('user', 'pending')
    t.match(run, {
      completed: true,
      total: 3,
      updated: 2,
      failed: 1,
      problems: [{ name: 'ada', reason: /internal error/ }],
    })
    for (const id of others) t.equal((await entryOf(s, 'user', id))?.error, '')
    t.match(await entryOf(s, 'user', ada), { dn: `uid=ada,ou=people,${s.slapd.baseDn}`, attempts: 1, nextAt: Date })
    for (let tries = 2; tries <= 4; tries++) {
      await s.db
        .update(directoryEntries)
        .set({ nextAt: new Date(0) })
        .where(eq(directoryEntries.recordId, ada))
      await s.reconciler.settle(touched)
    }
    t.match(await entryOf(s, 'user', ada), { nextAt: null, error: /internal error/ }, 'somebody has to look at it')
    t.match(await s.reconciler.synchronize('user', 'all'), { completed: true, total: 3, unchanged: 2, failed: 1 })
    damaged.clear()
    t.match(await s.reconciler.synchronize('user', 'pending'), { total: 1, updated: 1, failed: 0 })
    t.equal((await s.people('displayName')).match(/^displayName: Somebody else$/gm)?.length, 3)
  })

  t.test('a wiped directory is full again without anybody doing anything', async (t) => {
    const s = await stage(t)
    const added = await s.addUsers('ada', 'ben')
    await s.reconciler.settle(added)
    const top = await s.addGroup('Top', { type: 'ou' })
    await s.addGroup('Team', { parent: idOf(top, 'group'), members: added.map((one) => one.id) })
    await s.quiet()
    const before = await s.find('(objectClass=*)', 'mail', 'member', 'userPassword')
    for (const dn of [
      `cn=Team,ou=Top,${s.slapd.baseDn}`,
      `ou=Top,${s.slapd.baseDn}`,
      `uid=ada,ou=people,${s.slapd.baseDn}`,
      `uid=ben,ou=people,${s.slapd.baseDn}`,
      `ou=people,${s.slapd.baseDn}`,
      `ou=disabled,${s.slapd.baseDn}`,
    ]) {
      await s.directory.write({ kind: 'delete', dn })
    }
    await s.slapd.stop()
    await delay(1100)
    await s.slapd.start()
    const sorted = (ldif: string): string[] => ldif.split('\n\n').sort()
    for (let waited = 0; waited < 30_000; waited += 200) {
      if ((await s.find('(objectClass=*)', 'mail', 'member', 'userPassword')).length === before.length) break
      await delay(200)
    }
    t.strictSame(sorted(await s.find('(objectClass=*)', 'mail', 'member', 'userPassword')), sorted(before))
  })

  t.test('an entry from before Steward becomes the record’s, with all that is not ours', async (t) => {
    const s = await stage(t)
    await s.reconciler.settle(await s.addUsers('zoe'))
    const dn = `uid=ada,ou=people,${s.slapd.baseDn}`
    await s.directory.write({
      kind: 'add',
      dn,
      attributes: { objectClass: ['inetOrgPerson'], uid: ['ada'], cn: ['x'], sn: ['x'], roomNumber: ['7'] },
    })
    t.equal(await s.reconciler.settle(await s.addUsers('ada')), true)
    const entry = await s.directory.read(dn, ['cn', 'roomNumber'])
    t.strictSame(entry?.attributes, { cn: ['Nick ada'], roomNumber: ['7'] })
  })

  t.test('two reconcilers on one database write every record once', async (t) => {
    const first = await stage(t)
    await stage(t, { slapd: first.slapd })
    await first.reconciler.settle(await first.addUsers('zoe'))
    await first.db.execute(sql`
      insert into users (username, username_key, nickname) select 'u' || n, 'u' || n, 'N' from generate_series(1, 1500) n`)
    await touchSelected(first.db, 'user', sql`select id from users`)
    await first.quiet()
    t.equal((await first.people('uid')).match(/^uid: /gm)?.length, 1501)
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        await first.db.execute(sql`update users set nickname = ${`N${n}`} where username = 'u7'`)
        await touchSelected(first.db, 'user', sql`select id from users where username = 'u7'`)
      }),
    )
    await first.quiet()
    const [row] = await first.db.execute<{ nickname: string }>(sql`select nickname from users where username = 'u7'`)
    t.match(await first.find('(uid=u7)', 'displayName'), `displayName: ${row?.nickname}`)
  })
})
