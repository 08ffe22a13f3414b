import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { Client } from 'ldapts'
import t, { type Test } from 'tap'
import { element, octetString } from '../../src/ldap-server/protocol/ber.ts'
import type { EmbeddedDirectoryOptions } from '../../src/ldap-server/server.ts'
import { keptCertificate } from '../../src/ldap-server/tls/kept-certificate.ts'
import { openServerTls, serverNames } from '../../src/ldap-server/tls/server-tls.ts'
import { addressBytes, makeCertificate } from '../../src/ldap-server/tls/x509.ts'
import { makeCertificate as makeOwnCertificate } from '../certificate.ts'
import { identity, rememberingLog, temporaryFolder, testEmbeddedDirectory } from './embedded-directory.ts'
import { skipWithoutTools } from './ldap-tools.ts'
import { bindRequest, message, rawConnection, whoAmIRequest } from './raw-connection.ts'

const run = promisify(execFile)
const day = 86_400_000
const startTls = element(0x77, octetString('1.3.6.1.4.1.1466.20037', 0x80))

const encrypting = async (t: Test, options: Partial<EmbeddedDirectoryOptions> = {}) => {
  const folder = join(await temporaryFolder(t), 'certificate')
  const tls = { folder, own: null, names: ['ldap.example.org', '2001:db8::7'] }
  const directory = await testEmbeddedDirectory(t, { tls, ldapsPort: 0, ...options })
  return { ...directory, certificates: folder, caFile: join(folder, 'ca.pem') }
}

const addressBeyondLoopback = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

t.test('the certificate is one that OpenSSL accepts by its strictest rules', async (t) => {
  const folder = await temporaryFolder(t)
  const { cert } = keptCertificate(folder, ['ldap.example.org', '10.1.2.3', '2001:db8::7'])
  await writeFile(join(folder, 'leaf.pem'), cert)
  const verify = (...more: string[]) =>
    run('openssl', [
      ...['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', join(folder, 'ca.pem')],
      ...[...more, join(folder, 'leaf.pem')],
    ])
  t.match((await verify('-verify_hostname', 'ldap.example.org')).stdout, /OK/)
  t.match((await verify('-verify_ip', '10.1.2.3')).stdout, /OK/)
  t.match((await verify('-verify_ip', '2001:db8:0::7')).stdout, /OK/)
  await t.rejects(verify('-verify_hostname', 'other.example.org'), /hostname mismatch/i)
  const { stdout } = await run('openssl', ['x509', '-in', join(folder, 'ca.pem'), '-noout', '-text'])
  t.match(stdout, /CA:TRUE, pathlen:0/)
})

t.test('dates from 2050 on, and every way to write an address', async (t) => {
  const { generateKeyPairSync } = await import('node:crypto')
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = makeCertificate({
    ...{ subject: 'a', issuer: 'a', publicKey: signer.publicKey, signer, names: null },
    notBefore: new Date('2049-12-31T00:00:00Z'),
    notAfter: new Date('2050-01-02T03:04:05Z'),
  })
  t.match(new X509Certificate(pem).validTo, /Jan {2}2 03:04:05 2050/)
  t.same([...addressBytes('127.0.0.1')], [127, 0, 0, 1])
  t.equal(addressBytes('::1').toString('hex'), '00000000000000000000000000000001')
  t.equal(addressBytes('::').toString('hex'), '0'.repeat(32))
  t.equal(addressBytes('2001:DB8:1:2:3:4:5:6').toString('hex'), '20010db8000100020003000400050006')
  t.equal(addressBytes('::ffff:10.0.0.1').toString('hex'), '00000000000000000000ffff0a000001')
})

t.test('it is made once, kept for its owner alone, and made anew before it ends', async (t) => {
  const folder = join(await temporaryFolder(t), 'certificate')
  const names = ['localhost']
  const now = Date.now()
  const first = keptCertificate(folder, names, now)
  const authority = await readFile(join(folder, 'ca.pem'), 'utf8')
  t.same(keptCertificate(folder, names, now), first)
  t.equal((await stat(folder)).mode & 0o777, 0o700)
  for (const file of ['authority.pem', 'server.pem'])
    t.equal((await stat(join(folder, file))).mode & 0o777, 0o600, file)
  t.notMatch(authority, /PRIVATE/)

  t.same(keptCertificate(folder, names, now + 330 * day), first, 'not before it has to be')
  const renewed = keptCertificate(folder, names, now + 340 * day)
  t.not(renewed.cert, first.cert)
  t.equal(await readFile(join(folder, 'ca.pem'), 'utf8'), authority, 'clients trust the same authority')
  t.ok(new X509Certificate(renewed.cert).checkIssued(new X509Certificate(authority)))

  const renamed = keptCertificate(folder, [...names, 'ldap.example.org'], now + 340 * day)
  t.equal(new X509Certificate(renamed.cert).checkHost('ldap.example.org'), 'ldap.example.org')

  const later = keptCertificate(folder, names, now + 3_300 * day)
  const successor = new X509Certificate(await readFile(join(folder, 'ca.pem'), 'utf8'))
  t.not(successor.toString(), authority)
  for (const trusted of [successor, new X509Certificate(authority)]) {
    t.ok(new X509Certificate(later.cert).verify(trusted.publicKey), 'the key of the authority stays')
  }

  await writeFile(join(folder, 'authority.pem'), 'damaged')
  t.throws(
    () => keptCertificate(folder, names, now),
    new RegExp(folder),
    'no other authority behind the back of clients',
  )
})

