import t, { type Test } from 'tap'
import { type Directory, openDirectory, type Write } from '../../src/ldap/directory.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { quiet } from '../mirror/quiet.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { configIdentity, databaseDn, type SlapdIdentity } from '../slapd-configuration.ts'

// What is said of a write that slapd refuses: slapd itself often gives a code and no reason.

const openedAs = (t: Test, { url }: TestSlapd, identity: SlapdIdentity): Directory => {
  const directory = openDirectory({ ...identity, url, ca: null, startTls: false, timeout: 10_000, log: quiet })
  t.teardown(() => directory.close())
  return directory
}

const person = ({ baseDn }: SlapdIdentity, ...classes: string[]): Write => ({
  kind: 'add',
  dn: `cn=ann,${baseDn}`,
  attributes: { objectClass: ['top', 'person', ...classes], cn: ['ann'], sn: ['ann'] },
})

const refusal = (writing: Promise<unknown>): Promise<string> =>
  writing.then(
    () => 'it was accepted',
    (error: Error) => error.message,
  )

t.test('an attribute that the account may not write', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const identity = await slapd.hidePasswords()
  const rule = ['add: olcAccess', 'olcAccess: {0}to attrs=mail by * read']
  const change = [`dn: ${databaseDn}`, 'changetype: modify', ...rule, ''].join('\n')
  t.equal((await ldapTools({ ...slapd, ...configIdentity }).run('ldapmodify', [], change)).code, 0)
  const { write } = openedAs(t, slapd, identity)
  await write(person(slapd, 'organizationalPerson', 'inetOrgPerson'))
  const modify = (...attributes: string[]): Write => ({
    kind: 'modify',
    dn: `cn=ann,${slapd.baseDn}`,
    changes: attributes.map((attribute) => ({ operation: 'replace', attribute, values: ['ann@example.org'] })),
  })
  t.match(await refusal(write(modify('mail'))), /modify cn=ann,\S+ \(mail\): insufficientAccessRights \(50\)$/)
  t.match(await refusal(write(modify('title', 'mail'))), /\(title, mail\): insufficientAccessRights \(50\)$/)
  t.equal(await refusal(write(modify('title'))), 'it was accepted')
})

t.test('a server that refers to another one', { skip: skipWithoutSlapd }, async (t) => {
  const provider = await testSlapd(t, { replicated: true })
  const consumer = await testSlapd(t, { replicated: true })
  await consumer.follow(provider)
  const { write } = openedAs(t, consumer, consumer)
  const named = new RegExp(`referral \\(10\\) to ${provider.url}$`)
  t.match(await refusal(write(person(consumer))), named, 'without the entry')
})

t.test('an object class that the schema does not have', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { without: ['inetorgperson'] })
  const { write } = openedAs(t, slapd, slapd)
  const unknown = /value #2 invalid per syntax \(inetOrgPerson: the schema does not have it\)$/
  t.match(await refusal(write(person(slapd, 'inetOrgPerson'))), unknown)
  await write(person(slapd))
  const values = ['organizationalPerson', 'posixAccount', 'nothing']
  const added: Write = {
    kind: 'modify',
    dn: `cn=ann,${slapd.baseDn}`,
    changes: [{ operation: 'add', attribute: 'objectClass', values }],
  }
  t.match(await refusal(write(added)), /\(nothing: the schema does not have it\)$/)
})

t.test('a server without space', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { mapSize: 200_000 })
  const { write } = openedAs(t, slapd, slapd)
  const adding = async (): Promise<void> => {
    for (let number = 0; number < 1000; number++) {
      const cn = `${number}`
      const attributes = { objectClass: ['person'], cn: [cn], sn: [cn], description: ['x'.repeat(1000)] }
      await write({ kind: 'add', dn: `cn=${cn},${slapd.baseDn}`, attributes })
    }
  }
  t.match(await refusal(adding()), /other \(80\)[^;]*; look at its log, and whether its disk is full/)
})
