import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { Client } from 'ldapts'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { countedBinds } from '../../src/auth/counted-binds.ts'
import { openKnownBinders } from '../../src/auth/known-binders.ts'
import { openThrottle } from '../../src/auth/throttle.ts'
import { openDriverClient } from '../../src/db/driver-client.ts'
import * as schema from '../../src/db/schema.ts'
import { unmatchedArgon2 } from '../../src/ldap-server/authentication/password.ts'
import { gatherLocks } from '../../src/posture/evidence/locks.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { accountsOf } from '../services/accounts.ts'
import { steward, type TestSteward } from '../steward.ts'
import { testEmbeddedDirectory } from './embedded-directory.ts'
import { bindRequest, message, noticeTag, rawConnection } from './raw-connection.ts'

// Binds to the embedded directory count with the sign-ins over HTTP.

const invalidCredentials = 49
const busy = 51

const dnOf = (service: TestSteward, username: string): string =>
  `uid=${username},ou=people,${service.mirror.address?.baseDn}`

/** Binds on a connection of its own; the code it is answered with, 0 for success. */
const bind = async (t: Test, service: TestSteward, dn: string, password: string): Promise<number> => {
  const client = new Client({ url: service.mirror.address?.url ?? '', timeout: 10_000 })
  t.teardown(() => client.unbind().catch(() => {}))
  return client.bind(dn, password).then(
    () => 0,
    (error: { code: number }) => error.code,
  )
}

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const timed = async <T>(work: () => Promise<T>): Promise<{ result: T; milliseconds: number }> => {
  const started = performance.now()
  return { result: await work(), milliseconds: performance.now() - started }
}

/** The password of the directory's administrator is where the service keeps it. */
const rootClient = async (t: Test, service: TestSteward): Promise<Client> => {
  const { url = '', bindDn = '' } = service.mirror.address ?? {}
  const client = new Client({ url, timeout: 10_000 })
  t.teardown(() => client.unbind().catch(() => {}))
  await client.bind(
    bindDn,
    (await readFile(join(service.config.dataDir, 'secrets', 'directory-password'), 'utf8')).trim(),
  )
  return client
}

const login = async (service: TestSteward, username: string, password: string): Promise<number> =>
  (await service.call('login', { body: { username, password } })).code