t.test(
  'ldap-utils connect by StartTLS and ldaps, and notice a wrong authority',
  { skip: skipWithoutTools },
  async (t) => {
    const directory = await encrypting(t)
    const whoami = (url: string, caFile: string, ...args: string[]) =>
      run('ldapwhoami', ['-x', '-H', url, '-D', identity.bindDn, '-w', identity.bindPassword, ...args], {
        env: { PATH: process.env.PATH, LDAPTLS_CACERT: caFile },
      })
    const other = join(await temporaryFolder(t), 'other')
    keptCertificate(other, ['localhost'])
    for (const url of [directory.url, directory.url.replace('127.0.0.1', 'localhost')]) {
      t.equal((await whoami(url, directory.caFile, '-ZZ')).stdout, `dn:${identity.bindDn}\n`)
    }
    t.equal((await whoami(directory.ldapsUrl ?? '', directory.caFile)).stdout, `dn:${identity.bindDn}\n`)
    await t.rejects(whoami(directory.url, join(other, 'ca.pem'), '-ZZ'))
    await t.rejects(whoami(directory.ldapsUrl ?? '', join(other, 'ca.pem')))
  },
)

t.test('ldapts reads a large answer under TLS, and two writers at once', async (t) => {
  const directory = await encrypting(t)
  const ca = await readFile(directory.caFile, 'utf8')
  const plain = new Client({ url: directory.url, timeout: 10_000 })
  await plain.startTLS({ ca, host: '127.0.0.1' })
  const direct = new Client({ url: directory.ldapsUrl ?? '', tlsOptions: { ca }, timeout: 10_000 })
  for (const client of [plain, direct]) {
    t.teardown(() => client.unbind())
    await client.bind(identity.bindDn, identity.bindPassword)
  }
  await plain.add(`ou=people,${identity.baseDn}`, { objectClass: 'organizationalUnit' })
  const description = 'x'.repeat(100_000)
  await Promise.all(
    [plain, direct].flatMap((client, which) =>
      Array.from({ length: 20 }, (_, index) =>
        client.add(`cn=d${which}-${index},ou=people,${identity.baseDn}`, { objectClass: 'device', description }),
      ),
    ),
  )
  const { searchEntries } = await direct.search(identity.baseDn, { filter: '(objectClass=device)' })
  t.equal(searchEntries.length, 40)
  t.ok(searchEntries.every((entry) => entry.description === description))
})

t.test('StartTLS is offered, refused twice, and takes nothing that was sent in clear text behind it', async (t) => {
  const directory = await encrypting(t)
  const { port } = directory
  const plain = await rawConnection(t, port)
  plain.send(message(1, bindRequest(identity.bindDn, identity.bindPassword)), message(2, startTls))
  t.match(await plain.answerTo(2), { code: 0 }, 'after the requests before it were answered')

  const injected = await rawConnection(t, port)
  injected.send(message(1, startTls), message(2, whoAmIRequest))
  await injected.closed
  t.match(injected.answers, [{ id: 0, code: 2 }], 'a request behind StartTLS ends the connection')

  const raw = connect(port, '127.0.0.1')
  t.teardown(() => raw.destroy())
  raw.write(message(1, startTls))
  await once(raw, 'data')
  const secured = connectTls({ socket: raw, ca: await readFile(directory.caFile, 'utf8'), host: '127.0.0.1' })
  await once(secured, 'secureConnect')
  secured.write(message(2, startTls))
  const [answer] = (await once(secured, 'data')) as [Buffer]
  t.ok(answer.includes('TLS already started'))

  const without = await testEmbeddedDirectory(t)
  const refused = await rawConnection(t, without.port)
  refused.send(message(1, startTls))
  t.match(await refused.answerTo(1), { code: 2 })
  t.equal(without.ldapsUrl, null)
})

