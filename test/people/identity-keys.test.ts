import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { refreshMobileKeys } from '../../src/people/mobile-keys.ts'
import { mailKey, mailKeyOf, mobileKeys, toRegion, usernameKey } from '../../src/text/identity-keys.ts'
import { accountKey, mailboxKey } from '../../src/text/throttle-keys.ts'
import { adminPassword, startService, uniqueName } from '../auth/sign-in-service.ts'
import {
  postgresMissing,
  silent,
  testDatabase,
  testEmbeddedDatabase,
  testPostgres,
  testServerDatabase,
} from '../database.ts'

// One rule says which spellings are one username, mail address and mobile: everywhere, on every database.

/** A PostgreSQL whose `lower()` is Turkish: `I` becomes `ı` there. */
const turkishDatabase = async (t: Test): Promise<Database> => {
  const { url } = await testPostgres(t)
  const client = postgres(url, { max: 1, onnotice: () => {} })
  await client.unsafe(
    `create database turkish template template0 encoding 'UTF8' locale_provider icu icu_locale 'tr' locale 'C.UTF-8'`,
  )
  await client.end()
  const own = new URL(url)
  own.pathname = '/turkish'
  const database = await openDatabase({ url: own.href, dataDir: '', log: silent })
  t.teardown(() => database.close())
  return database
}

const kinds: [kind: string, open: (t: Test) => Promise<Database>][] = [
  ['embedded', testEmbeddedDatabase],
  ...(postgresMissing ? [] : ([['postgres', testServerDatabase], ['Turkish postgres', turkishDatabase]] as const)),
] as never // biome-ignore format: a list

/** What a user might type in place of `mini.kiwi`, one letter at a time. */
const spellings = [
  ...['mini.kiwi', 'MINI.KIWI', 'Mini.Kiwi', 'm\u0130ni.kiwi', 'm\u0131ni.kiwi', 'mini.\u212aiwi', '\uff4dini.kiwi'],
  ...['mi\u0307ni.kiwi', 'mini.kiwi ', ' mini.kiwi', 'mini.kiwi.', 'mini.kiwi\u200b', 'mini.ki\u00adwi', 'ma\u00dfi.kiwi', 'massi.kiwi'],
] // biome-ignore format: a list

for (const [kind, open] of kinds) {
  t.test(kind, async (t) => {
    const database = await open(t)
    const service = await startService(t, database)
    await service.bootstrap()
    const { call, db } = service
    const token = await service.signIn('admin')
    const add = (body: object) =>
      call('addUser', {
        token,
        body: {
          username: uniqueName(),
          nickname: '',
          mail: '',
          mobile: '',
          jobNumber: '',
          departmentId: [],
          roleIds: [],
          ...body,
        },
      })
    const emptied = () => db.execute(sql`delete from users where username <> 'admin'`)

    t.test('a mail address has one key in SQL and here', async (t) => {
      const texts = [
        ...spellings.flatMap((name) => [`${name}@Example.org`, name]),
        'I',
        'İ',
        'ı',
        'Σς',
        'ﬁ',
        'Ⓐ',
        '𝔸',
        '',
      ]
      for (const text of texts) {
        const [row] = await db.execute<{ key: string }>(sql`select ${mailKeyOf(sql`${text}::text`)} as key`)
        t.equal(row?.key, mailKey(text), JSON.stringify(text))
      }
    })

    t.test('a username that signs in as a user is taken, counted as theirs, and no other is', async (t) => {
      for (const held of ['mini.kiwi', 'M\u0130NI.KIWI']) {
        await emptied()
        t.equal((await add({ username: held, password: adminPassword })).code, 0)
        for (const tried of spellings) {
          const same = usernameKey(tried) === usernameKey(held)
          const what = `${JSON.stringify(tried)} for ${JSON.stringify(held)}`
          t.equal(accountKey(tried) === accountKey(held), same, `counted: ${what}`)
          await db.execute(sql`delete from throttles`)
          t.equal(
            (await call('login', { body: { username: tried, password: adminPassword } })).code,
            same ? 0 : 401,
            what,
          )
          const added = await add({ username: tried })
          t.equal(added.code, same ? 409 : 0, `taken: ${what}`)
          if (!same) await db.execute(sql`delete from users where id = ${added.data.id}`)
        }
      }
    })

    t.test('a mail address that reaches a user is taken, counted as theirs, and no other is', async (t) => {
      const addresses = spellings.flatMap((name) => [`${name}@example.org`, `x@${name}`])
      const seen = new Set<string>()
      let [held, refused] = [0, 0]
      for (const address of addresses) {
        await emptied()
        await service.mails()
        if ((await add({ mail: address })).code !== 0) {
          refused += 1
          continue
        }
        held += 1
        // Each key once: a request takes its time.
        if (seen.has(mailKey(address))) continue
        seen.add(mailKey(address))
        for (const tried of addresses) {
          const same = mailKey(tried) === mailKey(address)
          const what = `${JSON.stringify(tried)} for ${JSON.stringify(address)}`
          t.equal(mailboxKey(tried) === mailboxKey(address), same, `counted: ${what}`)
          if (!same) continue
          t.equal((await add({ mail: tried })).code, 409, `taken: ${what}`)
          await db.execute(sql`delete from throttles`)
          await call('sendCode', { body: { mail: tried } })
          t.equal((await service.mails()).length, 1, `reached: ${what}`)
        }
      }
      t.ok(held >= 7 && refused >= 18, `${held} ${refused}`)
    })

    t.test('a mobile is taken in every notation', async (t) => {
      await emptied()
      t.equal((await add({ mobile: '138 0000 0001' })).code, 0)
      for (const mobile of [
        '13800000001',
        '+86 138-0000-0001',
        '0086 13800000001',
        '8613800000001',
        'tel (138)00000001',
        '013800000001',
      ]) {
        t.match(await add({ mobile }), { code: 409, data: [{ field: 'mobile' }] }, mobile)
      }
      t.match(await add({ mobile: '\uff11\uff13800000001' }), { code: 400, data: [{ field: 'mobile' }] })
      for (const mobile of ['+1 380 000 0001', '13800000002', '13800000001 ext 2', '', '8001']) {
        t.equal((await add({ mobile })).code, 0, mobile)
      }
      t.equal((await add({ mobile: '80-01' })).code, 409, 'a text that is not a number is compared by its digits')
      const [first] = (await call('listUsers', { token, query: { mobile: '138 0000 0001' } })).data.users
      t.equal(first?.mobile, '138 0000 0001', 'the text is stored as it was typed')
    })
  })
}

