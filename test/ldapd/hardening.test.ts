import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Attribute, Change, Client } from 'ldapts'
import t, { type Test } from 'tap'
import { element, integer, octetString, sequence } from '../../src/ldapd/ber.ts'
import { openStorage } from '../../src/ldapd/storage.ts'
import { DirectoryTree } from '../../src/ldapd/tree.ts'
import {
  identity,
  rememberingLog,
  type TestDirectory,
  temporaryFolder,
  testEmbeddedDirectory,
} from './embedded-directory.ts'
import {
  bindRequest,
  bindResponseTag,
  message,
  noticeTag,
  presentFilter,
  rawConnection,
  searchEntryTag,
  searchRequest,
  whoAmIRequest,
} from './raw-connection.ts'

const { baseDn, bindDn, bindPassword } = identity
const protocolError = 2
const pagedResults = '1.2.840.113556.1.4.319'

const clientOf = async (t: Test, { url }: { url: string }): Promise<Client> => {
  const client = new Client({ url, timeout: 10_000, connectTimeout: 5_000 })
  t.teardown(() => client.unbind().catch(() => {}))
  await client.bind(bindDn, bindPassword)
  return client
}
const person = (uid: string, more: Record<string, string> = {}): [string, Record<string, string>] => [
  `uid=${uid},${baseDn}`,
  { objectClass: 'inetOrgPerson', cn: uid, sn: uid, ...more },
]
const uids = async (client: Client): Promise<string[]> =>
  (await client.search(baseDn, { filter: '(uid=*)', attributes: ['uid'] })).searchEntries
    .map(({ uid }) => String(uid))
    .sort()

/** A well-known small generator, so that a failure can be repeated. */
const mulberry32 = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let x = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
  return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
}

const nested = (depth: number, identifier: number): Buffer => {
  let filter = presentFilter('cn')
  for (let level = 0; level < depth; level += 1) filter = element(identifier, filter)
  return filter
}

const controls = (...each: Buffer[]): Buffer => element(0xa0, ...each)

