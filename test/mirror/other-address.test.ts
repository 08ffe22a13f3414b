import { eq, inArray, sql } from 'drizzle-orm'
import t from 'tap'
import { groups, users } from '../../src/db/schema.ts'
import { type Change, type Directory, DirectoryError, type Entry } from '../../src/ldap/directory.ts'
import { adoptDirectory } from '../../src/mirror/directory/identity.ts'
import { touchDeleted } from '../../src/mirror/touch.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { idOf, stage } from './stage.ts'

// LDAP_URL gets another host or another spelling of the same server, while changes are on their way to it.

t.setTimeout(240_000)

const unfinished = sql`select from directory_entries where deleted or version <> synced_version`

for (const kind of ['user', 'group'] as const) {
  const skip = skipWithoutSlapd
  t.test(`an add whose outcome was not stored, and another address of the server: ${kind}`, { skip }, async (t) => {
    const faults = (real: Directory): Partial<Directory> => ({
      write: async (change, ...rest) => {
        await real.write(change, ...rest)
        if (change.kind === 'add' && /^(uid|cn)=p1,/.test(change.dn)) {
          throw new DirectoryError('unavailable', 'the connection was lost')
        }
      },
    })
    const s = await stage(t, { started: false, faults, transactions: false })
    const at = (server: string, baseDn: string) =>
      adoptDirectory(s.db, { server, baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
    const intents = async () => {
      const [row] = await s.db.execute<{ count: string }>(sql`
        select count(*) from directory_entries where target_dn is not null and add_digest is not null`)
      return Number(row?.count)
    }
    const { baseDn } = s.slapd
    await at('ldap://localhost', baseDn)
    await s.reconciler.settle(await (kind === 'user' ? s.addUsers('p1') : s.addGroup('p1')))
    const before = await s.find('(|(uid=p1)(cn=p1))', 'entryUUID')
    t.match(before, 'entryUUID: ')
    t.equal(await intents(), 1, 'as a kill leaves it')

    // Another spelling of the base is the same base.
    await at('ldap://127.0.0.1', baseDn.toUpperCase())
    t.match(await s.reconciler.synchronize(kind, 'pending'), { total: 1, failed: 0 })
    t.equal(await s.find('(|(uid=p1)(cn=p1))', 'entryUUID'), before, 'the same entry')
    t.equal(await intents(), 0)
  })
}

t.test('adds that were meant for another base are forgotten', { skip: skipWithoutSlapd }, async (t) => {
  const s = await stage(t, { started: false })
  await s.addUsers('p1')
  const at = (baseDn: string) =>
    adoptDirectory(s.db, { server: 'ldap://localhost', baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
  await at('dc=former,dc=example')
  await s.db.execute(sql`
    update directory_entries set target_dn = 'uid=p1,ou=people,dc=former,dc=example', add_digest = 'a.b'`)
  await at(s.slapd.baseDn)
  const [row] = await s.db.execute(sql`select dn, target_dn, add_digest from directory_entries`)
  t.strictSame({ ...row }, { dn: null, target_dn: null, add_digest: null })
})

for (const isOwn of [true, false]) {
  const whose = isOwn ? 'the entry that was written' : 'another entry at its place'
  t.test(
    `a deletion and a new name that wait, and another address: ${whose}`,
    {
      skip: skipWithoutSlapd,
    },
    async (t) => {
      const s = await stage(t, { started: false })
      const at = (server: string) =>
        adoptDirectory(s.db, { server, baseDn: s.slapd.baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
      await at('ldap://localhost')
      await s.reconciler.settle([...(await s.addUsers('p1')), ...(await s.addUsers('p2'))])
      const dn = `uid=p1,ou=people,${s.slapd.baseDn}`
      const copy = await s.directory.read(dn, ['objectClass', 'uid', 'cn', 'sn', 'userPassword'])
      await s.db.transaction(async (tx) => {
        const [row] = await tx
          .delete(users)
          .where(inArray(users.username, ['p1']))
          .returning({ id: users.id })
        await touchDeleted(tx, 'user', [row?.id ?? 0])
      })
      if (!isOwn && copy !== null) {
        await s.directory.write({ kind: 'delete', dn })
        await s.directory.write({ kind: 'add', dn, attributes: copy.attributes })
      }
      await s.db.execute(sql`update users set username = 'p3', username_key = 'p3' where username = 'p2'`)
      await s.db.execute(sql`update directory_entries set version = version + 1, next_at = now()`)
      const uuid = (await s.find('(uid=p2)', 'entryUUID')).match(/entryUUID: .*/)?.[0]
      await at('ldap://127.0.0.1')
      await s.reconciler.synchronize('user', 'pending')
      const left = await s.people('entryUUID')
      t.equal(left.includes('uid=p1'), !isOwn)
      t.equal(left.includes('uid=p2'), false, 'left')
      t.ok(left.includes(uuid ?? '?'), 'renamed')
      t.equal((await s.db.execute(unfinished)).length, 0)
    },
  )
}

t.test('a deleted group above another one, and another address', { skip: skipWithoutSlapd }, async (t) => {
  const s = await stage(t, { started: false })
  const at = (server: string) =>
    adoptDirectory(s.db, { server, baseDn: s.slapd.baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
  await at('ldap://localhost')
  const above = await s.addGroup('above', { type: 'ou' })
  await s.reconciler.settle(above)
  await s.reconciler.settle(await s.addGroup('below', { parent: idOf(above, 'group') }))
  t.match(await s.find('(cn=below)'), /cn=below,ou=above,/)
  await s.db.transaction(async (tx) => {
    await tx.update(groups).set({ parentId: null }).where(eq(groups.groupName, 'below'))
    await tx.delete(groups).where(eq(groups.groupName, 'above'))
    await touchDeleted(tx, 'group', [idOf(above, 'group')])
  })
  await s.db.execute(sql`update directory_entries set version = version + 1, next_at = now() where not deleted`)
  await at('ldap://127.0.0.1')
  s.reconciler.start()
  await s.quiet()
  t.equal((await s.db.execute(unfinished)).length, 0)
  t.equal(await s.find('(ou=above)', 'ou'), '')
  t.match(await s.find('(cn=below)'), `cn=below,${s.slapd.baseDn}`)
})

for (const passwordReadable of [true, false]) {
  const shown = passwordReadable ? 'shown' : 'hidden'
  t.test(
    `an add whose outcome was not stored, and a namesake on another server: passwords are ${shown}`,
    {
      skip: skipWithoutSlapd,
    },
    async (t) => {
      const hidden = <E extends Entry | null>(entry: E): E => {
        if (!passwordReadable && entry !== null) delete entry.attributes.userPassword
        return entry
      }
      const faults = (real: Directory): Partial<Directory> => ({
        write: async (change, ...rest) => {
          await real.write(change, ...rest)
          if (change.kind === 'add' && change.dn.startsWith('uid=p1,')) {
            throw new DirectoryError('unavailable', 'the connection was lost')
          }
        },
        read: async (dn, attributes) => hidden(await real.read(dn, attributes)),
        async *search(base, search) {
          for await (const page of real.search(base, search)) yield page.map(hidden)
        },
      })
      const s = await stage(t, { started: false, faults, transactions: false, passwordReadable })
      const at = (server: string) =>
        adoptDirectory(s.db, { server, baseDn: s.slapd.baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
      await at('ldap://one.example')
      await s.reconciler.settle(await s.addUsers('p1'))
      const dn = `uid=p1,ou=people,${s.slapd.baseDn}`
      const changes: Change[] = [{ operation: 'replace', attribute: 'userPassword', values: ['theirs'] }]
      await s.directory.write({ kind: 'modify', dn, changes })
      await at('ldap://two.example')
      await s.reconciler.synchronize('user', 'pending')
      t.match(await s.people('userPassword'), Buffer.from('theirs').toString('base64'), 'theirs is left')
      const [row] = await s.db.execute<{ error: string }>(sql`select error from directory_entries`)
      t.match(row?.error, /is not Steward's/)
    },
  )
}

t.test(
  'a deleted unit that was perhaps added, and one of that name on another server',
  { skip: skipWithoutSlapd },
  async (t) => {
    const faults = (real: Directory): Partial<Directory> => ({
      write: async (change, ...rest) => {
        await real.write(change, ...rest)
        if (change.kind === 'add' && change.dn.startsWith('ou=sales,')) {
          throw new DirectoryError('unavailable', 'the connection was lost')
        }
      },
    })
    const s = await stage(t, { started: false, faults, transactions: false })
    const at = (server: string) =>
      adoptDirectory(s.db, { server, baseDn: s.slapd.baseDn, groupClass: 'groupOfNames', nestedGroups: 'off' })
    await at('ldap://one.example')
    const sales = await s.addGroup('sales', { type: 'ou' })
    await s.reconciler.settle(sales)
    await s.db.transaction(async (tx) => {
      await tx.delete(groups).where(eq(groups.groupName, 'sales'))
      await touchDeleted(tx, 'group', [idOf(sales, 'group')])
    })
    await at('ldap://two.example')
    await s.reconciler.synchronize('group', 'pending')
    t.match(await s.find('(ou=sales)', 'ou'), /^ou: sales$/m)
    t.equal((await s.db.execute(unfinished)).length, 0)
  },
)