t.test('the keys of mobiles follow DEFAULT_REGION and the data', async (t) => {
  const { db } = await testDatabase(t)
  const add = (id: number, mobile: string, key = '') =>
    db.execute(sql`
    insert into users (id, username, username_key, nickname, mobile, mobile_key) overriding system value
    values (${id}, ${`u${id}`}, ${`u${id}`}, '', ${mobile}, ${key})`)
  const warned: unknown[] = []
  const refresh = (region: 'CN' | 'US') =>
    refreshMobileKeys({ db, region, log: { ...silent, warn: (about: unknown) => void warned.push(about) } })
  const keys = async () => {
    const rows = await db.execute<{ id: number; key: string }>(
      sql`select id::int, mobile_key as key from users order by id`,
    )
    return Object.fromEntries(rows.map(({ id, key }) => [id, key]))
  }
  // As they were before there were keys: three spellings of one number, and those of others.
  await add(1, '+86 13800000001')
  await add(2, '13800000001')
  await add(3, '')
  await add(4, '2025550123')
  await add(5, '+1 202 555 0123')
  await add(6, 'no number')
  await refresh('CN')
  const chinese = { 1: '+8613800000001', 2: '', 3: '', 4: '+862025550123', 5: '+12025550123', 6: '' }
  t.same(await keys(), chinese)
  t.same(warned.splice(0), [{ users: ['u2'], count: 1 }])

  await refresh('US')
  const american = { 1: '+8613800000001', 2: '+13800000001', 3: '', 4: '+12025550123', 5: '', 6: '' }
  t.same(await keys(), american, 'keys move to other users, also to those without one')
  t.same(warned.splice(0), [{ users: ['u5'], count: 1 }])
  await refresh('CN')
  t.same(await keys(), chinese, 'and back')
  t.equal(warned.splice(0).length, 1)

  await db.execute(sql`delete from users where id = 1`)
  await refresh('CN')
  t.match(await keys(), { 2: '+8613800000001' }, 'a user without a key gets it as soon as it is free')
  t.same(warned, [])

  await db.execute(sql`update users set mobile_key = 'as it was' where id = 4`)
  await refresh('CN')
  t.match(await keys(), { 4: 'as it was' }, 'without a change the keys are not computed again')

  // Two instances that start at once.
  await db.execute(sql`delete from facts`)
  await Promise.all([refresh('CN'), refresh('CN')])
  t.match(await keys(), { 4: '+862025550123' })
})

t.test('a region is accepted only if it has numbers of its own', async (t) => {
  t.equal(toRegion('de'), 'DE')
  for (const none of ['', 'C', 'CHN', 'XX', '86']) t.equal(toRegion(none), undefined, none)
  t.equal(mobileKeys('DE')('0171 1234567'), mobileKeys('CN')('+49 171 1234567'))
})
