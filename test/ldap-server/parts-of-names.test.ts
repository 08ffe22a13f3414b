import { Client } from 'ldapts'
import t from 'tap'
import { identity, testEmbeddedDirectory } from './embedded-directory.ts'

// Whatever a value is folded to before it is compared, its parts are folded to as well.

const { baseDn, bindDn, bindPassword } = identity

const names: readonly (readonly [name: string, ...parts: string[]])[] = [
  ['Γιώργος', 'ργος', 'ΡΓΟΣ', 'Γιώργος'],
  ['İstanbul', 'İst', 'ist'],
  ['soft\u00adhyphen', 'soft\u00adhyph', 'softhyph'],
  ['王\u200b小明', '王\u200b小', '王小'],
  ['a\u0085b', 'a\u0085b', 'a b'],
  ['ＡＢＣ', 'ＢＣ', 'bc'],
]

t.test('a name is found by its parts, however they are written', async (t) => {
  const directory = await testEmbeddedDirectory(t)
  const root = new Client({ url: directory.url })
  t.teardown(() => root.unbind())
  await root.bind(bindDn, bindPassword)
  for (const [index, [cn]] of names.entries()) {
    await root.add(`uid=u${index},${baseDn}`, { objectClass: 'inetOrgPerson', cn, sn: 'x' })
  }
  for (const [index, [name, ...parts]] of names.entries()) {
    for (const part of parts) {
      const { searchEntries } = await root.search(baseDn, { filter: `(cn=*${part}*)`, attributes: ['1.1'] })
      t.same(
        searchEntries.map(({ dn }) => dn),
        [`uid=u${index},${baseDn}`],
        `${JSON.stringify(name)} by ${JSON.stringify(part)}`,
      )
    }
  }
})
