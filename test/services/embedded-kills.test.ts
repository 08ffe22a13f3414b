import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools, skipWithoutTools } from '../ldap-server/ldap-tools.ts'
import { fileLimit, sampleOf } from '../nightly.ts'
import { dataFolder, errorsIn, type ServerProcess, startServer } from '../server-process.ts'

// Service accounts on the embedded directory, whose process is killed while several are being changed: what was answered
// stands, and what was not is whole or absent.

t.setTimeout(fileLimit(240_000))

const baseDn = 'dc=steward,dc=local'
const dnOf = (name: string): string => `cn=${name},ou=service-accounts,${baseDn}`

/** What is known of an account: as it was answered last, and what was asked of it and not answered. */
interface Known {
  /** null: its creation was not answered. */
  id: number | null
  names: string[]
  /** The newest password that was answered; null: a later one was made and not answered. */
  password: string | null
  enabled: boolean
  removed: boolean
  asked: 'creation' | 'rotation' | 'renaming' | 'disabling' | 'removal' | null
}

/** Changes made at a time. */
const writers = 4
/** Killed after so many answers. */
const moments = [1, 2, 5, 8, 13, 20, 30, 45, 60]

t.test('kill -9 of the embedded directory', { skip: skipWithoutTools || postgresMissing }, async (suite) => {
  const postgres = await testPostgres(suite)
  const { db, close } = await openDatabase({ url: postgres.url, dataDir: '', log: silent })
  suite.teardown(close)
  const settings = { DATA_DIR: await dataFolder(suite), DATABASE_URL: postgres.url }
  let server = await startServer(suite, settings)
  const token = await server.signIn()
  await db.execute(sql`update sessions set stepped_up_at = now() + interval '1 hour'`)
  const rootPassword = (await readFile(join(settings.DATA_DIR, 'secrets', 'directory-password'), 'utf8')).trim()

  const toolsFor = (bindDn: string, bindPassword: string) => {
    const [, url = ''] = /directory +(ldap:\S+)/.exec(server.output()) ?? []
    return ldapTools({ url, baseDn, bindDn, bindPassword })
  }
  const bind = async (name: string, password: string) =>
    (await toolsFor(dnOf(name), password).run('ldapwhoami', [])).code
  const entries = async (): Promise<Map<string, number>> => {
    const { stdout } = await toolsFor(`cn=admin,${baseDn}`, rootPassword).search(
      ...['-b', baseDn, '(objectClass=applicationProcess)', 'cn', 'userPassword'],
    )
    const found = stdout.split(/\n(?=dn: )/).filter((entry) => entry.startsWith('dn: '))
    return new Map(
      found.map((entry) => [/^dn: cn=([^,]+)/.exec(entry)?.[1] ?? '', (entry.match(/^userPassword:/gm) ?? []).length]),
    )
  }
  const listed = async () => (await server.call('listServiceAccounts', { token })).data.accounts
  const nothingWaits = () =>
    eventually(async () => {
      const waiting = await db.execute(sql`
        select from service_accounts a full join service_entries e on e.account_id = a.id
        where e.synced_version is distinct from a.version`)
      return waiting.length === 0
    }, 'nothing waits')

  /** Makes an account and changes it, again and again, until the server does not answer. */
  const keepChanging = async (known: Known[], prefix: string, answered: () => void): Promise<void> => {
    const by: ServerProcess = server
    const ask = async <T>(about: Known, asked: Known['asked'], work: () => Promise<{ code: number; data: T }>) => {
      about.asked = asked
      const { code, data } = await work()
      if (code !== 200) throw new Error(`${asked}: ${code}`)
      about.asked = null
      return data
    }
    for (let round = 0; ; round++) {
      const name = `${prefix}-${round}`
      const one: Known = { id: null, names: [name], password: null, enabled: true, removed: false, asked: null }
      known.push(one)
      const made = await ask(one, 'creation', () => by.call('createServiceAccount', { token, body: { name } }))
      Object.assign(one, { id: made.id, password: made.password })
      answered()
      const params = { id: made.id }
      one.password = (
        await ask(one, 'rotation', () => by.call('rotateServicePassword', { token, params, body: { keepOld: false } }))
      ).password
      answered()
      const update = (body: object) => () => by.call('updateServiceAccount', { token, params, body })
      const other = `${name}-renamed`
      one.names.push(other)
      await ask(one, 'renaming', update({ name: other }))
      one.names.shift()
      answered()
      if (round % 2 === 0) {
        await ask(one, 'disabling', update({ enabled: false }))
        one.enabled = false
      } else {
        await ask(one, 'removal', () => by.call('removeServiceAccount', { token, params }))
        one.removed = true
      }
      answered()
    }
  }

  for (const moment of sampleOf(suite, 'kills by answers', moments, 3)) {
    await suite.test(`after ${moment} answers`, async (t) => {
      const known: Known[] = []
      let answers = 0
      const reached = new Promise<void>((resolve, reject) => {
        const answered = (): void => {
          answers += 1
          if (answers === moment) resolve()
        }
        for (let n = 0; n < writers; n++) keepChanging(known, `w${moment}-${n}`, answered).catch(reject)
      })
      await reached
      t.match(await server.kill(), { signal: 'SIGKILL' })
      server = await startServer(suite, settings)

      // Before anything is written again.
      for (const { id, names, password, enabled, removed, asked } of known) {
        if (id === null || asked !== null || password === null) continue
        const [name = ''] = names
        t.equal(await bind(name, password), enabled && !removed ? 0 : 49, `${name} is as it was answered`)
      }

      await nothingWaits()
      const [accounts, inDirectory] = [await listed(), await entries()]
      t.same(
        accounts.flatMap(({ name, enabled }) => (enabled ? [name] : [])).sort(),
        [...inDirectory].flatMap(([name, passwords]) => (passwords > 0 ? [name] : [])).sort(),
        'who can sign in there is who may',
      )
      t.same(
        [...inDirectory.keys()].filter((name) => !accounts.some((each) => each.name === name)),
        [],
        'no leftovers',
      )
      for (const { id, names, password, removed, asked } of known) {
        const account = accounts.find((each) => (id === null ? names.includes(each.name) : each.id === id))
        if (asked !== null)
          t.comment(`${names.join(' → ')}: the ${asked} is ${account ? 'of an account' : 'of none any more'}`)
        if (account === undefined) {
          t.ok(removed || asked === 'creation' || asked === 'removal', names.join())
          continue
        }
        t.ok(names.includes(account.name))
        t.equal(inDirectory.get(account.name) ?? 0, account.enabled ? account.passwords.length : 0, 'as many passwords')
        for (const name of names.filter((each) => each !== account.name))
          t.equal(await bind(name, password ?? ''), 49, `${name} is gone`)
        if (asked === null || !account.enabled) continue
        // Its administrator does again what was not answered.
        const again = await server.call('rotateServicePassword', {
          ...{ token, params: { id: account.id }, body: { keepOld: false } },
        })
        t.equal(await bind(account.name, again.data.password), 0)
        if (password !== null) t.equal(await bind(account.name, password), 49)
      }
      for (const { id } of await listed()) await server.call('removeServiceAccount', { token, params: { id } })
      await nothingWaits()
      t.same([...(await entries()).keys()], [])
      t.same(errorsIn(server.output()), [])
    })
  }
})
