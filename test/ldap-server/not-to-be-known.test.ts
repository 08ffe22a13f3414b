import { Attribute, Change, Client } from 'ldapts'
import t, { type Test } from 'tap'
import { element, enumerated, octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { identity, type TestDirectory, testEmbeddedDirectory } from './embedded-directory.ts'
import {
  bindRequest,
  control,
  controls,
  equalFilter,
  extendedRequest,
  message,
  pagedResults,
  presentFilter,
  rawConnection,
  searchRequest,
  sortKeyList,
} from './raw-connection.ts'

// What a reader may not know of must not be told by any answer. Each question is asked twice, once where the thing is
// there and once where it is not, and both answers have to be the same, byte by byte.

const { baseDn, bindDn, bindPassword } = identity
const people = `ou=people,${baseDn}`
const services = `ou=services,${baseDn}`
const layout = {
  people,
  disabled: `ou=disabled,${baseDn}`,
  groups: `ou=groups,${baseDn}`,
  serviceAccounts: services,
}
const hidden = ['title', 'l', 'roomNumber', 'seeAlso', 'initials;lang-en']

type Entry = Record<string, string | string[]>
const person = (uid: string, more: Entry = {}): Entry => ({
  objectClass: ['inetOrgPerson', 'stewardNtAccount'],
  cn: uid,
  sn: uid,
  ...more,
})
const service = (name: string, more: Entry = {}): Entry => ({
  objectClass: ['applicationProcess', 'simpleSecurityObject', 'stewardServiceAccount'],
  cn: name,
  userPassword: 'x',
  ...more,
})

const office = async (t: Test): Promise<TestDirectory & { root: Client }> => {
  const directory = await testEmbeddedDirectory(t, {
    layout,
    hiddenFromPeople: async () => hidden,
    changePassword: async () => null,
  })
  const root = new Client({ url: directory.url, timeout: 10_000 })
  t.teardown(() => root.unbind())
  await root.bind(bindDn, bindPassword)
  for (const dn of Object.values(layout)) await root.add(dn, { objectClass: 'organizationalUnit' })
  await root.add(`uid=ann,${people}`, person('ann', { userPassword: 'x' }))
  for (const uid of ['bob', 'cid']) await root.add(`uid=${uid},${people}`, person(uid, { givenName: 'm' }))
  await root.add(`cn=wiki,${services}`, service('wiki', { stewardPeopleFilter: '(!(uid=dee))' }))
  return { ...directory, root }
}

const readers = { 'a person': `uid=ann,${people}`, 'a service account': `cn=wiki,${services}` } as const

type Question = readonly [what: string, operation: Buffer, ...controls: Buffer[]]

/** @returns what each question was answered, in hexadecimal digits */
const ask = async (t: Test, port: number, dn: string, questions: readonly Question[]): Promise<Map<string, string>> => {
  const connection = await rawConnection(t, port)
  connection.send(message(1, bindRequest(dn, 'x')))
  t.match(await connection.answerTo(1), { code: 0 })
  connection.send(...questions.map(([, ...parts], index) => message(index + 2, ...parts)))
  // The last one may be answered before others.
  for (const index of questions.keys()) await connection.answerTo(index + 2)
  connection.socket.destroy()
  const answered = new Map(questions.map(([what]) => [what, '']))
  for (const { id, bytes } of connection.answers) {
    const what = questions[id - 2]?.[0]
    if (what !== undefined) answered.set(what, `${answered.get(what)}${bytes.toString('hex')}`)
  }
  return answered
}

/** Compares the answers before and after a change, and says which differ. */
const sameAnswers = async (
  t: Test,
  { port }: { port: number },
  dn: string,
  questions: readonly Question[],
  change: () => Promise<unknown>,
): Promise<void> => {
  t.equal(new Set(questions.map(([what]) => what)).size, questions.length)
  const before = await ask(t, port, dn, questions)
  await change()
  const after = await ask(t, port, dn, questions)
  t.same(
    questions.map(([what]) => what).filter((what) => !before.get(what) || before.get(what) !== after.get(what)),
    [],
    'these answers tell',
  )
}

const not = (filter: Buffer): Buffer => element(0xa2, filter)
const extensible = (rule: string | null, attribute: string | null, value: string, dn = false): Buffer =>
  element(
    0xa9,
    ...(rule === null ? [] : [octetString(rule, 0x81)]),
    ...(attribute === null ? [] : [octetString(attribute, 0x82)]),
    octetString(value, 0x83),
    ...(dn ? [element(0x84, Buffer.from([0xff]))] : []),
  )

/** The filters about one attribute, or about all that a rule applies to. */
const filtersOf = (attribute: string, value: string): readonly (readonly [string, Buffer])[] => {
  const assertions = [
    ['=*', presentFilter(attribute)],
    ['=', equalFilter(attribute, value)],
    ['~=', element(0xa8, octetString(attribute), octetString(value))],
    ['>=', element(0xa5, octetString(attribute), octetString(value))],
    ['<=', element(0xa6, octetString(attribute), octetString(value))],
    ['=…*', element(0xa4, octetString(attribute), sequence(octetString(value.slice(0, 2), 0x80)))],
    [':=', extensible(null, attribute, value)],
    [':caseIgnoreMatch:=', extensible('caseIgnoreMatch', attribute, value)],
    [':dn:2.5.13.5:=', extensible('2.5.13.5', attribute, value, true)],
  ] as const
  return assertions.flatMap(([operator, filter]) => [
    [`(${attribute}${operator})`, filter],
    [`(!(${attribute}${operator}))`, not(filter)],
    [`(|(uid=cid)(!(${attribute}${operator})))`, element(0xa1, equalFilter('uid', 'cid'), not(filter))],
  ])
}

const ofRules = ['caseIgnoreMatch', '2.5.13.5', '2.5.13.17', 'octetStringMatch', 'distinguishedNameMatch']

const questionsAbout = (names: readonly string[], value: string, dn: string): Question[] => [
  ...names.flatMap((name) => [
    ...filtersOf(name, value).map(([what, filter]): Question => [what, searchRequest(people, filter)]),
    ...[value, 'zzz'].map(
      (asserted): Question => [
        `compare ${name} ${asserted}`,
        element(0x6e, octetString(dn), sequence(octetString(name), octetString(asserted))),
      ],
    ),
    ...[false, true].flatMap((reverse) =>
      [false, true].map(
        (critical): Question => [
          `sort by ${name}, ${reverse}, ${critical}`,
          searchRequest(people, presentFilter('uid')),
          controls(
            control(
              sortKeyList,
              critical,
              sequence(sequence(octetString(name), ...(reverse ? [element(0x81, Buffer.from([0xff]))] : []))),
            ),
          ),
        ],
      ),
    ),
    [`list ${name}`, searchRequest(people, presentFilter('uid'), 2, sequence(octetString(name)))] as const,
  ]),
  ...ofRules.flatMap((rule) =>
    [false, true].flatMap((dn) =>
      [value, 'zzz'].flatMap((asserted): Question[] => [
        [`(:${rule}:=${asserted}) ${dn}`, searchRequest(people, extensible(rule, null, asserted, dn))],
        [`(!(:${rule}:=${asserted})) ${dn}`, searchRequest(people, not(extensible(rule, null, asserted, dn)))],
      ]),
    ),
  ),
  ...['*', '@inetOrgPerson', '@extensibleObject'].map(
    (list): Question => [
      `list ${list}`,
      searchRequest(people, presentFilter('objectClass'), 2, sequence(octetString(list))),
    ],
  ),
  [
    'types only',
    element(
      0x63,
      ...[
        octetString(people),
        enumerated(2),
        enumerated(0),
        element(2, Buffer.from([0])),
        element(2, Buffer.from([0])),
      ],
      ...[element(1, Buffer.from([0xff])), presentFilter('uid'), sequence()],
    ),
  ],
]

t.test('an attribute that the reader may not know of', async (t) => {
  const directory = await office(t)
  const { root } = directory
  const bob = `uid=bob,${people}`
  const cases: readonly (readonly [reader: keyof typeof readers, attribute: string, value: string, names: string[]])[] =
    [
      // Between the other names that the entry has, so that its order would tell.
      ['a person', 'title', 'aa Director', ['title', 'TITLE', '2.5.4.12', 'title;lang-en', 'name', '2.5.4.41']],
      ['a person', 'title;lang-de', 'aa Direktor', ['title', 'title;lang-de', 'name', 'name;lang-de']],
      ['a person', 'l', 'aa Bonn', ['l', 'localityName', '2.5.4.7', 'name']],
      ['a person', 'initials', 'aa', ['initials', 'initials;lang-en', 'name']],
      ['a person', 'roomNumber', 'aa 1', ['roomNumber', '0.9.2342.19200300.100.1.6', 'roomNumber;lang-x']],
      ['a person', 'seeAlso', bob, ['seeAlso', '2.5.4.34', 'distinguishedName', '2.5.4.49']],
      ['a person', 'userPassword', 'aa', ['userPassword', '2.5.4.35', 'userPassword;lang-en']],
      ['a person', 'stewardNtHash', 'aa', ['stewardNtHash', '2.25.147598484085554524231040182181244542599']],
      ['a service account', 'userPassword', 'aa', ['userPassword', '2.5.4.35']],
      ['a service account', 'stewardNtHash', 'aa', ['stewardNtHash']],
    ]
  for (const [reader, attribute, value, names] of cases) {
    await t.test(`${attribute} is not told ${reader}`, async (t) => {
      const replace = (values: string[]) =>
        root.modify(bob, new Change({ operation: 'replace', modification: new Attribute({ type: attribute, values }) }))
      await sameAnswers(t, directory, readers[reader], questionsAbout(names, value, bob), () => replace([value]))
      await replace([])
    })
  }
})

t.test('an entry that the reader does not see', async (t) => {
  const directory = await office(t)
  const { root } = directory
  const cases: readonly (readonly [reader: keyof typeof readers, dn: string, entry: Entry])[] = [
    ['a person', `cn=mail,${services}`, service('mail', { description: 'aa' })],
    ['a service account', `cn=mail,${services}`, service('mail', { description: 'aa' })],
    ['a service account', `uid=dee,${people}`, person('dee', { description: 'aa' })],
    ['a service account', `uid=dee,ou=disabled,${baseDn}`, person('dee', { description: 'aa' })],
    ['a service account', `cn=staff,ou=groups,${baseDn}`, { objectClass: 'groupOfNames', cn: 'staff', member: bindDn }],
  ]
  const spelled = (dn: string): string[] => [
    dn,
    dn.toUpperCase(),
    dn.replace('=', ' = ').replaceAll(',', ' , '),
    dn.replace(/=(.)/, (_, letter: string) => `=\\${letter.charCodeAt(0).toString(16)}`),
    `cn=below,${dn}`,
  ]
  for (const [reader, dn, entry] of cases) {
    await t.test(`${dn} is not there for ${reader}`, async (t) => {
      const value = dn.replace(/^\w+=|,.*$/g, '')
      const [, superior = ''] = /^[^,]+,(.*)$/.exec(dn) ?? []
      const questions: Question[] = [
        ...spelled(dn).flatMap((name): Question[] => [
          ...[0, 1, 2, 3].map(
            (scope): Question => [`search ${scope} ${name}`, searchRequest(name, presentFilter('objectClass'), scope)],
          ),
          [
            `compare ${name}`,
            element(0x6e, octetString(name), sequence(octetString('description'), octetString('aa'))),
          ],
          [
            `modify ${name}`,
            element(
              0x66,
              octetString(name),
              sequence(sequence(enumerated(2), sequence(octetString('description'), element(0x31, octetString('x'))))),
            ),
          ],
          [`delete ${name}`, element(0x4a, Buffer.from(name))],
          [
            `add ${name}`,
            element(
              0x68,
              octetString(name),
              sequence(sequence(octetString('objectClass'), element(0x31, octetString('device')))),
            ),
          ],
          [
            `rename ${name}`,
            element(0x6c, octetString(name), octetString('cn=other'), element(1, Buffer.from([0xff]))),
          ],
          [
            `change the password of ${name}`,
            extendedRequest(
              '1.3.6.1.4.1.4203.1.11.1',
              sequence(octetString(name, 0x80), octetString('a new password', 0x82)),
            ),
          ],
        ]),
        ...[baseDn, superior].flatMap((base) =>
          [
            ...filtersOf('cn', value),
            ...filtersOf('uid', value),
            ...filtersOf('description', 'aa'),
            ...filtersOf('entryDN', dn),
          ].map(([what, filter]): Question => [`${what} below ${base}`, searchRequest(base, filter)]),
        ),
        [
          'a page of one',
          searchRequest(baseDn, presentFilter('description')),
          controls(control(pagedResults, true, sequence(element(2, Buffer.from([1])), octetString('')))),
        ],
      ]
      await sameAnswers(t, directory, readers[reader], questions, () => root.add(dn, entry))
      await root.del(dn)
    })
  }

  await t.test('a long filter takes no longer for it', async (t) => {
    const heavy = element(
      0xa0,
      equalFilter('cn', 'mail'),
      element(
        0xa1,
        ...Array.from({ length: 900 }, (_, index) =>
          element(0xa4, octetString('description'), sequence(octetString(`z${index}`, 0x81))),
        ),
      ),
    )
    await root.add(`cn=mail,${services}`, service('mail', { description: 'a'.repeat(20_000) }))
    const strict = await testEmbeddedDirectory(t, {
      folder: await directory.close().then(() => directory.folder),
      layout,
      // The filter alone would take some hundred thousand comparisons for the entry.
      limits: { searchWork: 20_000 },
    })
    const connection = await rawConnection(t, strict.port)
    connection.send(message(1, bindRequest(readers['a person'], 'x')), message(2, searchRequest(baseDn, heavy)))
    t.match(await connection.answerTo(2), { code: 0 }, 'the filter was not tried on it')
  })
})
