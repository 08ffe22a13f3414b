import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { configIdentity, databaseDn } from '../slapd-configuration.ts'
import { stage } from './stage.ts'

// An account of LDAP_BIND_DN that may not read everything: what is said to administrators, and that nothing is lost.

const office = async (t: Test) => {
  const slapd = await testSlapd(t)
  const said: string[] = []
  const seen: typeof slapd = Object.create(slapd, Object.getOwnPropertyDescriptors(slapd))
  const s = await stage(t, {
    started: false,
    slapd: Object.assign(seen, await slapd.hidePasswords()),
    log: { error: (first: object | string, message?: string) => void said.push(message ?? String(first)) },
  })
  await s.db.execute(sql`delete from users`)
  await s.db.execute(sql`delete from directory_entries`)
  const config = ldapTools({ ...slapd, ...configIdentity })
  const root = ldapTools(slapd)
  return {
    ...s,
    said,
    slapd,
    root,
    configure: async (...lines: string[]) => {
      const done = await config.run(
        'ldapmodify',
        [],
        [`dn: ${databaseDn}`, 'changetype: modify', ...lines, ''].join('\n'),
      )
      t.equal(done.code, 0, done.stderr)
    },
    count: async () => {
      const { stdout } = await root.run('ldapsearch', ['-LLL', '-b', `ou=people,${slapd.baseDn}`, '-s', 'one', 'dn'])
      return stdout.match(/^dn: /gm)?.length ?? 0
    },
  }
}

t.test('a limit below the number of people', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  await s.addUsers(...Array.from({ length: 12 }, (_, index) => `p${index}`))
  s.reconciler.start()
  await s.quiet()
  await s.configure('replace: olcSizeLimit', 'olcSizeLimit: size.soft=5 size.hard=5 size.prtotal=5')
  await t.rejects(s.reconciler.compareEverything(), /sizeLimitExceeded/)
  t.match(s.said.at(-1), /cannot be compared with the database: let the account of LDAP_BIND_DN read all/)
  t.equal(await s.count(), 12)
})

t.test('an entry that it may not see', { skip: skipWithoutSlapd }, async (t) => {
  const s = await office(t)
  await s.addUsers('ada', 'grace')
  s.reconciler.start()
  await s.quiet()
  await s.configure('add: olcAccess', 'olcAccess: {0}to dn.regex="^uid=ada," by * none')
  await s.reconciler.compareEverything()
  const statedOf = async (username: string) => {
    const [row] = await s.db.execute<{ stated: unknown }>(sql`
      select stated from directory_entries e join users u on u.id = e.record_id
      where e.kind = 'user' and username = ${username}`)
    return row?.stated
  }
  const hidden = { code: 'mirror.place_hidden', params: { dn: /^uid=ada,/ } }
  await eventually(async () => JSON.stringify(await statedOf('ada')).includes(hidden.code), 'it is told')
  t.match(await statedOf('ada'), hidden)
  t.notOk(await statedOf('grace'), 'which holds up none of the others')
  t.equal(await s.count(), 2)
})
