import t, { type Test } from 'tap'
import { rdn } from '../../src/ldap/dn.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword, steward } from '../steward.ts'
import { becomesEqual, usersAndGroups } from './entries.ts'
import { brokenPromises, keepWriting, openWriter, type Told, type Writer } from './writers.ts'

// One service, one slapd, one fault after the other. After each of them directory and SQL become equal again
// without any request.

const follows = 'saved; the directory follows'
/** Milliseconds a mutation waits for the directory at most, and some for a busy machine. */
const timeout = 8000

t.setTimeout(600_000)

t.test('a directory that fails', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const database = await testDatabase(t)
  const tools = ldapTools(slapd)
  const atPeople = (username: string): string => `${rdn('uid', username)},ou=people,${slapd.baseDn}`

  await slapd.stop()
  // The timer does not come in the way of the reports.
  const service = await steward(t, {
    directory: slapd,
    database,
    env: { DRIFT_INTERVAL: '1h', LDAP_TIMEOUT: '2s', DIRECTORY_WAIT: '2s' },
  })
  const { call, token } = service
  const post = (id: Parameters<typeof call>[0], body: object) => call(id, { token, body })
  const find = async (username: string) =>
    (await usersAndGroups(service)).users.find((user) => user.username === username)
  const addUser = async (username: string, fields: object = {}): Promise<number> => {
    const added = await call('addUser', { token, body: person(username, fields) })
    if (added.code !== 0) throw new Error(`${username}: ${added.code} ${added.msg}`)
    return added.data.id
  }
  const addGroup = async (groupName: string, parentId = 0, groupType = 'cn'): Promise<number> => {
    const added = await call('addGroup', { token, body: { groupName, groupType, parentId } })
    if (added.code !== 0) throw new Error(`${groupName}: ${added.code} ${added.msg}`)
    return added.data.id
  }
  const groupIds: number[] = []

  await t.test('is down at the start: people sign in, changes are kept, and arrive when it comes up', async (t) => {
    const company = await call('addGroup', { token, body: { groupName: 'Company', groupType: 'ou', parentId: 0 } })
    t.match(company, { code: 0, msg: follows })
    for (const name of ['Kitchen, "hot"', 'Cellar', 'Attic']) groupIds.push(await addGroup(name, company.data.id))
    const fields = { departmentId: groupIds.slice(0, 2), password: 'seven-quiet-lanterns' }
    const ada = await post('addUser', person('ada', fields))
    t.match(ada, { code: 0, msg: follows })
    await addUser('leaver', { departmentId: groupIds, status: 2 })
    const port = new URL(slapd.url).port
    t.match(await find('ada'), { syncState: 2, syncError: new RegExp(`no connection .*127.0.0.1:${port}`), userDn: '' })
    t.match(await service.signIn('ada', 'seven-quiet-lanterns'), /./, 'signing in needs no directory')

    await slapd.start()
    await becomesEqual(t, service, slapd)
    t.equal((await tools.as(atPeople('ada'), 'seven-quiet-lanterns', 'ldapwhoami', [])).code, 0)
    t.match(await post('updateGroup', { id: groupIds[1], groupName: 'Vault' }), { code: 0, msg: 'success' })
  })

  const writers: Writer[] = []
  await t.test('an answer without "the directory follows" means that ldapsearch finds the change', async (t) => {
    const asked = () => service
    for (let n = 0; n < 12; n++) writers.push(await openWriter({ username: `writer${n}`, groupIds, asked }))
    const wrong: string[] = []
    let proven = 0
    const prove = async ({ username, position, code, msg }: Told): Promise<void> => {
      if (code !== 0) wrong.push(`${username}: ${code} ${msg}`)
      if (msg === follows) return
      const shown = await tools.search('-b', atPeople(username), '-s', 'base', 'title')
      const there = position === null ? shown.code === 32 : shown.stdout.includes(`title: ${position}\n`)
      if (there) proven++
      else wrong.push(`${username} ${position}: ${shown.stdout}${shown.stderr}`)
    }
    await Promise.all(
      writers.map(async (writer) => {
        for (let n = 0; n < 9; n++) {
          const told = await writer.step()
          if (told !== null) await prove(told)
        }
      }),
    )
    t.strictSame(wrong, [])
    t.ok(proven >= 12, `${proven} answers were held against ldapsearch`)
    await becomesEqual(t, service, slapd)
  })

  await t.test('is killed with 200 changes in flight: every one that was acknowledged arrives', async (t) => {
    const first = groupIds.slice(0, 1)
    const arrive = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) =>
        post('addUser', person(`arrival${from + n}`, { departmentId: first })),
      )
    const arrivals = arrive(0, 40)
    const writing = keepWriting(writers)
    // Some are being written and the others have just been sent when slapd dies.
    await Promise.race(arrivals)
    arrivals.push(...arrive(40, 200))
    await slapd.stop('SIGKILL')
    const replies = await Promise.all(arrivals)
    const answered = (count: number) => eventually(() => writing.answers.length >= count, `${count} answers`)
    await answered(3 * writers.length)
    await slapd.start()
    await answered(writing.answers.length + 2 * writers.length)
    await writing.stop()
    const codes = [...replies, ...writing.answers].map(({ code }) => code)
    t.strictSame([...new Set(codes)], [0], 'a directory that is down loses no change')
    t.ok(replies.filter(({ msg }) => msg === follows).length > 50, 'it was down for most of them')
    await becomesEqual(t, service, slapd)
    t.strictSame(await brokenPromises(service, writers), [])
    t.equal((await usersAndGroups(service)).users.filter(({ username }) => /^arrival/.test(username)).length, 200)
  })

  await t.test(
    'refuses a record: it is parked with the reason, others go on, and it arrives once it is corrected',
    async (t) => {
      await slapd.refuse('displayName', '#')
      const replies = await Promise.all([
        post('addUser', person('good1', { departmentId: groupIds })),
        post('addUser', person('bad', { departmentId: groupIds, nickname: 'number #1' })),
        post('addUser', person('good2', { departmentId: groupIds })),
      ])
      t.strictSame(
        replies.map(({ code }) => code),
        [0, 0, 0],
      )
      t.equal(replies[1]?.msg, follows)
      const settled = async (username: string) => {
        await eventually(async () => (await find(username))?.syncState === 1, `${username} is in the directory`)
        return find(username)
      }
      t.match(await settled('good1'), { syncState: 1, syncError: '' })
      t.match(await settled('good2'), { syncState: 1, syncError: '' })
      const bad = await find('bad')
      t.match(bad, { syncState: 2, syncError: /constraintViolation \(19\)/ })
      const report = await call('syncSqlUsers', { token, body: { userIds: [bad?.id, (await find('good1'))?.id] } })
      t.match(report.data, { state: 'done', total: 2, unchanged: 1, failed: 1, added: 0 })
      t.match(report.data.problems, [{ sourceId: String(bad?.id), name: 'bad', step: 'write', reason: /\(19\)/ }])

      t.equal(
        (await post('updateUser', { id: bad?.id, nickname: 'number 1', departmentId: groupIds, roleIds: [] })).code,
        0,
      )
      await becomesEqual(t, service, slapd)
      await slapd.accept()
    },
  )

  await t.test('hangs: no request waits for long, and the newest change counts when it goes on', async (t) => {
    const id = (await find('good1'))?.id
    const update = (position: string) =>
      post('updateUser', { id, position, username: `good ${position}`, departmentId: groupIds, roleIds: [] })
    slapd.freeze()
    const took: number[] = []
    const timed = async (reply: ReturnType<typeof post>) => {
      const started = Date.now()
      t.match(await reply, { code: 0, msg: follows })
      took.push(Date.now() - started)
    }
    await Promise.all([
      timed(update('one')),
      timed(post('deleteUsers', { userIds: [(await find('good2'))?.id] })),
      timed(post('updateGroup', { id: groupIds[0], groupName: 'Pantry' })),
      ...Array.from({ length: 20 }, (_, n) => timed(post('addUser', person(`frozen${n}`, { departmentId: groupIds })))),
    ])
    await timed(update('two'))
    t.ok(Math.max(...took) < timeout, `the longest took ${Math.max(...took)} ms`)
    t.match(await find('good two'), { syncState: 2, syncError: /./ })
    const started = Date.now()
    const report = await call('syncSqlUsers', { token, body: { userIds: [id] } })
    t.match(report.data, { state: 'failed', problems: [{ step: 'connect', advice: /nothing is lost/ }] })
    t.ok(Date.now() - started < timeout, 'nor does a run')
    slapd.thaw()
    await becomesEqual(t, service, slapd)
  })

  /** Changes that an administrator might make to the directory by hand. */
  const editByHand = async (t: Test, deleted: string): Promise<void> => {
    const done = await tools.run(
      'ldapmodify',
      [],
      [
        ...[`dn: ${atPeople(deleted)}`, 'changetype: delete', ''],
        ...[
          `dn: ${atPeople('ada')}`,
          'changetype: modify',
          'replace: userPassword',
          'userPassword: nine-quiet-lanterns',
          '-',
        ],
        ...['replace: mail', 'mail: evil@example.org', ''],
        ...[`dn: ${atPeople('writer2')}`, 'changetype: modrdn', 'newrdn: uid=elsewhere', 'deleteoldrdn: 1', ''],
        ...[
          `dn: uid=stranger,ou=people,${slapd.baseDn}`,
          'changetype: add',
          'objectClass: person',
          'objectClass: uidObject',
        ],
        ...['uid: stranger', 'cn: stranger', 'sn: stranger', ''],
        ...[`dn: cn=Attic,ou=Company,${slapd.baseDn}`, 'changetype: modify', 'delete: member'],
        ...[`member: ${atPeople('writer1')}`, '-', 'add: member', `member: uid=ghost,${slapd.baseDn}`, ''],
        ...[`dn: cn=Club,${slapd.baseDn}`, 'changetype: add', 'objectClass: groupOfNames', 'cn: Club'],
        ...[`member: ${atPeople('stranger')}`, ''],
      ].join('\n'),
    )
    t.equal(done.code, 0, done.stderr)
  }
  const tidyUp = async (t: Test): Promise<void> => {
    const orphans = [atPeople('stranger'), `cn=Club,${slapd.baseDn}`]
    t.equal((await tools.run('ldapdelete', orphans)).code, 0, 'orphan entries were reported and left alone')
  }

  await t.test('is edited by another program: a run says what was missing, different, and an orphan', async (t) => {
    // The group that is edited must have a member.
    const member = (await find('writer1'))?.id
    await post('addGroupUsers', { groupId: groupIds[2], userIds: [member] })
    await becomesEqual(t, service, slapd)
    await editByHand(t, 'writer0')
    const ids = await Promise.all(['writer0', 'ada', 'writer2', 'writer3'].map(async (name) => (await find(name))?.id))
    const people = await call('syncSqlUsers', { token, body: { userIds: ids } })
    t.match(people.data, { state: 'done', total: 4, added: 1, updated: 1, moved: 1, unchanged: 1, failed: 0 })
    const tree = await call('syncSqlGroups', { token })
    t.match(tree.data, { state: 'done', total: 4, updated: 1, unchanged: 3, added: 0, failed: 0, skipped: 1 })
    t.match(tree.data.problems, [{ name: `cn=Club,${slapd.baseDn}`, step: 'compare' }])
    await tidyUp(t)
    await becomesEqual(t, service, slapd)
    t.equal(
      (await tools.as(atPeople('ada'), 'nine-quiet-lanterns', 'ldapwhoami', [])).code,
      0,
      'the password set there stays',
    )
    t.ok(await service.signIn('ada', 'nine-quiet-lanterns'), 'and was taken over')
  })

  await t.test('is edited, and wiped, while the timer runs: no request is needed', async (t) => {
    await service.close()
    const watchful = await steward(t, { directory: slapd, database, env: { DRIFT_INTERVAL: '5s' } })
    await becomesEqual(t, watchful, slapd)
    // An entry that is put back again and again is left to its administrator: each is deleted once.
    await editByHand(t, 'writer4')
    // The timer may look while it is being edited, and again afterwards.
    const told = () => watchful.logs.some((line) => line.includes('had drifted') && line.includes('uid=stranger,'))
    await eventually(told, 'the log says it')
    await tidyUp(t)
    await becomesEqual(t, watchful, slapd)

    // What the service puts back meanwhile keeps a parent from being deleted (notAllowedOnNonLeaf).
    const wipe = async (): Promise<number | null> => (await tools.run('ldapdelete', ['-r', slapd.baseDn])).code
    let code = await wipe()
    while (code === 66) code = await wipe()
    t.equal(code, 0)
    await becomesEqual(t, watchful, slapd)
    t.equal((await tools.as(atPeople('ada'), 'nine-quiet-lanterns', 'ldapwhoami', [])).code, 0, 'with their passwords')
    t.ok(await watchful.signIn('admin', adminPassword))
  })
})