t.test('binds count with the sign-ins of the account', async (t) => {
  const service = await steward(t)
  for (const username of ['ann', 'bob', 'cid', 'dee', 'new']) await service.person(username)
  await eventually(
    async () => (await bind(t, service, dnOf(service, 'dee'), 'dee has a password')) === 0,
    'the entries are there',
  )

  await t.test('ten wrong ones lock the account, here and over HTTP', async (t) => {
    const codes = await times(10, (index) => bind(t, service, dnOf(service, 'Ann'), `guess ${index}`))
    t.same([...new Set(codes)], [invalidCredentials])
    t.equal(await bind(t, service, dnOf(service, 'ann'), 'ann has a password'), invalidCredentials)
    t.equal(await login(service, 'ann', 'ann has a password'), 429)
    t.equal(await login(service, 'bob', 'bob has a password'), 0)
  })

  await t.test('a name that no entry has is locked like any other', async (t) => {
    const measured = (username: string) => timed(() => bind(t, service, dnOf(service, username), 'a guess'))
    await times(10, (index) => bind(t, service, dnOf(service, 'nobody'), `guess ${index}`))
    const [unknown, known] = await Promise.all([measured('nobody'), measured('ann')])
    t.match([unknown, known], [{ result: invalidCredentials }, { result: invalidCredentials }])
    t.ok(Math.min(unknown.milliseconds, known.milliseconds) >= 1_900, 'as late as the last before the lock')
  })

  // Right after the first of them: refusals of an address beyond twenty a minute are counted, and logged later.
  await t.test('refusals are in the operation log, and alerts are raised', async (t) => {
    const { token } = service
    const query = { pageNum: 1, pageSize: 100, path: '/bind' }
    const has = (entries: { username: string; status: number }[], username: string, status: number): boolean =>
      entries.some((entry) => entry.username === username && entry.status === status)
    const entries = await eventually(async () => {
      const { logs } = (await service.call('listOperationLogs', { token, query })).data
      return has(logs, 'ann', 401) && has(logs, 'ann', 429) && has(logs, '', 401) && logs
    }, 'the refusals are in the log')
    t.match(entries[0], { method: 'LDAP', ip: '127.0.0.1' })
    t.notOk(
      entries.some(({ username }) => username === 'nobody'),
      'a name that no entry has may be a password in the wrong field',
    )
    await eventually(async () => {
      const { alerts } = (await service.call('listAlerts', { token })).data
      return alerts.some(
        ({ title, description }) => /^Locked/.test(title) && /for ann, the last from 127/.test(description),
      )
    }, 'an alert')
  })

  await t.test('ten wrong sign-ins over HTTP lock it here, too', async (t) => {
    const codes = await times(10, (index) => login(service, 'bob', `guess ${index}`))
    t.same([...new Set(codes)], [401])
    t.equal(await bind(t, service, dnOf(service, 'bob'), 'bob has a password'), invalidCredentials)
  })

  await t.test('hanging up before the answer saves nothing', async (t) => {
    const { port } = new URL(service.mirror.address?.url ?? '')
    await times(10, async (index) => {
      const connection = await rawConnection(t, Number(port))
      connection.send(message(1, bindRequest(dnOf(service, 'cid'), `guess ${index}`)))
      connection.socket.end()
    })
    await eventually(async () => {
      const [row] = await service.db.select().from(schema.throttles).where(eq(schema.throttles.key, 'account:cid'))
      return row?.failedAt.length === 10
    }, 'all ten were counted')
    t.equal(await bind(t, service, dnOf(service, 'cid'), 'cid has a password'), invalidCredentials)
  })

  await t.test(
    'an address that fails a hundred times is locked; neither those who bound from it before nor our own writes are',
    async (t) => {
      const isLocked = async (): Promise<boolean> => {
        const [row] = await service.db
          .select()
          .from(schema.throttles)
          .where(eq(schema.throttles.key, 'directory:127.0.0.1'))
        return row?.lockedUntil != null
      }
      let sprayed = 0
      await eventually(async () => {
        const codes = await times(40, () => bind(t, service, dnOf(service, `spray${sprayed++}`), 'a guess'))
        // A bind that cannot learn within 5 s whether an attempt is left gets busy, and is not counted as an attempt.
        t.same(
          [...new Set(codes)].filter((code) => code !== busy),
          [invalidCredentials],
        )
        return isLocked()
      }, 'the address is locked')
      t.ok(sprayed <= 200, `${sprayed} attempts`)
      const [stranger, known] = await Promise.all([
        timed(() => bind(t, service, dnOf(service, 'new'), 'new has a password')),
        timed(() => bind(t, service, dnOf(service, 'dee'), 'a guess')),
      ])
      t.match([stranger, known], [{ result: invalidCredentials }, { result: invalidCredentials }])
      t.ok(
        Math.min(stranger.milliseconds, known.milliseconds) >= 1_900,
        'the time does not tell who has bound from there',
      )
      t.equal(await bind(t, service, dnOf(service, 'dee'), 'dee has a password'), 0)
      const eve = {
        username: 'eve',
        nickname: 'eve',
        mail: '',
        mobile: '',
        jobNumber: '',
        departmentId: [],
        roleIds: [],
      }
      t.match(await service.call('addUser', { token: service.token, body: eve }), { code: 0 })
      const root = await rootClient(t, service)
      await eventually(
        async () => (await root.search(dnOf(service, 'eve'), { scope: 'base' }).catch(() => null)) !== null,
        'what is written over HTTP arrives in the directory',
      )
    },
  )
})

t.test('the failures of those who bound from there before are bounded, too', async (t) => {
  const service = await steward(t)
  for (const username of ['ann', 'bob']) await service.person(username)
  const fromHere = (username: string, password = `${username} has a password`) =>
    bind(t, service, dnOf(service, username), password)
  for (const username of ['ann', 'bob']) {
    await eventually(async () => (await fromHere(username)) === 0, 'the entries are there')
  }
  t.equal(await fromHere('ann'), 0, 'once more, as one who is known')
  const rowOf = async (key: string) => {
    const [row] = await service.db.select().from(schema.throttles).where(eq(schema.throttles.key, key))
    return row
  }
  const before = (await rowOf('directory:127.0.0.1'))?.failedAt.length
  await service.db
    .update(schema.throttles)
    .set({ failedAt: Array.from({ length: 999 }, () => new Date()) })
    .where(eq(schema.throttles.key, 'directory-known:127.0.0.1'))
  t.equal(await fromHere('ann', 'a guess'), invalidCredentials)
  t.not((await rowOf('directory-known:127.0.0.1'))?.lockedUntil ?? null, null)
  t.equal((await rowOf('directory:127.0.0.1'))?.failedAt.length, before, 'it does not count for strangers')
  t.equal(await fromHere('bob'), invalidCredentials, 'a thousand of all of them')
  await eventually(async () => {
    const { alerts } = (await service.call('listAlerts', { token: service.token })).data
    return alerts.some(({ description }) => /1000 failed binds to the directory/.test(description))
  }, 'an alert')
})

