import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { Client } from 'ldapts'
import t, { type Test } from 'tap'
import { alerts, users } from '../../src/db/schema.ts'
import { element, octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { eventually } from '../eventually.ts'
import { ldapTools, skipWithoutTools, type ToolRun } from '../ldap-server/ldap-tools.ts'
import { bindRequest, message, rawConnection, whoAmIRequest } from '../ldap-server/raw-connection.ts'
import { steward, type TestSteward } from '../steward.ts'

// Passwords that are changed over LDAP (RFC 3062), by ldappasswd against the embedded directory of a whole service.

const oid = '1.3.6.1.4.1.4203.1.11.1'

const opened = async (t: Test) => {
  const service = await steward(t)
  const { url = '', baseDn = '', bindDn = '' } = service.mirror.address ?? {}
  const secret = await readFile(join(service.config.dataDir, 'secrets', 'directory-password'), 'utf8')
  const tools = ldapTools({ url, baseDn, bindDn, bindPassword: secret.trim() })
  const dn = (username: string): string => `uid=${username},ou=people,${baseDn}`
  const add = async (username: string) => {
    const added = await service.person(username)
    await service.db
      .update(users)
      .set({ mail: `${username}@example.org` })
      .where(eq(users.id, added.id))
    await eventually(async () => (await signsIn(username, added.password)) === 0, 'the entry is there')
    return added
  }
  const passwd = async (username: string, password: string, ...args: string[]): Promise<ToolRun> =>
    told(await tools.as(dn(username), password, 'ldappasswd', args))
  const signsIn = async (username: string, password: string): Promise<number | null> =>
    (await tools.as(dn(username), password, 'ldapwhoami', [])).code
  return { service, tools, dn, add, passwd, signsIn, baseDn, port: Number(new URL(url).port) }
}

/** ldappasswd ends with 1 for every refusal, and prints the result code. */
const told = (run: ToolRun): ToolRun => {
  const [, code] = /^Result: .*\((\d+)\)$/m.exec(run.stdout + run.stderr) ?? []
  return { ...run, code: code === undefined ? run.code : Number(code) }
}

const loginCode = async (service: TestSteward, username: string, password: string): Promise<number> =>
  (await service.call('login', { body: { username, password } })).code

t.test('ldappasswd', { skip: skipWithoutTools }, async (t) => {
  const { service, tools, dn, add, passwd, signsIn, baseDn, port } = await opened(t)
  const ann = await add('ann')
  const { searchEntries } = await (async () => {
    const client = new Client({ url: service.mirror.address?.url ?? '', timeout: 10_000 })
    t.teardown(() => client.unbind())
    return client.search('', { scope: 'base', attributes: ['supportedExtension'] })
  })()
  t.ok([searchEntries[0]?.supportedExtension].flat().includes(oid), 'the root DSE names it')

  await t.test(
    'a person changes their own password: valid everywhere at once, sessions ended, told and logged',
    async (t) => {
      t.match(await passwd('ann', ann.password, '-s', 'a better one 77'), { code: 0 })
      t.equal(await signsIn('ann', 'a better one 77'), 0)
      t.equal(await signsIn('ann', ann.password), 49)
      t.equal(await loginCode(service, 'ann', 'a better one 77'), 0)
      t.equal(await loginCode(service, 'ann', ann.password), 401)
      t.equal((await service.call('getUserInfo', { token: ann.token })).code, 401, 'the session from before has ended')
      const mails = join(service.config.dataDir, 'mail')
      const texts = async () =>
        Promise.all((await readdir(mails).catch(() => [])).map((name) => readFile(join(mails, name), 'utf8')))
      await eventually(async () => (await texts()).some((text) => text.includes('ann@example.org')), 'the notice')
      const logged = await eventually(async () => {
        const { logs } = await service.take('listOperationLogs', { query: { path: '/password' } as never })
        return logs.find(({ username, method }) => username === 'ann' && method === 'LDAP')
      }, 'the entry of the operation log')
      t.match(logged, { status: 0, target: [ann.id] })
      t.notMatch(service.logs.join('\n'), /a better one/)
    },
  )

  await t.test('the rules for passwords hold, and say what is wrong', async (t) => {
    t.match(await passwd('ann', 'a better one 77', '-s', 'short'), { code: 19, stdout: /8 to 128 characters/ })
    t.match(await passwd('ann', 'a better one 77', '-s', 'password1'), { code: 19 })
    t.match(await passwd('ann', 'a better one 77', '-s', 'ann-1234', '-a', 'wrong'), { code: 53 })
    t.equal(await signsIn('ann', 'a better one 77'), 0, 'nothing has changed')
    t.match(await passwd('ann', 'a better one 77', '-a', 'a better one 77', '-s', 'an even better 8'), { code: 0 })
  })

  await t.test('without a new password one is made and answered', async (t) => {
    const made = await passwd('ann', 'an even better 8')
    const [, password = ''] = /^New password: (\S{20})$/m.exec(made.stdout) ?? []
    t.equal(made.code, 0)
    t.equal(await signsIn('ann', password), 0)
    t.match(await passwd('ann', password, '-s', 'ann chose this 9'), { code: 0 })
  })

  await t.test('a person cannot change that of another; the administrator of the directory can', async (t) => {
    const bob = await add('bob')
    t.match(await passwd('bob', bob.password, '-s', 'of bob for ann 1', dn('ann')), { code: 50 })
    t.match(await passwd('bob', bob.password, '-s', 'of bob for ann 1', `uid=none,ou=people,${baseDn}`), { code: 50 })
    t.match(told(await tools.anonymously('ldappasswd', ['-s', 'of a stranger 12', dn('ann')])), { code: 8 })
    t.match(told(await tools.run('ldappasswd', ['-s', 'set by the root 1', dn('bob')])), { code: 0 })
    t.equal(await signsIn('bob', 'set by the root 1'), 0)
    const login = await service.call('login', { body: { username: 'bob', password: 'set by the root 1' } })
    t.match(login, { code: 401, data: { required: 'new_password' } }, 'the person has not chosen it')
    t.match(told(await tools.run('ldappasswd', ['-s', 'set by the root 1', baseDn])), { code: 53 })
    t.match(told(await tools.run('ldappasswd', ['-s', 'set by the root 1', `uid=none,ou=people,${baseDn}`])), {
      code: 32,
    })
    t.match(told(await tools.run('ldappasswd', ['-s', 'for the admin 99', dn('admin')])), { code: 0 })
    const raised = await service.db.select({ rule: alerts.rule }).from(alerts)
    t.ok(
      raised.some(({ rule }) => rule === 'adoptedAdministratorPassword'),
      'an administrator: an alert',
    )
  })

  await t.test('an entry elsewhere with the uid of a person is no way to their password', async (t) => {
    const elsewhere = `ou=elsewhere,${baseDn}`
    const foreign = `uid=ann,${elsewhere}`
    const ldif = `dn: ${elsewhere}\nobjectClass: organizationalUnit\n\ndn: ${foreign}\nobjectClass: inetOrgPerson\ncn: x\nsn: x\nuserPassword: foreign\n`
    t.match(await tools.run('ldapadd', [], ldif), { code: 0 })
    t.match(told(await tools.as(foreign, 'foreign', 'ldappasswd', ['-s', 'taken over 1234'])), { code: 53 })
    t.equal(await signsIn('ann', 'ann chose this 9'), 0)
  })

  await t.test('the connection is told, answered and ended; others of the person end too', async (t) => {
    const [changing, other] = [await rawConnection(t, port), await rawConnection(t, port)]
    for (const connection of [changing, other]) {
      connection.send(message(1, bindRequest(dn('ann'), 'ann chose this 9')))
      t.match(await connection.answerTo(1), { code: 0 })
    }
    const request = (value: Buffer) => element(0x77, octetString(oid, 0x80), octetString(value, 0x81))
    changing.send(message(2, request(Buffer.from('no sequence'))))
    t.match(await changing.answerTo(2), { code: 2 })
    changing.send(message(3, whoAmIRequest))
    t.match(await changing.answerTo(3), { code: 0 })
    const closed = once(other.socket, 'close')
    changing.send(message(4, request(sequence(octetString('ann chose again 5', 0x82)))))
    t.match(await changing.answerTo(4), { code: 0 }, 'the answer comes before the end')
    await Promise.all([changing.closed, closed])
  })
})
