import { once } from 'node:events'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Attribute, Change, Client } from 'ldapts'
import t, { type Test } from 'tap'
import { resultCodes } from '../../src/ldap/result-code.ts'
import { element, enumerated, integer, octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { LdapError } from '../../src/ldap-server/result.ts'
import type { EmbeddedDirectoryOptions } from '../../src/ldap-server/server.ts'
import { eventually } from '../eventually.ts'
import { identity, temporaryFolder, testEmbeddedDirectory } from './embedded-directory.ts'
import {
  bindRequest,
  control,
  controls,
  equalFilter,
  extendedRequest,
  message,
  noticeTag,
  pagedResults,
  presentFilter,
  type RawConnection,
  rawConnection,
  searchEntryTag,
  searchRequest,
  sortKeyList,
  whoAmIRequest,
} from './raw-connection.ts'

// What requests that no ordinary client sends are answered with.

const { baseDn, bindDn, bindPassword } = identity
const people = `ou=people,${baseDn}`
const services = `ou=services,${baseDn}`
const ann = `uid=ann,${people}`
const bob = `uid=bob,${people}`
const wiki = `cn=wiki,${services}`
const startTlsOid = '1.3.6.1.4.1.1466.20037'
const passwordModifyOid = '1.3.6.1.4.1.4203.1.11.1'
const codes = { success: 0, protocolError: 2, unavailableCriticalExtension: 12, invalidCredentials: 49 } as const

const office = async (t: Test, options: Partial<EmbeddedDirectoryOptions> = {}) => {
  const layout = { people, disabled: `ou=disabled,${baseDn}`, groups: `ou=groups,${baseDn}`, serviceAccounts: services }
  const directory = await testEmbeddedDirectory(t, { layout, ...options })
  const root = new Client({ url: directory.url, timeout: 10_000 })
  await root.bind(bindDn, bindPassword)
  for (const dn of Object.values(layout)) await root.add(dn, { objectClass: 'organizationalUnit' })
  for (const uid of ['ann', 'bob', 'cid', 'dee']) {
    const attributes = { objectClass: 'inetOrgPerson', cn: uid, sn: uid, userPassword: 'x' }
    await root.add(`uid=${uid},${people}`, attributes)
  }
  const objectClass = ['applicationProcess', 'simpleSecurityObject', 'stewardServiceAccount']
  await root.add(wiki, { objectClass, userPassword: 'x', stewardPeopleFilter: '(objectClass=*)' })
  await root.unbind()
  return directory
}

/** A connection that is bound as that name; null: as none. */
const boundAs = async (t: Test, port: number, dn: string | null): Promise<RawConnection> => {
  const connection = await rawConnection(t, port)
  if (dn === null) return connection
  connection.send(message(1, bindRequest(dn, 'x')))
  t.match(await connection.answerTo(1), { code: 0 })
  return connection
}

const paged = (size: number, cookie: string | Buffer = ''): Buffer =>
  control(pagedResults, true, sequence(integer(size), octetString(cookie)))

const vlvOid = '2.16.840.1.113730.3.4.9'
const vlv = sequence(integer(0), integer(9), element(0xa0, integer(1), integer(0)))
const attributeOf = (name: string, value: string): Buffer =>
  sequence(octetString(name), element(0x31, octetString(value)))

const operations: Readonly<Record<string, Buffer>> = {
  search: searchRequest(people),
  compare: element(0x6e, octetString(ann), sequence(octetString('cn'), octetString('ann'))),
  'who am I': whoAmIRequest,
  bind: bindRequest(ann, 'x'),
  StartTLS: extendedRequest(startTlsOid),
}

t.test('controls', async (t) => {
  const tls = { folder: join(await temporaryFolder(t), 'certificate'), own: null, names: [] }
  const { port } = await office(t, { tls })
  for (const [name, operation] of Object.entries(operations)) {
    await t.test(`${name}: a critical one that is unknown is refused, and the connection goes on`, async (t) => {
      const connection = await boundAs(t, port, ann)
      const unknown = [control('1.2.3', true), control('1.2.3', true, Buffer.from('x')), control(vlvOid, true, vlv)]
      for (const [index, each] of [...unknown, control('not an oid', true)].entries()) {
        connection.send(message(index + 2, operation, controls(control('1.2.4', false), each)))
        t.match(await connection.answerTo(index + 2), { code: codes.unavailableCriticalExtension })
      }
      connection.send(message(9, whoAmIRequest))
      t.match(await connection.answerTo(9), { code: 0 })
      t.ok(connection.answers.at(-1)?.bytes.includes(`dn:${ann}`), 'and what it was bound as')
    })
  }
  const sort = (critical: boolean, ...keys: string[]): Buffer =>
    control(sortKeyList, critical, sequence(...keys.map((key) => sequence(octetString(key)))))
  const cases: readonly (readonly [what: string, controls: Buffer[], code: number])[] = [
    ['a view of a list that is not critical', [control(vlvOid, false, vlv)], 0],
    ['a view of a list, sorted', [sort(true, 'uid'), control(vlvOid, true, vlv)], 12],
    ['no referrals', [control('2.16.840.1.113730.3.4.2', true)], 0],
    ['acting as another (RFC 4370)', [control('2.16.840.1.113730.3.4.18', true, Buffer.from(`dn:${bindDn}`))], 12],
    ['two pages', [paged(1), paged(1)], 2],
    ['two sorts', [sort(true, 'uid'), sort(true, 'cn')], 2],
    ['a page of a negative size', [paged(-1)], 2],
    ['a page of the greatest size', [paged(2 ** 31 - 1)], 0],
    ['a page and a sort', [paged(2), sort(true, 'uid')], 0],
    ['a sort by what is unknown', [sort(true, 'favouriteTea')], 12],
    ['a wish to sort by what is unknown', [sort(false, 'favouriteTea')], 0],
    ['a sort by passwords', [sort(true, 'userPassword')], 12],
    ['a sort by passwords, by number, as the second key', [sort(true, 'uid', '2.5.4.35')], 12],
    ['three hundred that are unknown', Array.from({ length: 300 }, (_, at) => control(`1.2.${at}`, false)), 0],
  ]
  for (const [what, given, code] of cases) {
    await t.test(what, async (t) => {
      const connection = await boundAs(t, port, ann)
      connection.send(message(2, searchRequest(people), controls(...given)))
      t.match(await connection.answerTo(2), { code })
    })
  }
})

t.test('cookies of pages', async (t) => {
  const { port } = await office(t)
  const cookieOf = (bytes: Buffer): Buffer => bytes.subarray(-12)
  const onePage = async (connection: RawConnection, id: number): Promise<Buffer> => {
    connection.send(message(id, searchRequest(people, presentFilter('uid')), controls(paged(1))))
    const { bytes, code } = await connection.answerTo(id)
    t.equal(code, 0)
    return cookieOf(bytes)
  }
  const next = async (connection: RawConnection, id: number, cookie: Buffer, filter = presentFilter('uid')) => {
    connection.send(message(id, searchRequest(people, filter), controls(paged(1, cookie))))
    const { code } = await connection.answerTo(id)
    const entries = connection.answers.filter((each) => each.id === id && each.tag === searchEntryTag)
    return { code, entries: entries.map(({ text }) => text) }
  }
  const refused = { code: 53, entries: [] }

  await t.test('one goes on where it was given, once', async (t) => {
    const connection = await boundAs(t, port, ann)
    const cookie = await onePage(connection, 2)
    t.match(await next(connection, 3, cookie), { code: 0, entries: [/^uid=/] })
    t.same(await next(connection, 4, cookie), refused)
  })
  for (const [what, change] of [
    ['changed by a bit', (cookie: Buffer) => Buffer.concat([cookie.subarray(0, -1), Buffer.from('!')])],
    ['cut short', (cookie: Buffer) => cookie.subarray(0, 5)],
    ['made longer', (cookie: Buffer) => Buffer.concat([cookie, cookie])],
    ['of octets that are no text', () => Buffer.from('00ff8000', 'hex')],
    ['of a property of objects', () => Buffer.from('__proto__')],
  ] as const) {
    await t.test(`one ${what} is refused`, async (t) => {
      const connection = await boundAs(t, port, ann)
      t.same(await next(connection, 3, change(await onePage(connection, 2))), refused)
    })
  }
  for (const dn of [ann, wiki, `uid=bob,${people}`]) {
    await t.test(`one of another connection is refused to ${dn}`, async (t) => {
      const cookie = await onePage(await boundAs(t, port, ann), 2)
      t.same(await next(await boundAs(t, port, dn), 2, cookie), refused)
    })
    await t.test(`one from before a bind is refused after it to ${dn}`, async (t) => {
      const connection = await boundAs(t, port, ann)
      const cookie = await onePage(connection, 2)
      connection.send(message(3, bindRequest(dn, 'x')))
      t.match(await connection.answerTo(3), { code: 0 })
      t.same(await next(connection, 4, cookie), refused)
    })
  }
  await t.test('one from before a bind that failed is refused, as everything is', async (t) => {
    const connection = await boundAs(t, port, ann)
    const cookie = await onePage(connection, 2)
    connection.send(message(3, bindRequest(ann, 'wrong')))
    t.match(await connection.answerTo(3), { code: codes.invalidCredentials })
    t.same(await next(connection, 4, cookie), { code: 50, entries: [] })
  })
  await t.test('one with another filter shows no more than that filter does', async (t) => {
    const connection = await boundAs(t, port, ann)
    const cookie = await onePage(connection, 2)
    t.same(await next(connection, 3, cookie, equalFilter('userPassword', 'x')), { code: 0, entries: [] })
  })
  await t.test('one that was given back is refused', async (t) => {
    const connection = await boundAs(t, port, ann)
    const cookie = await onePage(connection, 2)
    connection.send(message(3, searchRequest(people), controls(paged(0, cookie))))
    t.match(await connection.answerTo(3), { code: 0 })
    t.same(await next(connection, 4, cookie), refused)
  })
})

t.test('a bind', async (t) => {
  const attempts: { account: string | null; entryDn: string }[] = []
  const { port } = await office(t, {
    throttleBind: ({ account, entryDn }, check) => {
      attempts.push({ account, entryDn })
      return check()
    },
  })
  for (const dn of [
    ann,
    ann.toUpperCase(),
    ann.replaceAll(',', ' ,  ').replaceAll('=', ' = '),
    ann.replace('ann', '\\61\\6e\\6E'),
    ann.replace('ann', '#0403616e6e'),
    ann.replace('uid', '0.9.2342.19200300.100.1.1'),
    ann.replace('uid', 'userid').replaceAll(',', ';'),
    ann.replace('ann', '"ann"'),
    ann.replace('ann', '\\ ann\\ '),
    // Full-width letters.
    ann.replace('ann', '\uff41\uff4e\uff4e'),
  ]) {
    await t.test(`as ${dn} is that of the entry, and counts for its account`, async (t) => {
      const connection = await rawConnection(t, port)
      attempts.length = 0
      for (const [id, password, code] of [
        [1, 'wrong', codes.invalidCredentials],
        [2, 'x', codes.success],
      ] as const) {
        connection.send(message(id, bindRequest(dn, password)))
        t.match(await connection.answerTo(id), { code })
      }
      t.same(
        attempts,
        Array.from({ length: 2 }, () => ({ account: 'ann', entryDn: ann })),
      )
      connection.send(message(3, whoAmIRequest))
      t.ok((await connection.answerTo(3)).bytes.includes(`dn:${ann}`))
    })
  }
  for (const [what, operation, code] of [
    ['as no name, with a password', bindRequest('', 'x'), codes.invalidCredentials],
    ['as a person, without a password', bindRequest(ann, ''), 53],
    ['as the root DN, without a password', bindRequest(bindDn, ''), 53],
    ['as a name that does not exist, without a password', bindRequest(`uid=nobody,${people}`, ''), 53],
    ['as one of several values', bindRequest(`uid=ann+cn=ann,${people}`, 'x'), codes.invalidCredentials],
    ['as the root DSE', bindRequest('cn=Subschema', 'x'), codes.invalidCredentials],
    ['as what is no name', bindRequest('ann', 'x'), 34],
    ['as a name with half a pair of digits', bindRequest(`uid=a\\6,${people}`, 'x'), 34],
    ['as a name of 9,000 characters', bindRequest(`uid=${'a'.repeat(9_000)},${people}`, 'x'), 34],
    ['with the stored hash of another scheme', bindRequest(ann, '{CLEAR}x'), codes.invalidCredentials],
    ['with a password of 10,000 characters', bindRequest(ann, 'x'.repeat(10_000)), codes.invalidCredentials],
    ['with a NUL behind the password', bindRequest(ann, 'x\0'), codes.invalidCredentials],
    ...['EXTERNAL', 'PLAIN', 'ANONYMOUS', 'DIGEST-MD5', 'GSSAPI', ''].map(
      (mechanism) =>
        [
          `by SASL ${mechanism}`,
          element(0x60, integer(3), octetString(ann), element(0xa3, octetString(mechanism), octetString('\0ann\0x'))),
          7,
        ] as const,
    ),
  ] as const) {
    await t.test(`${what} fails, and leaves the connection without a name`, async (t) => {
      const connection = await boundAs(t, port, ann)
      connection.send(message(2, operation), message(3, whoAmIRequest), message(4, searchRequest(people)))
      t.match(await connection.answerTo(2), { code })
      t.notOk((await connection.answerTo(3)).bytes.includes('dn:'))
      t.match(await connection.answerTo(4), { code: 50 })
    })
  }
})

t.test('the schema is found by every spelling of its name', async (t) => {
  const { port } = await office(t)
  const reader = await rawConnection(t, port)
  const comparer = await boundAs(t, port, ann)
  const spellings = ['cn=Subschema', 'CN = subschema', ' cn=SUBSCHEMA ', 'commonName=Subschema', '2.5.4.3=\\53ubschema']
  for (const [index, dn] of spellings.entries()) {
    const id = index + 2
    reader.send(message(id, searchRequest(dn, presentFilter('objectClass'), 0)))
    t.match(await reader.answerTo(id), { code: codes.success }, `a search of ${dn}`)
    comparer.send(message(id, element(0x6e, octetString(dn), sequence(octetString('cn'), octetString('subschema')))))
    t.match(await comparer.answerTo(id), { code: 6 }, `a comparison of ${dn}`)
  }
  for (const [index, dn] of ['cn=sub schema', 'cn=Subschema,dc=else', `cn=Subschema${' '.repeat(9_000)}`].entries()) {
    reader.send(message(20 + index, searchRequest(dn, presentFilter('objectClass'), 0)))
    t.match(await reader.answerTo(20 + index), { code: 50 })
  }
})

t.test('what only the root DN may do', async (t) => {
  const changes: string[] = []
  const { port } = await office(t, {
    changePassword: async ({ entryDn }) => {
      changes.push(entryDn)
      return null
    },
  })
  const names = [ann, `uid=bob,${people}`, `uid=nobody,${people}`, wiki, bindDn, baseDn, 'cn=Subschema', 'dc=else', '']
  const requests: Readonly<Record<string, (dn: string) => Buffer>> = {
    add: (dn) => element(0x68, octetString(dn), sequence(attributeOf('objectClass', 'device'))),
    'what is not read': (dn) => element(0x68, octetString(dn)),
    delete: (dn) => element(0x4a, Buffer.from(dn)),
    modify: (dn) =>
      element(0x66, octetString(dn), sequence(sequence(enumerated(2), attributeOf('userPassword', 'mine')))),
    rename: (dn) => element(0x6c, octetString(dn), octetString('cn=mine'), element(1, Buffer.from([0xff]))),
    move: (dn) =>
      element(
        0x6c,
        ...[octetString(dn), octetString('cn=mine'), element(1, Buffer.from([0])), octetString(services, 0x80)],
      ),
  }
  const passwordOf = (dn: string): Buffer =>
    extendedRequest(passwordModifyOid, sequence(octetString(dn, 0x80), octetString('mine', 0x82)))
  for (const [who, code, other] of [
    [null, 8, 8],
    [ann, 50, 50],
    [wiki, 50, 50],
  ] as const) {
    await t.test(`is refused to ${who ?? 'no name'} with one code for all names`, async (t) => {
      const connection = await boundAs(t, port, who)
      let id = 1
      for (const dn of names) {
        for (const [what, request] of Object.entries(requests)) {
          id += 1
          connection.send(message(id, request(dn)))
          t.match(await connection.answerTo(id), { code }, `${what} ${dn}`)
        }
        if (dn === who) continue
        id += 1
        connection.send(message(id, passwordOf(dn)))
        t.match(await connection.answerTo(id), { code: other }, `the password of ${dn}`)
      }
    })
  }
  await t.test('a service account does not change its own password, nor that of a person of its name', async (t) => {
    const connection = await boundAs(t, port, wiki)
    connection.send(message(2, passwordOf(wiki)))
    t.match(await connection.answerTo(2), { code: 53 })
  })
  t.same(changes, [])
})

t.test('a change of the own password that is under way', async (t) => {
  const waiting: ((error: Error | null) => void)[] = []
  const directory = await office(t, {
    changePassword: () =>
      new Promise((resolve, reject) => waiting.push((error) => (error === null ? resolve(null) : reject(error)))),
  })
  const root = new Client({ url: directory.url, timeout: 10_000 })
  t.teardown(() => root.unbind())
  await root.bind(bindDn, bindPassword)
  const replace = (dn: string, password: string): Promise<void> =>
    root.modify(
      dn,
      new Change({ operation: 'replace', modification: new Attribute({ type: 'userPassword', values: [password] }) }),
    )
  /** A connection with so many changes under way. */
  const changing = async (t: Test, dn: string, count: number): Promise<RawConnection> => {
    waiting.length = 0
    const connection = await boundAs(t, directory.port, dn)
    for (let id = 2; id < 2 + count; id += 1) {
      connection.send(message(id, extendedRequest(passwordModifyOid, sequence(octetString('mine', 0x82)))))
    }
    await eventually(() => waiting.length === count, 'the changes')
    return connection
  }
  const refused = new LdapError(resultCodes.unwillingToPerform, 'unwilling to verify old password')

  await t.test('that fails leaves the connection as it was', async (t) => {
    const connection = await changing(t, ann, 1)
    waiting[0]?.(refused)
    t.match(await connection.answerTo(2), { code: 53 })
    connection.send(message(9, searchRequest(people)))
    t.match(await connection.answerTo(9), { code: 0 })
  })

  await t.test('that fails ends the connection where the password was changed meanwhile', async (t) => {
    const connection = await changing(t, ann, 2)
    await replace(ann, 'y')
    waiting[0]?.(refused)
    t.match(await connection.answerTo(2), { code: 53 })
    waiting[1]?.(refused)
    await connection.closed
    await replace(ann, 'x')
  })

  await t.test('does not keep the connection by another one that begins after that', async (t) => {
    const connection = await changing(t, ann, 1)
    await replace(ann, 'y')
    connection.send(message(3, extendedRequest(passwordModifyOid, sequence(octetString('mine', 0x82)))))
    t.match(await connection.answerTo(3), { code: 53 })
    t.equal(waiting.length, 1)
    waiting[0]?.(refused)
    await connection.closed
    await replace(ann, 'x')
  })

  await t.test('does not keep a connection whose entry is removed', async (t) => {
    const connection = await changing(t, bob, 1)
    await root.del(bob)
    await connection.closed
    waiting[0]?.(refused)
  })

  await t.test('is answered before it ends the connection', async (t) => {
    const connection = await changing(t, ann, 1)
    await replace(ann, 'mine')
    waiting[0]?.(null)
    t.match(await connection.answerTo(2), { code: 0 })
    await connection.closed
  })
})

t.test('StartTLS', async (t) => {
  const attempts: string[] = []
  const directory = await office(t, {
    tls: { folder: join(await temporaryFolder(t), 'certificate'), own: null, names: [] },
    throttleBind: ({ entryDn }, check) => {
      attempts.push(entryDn)
      return check()
    },
  })
  const startTls = extendedRequest(startTlsOid)
  const { port } = directory

  await t.test('comes after the answers to all that was asked before', async (t) => {
    const connection = await boundAs(t, port, ann)
    const before = [2, 3, 4, 5, 6]
    connection.send(...before.map((id) => message(id, searchRequest(people))), message(7, startTls))
    t.match(await connection.answerTo(7), { code: 0 })
    const answered = connection.answers.filter(({ tag }) => tag !== searchEntryTag).map(({ id }) => id)
    t.same([answered.at(-1), answered.toSorted((a, b) => a - b)], [7, [1, ...before, 7]])
  })

  const behind: readonly (readonly [what: string, send: (connection: RawConnection) => Promise<void>])[] = [
    ['in one piece', async ({ send }) => send(message(2, startTls), message(3, bindRequest(ann, 'x')))],
    [
      'with the beginning of a bind',
      async ({ send }) => send(message(2, startTls), message(3, bindRequest(ann, 'x')).subarray(0, 9)),
    ],
    [
      'one after the other',
      async ({ send }) => {
        send(message(2, startTls))
        send(message(3, bindRequest(ann, 'x')))
      },
    ],
    [
      'behind a search that is under way',
      async ({ send }) => {
        send(message(9, searchRequest(people)), message(2, startTls))
        send(message(3, bindRequest(ann, 'x')))
      },
    ],
    [
      'after the answer, in place of the handshake',
      async ({ send, answerTo }) => {
        send(message(2, startTls))
        await answerTo(2)
        send(message(3, bindRequest(ann, 'x')), message(4, whoAmIRequest))
      },
    ],
  ]
  for (const [what, send] of behind) {
    await t.test(`a bind that is sent in clear behind it, ${what}, is not carried out`, async (t) => {
      const connection = await rawConnection(t, port)
      attempts.length = 0
      await send(connection)
      await connection.closed
      t.notOk(connection.answers.some(({ id }) => id === 3 || id === 4))
      t.same(attempts, [])
    })
  }

  const encrypted = async (t: Test): Promise<TLSSocket> => {
    const connection = await rawConnection(t, port)
    connection.send(message(1, startTls))
    await connection.answerTo(1)
    connection.socket.removeAllListeners('data')
    const secured = connectTls({ socket: connection.socket, rejectUnauthorized: false, maxVersion: 'TLSv1.2' })
    await once(secured, 'secureConnect')
    return secured
  }
  await t.test('does not take a message from before it into TLS', async (t) => {
    const secured = await encrypted(t)
    secured.write(message(2, whoAmIRequest))
    const [answer] = (await once(secured, 'data')) as [Buffer]
    t.notOk(answer.includes('dn:'))
  })
  await t.test('is not negotiated anew', async (t) => {
    const secured = await encrypted(t)
    const refused = once(secured, 'error')
    secured.renegotiate({}, () => {})
    t.match(await refused, [{ code: 'ERR_SSL_NO_RENEGOTIATION' }])
  })
})

t.test('what ends a connection, and nothing else', async (t) => {
  const { port } = await office(t)
  const other = await boundAs(t, port, ann)
  const long = (tag: number, length: string, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([tag]), Buffer.from(length, 'hex'), content])
  const cases: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['an id that is in use', Buffer.concat([2, 2].map((id) => message(id, searchRequest(people))))],
    ['an id of five octets', sequence(element(2, Buffer.from('00ffffffff', 'hex')), whoAmIRequest)],
    ['the least id of four octets', sequence(element(2, Buffer.from('80000000', 'hex')), whoAmIRequest)],
    ['an id without octets', sequence(element(2), whoAmIRequest)],
    ['an indefinite length inside', sequence(integer(2), Buffer.from('6e80', 'hex'), Buffer.from('0000', 'hex'))],
    ['a length of five octets', Buffer.from('308500000000050201024200', 'hex')],
    ['a length beyond its message', sequence(integer(2), Buffer.from('7784ffffffff', 'hex'))],
    ['controls that are no list', message(2, whoAmIRequest, element(0xa0, integer(1)))],
    [
      'a critical flag of two octets',
      message(2, whoAmIRequest, controls(sequence(octetString('1.2'), long(1, '02', Buffer.from('ffff', 'hex'))))),
    ],
    ['501 controls', message(2, whoAmIRequest, controls(...Array<Buffer>(501).fill(control('1.2', false))))],
    ['an answer of a server', message(2, element(0x78, enumerated(0)))],
  ]
  for (const [what, bytes] of cases) {
    await t.test(what, async (t) => {
      const connection = await boundAs(t, port, `uid=bob,${people}`)
      connection.send(bytes)
      await connection.closed
      t.match(connection.answers.at(-1), { id: 0, tag: noticeTag, code: codes.protocolError })
    })
  }
  const fine: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['the greatest id', message(2 ** 31 - 1, whoAmIRequest)],
    ['lengths of more octets than needed', long(0x30, '840000001e', Buffer.concat([integer(2), whoAmIRequest]))],
    ['500 controls', message(2, whoAmIRequest, controls(...Array<Buffer>(500).fill(control('1.2', false))))],
    ['what follows the controls', message(2, whoAmIRequest, controls(), octetString('more'))],
    [
      'an abandon of what is not there',
      Buffer.concat([message(3, element(0x50, Buffer.from([99]))), message(2, whoAmIRequest)]),
    ],
    ['an abandon of itself', Buffer.concat([message(2, element(0x50, Buffer.from([2]))), message(2, whoAmIRequest)])],
    [
      'an abandon of a negative id',
      Buffer.concat([message(3, element(0x50, Buffer.from([0xff]))), message(2, whoAmIRequest)]),
    ],
    [
      'an abandon with a critical control',
      Buffer.concat([
        message(3, element(0x50, Buffer.from([9])), controls(control('1.2', true))),
        message(2, whoAmIRequest),
      ]),
    ],
  ]
  for (const [index, [what, bytes]] of fine.entries()) {
    await t.test(`${what} does not`, async (t) => {
      const connection = await boundAs(t, port, `uid=bob,${people}`)
      connection.send(bytes, message(50 + index, whoAmIRequest))
      t.match(await connection.answerTo(50 + index), { code: 0 })
      t.match(await connection.answerTo(index === 0 ? 2 ** 31 - 1 : 2), { code: 0 })
    })
  }
  other.send(message(2, whoAmIRequest))
  t.match(await other.answerTo(2), { code: 0 }, 'others go on')
})
