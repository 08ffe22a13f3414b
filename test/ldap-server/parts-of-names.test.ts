import { Client } from 'ldapts'
import t from 'tap'
import { octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { identity, testEmbeddedDirectory } from './embedded-directory.ts'
import {
  bindRequest,
  message,
  notFilter,
  rawConnection,
  searchEntryTag,
  searchRequest,
  substringsFilter,
} from './raw-connection.ts'

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

t.test('an empty part says nothing about any entry, and neither does its negation', async (t) => {
  const directory = await testEmbeddedDirectory(t)
  const { send, answers, answerTo } = await rawConnection(t, directory.port)
  send(message(1, bindRequest(bindDn, bindPassword)))
  const empty = substringsFilter('o', octetString('', 0x81))
  for (const [id, filter] of [
    [2, empty],
    [3, notFilter(empty)],
  ] as const) {
    send(message(id, searchRequest(baseDn, filter, 2, sequence(octetString('1.1')))))
    t.match(await answerTo(id), { code: 0 })
  }
  t.same(
    answers.filter(({ tag }) => tag === searchEntryTag),
    [],
  )
})
