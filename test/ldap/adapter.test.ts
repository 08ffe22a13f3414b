import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { Client } from 'ldapts'
import t, { type Test } from 'tap'
import { createFrameReader } from '../../src/ldap/connection-frames.ts'
import {
  type Directory,
  DirectoryError,
  type DirectoryOptions,
  type Entry,
  openDirectory,
  type SearchOptions,
  type Write,
} from '../../src/ldap/directory.ts'
import { rdn, sameDn } from '../../src/ldap/dn.ts'
import { allOf, anyOf, equals, not, present, startsWith } from '../../src/ldap/filter.ts'
import { ensureLayout } from '../../src/mirror/entry/layout.ts'
import { directoryPassword, probePasswordScheme, schemeNames } from '../../src/mirror/passwords/password-scheme.ts'
import { writeInBulk } from '../bulk-writes.ts'
import { eventually } from '../eventually.ts'
import { ldapGate } from '../mirror/gate.ts'
import { quiet } from '../mirror/quiet.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { isTried } from '../slapd-installation.ts'

const optionsFor = (slapd: TestSlapd, options: Partial<DirectoryOptions> = {}): DirectoryOptions => ({
  ...slapd,
  ca: slapd.ca,
  startTls: false,
  timeout: 10_000,
  log: quiet,
  ...options,
})
const directoryFor = (t: Test, slapd: TestSlapd, options: Partial<DirectoryOptions> = {}): Directory => {
  const directory = openDirectory(optionsFor(slapd, options))
  t.teardown(() => directory.close())
  return directory
}
const collect = async (pages: AsyncIterable<Entry[]>): Promise<Entry[]> => {
  const entries: Entry[] = []
  for await (const page of pages) entries.push(...page)
  return entries
}
/** How a call ended, for calls that may go either way. */
const kindOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof DirectoryError ? error.kind : String(error)),
  )
const people = 'ou=people,dc=example,dc=org'
/** Waits until the directory answers again. */
const isBack = (directory: Directory) =>
  eventually(async () => (await kindOf(directory.read(people, []))) === 'done', 'the directory answers')
const person = (uid: string): Write & { kind: 'add' } => ({
  kind: 'add',
  dn: `${rdn('uid', uid)},${people}`,
  attributes: { objectClass: ['inetOrgPerson'], uid: [uid], cn: [uid], sn: [uid], title: [] },
})

t.test('asks for shorter pages where the server does not allow long ones', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { pageLimit: 1500 })
  const administrator = directoryFor(t, slapd)
  await ensureLayout(administrator)
  const reader = person('reader')
  const password = { userPassword: ['seven quiet lanterns'] }
  await administrator.write({ ...reader, attributes: { ...reader.attributes, ...password } })
  const directory = directoryFor(t, { ...slapd, bindDn: reader.dn, bindPassword: 'seven quiet lanterns' })
  const search: SearchOptions = { scope: 'one', filter: present('uid'), attributes: ['uid'] }
  for (const pageSize of [1000, 1500, 1501, 4000]) {
    t.match(await collect(directory.search(people, { ...search, pageSize })), [{ attributes: { uid: ['reader'] } }])
  }
  t.strictSame(await collect(directory.search(`ou=nowhere,${people}`, { ...search, pageSize: 4000 })), [])
})

