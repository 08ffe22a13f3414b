import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { eq, inArray, sql } from 'drizzle-orm'
import t from 'tap'
import { directoryEntries, groupMembers, groups, users } from '../../src/db/schema.ts'
import { type Change, DirectoryError, type Entry, openDirectory } from '../../src/ldap/directory.ts'
import { matchingKey, normalizeDn } from '../../src/ldap/dn.ts'
import { adoptDirectory } from '../../src/mirror/directory/identity.ts'
import type { Claim } from '../../src/mirror/ledger/claim.ts'
import { openLedger } from '../../src/mirror/ledger/ledger.ts'
import { statements } from '../../src/mirror/statements.ts'
import { type RecordKind, type Touched, touch, touchDeleted, touchSelected } from '../../src/mirror/touch.ts'
import { thisMoment } from '../../src/runtime/clock.ts'
import { silent } from '../database.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { damagedAt, entryOf, idOf, membersOf, password, passwordHash, type Stage, stage, take } from './stage.ts'

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

  t.test('a second comparison of unchanged entries writes nothing', async (t) => {
    const s = await stage(t, { started: false })
    await s.reconciler.settle(await s.addUsers('ada', 'ben', 'cleo'))
    const before = await s.people('entryCSN')
    const first = await s.reconciler.synchronize('user', 'all')
    const second = await s.reconciler.synchronize('user', 'all')
    t.match(first, { completed: true, total: 3, unchanged: 3, added: 0, updated: 0, failed: 0 })
    t.match(second, { completed: true, total: 3, unchanged: 3, added: 0, updated: 0, failed: 0 })
    t.equal(await s.people('entryCSN'), before)
  })

  t.test('a directory without change numbers that shows no password is kept equal all the same', async (t) => {
    const shown = <T extends Entry | null>(entry: T): T => {
      const { userPassword, entryCSN, ...attributes } = entry?.attributes ?? {}
      return entry && { ...entry, attributes }
    }
    const s = await stage(t, {
      started: false,
      passwordReadable: false,
      faults: (real) => ({
        features: async () => ({ ...(await real.features()), entryCsn: false }),
        read: async (dn, attributes) => shown(await real.read(dn, attributes)),
        async *search(base, search) {
          for await (const page of real.search(base, search)) yield page.map(shown)
        },
      }),
    })
    const added = await s.addUsers('ada', 'ben')
    const ada = idOf(added)
    t.equal(await s.reconciler.settle(added), true)
    const looked = { completed: true, total: 2, failed: 0 }
    t.match(await s.reconciler.synchronize('user', 'all'), { ...looked, unchanged: 2 })
    const dn = `uid=ada,ou=people,${s.slapd.baseDn}`
    const change: Change = { operation: 'replace', attribute: 'displayName', values: ['Somebody else'] }
    await s.directory.write({ kind: 'modify', dn, changes: [change] })
    t.match(await s.reconciler.synchronize('user', 'all'), { ...looked, updated: 1, unchanged: 1 })
    t.match(await s.find('(uid=ada)', 'displayName'), /^displayName: Nick ada$/m)
    const kept = await s.people('userPassword')
    t.match(await s.reconciler.synchronize('user', 'all'), { ...looked, unchanged: 2 })
    t.equal(await s.people('userPassword'), kept)
    const other = await hash('another password', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    await s.db.update(users).set({ passwordHash: other }).where(eq(users.id, ada))
    t.equal(await s.reconciler.settle(await s.change('user', ada)), true)
    const value = Buffer.from(`{ARGON2}${other}`).toString('base64')
    t.match(await s.find('(uid=ada)', 'userPassword'), `userPassword:: ${value}`)
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

  t.test('a group without members holds a placeholder, and loses it with its first member', async (t) => {
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

  t.test('an entry that is compared while a group above it is renamed keeps its place', async (t) => {
    const s = await stage(t)
    const top = idOf(await s.addGroup('Top', { type: 'ou' }), 'group')
    const kept = idOf(await s.addGroup('Kept', { parent: top }), 'group')
    const missed = idOf(await s.addGroup('Missed', { parent: top }), 'group')
    await s.quiet()
    const ledger = openLedger({ db: s.db, directory: 1 }, s.slapd.baseDn)
    const rename = async (groupName: string): Promise<void> => {
      await s.db
        .update(groups)
        .set({ groupName, groupNameKey: matchingKey(groupName) })
        .where(eq(groups.id, top))
      t.equal(await s.reconciler.settle(await s.change('group', top)), true)
    }
    const slow: Claim = { kind: 'group', owner: '7c0f9a3e-3c0f-4f0e-9d52-0e0a4f7f4a11', ids: [kept, missed] }
    await take(ledger, slow)
    const [was, gone] = [`cn=Kept,ou=Top,${s.slapd.baseDn}`, `cn=Missed,ou=Top,${s.slapd.baseDn}`]
    await rename('Summit')
    const unknown = { entryCsn: null, entryUuid: null, forgetKept: false, name: '', action: 'failed' } as const
    const same = { ...unknown, version: 1, error: null, delay: 0, unseen: false, fromTarget: null }
    await ledger.record(slow, [
      { ...same, id: kept, result: 'in_sync', from: was, dn: was },
      { ...same, id: missed, result: 'retry', from: gone, dn: null },
    ])
    t.equal((await entryOf(s, 'group', kept))?.dn, `cn=Kept,ou=Summit,${s.slapd.baseDn}`)
    t.equal((await entryOf(s, 'group', missed))?.dn, `cn=Missed,ou=Summit,${s.slapd.baseDn}`)
    await s.quiet()

    // The group above is stored after the records below it.
    await take(ledger, slow)
    const above: Claim = { kind: 'group', owner: 'b7a1e7a0-6f0c-4a52-8a86-2a9f5f3f0c55', ids: [top] }
    await take(ledger, above)
    const [summit, peak] = [`ou=Summit,${s.slapd.baseDn}`, `ou=Peak,${s.slapd.baseDn}`]
    await s.directory.write({ kind: 'rename', dn: summit, newDn: peak })
    await s.db.update(groups).set({ groupName: 'Peak', groupNameKey: 'peak' }).where(eq(groups.id, top))
    await ledger.record(slow, [{ ...same, id: missed, result: 'retry', from: `cn=Missed,${summit}`, dn: null }])
    await ledger.record(above, [{ ...same, id: top, version: 2, result: 'in_sync', from: summit, dn: peak }])
    t.equal((await entryOf(s, 'group', missed))?.dn, `cn=Missed,${peak}`)
    await ledger.release(slow, null)
    await s.quiet()
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 3, unchanged: 3, skipped: 0 })
  })

  t.test('a process that stood still for longer than its lease writes nothing any more', async (t) => {
    let late = 0
    const s = await stage(t, {
      now: () => {
        const { wall, steady } = thisMoment()
        return { wall: wall + late, steady: steady + late }
      },
      started: false,
      faults: (real) => ({
        read: async (dn, attributes) => {
          if (dn.startsWith('uid=ada') && late === 0) {
            late = 20_000
            // Longer than the 5 s until the next renewal: it brings nothing back.
            await delay(5500)
          }
          return real.read(dn, attributes)
        },
      }),
    })
    const [ada] = await s.addUsers('ada')
    t.equal(await s.reconciler.settle([{ kind: 'user', id: ada?.id ?? 0, version: 1 }]), true)
    await s.db
      .update(users)
      .set({ nickname: 'Ada' })
      .where(eq(users.id, ada?.id ?? 0))
    t.equal(await s.reconciler.settle(await s.change('user', ada?.id ?? 0), 500), false)
    const leaseOwner = async () => (await entryOf(s, 'user', ada?.id ?? 0))?.leaseOwner
    await eventually(async () => late > 0 && (await leaseOwner()) === null, 'the lease is given back')
    t.match(await s.people('displayName'), /^displayName: Nick ada$/m)
    t.match(await entryOf(s, 'user', ada?.id ?? 0), { error: /stood still/, nextAt: Date })
  })

  t.test('a record that is enqueued after it was deleted stays deleted', async (t) => {
    const s = await stage(t)
    const [ada] = await s.addUsers('ada')
    const id = ada?.id ?? 0
    await s.quiet()
    await s.db.transaction(async (tx) => {
      await tx.delete(users).where(eq(users.id, id))
      await touchDeleted(tx, 'user', [id])
    })
    // By a process that found it before.
    await touch(s.db, 'user', [id])
    await s.quiet()
    t.equal(await s.people('1.1'), '')
    await touch(s.db, 'user', [id])
    await s.quiet()
    t.equal(await entryOf(s, 'user', id), undefined, 'nor does it come back')
    t.equal(await s.reconciler.settle(await s.addUsers('ada')), true, 'its name is free')
  })

  t.test('a name that looks like a DN is only a name', async (t) => {
    const s = await stage(t)
    const top = idOf(await s.addGroup('A', { type: 'ou' }), 'group')
    const odd = idOf(await s.addGroup('odd,ou=A'), 'group')
    await s.addGroup('odd,ou=B')
    await s.quiet()
    await s.db.update(groups).set({ groupName: 'B', groupNameKey: 'b' }).where(eq(groups.id, top))
    t.equal(await s.reconciler.settle(await s.change('group', top)), true)
    t.match(await entryOf(s, 'group', odd), { dn: `cn=odd\\2cou=A,${s.slapd.baseDn}` })
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 3, unchanged: 3, failed: 0 })
  })

  t.test('an entry that took the place of another meanwhile is not taken for it', async (t) => {
    const place = (rdns: string): string => `${rdns},dc=example,dc=org`
    let arrived = (): void => {}
    let goOn = (): void => {}
    const reading = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let removing = false
    const slow = await stage(t, {
      started: false,
      faults: (real) => ({
        read: async (dn, attributes) => {
          if (removing && dn === place('cn=Team,ou=X')) {
            arrived()
            await gate
          }
          return real.read(dn, attributes)
        },
      }),
    })
    const s = await stage(t, { slapd: slow.slapd, started: false })
    const group = async (name: string, parent?: number): Promise<number> => {
      const touched = await s.addGroup(name, parent === undefined ? { type: 'ou' } : { parent })
      t.equal(await s.reconciler.settle(touched), true)
      return idOf(touched, 'group')
    }
    const [x, y] = [await group('X'), await group('Y')]
    const [gone, kept] = [await group('Team', x), await group('Team', y)]
    await s.db.delete(groups).where(eq(groups.id, gone))
    removing = true
    const removal = slow.reconciler.settle(await touchDeleted(s.db, 'group', [gone]), 10_000)
    await reading
    for (const [id, groupName] of [
      [x, 'Z'],
      [y, 'X'],
    ] as const) {
      await s.db.update(groups).set({ groupName, groupNameKey: groupName }).where(eq(groups.id, id))
      t.equal(await s.reconciler.settle(await s.change('group', id)), true)
    }
    goOn()
    t.equal(await removal, true)
    t.match(await s.find('(cn=Team)', '1.1'), /^dn: cn=Team,ou=X,dc=example,dc=org\s*$/)
    t.match(await entryOf(s, 'group', kept), { dn: place('cn=Team,ou=X') })
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 3, unchanged: 3, failed: 0 })
  })

  t.test('a removal that is interrupted removes no orphan entry', async (t) => {
    let interrupted = false
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (change) => {
          await real.write(change)
          if (change.kind !== 'delete' || !change.dn.startsWith('uid=') || interrupted) return
          interrupted = true
          throw new DirectoryError('unavailable', 'the connection was lost')
        },
      }),
    })
    const at = (uid: string): string => `uid=${uid},ou=people,${s.slapd.baseDn}`
    const [ada] = await s.addUsers('ada')
    const id = ada?.id ?? 0
    await s.reconciler.settle([{ kind: 'user', id, version: 1 }])
    // It was to move to the place of an orphan entry, and was interrupted.
    const attributes = { objectClass: ['inetOrgPerson'], uid: ['ann'], cn: ['Ann'], sn: ['Ann'] }
    await s.directory.write({ kind: 'add', dn: at('ann'), attributes })
    await s.db
      .update(directoryEntries)
      .set({ targetDn: at('ann') })
      .where(eq(directoryEntries.recordId, id))
    await s.db.delete(users).where(eq(users.id, id))
    const touched = await touchDeleted(s.db, 'user', [id])
    await s.reconciler.settle(touched, 1000)
    s.reconciler.start()
    await s.quiet()
    t.ok(interrupted)
    t.match(await s.people('1.1'), /^dn: uid=ann,[^\n]*\s*$/)
    t.equal(await entryOf(s, 'user', id), undefined)
  })

  t.test('an entry in the way stops a record only while it is there, and another record’s is waited for', async (t) => {
    let meanwhile: ((dn: string) => Promise<void>) | undefined
    const once = async (dn: string): Promise<void> => {
      const act = meanwhile
      meanwhile = undefined
      await act?.(dn)
    }
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (change) => {
          if (change.kind === 'add' && change.dn.startsWith('uid=ben')) await once(change.dn)
          return real.write(change)
        },
      }),
    })
    const at = (uid: string): string => `uid=${uid},ou=people,${s.slapd.baseDn}`
    const addOrphan = (uid: string) =>
      s.directory.write({
        kind: 'add',
        dn: at(uid),
        attributes: { objectClass: ['inetOrgPerson'], uid: [uid], cn: ['Stranger'], sn: ['Stranger'] },
      })
    const [other, ben] = await s.addUsers('other', 'ben')
    await s.reconciler.settle([{ kind: 'user', id: other?.id ?? 0, version: 1 }])
    await addOrphan('ada')
    const ada = await s.addUsers('ada')
    t.equal(await s.reconciler.settle(ada), false)
    await s.directory.write({ kind: 'delete', dn: at('ada') })
    t.equal(await s.reconciler.settle(await s.change('user', idOf(ada))), true, 'it was taken away')

    // A lease was lost, and the name belongs to another record by now.
    meanwhile = async () => {
      await s.directory.write({ kind: 'rename', dn: at('other'), newDn: at('ben') })
      const place = s.db.update(directoryEntries).set({ dn: at('ben') })
      await place.where(eq(directoryEntries.recordId, other?.id ?? 0))
    }
    t.equal(await s.reconciler.settle([{ kind: 'user', id: ben?.id ?? 0, version: 1 }], 500), false)
    t.match(await s.find('(uid=ben)', 'mail'), /^mail: other@example\.org$/m)
    t.match(await entryOf(s, 'user', ben?.id ?? 0), { dn: null, error: /still taken by another record/ })
  })

  t.test('as many groups are claimed as their members fit into memory', async (t) => {
    const s = await stage(t, { started: false })
    await s.db.execute(sql`
      insert into users (username, username_key, nickname) select 'p' || n, 'p' || n, '' from generate_series(1, 60000) n`)
    const ids: number[] = []
    for (const name of ['First', 'Second', 'Third', 'Huge', 'Last']) {
      const id = idOf(await s.addGroup(name), 'group')
      const size = name === 'Huge' ? 60_000 : 30_000
      await s.db.execute(sql`
        insert into group_members (group_id, user_id) select ${id}::bigint, id from users order by id limit ${size}`)
      ids.push(id)
    }
    const ledger = openLedger({ db: s.db, directory: 1 }, s.slapd.baseDn)
    const claimed = async (): Promise<number[]> =>
      (await ledger.claim({ kind: 'group', owner: randomUUID(), scope: 'due', limit: 500 })).ids
    const [first, second, third, huge, last] = ids
    t.strictSame(await claimed(), [first, second])
    t.strictSame(await claimed(), [third, huge])
    t.strictSame(await claimed(), [last])
    t.strictSame(await claimed(), [])
  })

  for (const known of ['new', 'lost']) {
    t.test(`a ${known} group that is found to wait just when the one above it arrives goes on`, async (t) => {
      const s = await stage(t, { started: false })
      const top = idOf(await s.addGroup('Top', { type: 'ou' }), 'group')
      const below = idOf(await s.addGroup('Below', { parent: top }), 'group')
      const dn = `ou=Top,${s.slapd.baseDn}`
      if (known === 'lost') {
        const inSync = { syncedVersion: 1, dn: `cn=Below,${dn}` }
        await s.db.update(directoryEntries).set(inSync).where(eq(directoryEntries.recordId, below))
      }
      const ledger = openLedger({ db: s.db, directory: 1 }, s.slapd.baseDn)
      const claim = (id: number, owner: string): Claim => ({ kind: 'group', owner, ids: [id] })
      const above = claim(top, 'b7a1e7a0-6f0c-4a52-8a86-2a9f5f3f0c55')
      const slow = claim(below, '7c0f9a3e-3c0f-4f0e-9d52-0e0a4f7f4a11')
      const unknown = { entryCsn: null, entryUuid: null, forgetKept: false, name: '', action: 'failed' } as const
      const nowhere = { ...unknown, version: 1, delay: 0, unseen: false, from: null, fromTarget: null, dn: null }
      await take(ledger, above)
      await ledger.record(above, [{ ...nowhere, id: top, result: 'parked', error: statements.interrupted() }])
      await take(ledger, slow)
      const [row] = await ledger.groups([below])
      t.match(row, { facts: { parentDn: null } })
      await take(ledger, above)
      await s.directory.write({ kind: 'add', dn, attributes: { objectClass: ['organizationalUnit'], ou: ['Top'] } })
      await ledger.record(above, [{ ...nowhere, id: top, result: 'in_sync', dn, error: null }])
      const waits = {
        ...nowhere,
        from: row?.dn ?? null,
        dn: row?.dn ?? null,
        unseen: true,
        error: statements.parent_missing(),
      }
      await ledger.record(slow, [{ ...waits, id: below, result: 'waiting' }])
      s.reconciler.start()
      await s.quiet()
      t.match(await entryOf(s, 'group', below), { dn: `cn=Below,${dn}`, error: '' })
      t.match(await s.reconciler.synchronize('group', 'all'), { total: 2, unchanged: 2, failed: 0 })
    })
  }

  t.test('a group that changes its branch while the tree above is renamed is found', async (t) => {
    const s = await stage(t)
    const group = async (name: string, parent?: number) =>
      idOf(await s.addGroup(name, parent === undefined ? { type: 'ou' } : { type: 'ou', parent }), 'group')
    const top = await group('Top')
    const [from, to] = [await group('From', top), await group('To', top)]
    const branch = await group('Branch', from)
    const leaf = await group('Leaf', branch)
    await s.quiet()
    const rename = async (id: number, groupName: string): Promise<Touched[]> => {
      const values = { groupName, groupNameKey: matchingKey(groupName) }
      await s.db.update(groups).set(values).where(eq(groups.id, id))
      return s.change('group', id)
    }
    const ledger = openLedger({ db: s.db, directory: 1 }, s.slapd.baseDn)
    const owner = '5f6f7d0c-9f52-4a0e-8f5c-0d3c1f8f1c3e'
    const claim: Claim = { kind: 'group', owner, ids: [branch] }
    await take(ledger, claim)
    const [was, is] = [`ou=Branch,ou=From,ou=Top,${s.slapd.baseDn}`, `ou=Branch,ou=To,ou=Top,${s.slapd.baseDn}`]
    const intent = { id: branch, dn: is, from: was, fromTarget: null, found: true, uuid: null, digest: null }
    t.same(await ledger.intend(claim, [intent]), new Map([[branch, 'noted']]))
    await s.directory.write({ kind: 'rename', dn: was, newDn: is })
    t.equal(await s.reconciler.settle(await rename(top, 'Summit')), true)
    t.match(await entryOf(s, 'group', branch), { targetDn: `ou=Branch,ou=To,ou=Summit,${s.slapd.baseDn}` })
    const reached = { id: branch, version: 1, result: 'in_sync', from: was, fromTarget: null, dn: is } as const
    await s.db.update(groups).set({ parentId: to }).where(eq(groups.id, branch))
    await rename(branch, 'Twig')
    const unknown = { entryCsn: null, entryUuid: null, forgetKept: false, name: '', action: 'failed' } as const
    await ledger.record(claim, [{ ...reached, ...unknown, unseen: false, error: null, delay: 0 }])
    await s.quiet()
    t.equal((await entryOf(s, 'group', leaf))?.dn, `ou=Leaf,ou=Twig,ou=To,ou=Summit,${s.slapd.baseDn}`)
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 5, unchanged: 5, failed: 0, skipped: 0 })
    t.same(
      await ledger.intend(claim, [intent]),
      new Map([[branch, 'uncertain']]),
      'what is held no longer is not written',
    )
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

  t.test('a renamed person keeps every attribute of other programs, and every membership', async (t) => {
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

  t.test('whichever write is interrupted, exchanged names reach the right records', async (t) => {
    // One steps aside for the others. Of the renames from then on, one is carried out or not, and has no answer.
    let since = -1
    let interrupted = 0
    let carriedOut = false
    const s = await stage(t, {
      faults: (real) => ({
        write: async (change) => {
          if (change.kind === 'rename' && (since >= 0 || change.newDn.includes('=steward-'))) since++
          if (change.kind !== 'rename' || since !== interrupted) return real.write(change)
          since++
          if (carriedOut) await real.write(change)
          throw new DirectoryError('unavailable', 'the connection was lost')
        },
      }),
    })
    const names = ['ada', 'ben', 'cleo']
    const added = (await s.addUsers(...names)).map(({ id }) => id)
    await s.quiet()
    for (const [n, id] of added.entries()) {
      await s.directory.write({
        kind: 'modify',
        dn: `uid=${names[n]},ou=people,${s.slapd.baseDn}`,
        changes: [{ operation: 'add', attribute: 'roomNumber', values: [`of ${id}`] }],
      })
    }
    for (const round of [0, 1, 2, 3]) {
      // Each takes the name of the one before.
      names.unshift(names.pop() ?? '')
      await s.db.transaction(async (tx) => {
        await tx.execute(sql`update users set username = 'u' || id, username_key = 'u' || id`)
        for (const [n, id] of added.entries()) {
          await tx.update(users).set({ username: names[n], usernameKey: names[n] }).where(eq(users.id, id))
        }
        await touch(tx, 'user', added)
      })
      since = -1
      interrupted = round % 2
      carriedOut = round > 1
      await s.quiet()
      t.ok(since > interrupted, 'it was interrupted')
      const entries = (await s.people('uid', 'roomNumber'))
        .trim()
        .split('\n\n')
        .map((entry) => entry.split('\n').sort())
      t.strictSame(
        entries.map((lines) => lines.filter((line) => /^(uid|roomNumber): /.test(line)).join(', ')).sort(),
        added.map((id, n) => `roomNumber: of ${id}, uid: ${names[n]}`).sort(),
        `round ${round}`,
      )
    }
    t.match(await s.reconciler.synchronize('user', 'all'), { total: 3, failed: 0, skipped: 0 })
  })

  t.test('where an interrupted write took an entry is known until it is found', async (t) => {
    let away = false
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (change) => {
          if (away) throw new DirectoryError('unavailable', 'the connection was lost')
          await real.write(change)
        },
      }),
    })
    const at = (uid: string): string => `uid=${uid},ou=people,${s.slapd.baseDn}`
    const touched = await s.addUsers('ada', 'ben')
    await s.reconciler.settle(touched)
    const [ada = 0, ben = 0] = touched.map(({ id }) => id)
    const rename = async (id: number, username: string): Promise<Touched[]> => {
      await s.db.update(users).set({ username, usernameKey: username }).where(eq(users.id, id))
      return s.change('user', id)
    }
    /** A process took the entry there and was killed before it could say so. */
    const taken = async (id: number, from: string, to: string): Promise<void> => {
      await s.directory.write({ kind: 'rename', dn: at(from), newDn: at(to) })
      await s.db
        .update(directoryEntries)
        .set({ targetDn: at(to) })
        .where(eq(directoryEntries.recordId, id))
      await rename(id, to)
    }

    await taken(ada, 'ada', 'ann')
    const again = await rename(ada, 'anna')
    away = true
    t.equal(await s.reconciler.settle(again, 10_000), false)
    away = false
    t.match(await entryOf(s, 'user', ada), { dn: at('ann'), targetDn: at('anna') })
    await rename(ada, 'annie')
    t.match(await s.reconciler.synchronize('user', 'all'), { completed: true, failed: 0, skipped: 0 })
    t.equal((await s.people('1.1')).match(/^dn: uid=(annie|ben),/gm)?.length, 2)
    t.equal((await s.people('1.1')).match(/^dn: /gm)?.length, 2, 'no other entry is left')

    // Another record is to have its old name, and waits until it is known to have left.
    await taken(ben, 'ben', 'bob')
    await s.db.update(users).set({ mail: 'bob@example.org' }).where(eq(users.id, ben))
    const [other] = await s.addUsers('ben')
    const held = (leaseUntil: Date | null) =>
      s.db.update(directoryEntries).set({ leaseUntil }).where(eq(directoryEntries.recordId, ben))
    await held(new Date(Date.now() + 60_000))
    const waiting = await s.reconciler.synchronize('user', 'pending')
    t.match(waiting, { total: 1, failed: 1, problems: [{ name: 'ben', reason: /still taken by another record/ }] })
    t.match(await entryOf(s, 'user', other?.id ?? 0), { dn: null, targetDn: null, nextAt: Date })
    await held(null)
    s.reconciler.start()
    await s.quiet()
    t.match(await s.reconciler.synchronize('user', 'all'), { total: 3, failed: 0, skipped: 0 })
    t.equal((await s.people('1.1')).match(/^dn: uid=(annie|ben|bob),/gm)?.length, 3)
    t.equal((await s.people('1.1')).match(/^dn: /gm)?.length, 3)
  })

  t.test('whatever is interrupted, names that are handed on and taken anew reach the right records', async (t) => {
    let writes = 0
    let interrupted = 0
    const s = await stage(t, {
      faults: (real) => ({
        write: async (change) => {
          await real.write(change)
          if (++writes === interrupted) throw new DirectoryError('unavailable', 'the connection was lost')
        },
      }),
    })
    await s.addUsers('keeper')
    await s.quiet()
    for (let round = 1; round <= 4; round++) {
      // Three that hand their names on, one that leaves, and one that is new and takes the name of the one that left.
      const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}${round}`)
      const ids = (await s.addUsers(...names.slice(0, 3), 'leaver')).map(({ id }) => id)
      await s.quiet()
      writes = 0
      interrupted = round
      await s.db.transaction(async (tx) => {
        for (const n of [2, 1, 0]) {
          const [username, id] = [names[n + 1] ?? '', ids[n] ?? 0]
          await tx.update(users).set({ username, usernameKey: username }).where(eq(users.id, id))
        }
        await tx.delete(users).where(eq(users.id, ids[3] ?? 0))
        const newcomer = {
          username: 'leaver',
          usernameKey: 'leaver',
          nickname: 'New',
          mail: `new${round}@example.org`,
          passwordHash,
        }
        const [row] = await tx.insert(users).values(newcomer).returning({ id: users.id })
        await touchDeleted(tx, 'user', [ids[3] ?? 0])
        ids.push(row?.id ?? 0)
        await touch(tx, 'user', [...ids.slice(0, 3), row?.id ?? 0])
      })
      await s.quiet()
      t.ok(writes >= interrupted, 'one was interrupted')
      const mails = (await s.people('uid', 'mail')).match(/(?<=^(uid|mail): ).*/gm)?.sort()
      const expected = [`a${round}`, `b${round}`, `c${round}`, 'keeper'].map((name) => `${name}@example.org`)
      const wanted = [...expected, `new${round}@example.org`, ...names.slice(1, 4), 'leaver', 'keeper'].sort()
      t.strictSame(mails, wanted, `round ${round}`)
      t.match(await s.reconciler.synchronize('user', 'all'), { total: 5, unchanged: 5, failed: 0, skipped: 0 })
      await s.db.transaction(async (tx) => {
        const gone = [...ids.slice(0, 3), ids[4] ?? 0]
        await tx.delete(users).where(inArray(users.id, gone))
        await touchDeleted(tx, 'user', gone)
      })
      await s.quiet()
    }
    t.match(await s.people('uid'), /^dn: uid=keeper,[^\n]*\nuid: keeper\s*$/)
  })

  t.test('records below a group whose move was interrupted wait, and are not given up', async (t) => {
    const s = await stage(t, { started: false })
    const group = async (groupName: string, parent?: number): Promise<number> => {
      const touched = await s.addGroup(groupName, parent === undefined ? { type: 'ou' } : { type: 'ou', parent })
      await s.reconciler.settle(touched)
      return idOf(touched, 'group')
    }
    const top = await group('Top')
    const inside = await group('Inside', top)
    const doomed = await group('Doomed', inside)
    const leaving = await group('Leaving', inside)
    const other = await group('Other')
    const [was, is] = [`ou=Top,${s.slapd.baseDn}`, `ou=Summit,${s.slapd.baseDn}`]
    // Renamed by a process that was killed before it could say so.
    await s.directory.write({ kind: 'rename', dn: was, newDn: is })
    await s.db.update(directoryEntries).set({ targetDn: is }).where(eq(directoryEntries.recordId, top))
    await s.db.update(groups).set({ groupName: 'Summit', groupNameKey: 'summit' }).where(eq(groups.id, top))
    await s.change('group', top)
    await s.db.delete(groups).where(eq(groups.id, doomed))
    const touched = await s.db.transaction((tx) => touchDeleted(tx, 'group', [doomed]))
    await s.db.update(groups).set({ parentId: other }).where(eq(groups.id, leaving))
    touched.push(...(await s.change('group', leaving)))
    t.equal(await s.reconciler.settle(touched, 300), false)
    t.match(await entryOf(s, 'group', doomed), { dn: `ou=Doomed,ou=Inside,${was}`, deleted: true })
    t.match(await entryOf(s, 'group', leaving), { dn: `ou=Leaving,ou=Inside,${was}`, error: /is being moved/ })
    s.reconciler.start()
    await s.quiet()
    t.equal(await s.find('(ou=Doomed)', '1.1'), '')
    t.match(await s.find('(ou=Leaving)', '1.1'), /^dn: ou=Leaving,ou=Other,dc=example,dc=org\s*$/)
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 4, unchanged: 4, failed: 0, skipped: 0 })
    t.equal(await entryOf(s, 'group', doomed), undefined)
    t.match(await entryOf(s, 'group', inside), { dn: `ou=Inside,${is}` })
  })

  t.test('a group that was interrupted on its way does not wait for what waits to know where it is', async (t) => {
    let refusing = ''
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (change, permit) => {
          if (change.dn.startsWith(`ou=${refusing},`)) throw new DirectoryError('refused', 'constraint', { code: 19 })
          await real.write(change, permit)
        },
      }),
    })
    const group = async (groupName: string, parent?: number): Promise<number> => {
      const touched = await s.addGroup(groupName, parent === undefined ? { type: 'ou' } : { type: 'ou', parent })
      await s.reconciler.settle(touched)
      return idOf(touched, 'group')
    }
    const base = s.slapd.baseDn
    const change = async (id: number, values: Partial<typeof groups.$inferInsert>): Promise<Touched[]> => {
      await s.db.update(groups).set(values).where(eq(groups.id, id))
      return s.change('group', id)
    }
    /** Renamed by a process that was killed before it could say so. */
    const renamed = async (id: number, from: string, to: string): Promise<void> => {
      await s.directory.write({ kind: 'rename', dn: `ou=${from},${base}`, newDn: `ou=${to},${base}` })
      const target = s.db.update(directoryEntries).set({ targetDn: `ou=${to},${base}` })
      await target.where(eq(directoryEntries.recordId, id))
      await change(id, { groupName: to, groupNameKey: to })
    }
    const upper = await group('upper')
    const lower = await group('lower', upper)
    await renamed(upper, 'upper', 'turned')
    await change(lower, { parentId: null })
    await change(upper, { parentId: lower })
    s.reconciler.start()
    await s.quiet()
    t.match(await entryOf(s, 'group', upper), { dn: `ou=turned,ou=lower,${base}` })
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 2, unchanged: 2, failed: 0, skipped: 0 })

    // A record below it does not wait for one that the directory refuses either.
    const middle = await group('middle')
    const below = await group('below', middle)
    refusing = 'odd'
    const odd = await group('odd')
    await renamed(middle, 'middle', 'centre')
    await change(middle, { parentId: odd })
    const touched = await change(below, { remark: 'changed meanwhile' })
    t.equal(await s.reconciler.settle(touched, 5000), true)
    t.match(await s.find('(ou=below)', 'description'), /^dn: ou=below,ou=centre,[\s\S]*description: changed meanwhile/)
    t.match(await entryOf(s, 'group', middle), { dn: `ou=centre,${base}`, targetDn: null, nextAt: null })
    refusing = ''
    await s.reconciler.synchronize('group', 'pending')
    await s.quiet()
    t.match(await s.find('(ou=below)', '1.1'), /^dn: ou=below,ou=centre,ou=odd,/)
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 5, unchanged: 5, failed: 0, skipped: 0 })
  })

  t.test('no record steps aside for one that cannot leave', async (t) => {
    const s = await stage(t, { started: false })
    const touched = [...(await s.addGroup('A', { type: 'ou' })), ...(await s.addGroup('B', { type: 'ou' }))]
    t.equal(await s.reconciler.settle(touched), true)
    const [a = 0, b = 0] = touched.map(({ id }) => id)
    const orphan = `ou=Stranger,ou=B,${s.slapd.baseDn}`
    const attributes = { objectClass: ['organizationalUnit'], ou: ['Stranger'] }
    await s.directory.write({ kind: 'add', dn: orphan, attributes })
    await s.db.delete(groups).where(eq(groups.id, b))
    await touchDeleted(s.db, 'group', [b])
    await s.db.update(groups).set({ groupName: 'B', groupNameKey: 'b' }).where(eq(groups.id, a))
    await s.change('group', a)
    for (let tries = 0; tries < 4; tries++) {
      await s.db.update(directoryEntries).set({ attempts: tries + 2 })
      await s.reconciler.settle([{ kind: 'group', id: a, version: 2 }], 500)
    }
    t.match(await entryOf(s, 'group', a), { dn: `ou=A,${s.slapd.baseDn}`, error: /still taken by another record/ })
    await s.directory.write({ kind: 'delete', dn: orphan })
    s.reconciler.start()
    await s.quiet()
    t.match(await entryOf(s, 'group', a), { dn: `ou=B,${s.slapd.baseDn}`, error: '' })
    t.match(await s.reconciler.synchronize('group', 'all'), { total: 1, failed: 0, skipped: 0 })
  })

  t.test('a request that waits for a record does not make it wait longer', async (t) => {
    const s = await stage(t, { started: false })
    const touched = await s.addGroup('A', { type: 'ou' })
    const id = idOf(touched, 'group')
    t.equal(await s.reconciler.settle(touched), true)
    const attributes = { objectClass: ['organizationalUnit'], ou: ['Stranger'] }
    await s.directory.write({ kind: 'add', dn: `ou=Stranger,ou=A,${s.slapd.baseDn}`, attributes })
    await s.db.delete(groups).where(eq(groups.id, id))
    t.equal(await s.reconciler.settle(await touchDeleted(s.db, 'group', [id]), 1500), false)
    const entry = await entryOf(s, 'group', id)
    t.match(entry?.error, /there are entries below it/)
    // Due after 0.25, 0.75 and 1.75 s, give or take a quarter, however often it was tried on the way.
    const { attempts = 0, nextAt = null } = entry ?? {}
    t.ok(attempts >= 1 && attempts <= 3, `${attempts} tries`)
    t.ok(nextAt !== null && nextAt.getTime() < Date.now() + 2500, 'and the next is soon')
  })

  t.test('a directory that is down or hangs loses nothing, and catches up by itself', async (t) => {
    const s = await stage(t)
    await s.reconciler.settle(await s.addUsers('ada'))
    await s.slapd.stop('SIGKILL')
    const whileDown = await s.addUsers('ben')
    t.equal(await s.reconciler.settle(whileDown), false)
    const reason = async () => (await entryOf(s, 'user', idOf(whileDown)))?.error || null
    t.match(await eventually(reason, 'it says why'), /directory|ECONN/i)
    await s.slapd.start()
    await s.quiet()
    t.match(await s.people('uid'), /uid: ben/)

    s.slapd.freeze()
    const started = Date.now()
    const whileFrozen = await s.addUsers('cleo')
    t.equal(await s.reconciler.settle(whileFrozen), false)
    t.ok(Date.now() - started < 10_000, 'no request waits for ever')
    s.slapd.thaw()
    await s.quiet()
    t.match(await s.people('uid'), /uid: cleo/)
  })

  t.test('a refused record is parked with the reason, and stops no other record', async (t) => {
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
        t.equal(members?.length, 2999, 'a user without an entry is not a member')
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

  t.test('a refused record among the first ones does not stop the others', async (t) => {
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

  t.test('what another program changed is repaired and reported; orphan entries are left alone', async (t) => {
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
    t.match(run, { completed: true, total: 3, added: 1, updated: 1, moved: 1, failed: 0 })
    await s.reconciler.synchronize('user', 'all')
    t.notMatch(await s.people('uid'), /cleopatra/, 'the renamed entry is known by the name the server gave it')
    t.match(await s.find('(uid=ben)', 'mail'), /mail: ben@example.org/)
    t.match(await s.people('uid'), /stranger/, 'reported, never deleted')
    t.match(await s.reconciler.synchronize('user', 'all'), { unchanged: 3, added: 0, updated: 0, skipped: 1 })
  })

  t.test('a repair that is undone twice is reported and not repeated', async (t) => {
    const s = await stage(t, { started: false })
    const [ada] = await s.addUsers('ada')
    if (ada === undefined) throw new Error('no user')
    await s.reconciler.settle([ada])
    await s.reconciler.compareEverything()
    const dn = `uid=ada,ou=people,${s.slapd.baseDn}`
    const another = async (attribute: string, value: string): Promise<void> =>
      s.directory.write({ kind: 'modify', dn, changes: [{ operation: 'replace', attribute, values: [value] }] })
    const compared = async (): Promise<string | undefined> => {
      await s.reconciler.compareEverything()
      return (await s.directory.read(dn, ['displayName']))?.attributes.displayName?.[0]
    }
    for (const times of [1, 2]) {
      await another('displayName', 'Other')
      t.equal(await compared(), 'Nick ada', `${times}`)
    }
    await another('displayName', 'Other')
    const before = await s.slapd.operations()
    for (const times of [3, 4, 5]) t.equal(await compared(), 'Other', `${times}`)
    t.strictSame(await s.slapd.operations(), before, 'nothing was written')
    t.match(await entryOf(s, 'user', ada.id), { nextAt: null, error: /does not keep what is written/ })
    await another('title', 'Chef')
    t.equal(await compared(), 'Nick ada', 'another change of the entry')
    await another('displayName', 'Other')
    await compared()
    await another('displayName', 'Other')
    await compared()
    await another('displayName', 'Other')
    t.equal(await compared(), 'Other')
    await s.reconciler.settle(await s.change('user', ada.id))
    t.equal(await compared(), 'Nick ada', 'the record was changed')
    t.match(await entryOf(s, 'user', ada.id), { error: '' })
    for (const left of ['Nick ada', 'Nick ada', 'Other']) {
      await another('displayName', 'Other')
      t.equal(await compared(), left, 'it held for once, so it is tried twice again')
    }
    await s.db.update(directoryEntries).set({ triedAt: new Date(Date.now() - 25 * 3_600_000) })
    await s.reconciler.compareEverything()
    await s.reconciler.settle([{ ...ada, version: 1000 }], 200)
    t.equal(await compared(), 'Nick ada', 'a day is over')
  })

  t.test('a server that spells names differently is not corrected again and again', async (t) => {
    const folded = <T extends Entry | null>(entry: T): T => entry && { ...entry, dn: entry.dn.replace(/ {2,}/g, ' ') }
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        features: async () => ({ ...(await real.features()), entryCsn: false }),
        read: async (dn, attributes) => folded(await real.read(dn, attributes)),
        async *search(base, search) {
          for await (const page of real.search(base, search)) yield page.map(folded)
        },
      }),
    })
    const added = await s.addUsers('spa  ce', 'ada')
    t.equal(await s.reconciler.settle(added), true)
    await s.reconciler.compareEverything()
    await s.reconciler.compareEverything()
    const before = await s.slapd.operations()
    for (let times = 0; times < 3; times++) await s.reconciler.compareEverything()
    t.strictSame(await s.slapd.operations(), before)
    t.match(await entryOf(s, 'user', idOf(added)), { error: '', nextAt: Date })
    const [row] = await s.db.execute(sql`select from directory_entries where version <> synced_version`)
    t.equal(row, undefined, 'and is as it should be')
  })

  t.test('a run counts each record once, with its final outcome', async (t) => {
    let afterSearch = async (): Promise<void> => {}
    let afterWrite = async (): Promise<void> => {}
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        async *search(base, search) {
          yield* real.search(base, search)
          await afterSearch()
        },
        write: async (change) => {
          await real.write(change)
          await afterWrite()
        },
      }),
    })
    const touched = await s.addUsers('ada', 'ben', 'cleo')
    await s.reconciler.settle(touched)
    const [ada = 0, ben = 0, cleo = 0] = touched.map(({ id }) => id)
    await s.reconciler.synchronize('user', 'all')
    const behindOurBack = async (uid: string): Promise<void> =>
      s.directory.write({
        kind: 'modify',
        dn: `uid=${uid},ou=people,${s.slapd.baseDn}`,
        changes: [{ operation: 'replace', attribute: 'displayName', values: ['Somebody else'] }],
      })

    await behindOurBack('ben')
    afterSearch = async () => {
      // The ledger is read during the search, and has to know them until then.
      await delay(500)
      await s.db.delete(users).where(eq(users.id, ben))
      await s.db.delete(directoryEntries).where(eq(directoryEntries.recordId, ben))
    }
    t.match(await s.reconciler.synchronize('user', 'all'), {
      total: 2,
      unchanged: 2,
      failed: 0,
      problems: { length: 0 },
    })
    afterSearch = async () => {}
    await s.directory.write({ kind: 'delete', dn: `uid=ben,ou=people,${s.slapd.baseDn}` })

    // Changed between its comparison and the end of the run.
    afterSearch = async () => {
      afterSearch = async () => {}
      await s.db.update(users).set({ nickname: 'Edited' }).where(eq(users.id, cleo))
      await s.change('user', cleo)
    }
    t.match(await s.reconciler.synchronize('user', 'all'), { total: 2, unchanged: 1, updated: 1, failed: 0 })

    await behindOurBack('ada')
    await s.slapd.refuse('displayName', 'X')
    afterWrite = async () => {
      afterWrite = async () => {}
      await s.db.update(users).set({ nickname: 'X' }).where(eq(users.id, ada))
      await s.change('user', ada)
    }
    t.match(await s.reconciler.synchronize('user', 'all'), {
      total: 2,
      unchanged: 1,
      updated: 0,
      failed: 1,
      problems: [{ name: 'ada', reason: /constraintViolation/ }],
    })
  })

  t.test('a record that was in sync and cannot be made so again is not shown as in sync', async (t) => {
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
    const s = await stage(t, { started: false, faults: damagedAt(damaged) })
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
    t.match(
      await entryOf(s, 'user', ada),
      { nextAt: null, error: /internal error/ },
      'an administrator has to look at it',
    )
    t.match(await s.reconciler.synchronize('user', 'all'), { completed: true, total: 3, unchanged: 2, failed: 1 })
    damaged.clear()
    t.match(await s.reconciler.synchronize('user', 'pending'), { total: 1, updated: 1, failed: 0 })
    t.equal((await s.people('displayName')).match(/^displayName: Somebody else$/gm)?.length, 3)
  })

  t.test('a wiped directory is full again without any request', async (t) => {
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
    // Longer than the second between two looks, so that the reconciler notices.
    await delay(1100)
    await s.slapd.start()
    const sorted = (ldif: string): string[] =>
      ldif
        .split('\n\n')
        .map((entry) => entry.split('\n').sort().join('\n'))
        .sort()
    const everything = () => s.find('(objectClass=*)', 'mail', 'member', 'userPassword')
    await eventually(async () => (await everything()).length === before.length, 'all entries are back')
    t.strictSame(sorted(await everything()), sorted(before))
  })

  t.test('an orphan entry is not taken over, whatever record gets its name', async (t) => {
    const s = await stage(t)
    const { baseDn } = s.slapd
    const add = (rdns: string, attributes: Record<string, string[]>) =>
      s.directory.write({ kind: 'add', dn: `${rdns},${baseDn}`, attributes })
    const person = (uid: string, more: Record<string, string[]> = {}) => ({
      objectClass: ['inetOrgPerson'],
      ...{ uid: [uid], cn: ['Before'], sn: ['Before'], userPassword: ['theirs'] },
      ...more,
    })
    const [kept] = await s.addUsers('kept')
    await s.reconciler.settle([{ kind: 'user', id: kept?.id ?? 0, version: 1 }])
    for (const uid of ['ada', 'Straße', 'renamed']) await add(`uid=${uid},ou=people`, person(uid))
    await add('uid=kept,ou=disabled', person('kept'))
    await add('cn=Admins', { objectClass: ['groupOfNames'], cn: ['Admins'], member: [`uid=ada,ou=people,${baseDn}`] })
    await add('ou=Company', { objectClass: ['organizationalUnit'], ou: ['Company'] })
    const orphans = async (): Promise<string[]> =>
      (await s.find('(|(cn=Before)(cn=Admins)(ou=Company))', '*', '+')).split('\n\n').sort()
    const before = await orphans()
    const errorOf = async (kind: RecordKind, id: number) => (await entryOf(s, kind, id))?.error

    for (const name of ['ada', 'ADA ', 'Strasse']) {
      // The directory takes ADA and ada for one name; the last one it tells apart from what is there.
      const [one] = await s.addUsers(name)
      await s.reconciler.settle([{ kind: 'user', id: one?.id ?? 0, version: 1 }])
      const error = await errorOf('user', one?.id ?? 0)
      if (name === 'Strasse') t.equal(error, '')
      else t.match(error, /^the entry uid=ada,ou=people,dc=example,dc=org is not Steward's: .*adopt/)
      await s.db.delete(users).where(eq(users.id, one?.id ?? 0))
      t.equal(await s.reconciler.settle(await touchDeleted(s.db, 'user', [one?.id ?? 0])), true)
    }
    const group = idOf(await s.addGroup('admins'), 'group')
    const unit = idOf(await s.addGroup('COMPANY', { type: 'ou' }), 'group')
    await s.quiet()
    t.match(await errorOf('group', group), /^the entry cn=Admins,dc=example,dc=org is not Steward's/)
    t.match(await errorOf('group', unit), /^the entry ou=Company,dc=example,dc=org is not Steward's/)

    // Renaming, disabling: a record that has an entry keeps it.
    const id = kept?.id ?? 0
    const set = async (values: Partial<typeof users.$inferInsert>) => {
      await s.db.update(users).set(values).where(eq(users.id, id))
      return s.reconciler.settle(await s.change('user', id))
    }
    t.equal(await set({ username: 'renamed', usernameKey: 'renamed' }), false)
    t.match(
      await errorOf('user', id),
      /uid=renamed,.* is not Steward's: .* has an entry of its own at uid=kept,ou=people/,
    )
    t.equal(await set({ username: 'kept', usernameKey: 'kept', status: 2 }), false)
    t.match(await errorOf('user', id), /uid=kept,ou=disabled,.* is not Steward's/)
    const emptied = await s.directory.read(`uid=kept,ou=people,${baseDn}`, ['uid', 'mail', 'userPassword'])
    t.strictSame(emptied?.attributes, { uid: ['kept'] }, 'the place of the disabled is taken: emptied where it is')

    t.strictSame(await orphans(), before)
    await s.db.delete(groups)
    await s.reconciler.settle(await touchDeleted(s.db, 'group', [group, unit]))
    await s.db.delete(users)
    t.equal(await s.reconciler.settle(await touchDeleted(s.db, 'user', [id])), true)
    t.strictSame(await orphans(), before, 'nor deleted with the record')
    t.notMatch(await s.people('uid'), /uid=kept/)
  })

  t.test('nothing is written to the entry that Steward signs in as, however it is spelled', async (t) => {
    const s = await stage(t, { faults: () => ({ bindDn: 'USERID=Steward ,OU=People, dc=example,dc=org' }) })
    const { baseDn } = s.slapd
    const add = (rdns: string, attributes: Record<string, string[]>) =>
      s.directory.write({ kind: 'add', dn: `${rdns},${baseDn}`, attributes })
    await s.reconciler.settle(await s.addUsers('ada'))
    const own = { objectClass: ['inetOrgPerson'], uid: ['steward'], cn: ['x'], sn: ['x'], userPassword: ['own'] }
    await add('uid=steward,ou=people', own)
    const show = (): Promise<string> => s.find('(uid=steward)', '*', '+')
    const before = await show()
    const errorOf = async (kind: RecordKind, id: number) => (await entryOf(s, kind, id))?.error
    for (const name of ['steward', 'STEWARD', 'ste\u00adward', '\uff53teward']) {
      const [one] = await s.addUsers(name)
      const id = one?.id ?? 0
      t.equal(await s.reconciler.settle([{ kind: 'user', id, version: 1 }]), false, name)
      t.match(await errorOf('user', id), /Steward itself signs in .*LDAP_BIND_DN.*change the name/, name)
      // Even where a release before this one took it over.
      await s.db
        .update(directoryEntries)
        .set({ dn: `uid=steward,ou=people,${baseDn}`, syncedVersion: 1, nextAt: new Date() })
        .where(eq(directoryEntries.recordId, id))
      t.equal(await s.reconciler.settle(await s.change('user', id)), false, name)
      await s.db.delete(users).where(eq(users.id, id))
      t.equal(await s.reconciler.settle(await touchDeleted(s.db, 'user', [id])), true, name)
      t.equal(await show(), before, name)
    }
    for (const [name, type] of [
      ['people', 'ou'],
      ['Disabled', 'ou'],
      ['NOBODY', 'cn'],
    ] as const) {
      const id = idOf(await s.addGroup(name, { type }), 'group')
      await s.quiet()
      t.match(await errorOf('group', id), /the layout of the directory needs this entry/, name)
    }
    t.equal((await s.find('(ou=people)', 'ou')).trim(), `dn: ou=people,${baseDn}\nou: people`)
  })

  t.test(
    'the entry of an interrupted write belongs to its record, and an entry that was put there meanwhile does not',
    async (t) => {
      let lost: 'before' | 'after' | null = null
      const cut = () => new DirectoryError('unavailable', 'the connection was lost')
      const s = await stage(t, {
        started: false,
        faults: (real) => ({
          write: async (change, permit) => {
            if (lost === 'before' && change.kind !== 'modify') throw cut()
            await real.write(change, permit)
            if (lost === 'after' && change.kind !== 'modify') throw cut()
          },
        }),
      })
      const { baseDn } = s.slapd
      const at = (uid: string): string => `uid=${uid},ou=people,${baseDn}`
      const theirs = (uid: string) => ({ objectClass: ['inetOrgPerson'], uid: [uid], cn: ['Theirs'], sn: ['Theirs'] })
      await s.reconciler.settle(await s.addUsers('zoe'))
      const ledger = openLedger({ db: s.db, directory: 1 }, baseDn)
      const expire = () => s.db.update(directoryEntries).set({ leaseUntil: null, leaseOwner: null, nextAt: new Date() })

      for (const when of ['before', 'after'] as const) {
        const [one] = await s.addUsers(`new-${when}`)
        const id = one?.id ?? 0
        lost = when
        t.match(await s.reconciler.synchronize('user', [id]), { completed: false })
        lost = null
        const row = await entryOf(s, 'user', id)
        t.match(row, { dn: null, targetDn: at(`new-${when}`), addDigest: /^[0-9a-f]{64}\.[0-9a-f]{64}$/ })
        if (when === 'before') {
          await s.directory.write({ kind: 'add', dn: at('new-before'), attributes: theirs('new-before') })
        } else {
          // The record went on changing.
          await s.db.update(users).set({ mail: 'later@example.org' }).where(eq(users.id, id))
        }
        await expire()
        await s.change('user', id)
        t.match(await s.reconciler.synchronize('user', [id]), { failed: when === 'after' ? 0 : 1 })
        const entry = await s.directory.read(at(`new-${when}`), ['cn', 'mail'])
        if (when === 'after') t.match(entry?.attributes, { mail: ['later@example.org'] })
        else t.strictSame(entry?.attributes, { cn: ['Theirs'] })
      }

      // A rename: the entryUUID says whether the entry at the new place is the renamed one.
      const [renamed] = await s.addUsers('renamed')
      const id = renamed?.id ?? 0
      await s.reconciler.settle([{ kind: 'user', id, version: 1 }])
      await s.db.update(users).set({ username: 'other', usernameKey: 'other' }).where(eq(users.id, id))
      lost = 'after'
      await s.change('user', id)
      t.match(await s.reconciler.synchronize('user', [id]), { completed: false })
      lost = null
      t.match(await entryOf(s, 'user', id), { dn: at('renamed'), targetDn: at('other'), entryUuid: /-/ })
      await s.directory.write({ kind: 'delete', dn: at('other') })
      await s.directory.write({ kind: 'add', dn: at('other'), attributes: theirs('other') })
      await expire()
      t.match(await s.reconciler.synchronize('user', [id]), { failed: 1 })
      t.strictSame((await s.directory.read(at('other'), ['cn', 'mail']))?.attributes, { cn: ['Theirs'] })
      t.match(await entryOf(s, 'user', id), { dn: null, error: /uid=other,.* is not Steward's/ })
      t.equal((await ledger.users([id]))[0]?.entryUuid !== null, true, 'if it comes back it is known')
    },
  )

  for (const count of [3, 150]) {
    t.test(`one of ${count} new entries that is replaced before it was compared is an orphan`, async (t) => {
      const s = await stage(t, { started: false })
      const dn = `uid=n2,ou=people,${s.slapd.baseDn}`
      await s.reconciler.settle(await s.addUsers('first'))
      const added = await s.addUsers(...Array.from({ length: count }, (_, index) => `n${index}`))
      t.match(await s.reconciler.synchronize('user', 'pending'), { completed: true, added: count })
      await s.directory.write({ kind: 'delete', dn })
      const theirs = { objectClass: ['inetOrgPerson'], uid: ['n2'], cn: ['Theirs'], sn: ['Theirs'] }
      await s.directory.write({ kind: 'add', dn, attributes: theirs })
      t.match(await s.reconciler.synchronize('user', 'all'), { failed: 1, problems: [{ reason: /not Steward's/ }] })
      t.match((await s.directory.read(dn, ['cn', 'mail']))?.attributes, { cn: ['Theirs'] })
      const { id = 0 } = added[2] ?? {}
      await s.db.delete(users).where(eq(users.id, id))
      await s.reconciler.settle(await touchDeleted(s.db, 'user', [id]))
      t.match((await s.directory.read(dn, ['cn']))?.attributes, { cn: ['Theirs'] })
    })
  }

  t.test('an entry that was moved or renamed by hand is found, and a disabled person has no second one', async (t) => {
    const s = await stage(t, { started: false })
    const { baseDn } = s.slapd
    const uids = [
      'moved',
      'renamed',
      'two',
      'left',
      'gone',
      'removed',
      ...Array.from({ length: 30 }, (_, i) => `n${i}`),
    ]
    await s.reconciler.settle(await s.addUsers('first'))
    const added = await s.addUsers(...uids)
    await s.reconciler.synchronize('user', 'pending')
    const idOfUser = (uid: string): number => added[uids.indexOf(uid)]?.id ?? 0
    const at = (rdns: string): string => `${rdns},${baseDn}`
    const rename = (from: string, to: string) => s.directory.write({ kind: 'rename', dn: at(from), newDn: at(to) })
    const unit = { objectClass: ['organizationalUnit'], ou: ['Elsewhere'] }
    await s.directory.write({ kind: 'add', dn: at('ou=Elsewhere'), attributes: unit })
    for (const uid of ['moved', 'left', 'gone']) await rename(`uid=${uid},ou=people`, `uid=${uid},ou=Elsewhere`)
    await rename('uid=renamed,ou=people', 'uid=other,ou=people')
    await rename('uid=two,ou=people', 'uid=two+cn=Nick two,ou=people')
    await s.directory.write({ kind: 'delete', dn: at('uid=removed,ou=people') })

    await s.db
      .update(users)
      .set({ status: 2 })
      .where(eq(users.id, idOfUser('left')))
    t.equal(await s.reconciler.settle(await s.change('user', idOfUser('left'))), true)
    await s.db.delete(users).where(eq(users.id, idOfUser('gone')))
    t.equal(await s.reconciler.settle(await touchDeleted(s.db, 'user', [idOfUser('gone')])), true)
    t.match(await s.reconciler.synchronize('user', 'all'), { completed: true, failed: 0 })
    const found = await s.find('(objectClass=inetOrgPerson)', '1.1')
    const places = [...found.matchAll(/^dn: (.*),dc=example,dc=org$/gm)].map(([, rdns]) => rdns)
    const expected = uids
      .filter((uid) => uid !== 'gone')
      .map((uid) => `uid=${uid},ou=${uid === 'left' ? 'disabled' : 'people'}`)
    t.strictSame(places.sort(), [...expected, 'uid=first,ou=people'].sort())

    // More entries than one search asks for: if the first are found, all are looked up, and otherwise no more.
    for (let i = 0; i < 30; i++) await rename(`uid=n${i},ou=people`, `uid=n${i},ou=Elsewhere`)
    await s.reconciler.synchronize('user', 'all')
    t.equal((await s.find('(objectClass=inetOrgPerson)', '1.1')).match(/ou=Elsewhere/g), null)
    for (let i = 0; i < 30; i++) await s.directory.write({ kind: 'delete', dn: at(`uid=n${i},ou=people`) })
    t.match(await s.reconciler.synchronize('user', 'all'), { added: 30, failed: 0 })
  })

  t.test('a server that refuses to list its entries is reported, and records go on', async (t) => {
    let refuses = true
    const s = await stage(t, {
      faults: (real) => ({
        async *search(base, search) {
          if (refuses) throw new DirectoryError('refused', 'adminLimitExceeded (11): page size', { code: 11 })
          yield* real.search(base, search)
        },
      }),
    })
    t.equal(await s.reconciler.settle(await s.addUsers('ada')), true)
    const refused = { completed: false, problems: [{ step: 'compare', reason: /\(11\)/, advice: /LDAP_BIND_DN/ }] }
    t.match(await s.reconciler.synchronize('user', 'all'), refused)
    await t.rejects(s.reconciler.compareEverything(), { kind: 'unavailable', message: /\(11\)/ })
    t.equal(await s.reconciler.settle(await s.addUsers('ben')), true)
    refuses = false
    t.match(await s.reconciler.synchronize('user', 'all'), { completed: true, total: 2, failed: 0 })
  })

  t.test('an entry is known by the name the server gave it, also under another LDAP_URL', async (t) => {
    const s = await stage(t, { started: false })
    const { baseDn } = s.slapd
    const at = (uid: string): string => `uid=${uid},ou=people,${baseDn}`
    const added = await s.addUsers('ada', 'ben', 'cleo')
    await s.reconciler.settle(added)
    await s.reconciler.settle(await s.addGroup('Team', { members: added.map(({ id }) => id) }))
    for (const kind of ['user', 'group'] as const) await s.reconciler.synchronize(kind, 'all')
    await s.directory.write({
      kind: 'modify',
      dn: at('ada'),
      changes: [{ operation: 'add', attribute: 'roomNumber', values: ['7'] }],
    })
    // Two are added again by hand: one unchanged, the other changed.
    const names = ['objectClass', 'uid', 'cn', 'sn', 'displayName', 'mail', 'ou', 'departmentNumber', 'userPassword']
    for (const [uid, roomNumber] of [
      ['ben', '8'],
      ['cleo', '9'],
    ] as const) {
      const copy = await s.directory.read(at(uid), names)
      if (copy === null) throw new Error('no entry')
      await s.directory.write({ kind: 'delete', dn: at(uid) })
      const mail = uid === 'cleo' ? ['someone@example.org'] : (copy.attributes.mail ?? [])
      const attributes = { ...copy.attributes, mail, roomNumber: [roomNumber] }
      await s.directory.write({ kind: 'add', dn: at(uid), attributes })
    }
    const run = await s.reconciler.synchronize('user', 'all')
    t.match(run, { total: 3, failed: 1, problems: [{ name: 'cleo', reason: /is not Steward's/ }] })
    t.match(await s.people('roomNumber', 'mail'), /mail: ben@example\.org\nroomNumber: 8/)
    t.match(await s.people('roomNumber', 'mail'), /mail: someone@example\.org\nroomNumber: 9/)

    await adoptDirectory(s.db, { server: 'ldaps://elsewhere', baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
    await adoptDirectory(s.db, {
      server: 'ldaps://ldap.example.org',
      baseDn,
      groupClass: 'groupOfNames',
      nestedGroups: 'off',
    })
    t.match(await s.reconciler.synchronize('user', 'pending'), { total: 3, failed: 1 })
    t.match(await s.reconciler.synchronize('group', 'pending'), { total: 1, failed: 0 })
    t.match(await s.people('roomNumber'), /roomNumber: 7/)
    const [cleo] = added.slice(-1)
    await s.db.delete(users).where(eq(users.id, cleo?.id ?? 0))
    await s.reconciler.settle(await touchDeleted(s.db, 'user', [cleo?.id ?? 0]))
    t.match(
      await s.people('mail'),
      /someone@example\.org/,
      'the entry that replaced the former one is not deleted with it',
    )
  })

  t.test('attributes of other tools are kept while a person is disabled, and come back whole', async (t) => {
    let cutAt = 0
    let writes = 0
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (change, permit) => {
          writes++
          if (writes === cutAt) throw new DirectoryError('unavailable', 'the connection was lost')
          await real.write(change, permit)
          if (writes === -cutAt) throw new DirectoryError('unavailable', 'the connection was lost')
        },
      }),
    })
    const { baseDn } = s.slapd
    const [ada] = await s.addUsers('ada')
    const id = ada?.id ?? 0
    await s.reconciler.settle([{ kind: 'user', id, version: 1 }])
    const photo = Buffer.from('ffd8ffe000104a46494600010100ff00fe80', 'hex')
    const people = `uid=ada,ou=people,${baseDn}`
    const parked = `uid=ada,ou=disabled,${baseDn}`
    const modify = (dn: string, ...changes: Change[]) => s.directory.write({ kind: 'modify', dn, changes })
    const add = (attribute: string, values: string[] | Buffer[]): Change => ({ operation: 'add', attribute, values })
    await modify(
      people,
      add('objectClass', ['posixAccount', 'shadowAccount']),
      ...[add('uidNumber', ['5001']), add('gidNumber', ['100']), add('homeDirectory', ['/home/ada'])],
      ...[add('loginShell', ['/bin/bash']), add('description;lang-de', ['Köchin'])],
      ...[add('jpegPhoto', [photo]), add('telephoneNumber', ['1', '2'])],
    )
    const whole = async (dn: string): Promise<Record<string, string[]>> => {
      const entry = await s.directory.readWhole(dn)
      const sorted = [...(entry?.attributes ?? [])].map(([name, values]): [string, string[]] => [
        name,
        values.map((value) => value.toString('base64')).sort(),
      ])
      return Object.fromEntries(sorted.sort())
    }
    const before = await whole(people)
    const set = async (status: number): Promise<boolean> => {
      await s.db.update(users).set({ status }).where(eq(users.id, id))
      await s.change('user', id)
      const { completed, failed } = await s.reconciler.synchronize('user', [id])
      return completed && failed === 0
    }
    const bare = ['cn', 'displayName', 'objectClass', 'sn', 'uid']
    /** Lets the connection break before (after: negative) the nth write, then carries on. */
    const interrupted = async (status: number, cut: number): Promise<void> => {
      writes = 0
      cutAt = cut
      const arrived = await set(status)
      cutAt = 0
      await s.db.update(directoryEntries).set({ leaseUntil: null, leaseOwner: null, nextAt: new Date() })
      if (!arrived) t.equal(await set(status), true)
    }
    for (const cut of [0, 1, -1, 2, -2, 3, -3]) {
      await interrupted(2, cut)
      t.strictSame(Object.keys(await whole(parked)), bare, `parked, cut at ${cut}`)
      await interrupted(1, cut)
      t.strictSame(await whole(people), before, `back, cut at ${cut}`)
      t.match(await entryOf(s, 'user', id), { kept: null })
    }

    // Changed meanwhile: added values are kept, too; of an attribute with one value the newest counts.
    await set(2)
    await modify(parked, add('telephoneNumber', ['3']), add('roomNumber', ['7']))
    await s.reconciler.synchronize('user', 'all')
    t.strictSame(Object.keys(await whole(parked)), bare)
    await modify(parked, add('objectClass', ['posixAccount']), add('uidNumber', ['6']), add('gidNumber', ['6']), {
      ...add('homeDirectory', ['/new']),
    })
    t.equal(await set(1), true)
    const after = await whole(people)
    const text = (name: string) => after[name]?.map((value) => Buffer.from(value, 'base64').toString())
    t.strictSame(text('telephoneNumber'), ['1', '2', '3'])
    t.strictSame([text('uidNumber'), text('homeDirectory'), text('roomNumber')], [['6'], ['/new'], ['7']])
    t.strictSame(after.jpegPhoto, before.jpegPhoto)

    // The directory is wiped while the person is disabled.
    await set(2)
    await s.directory.write({ kind: 'delete', dn: parked })
    await s.reconciler.synchronize('user', 'all')
    t.equal(await set(1), true)
    t.strictSame(await whole(people), after)
  })

  t.test(
    'attributes that are too large to be kept are named, and leave neither an account nor a key behind',
    async (t) => {
      const s = await stage(t, { started: false })
      const [ada] = await s.addUsers('ada')
      const id = ada?.id ?? 0
      await s.reconciler.settle([{ kind: 'user', id, version: 1 }])
      const add = (attribute: string, values: string[] | Buffer[]): Change => ({ operation: 'add', attribute, values })
      const photo = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(320_000, 7)])
      const posix = [add('uidNumber', ['5']), add('gidNumber', ['5']), add('homeDirectory', ['/'])]
      const changes = [add('objectClass', ['posixAccount']), ...posix, add('jpegPhoto', [photo]), add('pager', ['1'])]
      await s.directory.write({ kind: 'modify', dn: `uid=ada,ou=people,${s.slapd.baseDn}`, changes })
      const set = async (status: number): Promise<boolean> => {
        await s.db.update(users).set({ status }).where(eq(users.id, id))
        return s.reconciler.settle(await s.change('user', id), 10_000)
      }
      t.equal(await set(2), false)
      t.match(await entryOf(s, 'user', id), { error: /than can be kept \(400000 characters\): remove jpegPhoto/ })
      const parked = await s.directory.readWhole(`uid=ada,ou=disabled,${s.slapd.baseDn}`)
      t.strictSame([...(parked?.attributes.keys() ?? [])].sort(), [
        'cn',
        'displayName',
        'jpegPhoto',
        'objectClass',
        'sn',
        'uid',
      ])
      t.notMatch(parked?.attributes.get('objectClass')?.join(), /posixAccount/)
      t.equal(await set(1), true)
      const back = await s.directory.readWhole(`uid=ada,ou=people,${s.slapd.baseDn}`)
      for (const name of ['uidNumber', 'homeDirectory', 'pager']) t.ok(back?.attributes.has(name), name)
      t.equal(back?.attributes.get('jpegPhoto')?.[0]?.length, photo.length)
    },
  )

  t.test('attributes that the server does not remove are named, and all others are removed', async (t) => {
    const stays = (changes: readonly Change[]) =>
      changes.some(
        ({ operation, values }) => operation === 'delete' && values.some((each) => each === 'extensibleObject'),
      )
    const s = await stage(t, {
      started: false,
      faults: (real) => ({
        write: async (change, permit) => {
          if (change.kind === 'modify' && stays(change.changes)) {
            throw new DirectoryError('refused', 'structural object class', { code: 69 })
          }
          await real.write(change, permit)
        },
      }),
    })
    const [ada] = await s.addUsers('ada')
    const id = ada?.id ?? 0
    await s.reconciler.settle([{ kind: 'user', id, version: 1 }])
    const add = (attribute: string, ...values: string[]): Change => ({ operation: 'add', attribute, values })
    const posix = [add('uidNumber', '5'), add('gidNumber', '5'), add('homeDirectory', '/')]
    const changes = [add('objectClass', 'posixAccount', 'extensibleObject'), ...posix, add('favouriteDrink', 'tea')]
    await s.directory.write({ kind: 'modify', dn: `uid=ada,ou=people,${s.slapd.baseDn}`, changes })
    await s.db.update(users).set({ status: 2 }).where(eq(users.id, id))
    t.equal(await s.reconciler.settle(await s.change('user', id), 500), false)
    t.match(await entryOf(s, 'user', id), { error: /does not let go of extensibleObject on the entry/ })
    const parked = await s.find('(uid=ada)', '*')
    t.match(parked, /^dn: uid=ada,ou=disabled,/)
    t.notMatch(parked, /posixAccount|uidNumber|favouriteDrink|userPassword/)
  })

  t.test(
    'memberOf follows groups whose tree is renamed and moved, and nothing is written twice for that',
    async (t) => {
      const s = await stage(t, { overlays: { memberof: true, refint: true } })
      const people = await s.addUsers('ada', 'ben')
      await s.reconciler.settle(people)
      const [ada = 0, ben = 0] = people.map(({ id }) => id)
      const group = async (name: string, options: Parameters<Stage['addGroup']>[1]): Promise<number> =>
        idOf(await s.addGroup(name, options), 'group')
      const kitchen = await group('Kitchen', { members: [ada] })
      const unit = await group('Unit', { type: 'ou', parent: kitchen })
      await group('Bakery', { parent: unit, members: [ada, ben] })
      await group('Empty', { parent: unit })
      const other = await group('Other', { type: 'ou' })
      await s.quiet()
      const memberOf = async (): Promise<string[]> =>
        [...(await s.people('memberOf')).matchAll(/^memberOf: (.*),dc=example,dc=org$/gm)]
          .map(([, dn]) => dn ?? '')
          .sort()
      t.strictSame(await memberOf(), ['cn=Bakery,ou=Unit,cn=Kitchen', 'cn=Bakery,ou=Unit,cn=Kitchen', 'cn=Kitchen'])
      const change = async (id: number, values: Partial<typeof groups.$inferInsert>): Promise<void> => {
        await s.db.update(groups).set(values).where(eq(groups.id, id))
        t.equal(await s.reconciler.settle(await s.change('group', id)), true)
        await s.quiet()
      }
      await change(kitchen, { groupName: 'Küche, groß', groupNameKey: 'küche, gross' })
      const decoded = async (): Promise<string[]> => {
        const found = await s.people('memberOf')
        const texts = [...found.matchAll(/^memberOf(?:: (.*)|:: (.*))$/gm)].map(([, text, base64 = '']) =>
          text === undefined ? Buffer.from(base64, 'base64').toString() : text,
        )
        return texts.map((dn) => normalizeDn(dn)).sort()
      }
      const under = (...rdns: string[]): string[] =>
        rdns.map((each) => normalizeDn(`${each === '' ? '' : `${each},`}cn=Küche\\, groß,dc=example,dc=org`)).sort()
      t.strictSame(await decoded(), under('cn=Bakery,ou=Unit', 'cn=Bakery,ou=Unit', ''))
      await change(unit, { parentId: other })
      t.strictSame(await decoded(), [
        ...['ada', 'ben'].map(() => 'cn=bakery,ou=unit,ou=other,dc=example,dc=org'),
        ...under(''),
      ])
      t.equal((await membersOf(s, 'Bakery,ou=Unit,ou=Other'))?.length, 2)
      const before = await s.slapd.operations()
      t.match(await s.reconciler.synchronize('group', 'all'), { total: 5, failed: 0, updated: 0 })
      t.match(await s.reconciler.synchronize('group', 'all'), { total: 5, unchanged: 5 })
      t.same(await s.slapd.operations(), before)
    },
  )

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