t.test('malformed messages', async (t) => {
  const directory = await testEmbeddedDirectory(t)
  const other = await clientOf(t, directory)
  await other.add(...person('ann'))

  const fatal: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['a telnet interrupt', Buffer.from('fff4fffd06', 'hex')],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a TLS hello', Buffer.from('160301020001000', 'latin1')],
    ['an indefinite length', Buffer.from('3080020101', 'hex')],
    ['a length of nine bytes', Buffer.from('3089ffffffffffffffffff', 'hex')],
    ['a length of 4 GiB', Buffer.from('3084ffffffff', 'hex')],
    ['a length just above the limit of the anonymous', Buffer.from('308400040001', 'hex')],
    ['an empty message', Buffer.from('3000', 'hex')],
    ['a message id that is no integer', sequence(octetString('x'), bindRequest('', ''))],
    ['a message id of nine bytes', sequence(element(2, Buffer.alloc(9, 1)), bindRequest('', ''))],
    ['message id 0', message(0, bindRequest('', ''))],
    ['a negative message id', message(-5, bindRequest('', ''))],
    ['no operation', sequence(integer(1))],
    ['an unknown operation', message(1, element(0x7f & 0x7e, Buffer.alloc(3)))],
    ['an answer instead of a request', message(1, element(bindResponseTag, Buffer.alloc(3)))],
    ['an operation longer than its message', Buffer.from('30060201016020ff', 'hex')],
    ['an abandon without an id', message(1, element(0x50))],
    ['controls that are none', message(1, bindRequest('', ''), controls(octetString('x')))],
    ['a control cut short', message(1, bindRequest('', ''), controls(Buffer.from('3020', 'hex')))],
    ['a multi-byte tag', message(1, element(0x7f, Buffer.alloc(3)))],
  ]
  for (const [what, bytes] of fatal) {
    await t.test(`${what} ends its connection with a notice`, async (t) => {
      const connection = await rawConnection(t, directory.port)
      connection.send(bytes)
      await connection.closed
      t.match(connection.answers, [{ id: 0, tag: noticeTag, code: protocolError }])
      t.same(await uids(other), ['ann'])
    })
  }

  const root = message(1, bindRequest(bindDn, bindPassword))
  const refused: readonly (readonly [what: string, bytes: Buffer, code: number])[] = [
    ['LDAPv2', message(2, bindRequest('', '', 2)), protocolError],
    ['version 127', message(2, bindRequest('', '', 127)), protocolError],
    ['a SASL bind', message(2, element(0x60, integer(3), octetString(''), element(0xa3, octetString('EXTERNAL')))), 7],
    ['a bind without credentials', message(2, element(0x60, integer(3), octetString(''))), 7],
    ['an empty bind', message(2, element(0x60)), protocolError],
    [
      'a DN that is not UTF-8',
      message(2, element(0x60, integer(3), element(4, Buffer.from([0xff])), octetString('x', 0x80))),
      protocolError,
    ],
    ['a search without a filter', message(2, element(0x63, octetString(baseDn))), protocolError],
    ['a search of scope 9', message(2, searchRequest(baseDn, presentFilter('cn'), 9)), protocolError],
    ['an empty filter', message(2, searchRequest(baseDn, Buffer.alloc(0))), protocolError],
    ['a filter of an unknown kind', message(2, searchRequest(baseDn, element(0xaf))), protocolError],
    [
      'a substrings filter without pieces',
      message(2, searchRequest(baseDn, element(0xa4, octetString('cn'), sequence()))),
      protocolError,
    ],
    ['a filter of 1,000 levels', message(2, searchRequest(baseDn, nested(1_000, 0xa2))), 53],
    ['a filter of 10,000 levels', message(2, searchRequest(baseDn, nested(10_000, 0xa0))), 53],
    [
      'a filter of 50,000 assertions',
      message(2, searchRequest(baseDn, element(0xa1, ...Array(50_000).fill(presentFilter('cn'))))),
      53,
    ],
    [
      'a paged search without a value',
      message(2, searchRequest(baseDn), controls(sequence(octetString(pagedResults)))),
      protocolError,
    ],
    [
      'a paged search with a wrong value',
      message(2, searchRequest(baseDn), controls(sequence(octetString(pagedResults), octetString('x')))),
      protocolError,
    ],
    [
      'a paged search with a cookie nobody gave',
      message(
        2,
        searchRequest(baseDn),
        controls(sequence(octetString(pagedResults), octetString(sequence(integer(5), octetString('cookie'))))),
      ),
      53,
    ],
    ['an empty add', message(2, element(0x68)), protocolError],
    [
      'a modify of an unknown kind',
      message(
        2,
        element(
          0x66,
          octetString(baseDn),
          sequence(sequence(element(10, Buffer.from([7])), sequence(octetString('cn'), element(0x31)))),
        ),
      ),
      53,
    ],
    ['a rename cut short', message(2, element(0x6c, octetString(baseDn))), protocolError],
    [
      'a compare without a value',
      message(2, element(0x6e, octetString(baseDn), sequence(octetString('cn')))),
      protocolError,
    ],
    ['an extended request without a name', message(2, element(0x77)), protocolError],
  ]
  for (const [what, bytes, code] of refused) {
    await t.test(`${what} is refused, and the connection goes on`, async (t) => {
      const connection = await rawConnection(t, directory.port)
      connection.send(root, bytes)
      t.match(await connection.answerTo(2), { code })
      connection.send(message(3, whoAmIRequest))
      t.match(await connection.answerTo(3), { code: 0 })
      t.same(await uids(other), ['ann'])
    })
  }

  await t.test('a message above 4 MiB ends the connection of the root DN too', async (t) => {
    const connection = await rawConnection(t, directory.port)
    connection.send(root, Buffer.from('308400400001', 'hex'))
    await connection.closed
    t.match(connection.answers, [
      { id: 1, code: 0 },
      { id: 0, tag: noticeTag, code: protocolError },
    ])
  })

  await t.test('500 random messages do not disturb others', async (t) => {
    const random = mulberry32(20_240_501)
    const below = (limit: number): number => Math.floor(random() * limit)
    const samples = [
      root,
      message(2, searchRequest(baseDn, element(0xa0, nested(3, 0xa2), presentFilter('sn')))),
      message(
        3,
        element(
          0x68,
          octetString(`uid=x,${baseDn}`),
          sequence(sequence(octetString('cn'), element(0x31, octetString('x')))),
        ),
      ),
      message(4, element(0x6c, octetString(`uid=ann,${baseDn}`), octetString('uid=x'), element(1, Buffer.from([1])))),
      message(
        5,
        searchRequest(baseDn),
        controls(sequence(octetString(pagedResults), octetString(sequence(integer(1), octetString(''))))),
      ),
    ]
    const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)))
    const packets = Array.from({ length: 500 }, (_, index) => {
      if (index % 3 === 0) return noise(1 + below(80))
      if (index % 3 === 1)
        return Buffer.concat([sequence(integer(1 + below(9)), element(0x60 + below(32), noise(below(60))))])
      const mutated = Buffer.from(samples[below(samples.length)] ?? root)
      for (let flips = 1 + below(4); flips > 0; flips -= 1) mutated[below(mutated.length)] = below(256)
      return mutated
    })
    for (let from = 0; from < packets.length; from += 50) {
      await Promise.all(
        packets.slice(from, from + 50).map(async (packet) => {
          const connection = await rawConnection(t, directory.port)
          connection.socket.end(packet)
          await connection.closed
        }),
      )
      t.same(await uids(other), ['ann'])
    }
  })

  await t.test('a message may come byte by byte, and many at once', async (t) => {
    const connection = await rawConnection(t, directory.port)
    for (const byte of root) {
      connection.send(Buffer.from([byte]))
      await delay(0)
    }
    t.match(await connection.answerTo(1), { code: 0 })
    connection.send(...Array.from({ length: 500 }, (_, index) => message(index + 2, whoAmIRequest)))
    for (let id = 2; id < 502; id += 1) t.match(await connection.answerTo(id), { code: 0 })
  })

  await t.test('an abandoned search is not answered', async (t) => {
    await Promise.all(Array.from({ length: 1500 }, (_, index) => other.add(...person(`many${index}`))))
    const connection = await rawConnection(t, directory.port)
    connection.send(root)
    await connection.answerTo(1)
    const abandon = message(3, element(0x50, Buffer.from([2])))
    connection.send(message(2, searchRequest(baseDn)), abandon, message(4, whoAmIRequest))
    await connection.answerTo(4)
    await delay(100)
    t.notOk(connection.answers.some(({ id, tag }) => id === 2 && tag !== searchEntryTag))
  })
})