t.test('reads and writes entries', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { empty: true })
  const directory = directoryFor(t, slapd)

  await t.test('makes the base layout, also twice at once, and leaves an existing one alone', async (t) => {
    await Promise.all([ensureLayout(directory), ensureLayout(directoryFor(t, slapd))])
    await ensureLayout(directory)
    const all = await collect(
      directory.search(slapd.baseDn, { scope: 'sub', filter: present('objectClass'), attributes: [] }),
    )
    t.strictSame(all.map(({ dn }) => dn).sort(), [slapd.baseDn, 'ou=disabled,dc=example,dc=org', people])
    const impossible = { ...directory, baseDn: `cn=x,${slapd.baseDn}` }
    await t.rejects(ensureLayout(impossible), { kind: 'refused', message: /LDAP_BASE_DN/ })
  })

  await t.test('knows what the server can do', async (t) => {
    t.strictSame(await directory.features(), { transactions: true, entryCsn: true, vendor: 'OpenLDAP' })
  })

  await t.test('adds, modifies, reads and deletes', async (t) => {
    const dn = `uid=ann,${people}`
    await directory.write(person('ann'))
    await directory.write({
      kind: 'modify',
      dn,
      changes: [
        { operation: 'add', attribute: 'mail', values: ['ann@example.org', 'a@example.org'] },
        { operation: 'replace', attribute: 'cn', values: ['安 "A", #1'] },
        { operation: 'replace', attribute: 'title', values: [] },
      ],
    })
    await directory.write({ kind: 'modify', dn, changes: [] })
    t.strictSame(await directory.read(`UID=Ann,${people}`, ['CN', 'mail', 'title', 'jpegPhoto']), {
      dn,
      attributes: { CN: ['安 "A", #1'], mail: ['ann@example.org', 'a@example.org'] },
    })
    t.strictSame(await directory.read(dn, []), { dn, attributes: {} })
    await directory.write({ kind: 'delete', dn })
    t.equal(await directory.read(dn, ['cn']), null)
    t.equal(await directory.read(`uid=ann,ou=nowhere,${slapd.baseDn}`, ['cn']), null)
  })

  await t.test('reports refusals by their code', async (t) => {
    await directory.write(person('bob'))
    const refused = (write: Write, code: number): Promise<unknown> =>
      t.rejects(directory.write(write), { name: 'DirectoryError', kind: 'refused', code })
    const bob = `uid=bob,${people}`
    await refused(person('bob'), 68)
    await refused({ kind: 'delete', dn: `uid=nobody,${people}` }, 32)
    await refused({ kind: 'delete', dn: 'no dn' }, 34)
    await refused({ kind: 'rename', dn: bob, newDn: 'no dn' }, 34)
    await refused({ kind: 'modify', dn: bob, changes: [{ operation: 'add', attribute: 'cn', values: ['bob'] }] }, 20)
    await refused({ kind: 'modify', dn: bob, changes: [{ operation: 'delete', attribute: 'cn', values: ['x'] }] }, 16)
    await refused({ kind: 'modify', dn: bob, changes: [{ operation: 'replace', attribute: 'sn', values: [] }] }, 65)
    await refused({ kind: 'add', dn: `uid=x,${people}`, attributes: { objectClass: ['nonsense'] } }, 21)
    await refused({ kind: 'delete', dn: people }, 66)
    const description = { operation: 'add' as const, attribute: 'description', values: ['x'.repeat(524_288)] }
    await t.rejects(directory.write({ kind: 'modify', dn: bob, changes: [description] }), {
      kind: 'refused',
      code: null,
      message: /too large/,
    })
    t.ok(await directory.read(bob, []), 'and goes on')
  })

  await t.test('renames entries with what is below them', async (t) => {
    const unit = (dn: string, ou: string): Write => ({
      kind: 'add',
      dn,
      attributes: { objectClass: ['organizationalUnit'], ou: [ou] },
    })
    const base = slapd.baseDn
    const strange = 'R&D, "A"\\ + #1'
    await directory.write(unit(`ou=a,${base}`, 'a'))
    await directory.write(unit(`ou=b,${base}`, 'b'))
    await directory.write(unit(`ou=child,ou=a,${base}`, 'child'))
    await directory.write({ kind: 'rename', dn: `ou=a,${base}`, newDn: `${rdn('ou', strange)},OU=B, ${base}` })
    const moved = await directory.read(`ou=child,${rdn('ou', strange)},ou=b,${base}`, ['ou'])
    t.ok(moved && sameDn(moved.dn, `ou=child,${rdn('ou', strange)},ou=b,${base}`))
    t.strictSame((await directory.read(`${rdn('ou', strange)},ou=b,${base}`, ['ou']))?.attributes, { ou: [strange] })
    await directory.write({ kind: 'rename', dn: `ou=b,${base}`, newDn: `ou=B,${base}` })
    t.equal((await directory.read(`ou=b,${base}`, []))?.dn, `ou=B,${base}`, 'only the case of its name')
    await t.rejects(directory.write({ kind: 'rename', dn: `ou=B,${base}`, newDn: people }), { code: 68 })
  })

  await t.test('searches 5,000 entries page by page, several searches at a time', async (t) => {
    const uids = Array.from({ length: 5000 }, (_, index) => `many${index}`)
    await writeInBulk(directory, uids.map(person))
    const search = async (pageSize: number, uid: string): Promise<{ pages: number; found: string[] }> => {
      const found: string[] = []
      let pages = 0
      const filter = allOf(equals('objectClass', 'inetOrgPerson'), startsWith('uid', uid), not(equals('uid', 'many7')))
      for await (const page of directory.search(people, { scope: 'one', filter, attributes: ['uid'], pageSize })) {
        t.ok(page.length > 0 && page.length <= pageSize)
        pages++
        found.push(...page.flatMap((entry) => entry.attributes.uid ?? []))
      }
      return { pages, found: found.sort() }
    }
    const [all, some, none] = await Promise.all([search(1000, 'many'), search(100, 'many1'), search(10, 'nobody')])
    t.strictSame(all.found, uids.filter((uid) => uid !== 'many7').sort())
    t.ok(all.pages >= 5)
    t.equal(some.found.length, 1111)
    t.equal(none.found.length, 0)
    const either = anyOf(equals('uid', 'many1'), equals('uid', 'many2'))
    for await (const _ of directory.search(people, { scope: 'sub', filter: either, attributes: [], pageSize: 1 })) break
    t.equal((await collect(directory.search(people, { scope: 'sub', filter: either, attributes: [] }))).length, 2)
    const nowhere = directory.search(`ou=nowhere,${slapd.baseDn}`, { scope: 'sub', filter: either, attributes: [] })
    t.strictSame(await collect(nowhere), [])
    const broken = directory.search('no dn', { scope: 'sub', filter: either, attributes: [] })
    await t.rejects(collect(broken), { kind: 'refused', code: 34 })
  })

  await t.test('a transaction is all or nothing, and tells which write was refused', async (t) => {
    await directory.transact([])
    const colourful: Write = {
      ...person('tx0'),
      attributes: { ...person('tx0').attributes, 'description;lang-en': ['red'] },
    }
    await t.rejects(directory.transact([person('tx1'), colourful]), {
      kind: 'refused',
      index: 1,
      message: /^a transaction cannot hold the first add of description;lang-en in this directory: add uid=tx0,/,
    })
    await t.rejects(directory.transact([person('tx1'), person('tx2'), person('many5'), person('tx3')]), {
      kind: 'refused',
      code: 68,
      index: 2,
    })
    await t.rejects(directory.transact([person('tx1'), { kind: 'delete', dn: 'no dn' }]), { code: 34, index: 1 })
    t.equal(await directory.read(`uid=tx1,${people}`, []), null)
    const ou = (name: string): Write => ({
      kind: 'add',
      dn: `${name},${people}`,
      attributes: { objectClass: ['organizationalUnit'] },
    })
    const chain = Array.from({ length: 20 }, (_, depth) =>
      ou(Array.from({ length: depth + 1 }, (_, level) => `ou=l${depth - level}`).join(',')),
    )
    await directory.transact([
      ...chain,
      { kind: 'rename', dn: `ou=l0,${people}`, newDn: `ou=top,${people}` },
      person('tx1'),
    ])
    t.ok(await directory.read(`ou=l1,ou=top,${people}`, []), 'writes that build on each other keep their order')
    t.ok(await directory.read(`uid=tx1,${people}`, []))
  })

  await t.test('a transaction cut short by a crash leaves all or nothing', async (t) => {
    const uids = Array.from({ length: 1000 }, (_, index) => `cut${index}`)
    for (const moment of [10, 60, 130]) {
      await directory.write(person(`before${moment}`))
      const end = kindOf(directory.transact(uids.map(person)))
      // The moment of the crash is what varies.
      await delay(moment)
      await slapd.stop('SIGKILL')
      await slapd.start()
      await isBack(directory)
      const filter = startsWith('uid', 'cut')
      const left = await collect(directory.search(people, { scope: 'one', filter, attributes: [] }))
      t.equal(left.length, (await end) === 'done' ? 1000 : left.length === 1000 ? 1000 : 0)
      for (let start = 0; start < left.length; start += 500) {
        await directory.transact(left.slice(start, start + 500).map(({ dn }) => ({ kind: 'delete', dn })))
      }
    }
  })

  await t.test('after close nothing is possible', async (t) => {
    const closed = directoryFor(t, slapd)
    await closed.read(people, [])
    const under = kindOf(closed.read(people, []))
    await closed.close()
    t.match(await under, /done|unavailable/)
    await t.rejects(closed.read(people, []), { name: 'DirectoryError', kind: 'unavailable' })
  })
})