t.test('what is no handshake ends the connection, and a silent one ends in time', async (t) => {
  const directory = await encrypting(t, { limits: { stalled: 300 } })
  const port = Number(new URL(directory.ldapsUrl ?? '').port)
  const clear = await rawConnection(t, port)
  clear.send(message(1, bindRequest(identity.bindDn, identity.bindPassword)))
  await clear.closed
  t.same(clear.answers, [])
  const silent = await rawConnection(t, port)
  await silent.closed
  const old = connectTls({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
  })
  await t.rejects(once(old, 'secureConnect'), 'TLS 1.1')
  t.pass()
})

t.test('beyond this machine a password needs TLS', { skip: !addressBeyondLoopback() && 'loopback only' }, async (t) => {
  const host = addressBeyondLoopback() ?? ''
  const directory = await encrypting(t, { host })
  const ca = await readFile(directory.caFile, 'utf8')
  const plain = new Client({ url: directory.url, timeout: 10_000 })
  t.teardown(() => plain.unbind())
  await t.rejects(plain.bind(identity.bindDn, identity.bindPassword), { code: 13 })
  await t.rejects(plain.bind(identity.bindDn, 'wrong'), { code: 13 }, 'which does not tell whether it is right')
  t.equal((await plain.search('', { scope: 'base' })).searchEntries.length, 1, 'the root DSE says what is offered')
  await t.rejects(plain.search(identity.baseDn), { code: 50 })
  const encrypted = new Client({ url: directory.url, timeout: 10_000 })
  t.teardown(() => encrypted.unbind())
  await encrypted.startTLS({ ca, host })
  await encrypted.bind(identity.bindDn, identity.bindPassword)
  await t.rejects(testEmbeddedDirectory(t, { host }), /without TLS/)
})

t.test(
  'a certificate of the operator is shown, read again when it is replaced, and kept when the new one is wrong',
  async (t) => {
    const files = await temporaryFolder(t)
    const made = async (name: string) => {
      const folder = join(files, name)
      await mkdir(folder)
      return makeOwnCertificate(folder)
    }
    const [first, second] = [await made('first'), await made('second')]
    const own = { certFile: join(files, 'cert.pem'), keyFile: join(files, 'key.pem') }
    const install = async ({ certificate, key }: { certificate: string; key: string }) => {
      await copyFile(certificate, own.certFile)
      await copyFile(key, own.keyFile)
    }
    await install(first)
    const log = rememberingLog()
    const tls = openServerTls({ own, names: [], folder: join(files, 'unused'), host: '127.0.0.1' }, log)
    t.teardown(tls.close)
    const before = tls.context
    tls.refresh()
    t.equal(tls.context, before, 'nothing changed')
    await install({ certificate: second.certificate, key: first.key })
    tls.refresh()
    t.equal(tls.context, before)
    t.match(log.lines.join('\n'), /keeps its certificate/)
    t.notMatch(log.lines.join('\n'), /BEGIN/)
    await install(second)
    tls.refresh()
    t.not(tls.context, before)
    t.ok(tls.context)
    const notices = (): number => log.lines.filter((line) => line.includes('ends soon')).length
    t.equal(notices(), 1, 'it is valid for two days only: said at the start')
    tls.refresh(Date.now() + 12 * 3_600_000)
    const sofar = notices()
    tls.refresh(Date.now() + 12 * 3_600_000)
    t.equal(notices(), sofar, 'once a day')
    tls.refresh(Date.now() + 3 * day)
    t.equal(notices(), sofar + 1, 'and when it has ended')
  },
)

t.test('the names of the certificate are those by which it is reached', async (t) => {
  const names = serverNames({ names: ['bücher.example', '10.0.0.9'], host: '0.0.0.0' })
  for (const name of [
    'localhost',
    '127.0.0.1',
    '::1',
    'xn--bcher-kva.example',
    '10.0.0.9',
    addressBeyondLoopback() ?? '::1',
  ]) {
    t.ok(names.includes(name), name)
  }
  t.notOk(names.some((name) => name.startsWith('fe80:') || name === '0.0.0.0'))
})

t.test('connections under TLS end with the server, and with their entry', async (t) => {
  const directory = await encrypting(t)
  const socket = connectTls({
    port: Number(new URL(directory.ldapsUrl ?? '').port),
    host: '127.0.0.1',
    ca: await readFile(directory.caFile, 'utf8'),
  })
  await once(socket, 'secureConnect')
  t.type(socket, TLSSocket)
  const ended = once(socket, 'close')
  socket.resume()
  await directory.close()
  await ended
  t.pass('the server ended it')
})
