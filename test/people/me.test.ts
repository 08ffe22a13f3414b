import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { ContractDocument } from '../../src/contract/document.ts'
import { documents } from '../../src/generated/documents.ts'
import { stewardVersion } from '../../src/runtime/version.ts'
import { eventually } from '../eventually.ts'
import { steward } from '../steward.ts'

const s = await steward(t, { directory: 'none', env: { TRUST_PROXY: 'on' } })

const mailFolder = join(s.config.dataDir, 'mail')

/** The code in the next mail to this address. */
const mailedCode = async (to: string): Promise<string> => {
  const look = (): string | undefined => {
    for (const name of existsSync(mailFolder) ? readdirSync(mailFolder).sort() : []) {
      const text = readFileSync(join(mailFolder, name), 'utf8')
      const code = text.includes(`To: ${to}`) ? /code is (\d{6})\./.exec(text)?.[1] : undefined
      if (code === undefined) continue
      rmSync(join(mailFolder, name))
      return code
    }
    return undefined
  }
  return eventually(look, `a mail to ${to}`)
}

t.test('a user reads and changes their own profile', async (t) => {
  const { id, token } = await s.person('ann', { roleIds: [2] })
  const me = async () => (await s.call('getMe', { token })).data
  t.match(await me(), {
    ...{ id, username: 'ann', name: 'ann', mail: '', language: '', theme: '', rank: 3, required: null },
    ...{ secondFactor: false, mustChangePassword: false, version: stewardVersion },
    roles: [{ id: 2, name: 'user', keyword: 'user', sort: 3 }],
    session: { kind: 'bearer', secure: false, endsAt: String },
  })
  const update = (body: object) => s.call('updateMe', { token, body })
  t.match(await update({ name: '李娜', language: 'zh-CN', theme: 'dark' }), { code: 200, data: null })
  t.match(await update({ theme: '' }), { code: 200 })
  t.match(await update({}), { code: 200 })
  t.match(await me(), { name: '李娜', language: 'zh-CN', theme: '' })
  t.match((await s.call('getUserInfo', { token })).data, { nickname: '李娜' })
  for (const body of [{ name: '' }, { name: ' ' }, { language: 'fr' }, { theme: 'blue' }]) {
    t.match(await update(body), { code: 400 }, JSON.stringify(body))
  }
})

t.test('an address of their own needs a code that was mailed there', async (t) => {
  const { token } = await s.person('bob', { roleIds: [2] })
  await s.person('taken', { roleIds: [2] })
  await s.db.execute(sql`update users set mail = 'taken@example.org' where username = 'taken'`)
  const send = (mail: string) => s.call('sendMailProof', { token, body: { mail } })
  const confirm = (code: string) => s.call('confirmMail', { token, body: { code } })
  t.match(await send('bob@example.org'), { code: 200, data: null })
  const code = await mailedCode('bob@example.org')
  const other = code === '000000' ? '111111' : '000000'
  t.match(await confirm(other), { code: 400, reason: 'auth.wrong_factor_code', data: [{ field: 'code' }] })
  t.match((await s.call('getMe', { token })).data, { mail: '' }, 'nothing changes before it')
  t.match(await confirm(code), { code: 200 })
  t.match(await confirm(code), { code: 400 })
  t.match((await s.call('getMe', { token })).data, { mail: 'bob@example.org' })

  t.match(await send('bobby@example.org'), { code: 401, data: { required: 'second_factor', methods: ['mail'] } })
  const stepUp = () => s.db.execute(sql`update sessions set stepped_up_at = now() where ended_at is null`)
  await stepUp()
  t.match(await send('taken@example.org'), { code: 200 }, 'it does not tell whose it is')
  const stranger = await mailedCode('taken@example.org')
  t.match(await confirm(stranger), { code: 409, reason: 'people.mail_taken' })
  t.match((await s.call('getMe', { token })).data, { mail: 'bob@example.org' })
})

t.test('another address that an administrator gives them is told to the earlier one', async (t) => {
  const { id } = await s.person('cleo', { roleIds: [2] })
  const own = { username: 'cleo', nickname: 'Cleo', mobile: '', jobNumber: '', departmentId: [], roleIds: [2] }
  const give = (mail: string) => s.call('updateUser', { token: s.token, body: { ...own, id, mail } })
  const told = (to: string, text: RegExp) =>
    eventually(
      () =>
        readdirSync(mailFolder).some((name) => {
          const mail = readFileSync(join(mailFolder, name), 'utf8')
          return mail.includes(`To: ${to}`) && text.test(mail.replaceAll(/=?\r?\n/g, ' '))
        }),
      `a mail to ${to}`,
    )
  t.match(await give('cleo@example.org'), { code: 0 })
  t.match(await give('thief@example.org'), { code: 0 })
  await told('cleo@example.org', /is now thief@example\.org.*An administrator changed it/)
  t.match(await give('thief@example.org'), { code: 0 }, 'what stays is not told')
  t.match(await give(''), { code: 0 })
  await told('thief@example.org', /was removed/)
  // With a factor the caller proves it first.
  await s.db.execute(sql`update users set mail = 'admin@example.org' where id = 1`)
  await s.db.execute(sql`update sessions set stepped_up_at = null`)
  t.match(await give('cleo@example.org'), { code: 401, data: { required: 'second_factor', methods: ['mail'] } })
  await s.db.execute(sql`update users set mail = '' where id = 1`)
})

t.test('the grants are exactly what is not refused', async (t) => {
  const roleless = await s.person('roleless')
  const { token } = await s.person('granted', { roleIds: [2] })
  const grantsOf = async (token: string) => (await s.call('getMyGrants', { token })).data
  const all = documents.flatMap(({ operations }: ContractDocument) => operations)
  const open = all.filter(({ secured }) => !secured).map(({ id }) => id)
  const everyUsers = ['getUserInfo', 'changeOwnPassword', 'getMe', 'getMyGrants']
  t.same(new Set((await grantsOf(roleless.token)).operations), new Set([...open, ...everyUsers]))
  t.match(await grantsOf(roleless.token), { menus: { length: 0 }, rank: 1000 })
  const user = await grantsOf(token)
  t.ok(user.operations.includes('updateMe') && user.operations.includes('enrolTotp'))
  t.notOk(user.operations.includes('listUsers'))
  t.equal(user.rank, 3)
  const administrator = await grantsOf(s.token)
  t.same(new Set(administrator.operations), new Set(all.map(({ id }) => id)))
  const menus = (await s.call('getMenuTree', { token: s.token })).data
  t.ok(menus.length > 0 && administrator.menus.length >= menus.length)
  t.same(
    administrator.menus.map(({ sort }) => sort),
    administrator.menus.map(({ sort }) => sort).sort((a, b) => a - b),
  )
})
