import t, { type Test } from 'tap'
import { openDirectory, type Write } from '../../src/ldap/directory.ts'
import type { RunReport } from '../../src/sync/runs.ts'
import { writeInBulk } from '../bulk-writes.ts'
import { becomesEqual, usersAndGroups } from '../faults/entries.ts'
import { quiet } from '../mirror/quiet.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { dump, figuresOf, rowVersions } from './records.ts'

// An organisation that lives in one slapd is taken over and mirrored into another one.

const people = 5000

t.test('an existing directory', { skip: skipWithoutSlapd }, async (t) => {
  const [source, slapd] = await Promise.all([testSlapd(t), testSlapd(t)])
  const base = source.baseDn
  const theirs = openDirectory({ ...source, startTls: false, timeout: 20_000, log: quiet })
  t.teardown(() => theirs.close())
  const unit = (name: string, parent: string): Write => ({
    kind: 'add',
    dn: `ou=${name},${parent}`,
    attributes: { objectClass: ['organizationalUnit'], ou: [name] },
  })
  const person = (uid: string, parent: string): Write => ({
    kind: 'add',
    dn: `uid=${uid},${parent}`,
    attributes: {
      objectClass: ['inetOrgPerson'],
      ...{ uid: [uid], cn: [`Name of ${uid}`], sn: [uid], mail: [`${uid}@example.org`], title: ['Engineer'] },
    },
  })
  const [sales, research] = [`ou=Sales,ou=Company,${base}`, `ou=Research,ou=Company,${base}`]
  const field = `ou=Field,${sales}`
  const places = [sales, field, research]
  const nameOf = (n: number): string => `p${String(n).padStart(4, '0')}`
  const uids = Array.from({ length: people }, (_, n) => nameOf(n + 1))
  const dnOf = (n: number): string => `uid=${nameOf(n)},${places[(n - 1) % places.length]}`
  const [many, few] = [`cn=Many,${base}`, `cn=Few,${base}`]
  const club = (dn: string, name: string, member: string[]): Write => ({
    kind: 'add',
    dn,
    attributes: { objectClass: ['groupOfNames'], cn: [name], member },
  })
  await writeInBulk(theirs, [
    ...[unit('Company', base), unit('Sales', `ou=Company,${base}`), unit('Research', `ou=Company,${base}`)],
    unit('Field', sales),
    ...uids.map((uid, n) => person(uid, places[n % places.length] ?? base)),
  ])
  await theirs.write(
    club(
      many,
      'Many',
      uids.flatMap((_, n) => (n % 3 === 2 ? [dnOf(n + 1)] : [])),
    ),
  )
  await theirs.write(club(few, 'Few', [dnOf(1), dnOf(2)]))

  const service = await steward(t, {
    directory: slapd,
    env: {
      EXTLDAP_URL: source.url,
      EXTLDAP_BASE_DN: base,
      EXTLDAP_BIND_DN: source.bindDn,
      EXTLDAP_BIND_PASSWORD: source.bindPassword,
      DRIFT_INTERVAL: '1h',
      SYNC_WAIT: '120s',
    },
  })
  const { call, token } = service
  const both = async (): Promise<{ groups: RunReport; users: RunReport }> => {
    const groups = await call('syncExtLdapDepts', { token })
    const users = await call('syncExtLdapUsers', { token })
    for (const { code, msg } of [groups, users]) if (code !== 0 && code !== 502) throw new Error(`${code} ${msg}`)
    return { groups: groups.data, users: users.data }
  }
  const id = async (dn: string): Promise<string> =>
    /^entryUUID: (.*)$/m.exec(await source.ldapsearch('-b', dn, '-s', 'base', 'entryUUID'))?.[1] ?? ''
  /** Each person in ldapsearch: username, departments. */
  const told = async (): Promise<Map<string, string>> => {
    const ldif = await source.ldapsearch(
      '-b',
      base,
      '(|(objectClass=inetOrgPerson)(member=*))',
      'uid',
      'cn',
      'member',
      'entryUUID',
    )
    const blocks = ldif
      .split(/\n\n+/)
      .map((block) => block.trim())
      .filter(Boolean)
    const clubs = blocks.filter((block) => /^member: /m.test(block))
    const names = new Map<string, string[]>()
    for (const block of clubs) {
      for (const [, member = ''] of block.matchAll(/^member: (.*)$/gm)) {
        names.set(member, [...(names.get(member) ?? []), /^cn: (.*)$/m.exec(block)?.[1] ?? ''])
      }
    }
    return new Map(
      blocks
        .filter((block) => !clubs.includes(block))
        .map((block) => {
          const [, dn = '', unitAbove = ''] = /^dn: (uid=[^,]+,ou=([^,]+),.*)$/m.exec(block) ?? []
          const departments = [unitAbove, ...(names.get(dn) ?? [])].sort()
          return [/^entryUUID: (.*)$/m.exec(block)?.[1] ?? '', `${/^uid: (.*)$/m.exec(block)?.[1]} in ${departments}`]
        }),
    )
  }
  const here = async (): Promise<Map<string, string>> => {
    const { users, groups } = await usersAndGroups(service)
    const names = new Map(groups.map((group) => [group.id, group.groupName]))
    return new Map(
      users
        .filter(({ status, source: slot }) => status === 1 && slot === 'extldap')
        .map(({ sourceUserId, username, departmentId }) => [
          sourceUserId,
          `${username} in ${departmentId.map((each) => names.get(each)).sort()}`,
        ]),
    )
  }
  const sameOn = async (t: Test, except: Record<string, string> = {}): Promise<void> => {
    const [wanted, found] = [await told(), await here()]
    for (const [uuid, line] of Object.entries(except)) wanted.set(uuid, line)
    t.strictSame([...found].sort(), [...wanted].sort())
    await becomesEqual(t, service, slapd)
  }
  const find = async (uuids: readonly string[]) => {
    const { users } = await usersAndGroups(service)
    return uuids.map((uuid) => users.find(({ sourceUserId }) => sourceUserId === uuid))
  }

  await t.test('is taken over whole: units and groups nested, people in both', async (t) => {
    const { groups, users } = await both()
    t.match(
      groups,
      { state: 'done', added: 7, failed: 0, problems: { length: 0 } },
      'four units, two groups, and what they are below',
    )
    t.match(users, { state: 'done', total: people, added: people, skipped: 0, failed: 0, problems: { length: 0 } })
    await sameOn(t)
    const shown = await slapd.ldapsearch('-b', `ou=extldap,${slapd.baseDn}`, '(cn=Field)', 'dn')
    t.match(shown, /^dn: cn=Field,cn=Sales,cn=Company,ou=extldap,/m)
  })

  await t.test('unchanged, nothing is written', async (t) => {
    const before = [await rowVersions(service.db), await dump(slapd)]
    const { groups, users } = await both()
    for (const report of [groups, users]) {
      t.strictSame(figuresOf(report), { added: 0, updated: 0, moved: 0, disabled: 0 })
    }
    t.strictSame([await rowVersions(service.db), await dump(slapd)], before)
  })

  await t.test('renames, moves, deletions and a person who is hired again', async (t) => {
    const uuids = await Promise.all([1, 2, 3, 4, 5].map((n) => id(dnOf(n))))
    const before = await find(uuids)
    await theirs.write({ kind: 'rename', dn: dnOf(1), newDn: `uid=Renamed,${places[0]}` })
    await theirs.write({ kind: 'rename', dn: dnOf(2), newDn: `uid=${nameOf(2)},${research}` })
    await theirs.write({ kind: 'delete', dn: dnOf(3) })
    await theirs.write({ kind: 'delete', dn: dnOf(4) })
    await theirs.write(person(nameOf(4), places[0] ?? base))
    await theirs.write({ kind: 'rename', dn: field, newDn: `ou=Field,${research}` })
    await theirs.write({ kind: 'rename', dn: sales, newDn: `ou=Sales and more,ou=Company,${base}` })
    // As the refint overlay would keep it.
    const members = [
      `uid=Renamed,ou=Sales and more,ou=Company,${base}`,
      `uid=${nameOf(2)},${research}`,
      `uid=${nameOf(5)},ou=Field,${research}`,
    ]
    await theirs.write({
      kind: 'modify',
      dn: few,
      changes: [{ operation: 'replace', attribute: 'member', values: members }],
    })

    const { groups, users } = await both()
    t.match(figuresOf(groups), { added: 0, updated: 1, moved: 1, disabled: 0 })
    t.match(figuresOf(users), { added: 1, updated: 1, moved: 2, disabled: 2 })
    t.match(users, { state: 'done', failed: 0 })
    const again = await id(`uid=p0004,ou=Sales and more,ou=Company,${base}`)
    t.notOk(uuids.includes(again))
    const [returned, ...after] = await find([again, ...uuids])
    t.strictSame(
      after.map((each) => each?.id),
      before.map((each) => each?.id),
      'they are the same people',
    )
    t.match(after, [
      { username: 'Renamed' },
      { username: 'p0002', status: 1 },
      { status: 2 },
      { username: 'p0004', status: 2 },
      { status: 1 },
    ])
    t.match(returned, { username: 'p0004-2', status: 1, mail: '' })
    t.match(users.problems, [{ sourceId: again, reason: 'mail: already belongs to p0004; left out' }])
    await sameOn(t, { [again]: 'p0004-2 in Sales and more' })
    const shown = await slapd.ldapsearch('-b', slapd.baseDn, '(|(uid=p0003)(uid=Renamed)(cn=Field))', 'dn')
    t.match(shown, /^dn: uid=p0003,ou=disabled,/m)
    t.match(shown, /^dn: uid=Renamed,ou=people,/m)
    t.match(shown, /^dn: cn=Field,cn=Research,cn=Company,ou=extldap,/m)
    t.match(figuresOf((await both()).users), { added: 0, updated: 0, moved: 0, disabled: 0 })
  })

  await t.test('that does not answer changes nothing', async (t) => {
    const before = [await rowVersions(service.db), await dump(slapd)]
    await source.stop()
    for (const report of Object.values(await both())) {
      t.match(report, { state: 'failed', problems: [{ step: 'reading', reason: /directory|connect/i, advice: /./ }] })
    }
    t.strictSame([await rowVersions(service.db), await dump(slapd)], before)
  })
})
