import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hash } from '@node-rs/argon2'
import { and, eq, like, sql } from 'drizzle-orm'
import t from 'tap'
import { openPasswords } from '../../src/auth/passwords.ts'
import { transportCipher } from '../../src/auth/transport-cipher.ts'
import { semaphore } from '../../src/concurrency/semaphore.ts'
import { apiEntries, menus, roleApis, roleMenus, roles, userRoles, users } from '../../src/db/schema.ts'
import { directoryDocument } from '../../src/generated/directory.ts'
import { loadSecrets } from '../../src/secrets/secrets.ts'
import { commonPasswords } from '../../src/text/common-passwords.ts'
import { checkPassword, passwordProblem } from '../../src/text/password-rules.ts'
import { accountKey, addressKey } from '../../src/text/throttle-keys.ts'
import { withTypes } from '../built.ts'
import { testDatabase } from '../database.ts'
import { adminPassword, startService } from './sign-in-service.ts'

const folderOf = (t: { teardown(run: () => void): void }): string => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-start-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

t.test('what a start creates', async (t) => {
  const database = await testDatabase(t)
  const service = await startService(t, database)
  const { db } = database

  /** What a role is granted, as `METHOD path`. */
  const grantsOf = async (keyword: string) => {
    const rows = await db
      .select({ method: apiEntries.method, path: apiEntries.path })
      .from(apiEntries)
      .innerJoin(roleApis, eq(roleApis.apiId, apiEntries.id))
      .innerJoin(roles, eq(roles.id, roleApis.roleId))
      .where(eq(roles.keyword, keyword))
    return rows.map(({ method, path }) => `${method} ${path}`).sort()
  }

  t.test('the first start makes a password for admin and prints it once', async (t) => {
    const { generatedPassword } = await service.bootstrap({ adminPassword: null })
    t.match(generatedPassword, /^[\w-]{20}$/)
    t.match(await service.bootstrap({ adminPassword: null }), { generatedPassword: null })
    await service.signIn('admin', generatedPassword ?? '')
    const held = await db
      .select({ keyword: roles.keyword, sort: roles.sort })
      .from(userRoles)
      .innerJoin(roles, eq(roles.id, userRoles.roleId))
    t.same(held, [{ keyword: 'admin', sort: 1 }])
  })

  t.test('ADMIN_PASSWORD is the password of the first start only, and has to be a good one', async (t) => {
    await database.reset()
    await t.rejects(service.bootstrap({ adminPassword: 'password123' }), {
      name: 'ConfigError',
      message: /ADMIN_PASSWORD: is one of/,
    })
    t.equal(await db.$count(roles), 0, 'nothing is left behind')
    t.match(await service.bootstrap(), { generatedPassword: null })
    await service.bootstrap({ adminPassword: 'another-password-9' })
    await service.signIn('admin', adminPassword)
  })

  t.test('there are three roles, a console, and an API entry for every operation', async (t) => {
    const found = await db.select().from(roles).orderBy(roles.sort)
    t.match(
      found.map(({ keyword, sort, status }) => ({ keyword, sort, status })),
      [
        { keyword: 'admin', sort: 1, status: 1 },
        { keyword: 'user', sort: 3, status: 1 },
        { keyword: 'guest', sort: 5, status: 1 },
      ],
    )
    t.equal(await db.$count(apiEntries), directoryDocument.operations.length)
    t.match(await db.select().from(apiEntries).where(eq(apiEntries.path, '/user/add')), [
      { method: 'POST', category: 'users', remark: 'Add a user', document: 'directory' },
    ])
    const shown = await db.select().from(menus).orderBy(menus.sort)
    const system = shown.find(({ name }) => name === 'System')
    t.same(
      shown.filter(({ parentId }) => parentId === system?.id).map(({ path }) => path),
      ['/system/role', '/system/menu', '/system/api'],
    )
    t.equal((await grantsOf('admin')).length, directoryDocument.operations.length)
    t.same(await grantsOf('user'), ['GET /menu/access/tree', 'GET /user/info', 'POST /user/changePwd'])
    t.same(await grantsOf('guest'), ['GET /user/info'])
  })

  t.test('no menu of the console is blank or there twice, and the dashboard leads to them', async (t) => {
    const shown = await db.select().from(menus)
    for (const of of ['name', 'path', 'component'] as const) {
      const values = shown.map((menu) => menu[of]).filter((value) => value !== 'Layout')
      t.equal(new Set(values).size, values.length, `no ${of} twice`)
    }
    for (const menu of shown) {
      const below = shown.filter(({ parentId }) => parentId === menu.id)
      t.equal(menu.component, below.length > 0 ? 'Layout' : `${menu.path}/index`, menu.path)
      t.equal(menu.parentId === null, below.length > 0, `${menu.path} has its place`)
      if (below.length > 0)
        t.ok(
          below.some(({ path }) => path === menu.redirect),
          `${menu.path} leads on`,
        )
    }
    for (const { path } of (await service.call('dashboard')).data) {
      t.ok(
        shown.some((menu) => menu.path === path),
        path,
      )
    }
    const granted = await db.execute<{ role: string; menus: string[] }>(sql`
      select r.keyword as role, json_agg(m.path order by m.path) as menus from role_menus g
      join roles r on r.id = g.role_id join menus m on m.id = g.menu_id where r.keyword <> 'admin' group by 1 order by 1`)
    t.same(granted, [
      { role: 'guest', menus: ['/me', '/me/profile', '/me/security'] },
      {
        role: 'user',
        menus: [
          '/diet',
          '/diet/plan',
          '/diet/recipe',
          '/diet/report',
          '/diet/today',
          '/me',
          '/me/profile',
          '/me/security',
        ],
      },
    ])
  })

  t.test('menus of an earlier release are updated, except those that an administrator has changed', async (t) => {
    const earlier = [
      ...[['Dashboard', '/dashboard', ''], ['Personnel', '/personnel', ''], ['User', '/personnel/user', 'Personnel']],
      ...[['Log', '/log', ''], ['OperationLog', '/log/operation', 'Log'], ['Security', '/security', '']],
    ] // biome-ignore format: a list
    const arrive = async (change: ReturnType<typeof sql>) => {
      await db.delete(roleMenus)
      await db.delete(menus).where(sql`parent_id is not null`)
      await db.delete(menus)
      for (const [name, path, parent] of earlier) {
        await db.execute(sql`
          insert into menus (name, title, path, component, parent_id, creator)
          select ${name}, ${name}, ${path}, ${parent ? `${path}/index` : 'Layout'}, (select id from menus where name = ${parent}), 'system'`)
      }
      const seeded = [...earlier.map(([name]) => `menu: ${name}`), 'menu: Diet', 'menu: System']
      await db.execute(sql`update facts set value = ${JSON.stringify(seeded)}::jsonb where name = 'seeded'`)
      await db.execute(change)
      await service.bootstrap()
      return Object.fromEntries((await db.select().from(menus)).map((menu) => [menu.name, menu]))
    }
    const followed = await arrive(sql`select`)
    t.notOk('Dashboard' in followed, 'the home of a console is its own')
    t.match(followed.OperationLog, { path: '/log/operation-log', component: '/log/operation-log/index' })
    t.match(followed.Personnel, { redirect: '/personnel/user' })
    t.match(followed.Alert, { parentId: followed.Security?.id })
    for (const gone of ['Diet', 'DietToday', 'Role']) t.notOk(gone in followed, `${gone}: what it is under was deleted`)

    const edited = await arrive(sql`
      update menus set title = 'Start', updated_at = now() + interval '1 second' where name in ('Dashboard', 'OperationLog', 'Personnel')`)
    t.match(edited.Dashboard, { title: 'Start', path: '/dashboard' })
    t.match(edited.OperationLog, { title: 'Start', path: '/log/operation' })
    t.match(edited.Personnel, { redirect: '' })
    await database.reset()
    await service.bootstrap()
  })

  t.test('what an administrator removes or edits is unchanged after the next start', async (t) => {
    const [entry] = await db.select().from(apiEntries).where(eq(apiEntries.path, '/user/info'))
    const [guest] = await db.select().from(roles).where(eq(roles.keyword, 'guest'))
    const [user] = await db.select().from(roles).where(eq(roles.keyword, 'user'))
    const entryId = entry?.id ?? 0
    await db.delete(roleApis).where(and(eq(roleApis.apiId, entryId), eq(roleApis.roleId, user?.id ?? 0)))
    await db.delete(roleMenus).where(eq(roleMenus.roleId, user?.id ?? 0))
    await db.delete(roles).where(eq(roles.id, guest?.id ?? 0))
    await db.delete(menus).where(like(menus.name, 'Diet_%'))
    await db.delete(menus).where(eq(menus.name, 'Diet'))
    await db.insert(apiEntries).values({ category: 'mine', method: 'GET', path: '/mine', remark: 'by hand' })
    await service.bootstrap()
    t.same(await grantsOf('user'), ['GET /menu/access/tree', 'POST /user/changePwd'])
    t.equal(await db.$count(roleMenus, eq(roleMenus.roleId, user?.id ?? 0)), 0)
    t.equal(await db.$count(roles), 2)
    t.equal(await db.$count(menus, like(menus.name, 'Diet%')), 0)
    t.match(await db.select().from(apiEntries).where(eq(apiEntries.path, '/mine')), [{ remark: 'by hand' }])
    t.ok((await grantsOf('admin')).includes('GET /mine'), 'the administrator holds everything')
    t.equal(await db.$count(users), 1)
  })

  t.test('API entries follow the documents: new ones appear, texts follow, gone ones are marked', async (t) => {
    const [first, ...others] = directoryDocument.operations
    if (!first) throw new Error('the document has no operations')
    const changed = {
      ...directoryDocument,
      operations: [
        ...others.map((operation) =>
          operation.id === 'addUser' ? { ...operation, summary: 'x'.repeat(150) } : operation,
        ),
        { ...first, id: 'brandNew', path: '/brand/new', url: '/brand/new' },
      ],
    }
    const remarkOf = async (path: string) =>
      (await db.select().from(apiEntries).where(eq(apiEntries.path, path)))[0]?.remark
    await service.bootstrap({ documents: [changed] })
    await service.bootstrap({ documents: [changed] })
    t.equal(await remarkOf(first.path), `(removed) ${first.summary}`)
    t.equal(await remarkOf('/user/add'), 'x'.repeat(100))
    t.equal(await remarkOf('/brand/new'), first.summary)
    t.equal(await remarkOf('/mine'), 'by hand')
    await service.bootstrap()
    t.equal(await remarkOf(first.path), first.summary)
    t.equal(await remarkOf('/brand/new'), `(removed) ${first.summary}`)
  })

  t.test('operations of the diet document are granted to users as soon as there is one', async (t) => {
    const [operation] = directoryDocument.operations
    if (!operation) throw new Error('the document has no operations')
    const meals = {
      ...operation,
      id: 'getTodaysMeals',
      method: 'GET' as const,
      path: '/meals/today',
      url: '/meals/today',
    }
    const diet = { ...directoryDocument, name: 'diet', prefix: '/api/v1/diet', operations: [meals] }
    await service.bootstrap({ documents: [directoryDocument, diet] })
    t.ok((await grantsOf('user')).includes('GET /v1/diet/meals/today'))
  })
})

