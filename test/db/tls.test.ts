import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { connectServer } from '../../src/db/connect.ts'
import { tlsProblem } from '../../src/db/tls.ts'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { noLog } from '../../src/runtime/log.ts'
import { makeCertificate } from '../certificate.ts'
import { postgresMissing, startPostgres } from '../postgres-server.ts'

/** A server with TLS whose certificate has these names, and a client's certificate of the same authority. */
const secured = async (t: Test, names: string) => {
  const folder = t.testdir({ server: {}, other: {}, data: {} })
  const { ca, certificate, key } = await makeCertificate(join(folder, 'server'), names)
  const server = await startPostgres({ tls: { ca, certificate, key } })
  t.teardown(() => server.dispose())
  const at = (host: string, query: string): string => {
    const url = new URL(server.url)
    return `postgres://postgres@${host}:${url.port}/postgres?${query}`
  }
  return { at, ca, certificate, key, folder }
}

const ask = async (url: string) => {
  const sql = connectServer(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    const [row] = await sql<
      { ssl: boolean; dn: string | null }[]
    >`select ssl, client_dn as dn from pg_stat_ssl where pid = pg_backend_pid()`
    if (row === undefined) throw new Error('the server returned nothing')
    return row
  } finally {
    await sql.end({ timeout: 1 })
  }
}

t.test('sslmode is what libpq says it is', { skip: postgresMissing }, async (t) => {
  const { at, ca, certificate, key, folder } = await secured(t, 'IP:127.0.0.1')
  const root = `sslrootcert=${ca}`
  const secure = { ssl: true, dn: null }
  t.same(await ask(at('127.0.0.1', 'sslmode=disable')), { ssl: false, dn: null })
  t.same(await ask(at('127.0.0.1', 'sslmode=require')), secure)
  t.same(await ask(at('127.0.0.1', 'sslmode=')), { ssl: false, dn: null }, 'a variable that is empty says nothing')
  t.same(await ask(at('localhost', `sslmode=verify-ca&${root}`)), secure)
  t.same(await ask(at('127.0.0.1', `sslmode=verify-full&${root}`)), secure, 'an address that the certificate names')
  const client = `sslcert=${certificate}&sslkey=${key}`
  const shown = { ssl: true, dn: '/CN=directory' }
  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    t.same(await ask(at('127.0.0.1', `sslmode=${mode}&${root}&${client}`)), shown, `${mode} shows the certificate`)
  }
  t.same(await ask(at('127.0.0.1', `sslmode=require&${client}`)), shown)

  await t.rejects(ask(at('localhost', `sslmode=verify-full&${root}`)), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  for (const mode of ['verify-ca', 'verify-full']) {
    const refused = await ask(at('127.0.0.1', `sslmode=${mode}`)).catch((error: unknown) => error)
    t.match(refused, { code: 'SELF_SIGNED_CERT_IN_CHAIN' })
    t.ok(isUnavailable(refused), 'which may be over later, when the certificate is replaced')
  }
  const options = { url: at('127.0.0.1', 'sslmode=verify-full'), dataDir: folder, log: noLog }
  await t.rejects(
    openDatabase(options),
    /DATABASE_URL: postgres@127\.0\.0\.1:\d+\/postgres has a certificate that is not accepted/,
    'the start names the setting, and does not wait',
  )
})

t.test('an address is no other name of localhost', { skip: postgresMissing }, async (t) => {
  const { at, ca } = await secured(t, 'DNS:localhost')
  const query = `sslmode=verify-full&sslrootcert=${ca}`
  t.ok(await ask(at('localhost', query)))
  await t.rejects(ask(at('127.0.0.1', query)), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

t.test('of several hosts each is known by its address', { skip: postgresMissing }, async (t) => {
  const { at, ca, folder } = await secured(t, 'IP:127.0.0.1')
  const url = at('127.0.0.1', `sslmode=verify-full&sslrootcert=${ca}`).replace(/@([^/]*)/, '@127.0.0.1:1,$1')
  const database = await openDatabase({ url, dataDir: folder, log: noLog })
  t.teardown(() => database.close())
  t.same([...(await database.db.execute('select 1 as one'))], [{ one: 1 }])
})

t.test('files that are replaced are read for the next connection', { skip: postgresMissing }, async (t) => {
  const { at, ca, folder } = await secured(t, 'IP:127.0.0.1')
  const own = join(folder, 'ca.crt')
  const other = await makeCertificate(join(folder, 'other'))
  copyFileSync(other.ca, own)
  const url = at('127.0.0.1', `sslmode=verify-full&sslrootcert=${own}`)
  const sql = connectServer(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  t.teardown(() => sql.end({ timeout: 1 }))
  await t.rejects(sql`select 1`, { code: /^(SELF_SIGNED|UNABLE_TO)/ })
  copyFileSync(ca, own)
  t.equal((await sql`select 1`).length, 1)
  rmSync(own)
  t.equal((await ask(url)).ssl, true, 'the last ones are used while the files are gone')
})

t.test('what cannot be is said at the start', async (t) => {
  const { ca, key } = await makeCertificate(t.testdir())
  const said = (query: string) => tlsProblem(`postgres://u@one,two/x?${query}`)
  for (const right of [
    '',
    'sslmode=prefer',
    'ssl=true',
    'sslmode=',
    'ssl=',
    'sslrootcert=system',
    `sslmode=verify-full&sslrootcert=${ca}`,
  ]) {
    t.equal(said(right), null, right)
  }
  t.match(said('sslmode=verify-ful'), /^sslmode has to be disable, allow, prefer, require, verify-ca or verify-full$/)
  t.match(said(`sslrootcert=${ca}`), /need an sslmode that wants TLS/)
  t.match(said(`sslmode=prefer&sslrootcert=${ca}`), /do nothing with sslmode=prefer/)
  t.match(said(`sslmode=require&sslkey=${key}`), /belong together/)
  t.match(said(`sslmode=verify-full&sslrootcert=${ca}-gone`), /^sslrootcert cannot be read: ENOENT/)
  t.match(said(`sslmode=verify-full&sslcert=${ca}&sslkey=${key}`), /key values mismatch/)
})