t.test('a service account and the people at its address do not lock out each other', async (t) => {
  const service = await steward(t)
  await service.person('ann')
  const { create } = await accountsOf(service)
  const wiki = await create({ name: 'wiki', peopleFilter: '(uid=*)' })
  const asAnn = (password = 'ann has a password') => bind(t, service, dnOf(service, 'ann'), password)
  const asWiki = (password = wiki.password) => bind(t, service, wiki.dn, password)
  const isKnown = 'both are known at the address'
  for (const once of [asAnn, asWiki]) await eventually(async () => (await once()) === 0, 'the entries are there')
  for (const again of [asAnn, asWiki]) t.equal(await again(), 0, isKnown)
  const fails = async (key: string): Promise<void> => {
    const failedAt = Array.from({ length: 999 }, () => new Date())
    await service.db.update(schema.throttles).set({ failedAt }).where(eq(schema.throttles.key, key))
  }
  const people = 'directory-known:127.0.0.1'
  await fails(people)
  t.equal(await asAnn('a guess'), invalidCredentials)
  t.equal(await asAnn(), invalidCredentials, 'the people are locked out')
  t.equal(await asWiki(), 0, 'the application can look for people')

  await service.db.update(schema.throttles).set({ failedAt: [], lockedUntil: null })
  await fails(`${people} as ${wiki.dn.toLowerCase()}`)
  t.equal(await asWiki('the former password'), invalidCredentials)
  t.equal(await asWiki(), invalidCredentials, 'another application has its former password, and asks all the time')
  t.equal(await asAnn(), 0, 'people sign in')
  const locks = await gatherLocks(service.db, new Date())
  t.same(locks, [`binds to the directory from 127.0.0.1 as ${wiki.dn}`], 'the status says which')
})

t.test('the connections of a disabled or deleted user end', async (t) => {
  const service = await steward(t)
  const { token } = service
  const people = { ann: await service.person('ann'), bob: await service.person('bob') }
  const { port } = new URL(service.mirror.address?.url ?? '')
  const connected = async (username: string) => {
    const connection = await rawConnection(t, Number(port))
    let id = 0
    await eventually(async () => {
      id += 1
      connection.send(message(id, bindRequest(dnOf(service, username), `${username} has a password`)))
      return (await connection.answerTo(id)).code === 0
    }, `${username} is bound`)
    return connection
  }
  const [ann, bob] = [await connected('ann'), await connected('bob')]
  await service.call('changeUserStatus', { token, body: { id: people.ann.id, status: 2 } })
  await ann.closed
  await service.call('deleteUsers', { token, body: { userIds: [people.bob.id] } })
  await bob.closed
  // unavailable: libldap gives it to the next request, and at no other code do its users connect again.
  for (const { answers } of [ann, bob]) t.match(answers.at(-1), { id: 0, tag: noticeTag, code: 52 })
})

t.test('a password is not checked where attempts cannot be counted', async (t) => {
  const port = await freePort()
  const away = openDriverClient((onclose) => postgres({ host: '127.0.0.1', port, max: 1, onclose }), {
    catchEscapes: false,
    renews: true,
  })
  t.teardown(() => away.end(0))
  let noted = 0
  let admitted = true
  const directory = await testEmbeddedDirectory(t, {
    throttleBind: countedBinds({
      throttle: openThrottle({ db: drizzle(away.sql), report: () => {} }),
      known: openKnownBinders(drizzle(away.sql)),
      admits: () => admitted,
      journal: {
        note: () => {
          noted += 1
        },
      },
    }),
    verify: async () => {
      t.fail('a password was tried')
      return true
    },
  })
  const client = new Client({ url: directory.url, timeout: 10_000 })
  t.teardown(() => client.unbind())
  await t.rejects(client.bind(`uid=ann,${directory.baseDn}`, 'x'), { code: 52 }, 'the database is away')
  admitted = false
  await t.rejects(client.bind(`uid=ann,${directory.baseDn}`, 'x'), { code: 52 }, 'the operation log is full')
  await client.bind(directory.bindDn, directory.bindPassword)
  t.equal(noted, 0)
})

t.test('a wrong password costs as much whatever hash an entry has, and whether there is one', async (t) => {
  const checked: string[] = []
  const directory = await testEmbeddedDirectory(t, {
    verify: async (stored) => {
      checked.push(stored)
      return false
    },
  })
  const root = new Client({ url: directory.url })
  t.teardown(() => root.unbind())
  await root.bind(directory.bindDn, directory.bindPassword)
  const usual = unmatchedArgon2.slice(0, -67)
  const stored: Readonly<Record<string, string | null>> = {
    missing: null,
    usual: `${usual}$c2FsdHNhbHQ$aGFzaA`,
    cheap: '{ARGON2}$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
    other: '{SSHA}AAAA',
  }
  for (const [uid, userPassword] of Object.entries(stored)) {
    const dn = `uid=${uid},${directory.baseDn}`
    if (userPassword !== null) await root.add(dn, { objectClass: 'inetOrgPerson', cn: uid, sn: uid, userPassword })
    checked.length = 0
    const connection = await rawConnection(t, directory.port)
    connection.send(message(1, bindRequest(dn, 'wrong')))
    t.match(await connection.answerTo(1), { code: 49 })
    t.ok(
      checked.some((each) => each.startsWith(`${usual}$`)),
      uid,
    )
  }
})