t.test('limits', async (t) => {
  const withLimits = (t: Test, limits: Parameters<typeof testEmbeddedDirectory>[1]): Promise<TestDirectory> =>
    testEmbeddedDirectory(t, limits)

  await t.test('a reader that stands still is not buffered for, and is dropped', async (t) => {
    const directory = await withLimits(t, { limits: { stalled: 2_000 } })
    const client = await clientOf(t, directory)
    await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        client.add(...person(`u${index}`, { description: 'x'.repeat(20_000) })),
      ),
    )
    const slow = await rawConnection(t, directory.port)
    slow.send(message(1, bindRequest(bindDn, bindPassword)))
    await slow.answerTo(1)
    const before = process.memoryUsage()
    slow.socket.pause()
    slow.send(...Array.from({ length: 60 }, (_, index) => message(index + 2, searchRequest(baseDn))))
    await delay(800)
    const after = process.memoryUsage()
    // All 60 answers are 480 MB.
    t.ok(
      after.arrayBuffers - before.arrayBuffers < 40 * 2 ** 20,
      `${(after.arrayBuffers - before.arrayBuffers) / 2 ** 20} MiB`,
    )
    t.equal((await client.search(`uid=u7,${baseDn}`, { scope: 'base' })).searchEntries.length, 1, 'others are answered')
    await delay(2_000)
    slow.socket.resume()
    await slow.closed
    t.ok(slow.answers.filter(({ tag }) => tag === searchEntryTag).length < 60 * 401)
  })

  await t.test('a message that does not become complete is dropped', async (t) => {
    const directory = await withLimits(t, { limits: { stalled: 100 } })
    const connection = await rawConnection(t, directory.port)
    connection.send(Buffer.from('3010', 'hex'))
    await connection.closed
    t.same(connection.answers, [])
  })

  await t.test('a silent connection is dropped', async (t) => {
    const directory = await withLimits(t, { limits: { idle: 100 } })
    await (await rawConnection(t, directory.port)).closed
  })

  await t.test('connections beyond the limit are closed, those before go on', async (t) => {
    const directory = await withLimits(t, { limits: { connections: 2 } })
    const client = await clientOf(t, directory)
    const second = await rawConnection(t, directory.port)
    await (await rawConnection(t, directory.port)).closed
    t.equal((await client.search(baseDn, { scope: 'base' })).searchEntries.length, 1)
    second.socket.destroy()
    await delay(50)
    await clientOf(t, directory)
  })

  await t.test('operations beyond the limit wait, and all are answered', async (t) => {
    const directory = await withLimits(t, { limits: { pendingOperations: 2 } })
    const client = await clientOf(t, directory)
    await Promise.all(Array.from({ length: 100 }, (_, index) => client.add(...person(`u${index}`))))
    t.equal((await uids(client)).length, 100)
  })

  await t.test('a password check holds up nobody else', async (t) => {
    let finish = (): void => {}
    const checked = new Promise<void>((resolve) => {
      finish = resolve
    })
    const directory = await withLimits(t, { verify: () => checked.then(() => true) })
    const client = await clientOf(t, directory)
    await client.add(...person('ann', { userPassword: 'x' }))
    const user = new Client({ url: directory.url, timeout: 10_000 })
    t.teardown(() => user.unbind())
    const bound = user.bind(`uid=ann,${baseDn}`, 'x')
    t.same(await uids(client), ['ann'])
    finish()
    await bound
  })

  await t.test('wrong passwords are answered later and later, right ones at once', async (t) => {
    const directory = await withLimits(t, { limits: { failedBinds: 6 } })
    const connection = await rawConnection(t, directory.port)
    const times: number[] = []
    for (let id = 1; id <= 6; id += 1) {
      const started = Date.now()
      connection.send(message(id, bindRequest(bindDn, 'wrong')))
      t.match(await connection.answerTo(id), { code: 49 })
      times.push(Date.now() - started)
    }
    t.ok((times[5] ?? 0) >= 390 && (times[5] ?? 0) > (times[0] ?? 0), times.join(' '))
    await connection.closed
    t.match(connection.answers.at(-1), { id: 0, tag: noticeTag, code: 8 }, 'and then the connection ends')
    const started = Date.now()
    await clientOf(t, directory)
    t.ok(Date.now() - started < 300)
  })

  await t.test('closing answers what is under way and tells the others', async (t) => {
    const directory = await testEmbeddedDirectory(t)
    const client = await clientOf(t, directory)
    const idle = await rawConnection(t, directory.port)
    const adds = Array.from({ length: 50 }, (_, index) => client.add(...person(`u${index}`)))
    const answered = Promise.allSettled(adds)
    await adds[0]
    await directory.close()
    await idle.closed
    t.match(idle.answers, [{ id: 0, tag: noticeTag, code: 52 }])
    const acknowledged = (await answered).filter(({ status }) => status === 'fulfilled').length
    const again = await testEmbeddedDirectory(t, { folder: directory.folder })
    t.ok((await uids(await clientOf(t, again))).length >= acknowledged)
  })
})

