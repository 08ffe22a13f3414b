import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { hash } from '@node-rs/argon2'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { touch } from '../../src/mirror/touch.ts'
import { postgresMissing, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSamba, type TestSamba, testSamba } from '../samba.ts'
import { steward } from '../steward.ts'
import { caughtUp, compared, controllerSettings } from './other-servers.ts'

// Active Directory takes no hashes, so one instance alone can write a password: the one where it was set or used.

const password = 'Soup of the 9th day'
const skip = skipWithoutSamba || postgresMissing

/** A way to the server that can be cut. */
const wayTo = async (t: Test, { address }: TestSamba) => {
  const ends = new Set<() => void>()
  let isCut = false
  const way = createServer((client) => {
    if (isCut) return client.destroy()
    const there = connect(636, address)
    client.pipe(there).pipe(client)
    const end = (): void => {
      client.destroy()
      there.destroy()
      ends.delete(end)
    }
    for (const each of [client, there]) each.on('error', end).on('close', end)
    ends.add(end)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  t.teardown(() => way.close())
  return {
    url: `ldaps://127.0.0.1:${(way.address() as AddressInfo).port}`,
    cut(on: boolean) {
      isCut = on
      if (on) for (const end of [...ends]) end()
    },
  }
}

t.test(
  'two instances: the one that knows a password writes it, also when it has expired',
  { skip, timeout: 240_000 },
  async (t) => {
    const server = await testSamba(t)
    const tools = ldapTools(server)
    const database = await testServerDatabase(t)
    const way = await wayTo(t, server)
    const baseDn = `ou=Instances,${server.domain}`
    const start = (url: string) =>
      steward(t, {
        directory: 'none',
        database,
        env: {
          ...controllerSettings(server),
          ...{ LDAP_BASE_DN: baseDn, LDAP_URL: url, JWT_SECRET: 'one secret of both instances, and a long one' },
        },
      })
    // The second one has a way of its own, and names that of the first: it is the same directory.
    const [one, two] = [await start(way.url), await start(`${server.url} ${way.url}`)]
    const bind = async (name: string, secret: string) =>
      (await tools.as(`cn=${name},ou=people,${baseDn}`, secret, 'ldapsearch', ['-b', '', '-s', 'base', '1.1'])).code
    const add = async (name: string) => (await one.take('addUser', { body: person(name, { password }) })).id
    const [eve, mark] = [await add('eve'), await add('mark')]
    const errorOf = async () => (await two.take('listUsers', { query: { username: 'eve' } })).users[0]?.syncError
    // The domain has the account of another admin.
    await one.db.execute(sql`update users set username = 'boss', username_key = 'boss' where id = 1`)
    await one.db.transaction((tx) => touch(tx, 'user', [1]))
    await caughtUp(one)
    // The passwords of both are known to the first one, from their beginning.
    await one.db.execute(sql`delete from leases`)
    /** Has the second one write everything that it may write while the first one does not reach the directory. */
    const secondTakesWhatItMay = async (): Promise<void> => {
      const [marked] = await two.db.transaction((tx) => touch(tx, 'user', [mark]))
      const reached = sql`select from directory_entries
      where kind = 'user' and record_id = ${mark} and synced_version >= ${marked?.version}`
      await eventually(async () => (await two.db.execute(reached)).length > 0, 'the second one has written')
    }
    const change = async (oldPassword: string, newPassword: string): Promise<void> => {
      const token = await one.signIn('eve', oldPassword)
      t.match(await one.call('changeOwnPassword', { token, body: { oldPassword, newPassword } }), { code: 0 })
    }

    way.cut(true)
    const other = 'Soup of the 11th day'
    await change(password, other)
    await secondTakesWhatItMay()
    t.equal(await bind('eve', password), 0, 'it is left to the first one')
    way.cut(false)
    await eventually(async () => (await bind('eve', other)) === 0, 'which writes it')
    t.equal(await bind('eve', password), 49)
    await caughtUp(one)
    t.equal(await errorOf(), '')

    // Of a restored backup neither knows the password, until its owner signs in.
    await two.db.execute(sql`delete from leases`)
    await two.db.execute(sql`update users set password_hash = ${await hash(password)} where id = ${eve}`)
    await two.db.transaction((tx) => touch(tx, 'user', [eve]))
    await caughtUp(two)
    t.match(await errorOf(), /has not got the password/)
    way.cut(true)
    await one.signIn('eve', password)
    await secondTakesWhatItMay()
    way.cut(false)
    await eventually(async () => (await bind('eve', password)) === 0, 'the first one writes what was used to sign in')

    // It has to be changed there, and the second one does not know it. (Samba lets none expire within a day.)
    const said = /has expired in the directory, or has to be changed there/
    way.cut(true)
    await two.db.execute(sql`delete from leases`)
    const lines = [`dn: cn=eve,ou=people,${baseDn}`, 'changetype: modify', 'replace: pwdLastSet', 'pwdLastSet: 0']
    t.equal((await tools.run('ldapmodify', [], `${lines.join('\n')}\n`)).code, 0)
    await compared(two)
    t.match(await errorOf(), said)
    t.equal(await bind('eve', password), 49)
    way.cut(false)
    await one.signIn('eve', password)
    await eventually(async () => (await bind('eve', password)) === 0, 'it is set anew at a sign-in')
    await caughtUp(one)
    t.equal(await errorOf(), '')

    // What is withdrawn does not wait for the one that knows the password.
    way.cut(true)
    await one.signIn('eve', password)
    const known = sql`select from leases where name like 'password %' and lease_until > now()`
    t.match(await two.db.execute(known), { length: 1 })
    await two.take('changeUserStatus', { body: { id: eve, status: 2 } })
    t.equal(await bind('eve', password), 49, 'the second one has disabled the account')
    await two.take('changeUserStatus', { body: { id: eve, status: 1 } })
    way.cut(false)
    await one.signIn('eve', password)
    await eventually(async () => (await bind('eve', password)) === 0, 'enabled again')
    await caughtUp(one)

    way.cut(true)
    await change(password, other)
    await two.db.execute(sql`update leases set lease_until = now()`)
    await eventually(
      async () => /has not got the password/.test((await errorOf()) ?? ''),
      'it is not waited for longer',
    )
    t.equal(await bind('eve', password), 49)
    way.cut(false)
  },
)