t.test('secrets are made once, kept for their owner only, and read again', async (t) => {
  const folder = folderOf(t)
  const first = loadSecrets(folder, { jwtSecret: null })
  t.same(loadSecrets(folder, { jwtSecret: null }), first)
  t.not(first.jwt, loadSecrets(folderOf(t), { jwtSecret: null }).jwt)
  const secrets = join(folder, 'secrets')
  t.same(readdirSync(secrets).sort(), ['directory-password', 'jwt'])
  t.equal(statSync(secrets).mode & 0o777, 0o700)
  for (const name of readdirSync(secrets)) {
    t.equal(statSync(join(secrets, name)).mode & 0o777, 0o600)
    t.ok(readFileSync(join(secrets, name), 'utf8').trim().length >= 43)
  }
  chmodSync(join(secrets, 'jwt'), 0o644)
  loadSecrets(folder, { jwtSecret: null })
  t.equal(statSync(join(secrets, 'jwt')).mode & 0o777, 0o600, 'made private again')
  writeFileSync(join(secrets, 'jwt'), '')
  t.throws(() => loadSecrets(folder, { jwtSecret: null }), { message: /secrets[/\\]jwt: holds no secret/ })
})

t.test('JWT_SECRET is what instances have to share: all keys follow from it', async (t) => {
  const jwtSecret = 'a secret that two instances share'
  const [one, other] = [loadSecrets(folderOf(t), { jwtSecret }), loadSecrets(folderOf(t), { jwtSecret })]
  t.equal(one.jwt, jwtSecret)
  t.same([one.transportKey, one.mailCodeKey], [other.transportKey, other.mailCodeKey])
  t.notSame(one.transportKey, one.mailCodeKey)
  t.not(one.directoryPassword, other.directoryPassword)
})