t.test('connections', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { tls: true })
  const modes: [string, Partial<DirectoryOptions>][] = [
    ['plain', {}],
    ['LDAPS', { url: slapd.ldapsUrl ?? '' }],
    ['StartTLS', { startTls: true }],
  ]
  await ensureLayout(directoryFor(t, slapd))

  for (const [mode, options] of modes) {
    await t.test(`${mode}: survives crashes, restarts and freezes of the server, signed in every time`, async (t) => {
      const directory = directoryFor(t, slapd, { ...options, timeout: 700, connectTimeout: 700 })
      let connects = 0
      directory.onConnect(() => connects++)
      await directory.write(person(`before-${mode}`))
      t.equal(connects, 1)

      slapd.freeze()
      const inFlight = [directory.write(person(`frozen-${mode}`)), directory.read(people, [])].map(kindOf)
      const stopped = slapd.stop('SIGKILL')
      t.strictSame(await Promise.all(inFlight), ['unavailable', 'unavailable'], 'in flight at the crash')
      await stopped
      t.equal(await kindOf(directory.read(people, [])), 'unavailable', 'while it is down')
      t.equal(
        await kindOf(collect(directory.search(people, { scope: 'one', filter: present('uid'), attributes: [] }))),
        'unavailable',
      )
      t.equal(await kindOf(directory.transact([{ kind: 'delete', dn: `uid=down,${people}` }])), 'unavailable')

      await slapd.start()
      await isBack(directory)
      await directory.write(person(`after-${mode}`))
      t.equal(connects, 2, 'one notice for one return')
      t.ok(
        await directory.read(`uid=after-${mode},${people}`, []),
        'signed in: an anonymous client may not read or write',
      )

      slapd.freeze()
      const start = performance.now()
      t.equal(await kindOf(directory.read(people, [])), 'unavailable', 'a server that does not answer')
      const waited = performance.now() - start
      t.ok(waited > 600 && waited < 10_000, `is given up on after the timeout (${waited} ms)`)
      slapd.thaw()
      t.ok(await isBack(directory), 'and used again when it does')

      let ended = 0
      // One a millisecond, so that the restart falls among them.
      const reads = Array.from({ length: 200 }, async (_, index) => {
        await delay(index)
        const end = await kindOf(directory.read(people, []))
        ended += 1
        return end
      })
      await eventually(() => ended >= 20, 'some reads have ended')
      await slapd.stop()
      await slapd.start()
      const ends = await Promise.all(reads)
      t.ok(
        ends.every((end) => end === 'done' || end === 'unavailable'),
        'every read through a restart ends, one way or the other',
      )
      t.ok(await isBack(directory))
    })
  }

  await t.test('StartTLS and LDAPS encrypt, and trust only the authority given', async (t) => {
    for (const [mode, options] of modes.slice(1)) {
      const stranger = directoryFor(t, slapd, { ...options, ca: null })
      await t.rejects(stranger.read(people, []), { kind: 'unavailable', message: /certificate/ }, mode)
      // The certificate names 127.0.0.1 and nothing else.
      const misnamed = directoryFor(t, slapd, {
        ...options,
        url: (options.url ?? slapd.url).replace('127.0.0.1', 'localhost'),
      })
      await t.rejects(misnamed.read(people, []), { kind: 'unavailable', message: /localhost/ }, mode)
    }
    const seen: string[] = []
    const relay = createServer((client) => {
      const server = connect(Number(new URL(slapd.url).port), '127.0.0.1')
      client.on('data', (chunk) => seen.push(chunk.toString('latin1')))
      client.pipe(server).pipe(client)
      for (const side of [client, server]) side.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    t.teardown(() => relay.close())
    const address = relay.address()
    const url = `ldap://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    await directoryFor(t, slapd, { url }).read(people, [])
    t.match(seen.join(''), /secret/, 'without TLS the password is on the wire')
    seen.length = 0
    await directoryFor(t, slapd, { url, startTls: true }).read(people, [])
    t.notMatch(seen.join(''), /secret|people/, 'with StartTLS it is not')
  })

  await t.test('requests that wait are sent several in one piece, and so many are on their way at most', async (t) => {
    let [sent, answered, maxOnTheirWay, pieces] = [0, 0, 0, 0]
    const relay = createServer((client) => {
      const server = connect(Number(new URL(slapd.url).port), '127.0.0.1')
      const requests = createFrameReader(() => {
        sent += 1
        maxOnTheirWay = Math.max(maxOnTheirWay, sent - answered)
      })
      // A server that is slower than this one: its answers come one after the other.
      let passed = Promise.resolve()
      const answers = createFrameReader((frame) => {
        passed = passed.then(async () => {
          answered += 1
          client.write(frame)
          await delay(2)
        })
      })
      client.on('data', (chunk) => {
        pieces += 1
        requests.read(chunk)
        server.write(chunk)
      })
      server.on('data', (chunk) => answers.read(chunk))
      client.on('close', () => server.destroy())
      for (const side of [client, server]) side.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    t.teardown(() => relay.close())
    const address = relay.address()
    const url = `ldap://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const directory = directoryFor(t, slapd, { url, poolSize: 1 })
    await directory.read(people, [])
    // The read was answered with two messages.
    ;[sent, answered, maxOnTheirWay, pieces] = [0, 0, 0, 0]
    const names = Array.from({ length: 200 }, (_, n) => `piece-${n}`)
    await Promise.all(names.map((name) => directory.write(person(name))))
    t.equal(sent, 200)
    t.equal(maxOnTheirWay, 64)
    t.ok(pieces < 40, `${pieces} pieces`)
    await Promise.all(names.map((name) => directory.write({ kind: 'delete', dn: person(name).dn })))
  })

  await t.test('writes that wait share one connection, and reads pass them', async (t) => {
    const gate = await ldapGate(t, slapd.url, 'uid=queued-')
    const directory = directoryFor(t, slapd, { url: gate.url })
    await directory.read(people, [])
    gate.letPass(0)
    const names = Array.from({ length: 100 }, (_, n) => `queued-${n}`)
    const added = Promise.all(names.map((name) => directory.write(person(name))))
    await eventually(async () => gate.waiting() >= 64, 'as many are on their way as one connection takes')
    const reads = Array.from({ length: 50 }, () => directory.read(people, []))
    t.equal((await Promise.all(reads)).filter((entry) => entry !== null).length, 50)
    t.equal(gate.waiting(), 64, 'no other connection has writes')
    gate.letPass(Number.POSITIVE_INFINITY)
    await added
    await Promise.all(names.map((name) => directory.write({ kind: 'delete', dn: person(name).dn })))
  })

  await t.test('a wrong bind password is named, not shown', async (t) => {
    const directory = directoryFor(t, slapd, { bindPassword: 'hunter2' })
    const error = await directory.read(people, []).catch((error: unknown) => error)
    t.match(error, {
      kind: 'unavailable',
      code: 49,
      message: /^the directory refused LDAP_BIND_DN\/LDAP_BIND_PASSWORD: invalidCredentials \(49\)/,
    })
    t.notMatch(JSON.stringify(error) + String(error), /hunter2/)
    await t.rejects(directoryFor(t, slapd, { bindPassword: '' }).read(people, []), {
      kind: 'unavailable',
      message: /empty/,
    })
  })

  await t.test('a server that is down is tried again, but not by every caller', async (t) => {
    let attempts = 0
    const server = createServer((socket) => {
      attempts++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const address = server.address()
    const url = `ldap://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const directory = directoryFor(t, slapd, { url })
    for (let round = 0; round < 5; round++) {
      const ends = await Promise.all(Array.from({ length: 100 }, () => kindOf(directory.read(people, []))))
      t.ok(ends.every((end) => end === 'unavailable'))
    }
    t.ok(attempts >= 1 && attempts <= 4, `${attempts} attempts for 500 calls`)
  })

  await t.test('a server that talks nonsense is hung up on', async (t) => {
    for (const nonsense of [
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      '\x30\x84\xff\xff\xff\xff',
      '\x30\x80',
      '\x30\x0c\x02\x01\x63\x61\x07\x0a\x01\0\x04\0\x04\0',
      '\x30\x05\x02\x01\x01\x61\x05',
    ]) {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => socket.write(nonsense, 'latin1'))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      const url = `ldap://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      const end = await kindOf(directoryFor(t, slapd, { url, connectTimeout: 2000 }).read(people, []))
      t.equal(end, 'unavailable', JSON.stringify(nonsense))
      server.close()
    }
  })
})

t.test('passwords', { skip: skipWithoutSlapd }, async (t) => {
  const signsIn = async (slapd: TestSlapd, dn: string, password: string): Promise<boolean> => {
    const client = new Client({ url: slapd.url, timeout: 5000 })
    return client
      .bind(dn, password)
      .then(
        () => true,
        () => false,
      )
      .finally(() => client.unbind())
  }

  await t.test('a person signs in with the hash of every scheme the server has', async (t) => {
    const slapd = await testSlapd(t)
    const directory = directoryFor(t, slapd)
    await ensureLayout(directory)
    const schemes = ['argon2', 'ssha512', ...(isTried('pw-pbkdf2') ? (['pbkdf2-sha512'] as const) : [])] as const
    for (const scheme of schemes) {
      const probed = await probePasswordScheme(optionsFor(slapd), schemeNames[scheme], 'LDAP_PASSWORD_SCHEME')
      t.strictSame(probed, { verdict: 'proved', shown: true, reason: null })
      const userPassword = [await directoryPassword(scheme, 'grün & 密码', await hash('grün & 密码'))]
      const write = person(scheme)
      if (write.kind === 'add') await directory.write({ ...write, attributes: { ...write.attributes, userPassword } })
      t.ok(await signsIn(slapd, write.dn, 'grün & 密码'))
      t.notOk(await signsIn(slapd, write.dn, 'wrong'))
    }
  })

  await t.test('a server that cannot verify our hashes is found out, and no trace is left', async (t) => {
    const slapd = await testSlapd(t, { argon2: false })
    const directory = directoryFor(t, slapd)
    const proved = () => probePasswordScheme(optionsFor(slapd), 'ARGON2', 'LDAP_2_PASSWORD_SCHEME')
    await t.resolveMatch(proved(), {
      verdict: 'unknown',
      reason: { code: 'mirror.check_refused', text: /temporary entry/ },
    })
    await ensureLayout(directory)
    const abandoned = `steward-password-probe-1000-left-by-a-crash`
    await directory.write({
      kind: 'add',
      dn: `cn=${abandoned},${people}`,
      attributes: { objectClass: ['person'], cn: [abandoned], sn: ['probe'] },
    })
    t.match(await proved(), {
      verdict: 'disproved',
      shown: true,
      reason: {
        code: 'mirror.scheme_unverified',
        text: 'the directory cannot verify {ARGON2} hashes: load its argon2 module, or set LDAP_2_PASSWORD_SCHEME=ssha512',
      },
    })
    const left = directory.search(people, { scope: 'one', filter: present('objectClass'), attributes: [] })
    t.strictSame(await collect(left), [])
    await slapd.stop()
    await t.rejects(proved(), { name: 'DirectoryError', kind: 'unavailable' })
  })
})