t.test('what is kept', async (t) => {
  await t.test('a restart keeps every entry, value and number', async (t) => {
    const first = await testEmbeddedDirectory(t)
    const client = await clientOf(t, first)
    const photo = Buffer.from([0xff, 0xd8, 0, 0x80, 0xfe])
    await client.add(`ou=people,${baseDn}`, { objectClass: 'organizationalUnit' })
    await client.add(`uid=ann,ou=people,${baseDn}`, { objectClass: 'inetOrgPerson', cn: 'Ann 王 😀', sn: 'x' })
    await client.modify(
      `uid=ann,ou=people,${baseDn}`,
      new Change({ operation: 'add', modification: new Attribute({ type: 'jpegPhoto', values: [photo] }) }),
    )
    await client.add(`cn=team,${baseDn}`, {
      objectClass: 'groupOfNames',
      member: [`uid=ann,ou=people,${baseDn}`, 'cn=none'],
    })
    await client.modifyDN(`ou=people,${baseDn}`, 'ou=folk')
    await client.modify(
      `cn=team,${baseDn}`,
      new Change({
        operation: 'add',
        modification: new Attribute({ type: 'member', values: [`uid=ann,ou=folk,${baseDn}`] }),
      }),
    )
    const everything = async (from: Client) =>
      (await from.search(baseDn, { attributes: ['*', '+'], explicitBufferAttributes: ['jpegPhoto'] })).searchEntries
    const before = await everything(client)
    t.equal(before.length, 4)
    await first.close()
    // Twice: from the journal, and then from the snapshot made of it.
    for (const time of ['journal', 'snapshot']) {
      const next = await testEmbeddedDirectory(t, { folder: first.folder })
      const reader = await clientOf(t, next)
      t.same(await everything(reader), before, time)
      await reader.add(...person('later'))
      const [later] = (await reader.search(`uid=later,${baseDn}`, { attributes: ['entryCSN'] })).searchEntries
      t.ok(
        before.every(({ entryCSN }) => String(entryCSN) < String(later?.entryCSN)),
        'new numbers are greater',
      )
      await reader.del(`uid=later,${baseDn}`)
      await next.close()
    }
  })

  await t.test('nobody else may read the files', async (t) => {
    const folder = await temporaryFolder(t)
    await mkdir(join(folder, 'ldap'), { mode: 0o777 })
    const directory = await testEmbeddedDirectory(t, { folder: join(folder, 'ldap') })
    await (await clientOf(t, directory)).add(...person('ann'))
    t.equal((await stat(directory.folder)).mode & 0o777, 0o700)
    for (const file of await readdir(directory.folder)) {
      t.equal((await stat(join(directory.folder, file))).mode & 0o777, 0o600, file)
    }
  })

  for (const round of [1, 2, 3]) {
    await t.test(`kill -9 during writes loses nothing that was acknowledged (${round})`, async (t) => {
      const folder = await temporaryFolder(t)
      const script = fileURLToPath(new URL('serve.ts', import.meta.url))
      const child = spawn(process.execPath, ['--import', 'tsx', script, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      t.teardown(() => child.kill('SIGKILL'))
      const [port] = (await once(child.stdout, 'data')) as [Buffer]
      const client = await clientOf(t, { url: `ldap://127.0.0.1:${port.toString().trim()}` })
      const acknowledged: string[] = []
      let next = 0
      const writer = async (): Promise<void> => {
        for (;;) {
          const uid = `u${next++}`
          await client.add(...person(uid))
          acknowledged.push(uid)
          if (acknowledged.length === round * 100) child.kill('SIGKILL')
        }
      }
      await Promise.allSettled(Array.from({ length: 16 }, writer))
      t.ok(acknowledged.length >= round * 100)

      const directory = await testEmbeddedDirectory(t, { folder })
      const kept = new Set(await uids(await clientOf(t, directory)))
      t.same(
        acknowledged.filter((uid) => !kept.has(uid)),
        [],
      )
      t.ok(kept.size <= next)
    })
  }

  const journalOf = async (folder: string): Promise<string> =>
    join(folder, (await readdir(folder)).find((name) => name.startsWith('journal-')) ?? '')

  await t.test('a torn last line is dropped, and what follows is kept', async (t) => {
    const first = await testEmbeddedDirectory(t)
    await (await clientOf(t, first)).add(...person('ann'))
    await first.close()
    const journal = await journalOf(first.folder)
    const line = (await readFile(journal, 'utf8')).trimEnd().split('\n').at(-1) ?? ''
    await appendFile(journal, line.replaceAll('ann', 'bob').slice(0, -20))
    const log = rememberingLog()
    const second = await testEmbeddedDirectory(t, { folder: first.folder, log })
    await (await clientOf(t, second)).add(...person('cid'))
    await second.close()
    const third = await testEmbeddedDirectory(t, { folder: first.folder, log })
    t.same(await uids(await clientOf(t, third)), ['ann', 'cid'])
    t.same(log.lines, [])
  })

  await t.test('a damaged line keeps what stands before it, and says so', async (t) => {
    const first = await testEmbeddedDirectory(t)
    const client = await clientOf(t, first)
    for (const uid of ['ann', 'bob', 'cid']) await client.add(...person(uid))
    await first.close()
    const journal = await journalOf(first.folder)
    await writeFile(journal, (await readFile(journal, 'utf8')).replace(/"dn":"uid=bob/, '\0\0\0'))
    const log = rememberingLog()
    const second = await testEmbeddedDirectory(t, { folder: first.folder, log })
    t.same(await uids(await clientOf(t, second)), ['ann'])
    t.match(log.lines, [/damaged/])
  })

  await t.test('a disk that fails acknowledges nothing, and is caught up with when it works again', async (t) => {
    const folder = join(await temporaryFolder(t), 'ldap')
    await (await testEmbeddedDirectory(t, { folder })).close()
    const directory = await testEmbeddedDirectory(t, { folder })
    const client = await clientOf(t, directory)
    await rm(folder, { recursive: true })
    await t.rejects(client.add(...person('ann')), { code: 52 })
    await t.rejects(client.search(baseDn), { code: 52 }, 'what may be lost again is not shown')
    await mkdir(folder)
    await client.add(...person('bob'))
    await directory.close()
    const again = await testEmbeddedDirectory(t, { folder })
    t.ok((await uids(await clientOf(t, again))).includes('bob'))
  })

  await t.test('snapshots made during writes lose nothing and leave no old files', async (t) => {
    const folder = await temporaryFolder(t)
    const open = async () => {
      const tree = new DirectoryTree(baseDn)
      return { tree, storage: await openStorage(folder, tree, rememberingLog(), { snapshotAfter: 50 }) }
    }
    const { storage, tree } = await open()
    const attributes = (name: string) => [
      { name: 'objectClass', values: ['organizationalUnit'] },
      { name: 'description', values: [name] },
    ]
    await storage.write({
      kind: 'add',
      dn: baseDn,
      attributes: [
        { name: 'objectClass', values: ['dcObject', 'organization'] },
        { name: 'o', values: ['x'] },
      ],
    })
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const dn = `ou=unit${index},${baseDn}`
        await storage.write({ kind: 'add', dn, attributes: attributes('0') })
        for (let time = 1; time <= 20; time += 1) {
          await storage.write({
            kind: 'modify',
            dn,
            modifications: [{ operation: 'replace', name: 'description', values: [String(time)] }],
          })
        }
        if (index % 2) await storage.write({ kind: 'delete', dn })
      }),
    )
    await storage.close()
    const files = (await readdir(folder)).map((name) => name.replace(/\d+/, 'N')).sort()
    t.same([...new Set(files)].length, files.length, files.join(' '))
    const reopened = await open()
    t.same(
      [...reopened.tree.entries()].map(({ dn, csn }) => [dn, csn]),
      [...tree.entries()].map(({ dn, csn }) => [dn, csn]),
    )
    t.equal(reopened.tree.size, 21)
    await reopened.storage.close()
  })
})