t.test('processes that start at once agree on the secrets', async (t) => {
  const folder = folderOf(t)
  const script = `import('${new URL('../../src/secrets/secrets.ts', import.meta.url).href}').then(({ loadSecrets }) => {
    console.log(JSON.stringify(loadSecrets(${JSON.stringify(folder)}, { jwtSecret: null })))
  })`
  const run = () => promisify(execFile)(process.execPath, [withTypes, '--eval', script])
  const outputs = await Promise.all([run(), run(), run()])
  t.equal(new Set(outputs.map(({ stdout }) => stdout)).size, 1)
  t.same(readdirSync(join(folder, 'secrets')).sort(), ['directory-password', 'jwt'])
})

t.test('a password has 8 to 128 characters, is not among the commonest and not made of a known name', async (t) => {
  const refused = (password: string) => {
    try {
      checkPassword('newPassword', password)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }
  for (const password of [
    '12345678',
    'Password123',
    'QWERTYUIOP',
    'iloveyou',
    'P@ssw0rd',
    'woaini1314',
    '5201314520',
  ]) {
    t.match(refused(password), /^newPassword: is one of the most common/, password)
  }
  for (const password of ['', 'sevenxx', '密码密码密码密', '😀'.repeat(7), 'x'.repeat(129), '😀'.repeat(129)]) {
    t.match(refused(password), /^newPassword: must have 8 to 128 characters/)
  }
  for (const password of [
    'eight ch',
    '😀'.repeat(8),
    '密码密码密码密码',
    'x'.repeat(128),
    '😀'.repeat(128),
    ' '.repeat(8),
  ]) {
    t.equal(refused(password), null)
  }
  for (const [password, ...names] of [
    ['steward123'],
    ['Steward!!!!'],
    ['maria1234', 'maria'],
    ['1MARIA123', 'Maria'],
    ['acme2026', 'bob', 'ACME'],
    ['管理员管理员管理员', '管理员'],
  ] as [string, ...string[]][]) {
    t.match(passwordProblem(password, names)?.row.text, /^is too similar to the username/, password)
  }
  for (const [password, ...names] of [['maria 2026!', 'maria'], ['steward of the house'], ['bobbobbob bob', 'bo']] as [
    string,
    ...string[],
  ][]) {
    t.equal(passwordProblem(password, names), null, password)
  }
  t.ok(commonPasswords.size > 15_000)
  for (const password of commonPasswords) {
    if (password.length < 8 || password !== password.toLowerCase()) t.fail(`${password} can never match`)
  }
})

t.test('a stored password is argon2id, and what the directory checks where that is something else', async (t) => {
  const cipher = transportCipher(Buffer.alloc(32))
  const argon = await openPasswords({ cipher, scheme: 'argon2' }).seal(adminPassword)
  t.match(argon.passwordHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.equal(argon.directoryPassword, null)
  const passwords = openPasswords({ cipher, scheme: 'ssha512' })
  const sealed = await passwords.seal(adminPassword)
  t.match(sealed.directoryPassword, /^\{SSHA512\}/)
  t.equal(await passwords.verify(sealed.passwordHash, adminPassword), true)
  t.equal(await passwords.verify(sealed.passwordHash, 'another'), false)
  t.equal(await passwords.verify(null, adminPassword), false)
  const theirs = await hash(adminPassword, { memoryCost: 4096, timeCost: 3, parallelism: 1 })
  const kept = { passwordHash: theirs, directoryPassword: null }
  const renewed = await openPasswords({ cipher, scheme: 'argon2' }).renewal(adminPassword, kept, () => true)
  t.match(renewed?.passwordHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'one of another cost is replaced')
  t.equal(await passwords.renewal(adminPassword, sealed, () => true), null)
  const unreadable = '$argon2id$v=19$m=19456,t=2,p=1$AAAA$BBBB'
  t.equal(await passwords.verify(unreadable, adminPassword), false, 'no password fits a hash that cannot be read')
})

t.test('a wrong password costs as much whatever hash is stored, and whether there is one', async (t) => {
  const checked: string[] = []
  const { verify: check } = openPasswords({
    cipher: transportCipher(Buffer.alloc(32)),
    scheme: 'argon2',
    argon2: {
      hash: async () => '',
      async verify(hash) {
        checked.push(hash.split('$').slice(0, -2).join('$'))
        return false
      },
    },
  })
  const own = '$argon2id$v=19$m=19456,t=2,p=1'
  const stored = [null, `${own}$c2FsdHNhbHQ$aGFzaA`, '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA', '{SSHA}AAAA']
  for (const each of stored) {
    checked.length = 0
    t.equal(await check(each, 'wrong'), false)
    t.ok(checked.includes(own), `${each}`)
  }
})

t.test('the semaphore runs so many at once, queues so many, and refuses the rest', async (t) => {
  const passage = semaphore(2, { queue: 3 })
  const begun: number[] = []
  const finish: (() => void)[] = []
  const work = (n: number) =>
    passage.run(() => {
      begun.push(n)
      return new Promise<void>((resolve) => finish.push(resolve))
    })
  const all = [0, 1, 2, 3, 4].map(work)
  await t.rejects(work(5), { message: /too many requests/ })
  t.equal(passage.load, 5)
  t.same(begun, [0, 1])
  for (let n = 0; n < 5; n += 1) {
    finish[n]?.()
    await all[n]
    await new Promise(setImmediate)
  }
  t.same(begun, [0, 1, 2, 3, 4], 'first come, first served')
  await t.rejects(
    passage.run(() => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  )
  t.equal(await passage.run(async () => 'free again'), 'free again')
  t.equal(passage.load, 0)
})

t.test('failures are counted by account as the directory sees it, and by network', async (t) => {
  t.equal(accountKey('Li  Na '), accountKey('li na'))
  t.ok(accountKey('x'.repeat(255)).length < 120)
  t.equal(addressKey('192.0.2.1'), 'address:192.0.2.1')
  t.equal(addressKey('::ffff:192.0.2.1'), 'address:192.0.2.1')
  t.equal(addressKey('2001:db8::1'), 'address:2001:db8:0:0/64')
  t.equal(addressKey('2001:0DB8:0:0:1:2:3:4'), addressKey('2001:db8::ffff'))
  t.not(addressKey('2001:db8:0:1::1'), addressKey('2001:db8::1'))
  t.equal(addressKey('::1'), 'address:0:0:0:0/64')
  t.equal(addressKey('fe80::1%eth0'), 'address:fe80:0:0:0/64')
})
