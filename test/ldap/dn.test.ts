import t from 'tap'
import { openDirectory } from '../../src/ldap/directory.ts'
import {
  DnSyntaxError,
  escapeRdnValue,
  formatDn,
  isWithin,
  keyOfAny,
  matchingKey,
  normalizeDn,
  parentDn,
  parseDn,
  rdn,
  sameDn,
} from '../../src/ldap/dn.ts'
import { equals, present } from '../../src/ldap/filter.ts'
import { difference } from '../../src/mirror/entry/compare.ts'
import { carriedAlong } from '../../src/mirror/plan/subtree-moves.ts'
import { quiet } from '../mirror/quiet.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'

/** Names that have broken the escaping of DNs in other programs. */
const hostileNames = [
  ...[
    'a,b',
    'a+b',
    '"quoted"',
    'a"b',
    'back\\slash',
    'ends with\\',
    '\\',
    '\\2C',
    '\\,',
    'a\\,b',
    '#lead',
    '##',
    'in#side',
  ],
  ...[
    ' lead',
    'trail ',
    ' ',
    '  ',
    ' both ',
    'in  side',
    '=',
    '==',
    'a=b',
    '=a',
    'ou=x,dc=y',
    'a;b',
    '<a>',
    '<',
    '>',
    ';',
    ',',
  ],
  ...[
    '+',
    '()',
    '*',
    'a*b',
    '(&(uid=*))',
    'a/b',
    "o'neil",
    '%41',
    '&amp;',
    'tab\there',
    'line\nbreak',
    'cr\rhere',
    '\u007f',
  ],
  ...[
    '研发部',
    '张三,李四',
    '😀',
    '👩‍👩‍👧',
    'é',
    'e\u0301',
    'ß',
    'İ',
    'ΟΔΟΣ',
    '\u00a0nbsp\u00a0',
    '\u3000wide\u3000',
    'ﬁ',
    'Ａ',
    '\u200b',
    'a\u200bb',
  ],
  ...['null', '0', '-', '--', '#04024869', '\ufeffbom', 'עברית', '\u202eabc', 'x'.repeat(200)],
]

/** A small generator (mulberry32): the same names in every run. */
const seeded =
  (seed: number) =>
  (below: number): number => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
const pieces = [
  ...' ,+"\\<>;=#aZ09',
  '\t',
  '\n',
  '  ',
  'é',
  '中',
  '😀',
  '\\2c',
  '\\\\',
  '#0',
  '\u00a0',
  'ß',
  '=,+',
  '\u0301',
  '\u0307',
  'İ',
  '\u200d',
  'Σ',
]
const randomName = (random: (below: number) => number): string =>
  Array.from({ length: 1 + random(8) }, () => pieces[random(pieces.length)]).join('')

/** The same DN, as a server would write it that escapes every byte. */
const hexEscaped = (dn: { type: string; value: string }[][]): string =>
  dn
    .map((avas) =>
      avas
        .map(
          ({ type, value }) =>
            `${type.toUpperCase()}=${[...Buffer.from(value)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')}`,
        )
        .reverse()
        .join(' + '),
    )
    .join(' , ')

t.test('whatever the name, a DN written is the DN read', async (t) => {
  const random = seeded(20)
  const wrong: string[] = []
  const unstable = new Set<string>()
  for (let round = 0; round < 5000; round++) {
    const dn = Array.from({ length: 1 + random(3) }, () =>
      Array.from({ length: 1 + random(2) }, () => ({
        type: ['cn', 'ou', '2.5.4.3'][random(3)] ?? '',
        value: randomName(random),
      })),
    )
    const text = formatDn(dn)
    const again = parseDn(text)
    if (JSON.stringify(again) !== JSON.stringify(dn) || formatDn(again) !== text) wrong.push(text)
    if (!sameDn(text, hexEscaped(dn)) || normalizeDn(normalizeDn(text)) !== normalizeDn(text)) wrong.push(text)
    for (const { value } of dn.flat()) if (matchingKey(matchingKey(value)) !== matchingKey(value)) unstable.add(value)
    if (parentDn(text) !== formatDn(dn.slice(1)) || !isWithin(text, parentDn(text))) wrong.push(text)
  }
  t.strictSame(wrong, [])
  t.strictSame([...unstable], [], 'the key of a key is itself')
  for (const name of hostileNames) t.strictSame(parseDn(`${rdn('cn', name)},dc=org`)[0], [{ type: 'cn', value: name }])
})

t.test('values are escaped as RFC 4514 says', async (t) => {
  t.equal(rdn('uid', 'a,b'), 'uid=a\\2cb')
  t.equal(escapeRdnValue(' #x '), '\\ #x\\ ')
  t.equal(escapeRdnValue('#x'), '\\#x')
  t.equal(escapeRdnValue('"+,;<>\\'), '\\"\\+\\2c\\;\\<\\>\\\\')
  t.equal(escapeRdnValue('a\nb'), 'a\\0ab')
  t.equal(escapeRdnValue('a=b 中'), 'a=b 中')
  t.throws(() => rdn('cn', 'a\0b'), DnSyntaxError, 'NUL')
  t.throws(() => rdn('cn', 'a\ud800'), DnSyntaxError, 'half a surrogate pair')
})

t.test('DNs in the notation of other programs are understood', async (t) => {
  const value = (text: string): string | undefined => parseDn(text)[0]?.[0]?.value
  t.strictSame(parseDn(''), [])
  t.equal(value('cn=Lu\\C4\\8Di\\C4\\87'), 'Lučić', 'RFC 4514 section 4')
  t.equal(value('cn=Before\\0dAfter'), 'Before\rAfter')
  t.equal(value('1.3.6.1.4.1.1466.0=#04024869'), 'Hi', 'BER')
  t.equal(value('OU="Sales; + ,=",DC=net'), 'Sales; + ,=', 'quoted, RFC 1779')
  t.equal(value('cn="a\\"b\\\\"'), 'a"b\\')
  t.equal(value('cn =  spaced out  ; c=de'), 'spaced out')
  t.equal(value('cn=kept\\   ,c=de'), 'kept ')
  t.equal(value('OID.2.5.4.3=x'), 'x')
  t.strictSame(parseDn('OU=Sales+CN=J. Smith,DC=example')[0], [
    { type: 'OU', value: 'Sales' },
    { type: 'CN', value: 'J. Smith' },
  ])
  for (const wrong of [
    'cn',
    '=x',
    'cn=a,',
    ',cn=a',
    'cn=a"b',
    'cn=\\zz',
    'cn=a\\',
    'cn="a',
    'cn="a"b',
    'cn=\\C3',
    'cn=#02017f',
    'cn=#04',
    'c n=a',
    '1.=a',
    'cn=a+',
  ]) {
    t.throws(() => parseDn(wrong), DnSyntaxError, wrong)
  }
})

t.test('DNs are compared as the directory compares them', async (t) => {
  t.ok(sameDn('UID=A\\2Cb,ou=People,dc=org', 'uid=a\\,B, OU="people" ,dc=ORG'))
  t.ok(sameDn('commonName=x,2.5.4.11=y', 'cn=x,ou=y'))
  t.ok(sameDn('cn=a+sn=b', 'SN=B+CN=A'))
  t.ok(sameDn('cn=a  b', 'cn=A b'))
  t.ok(sameDn('cn=\\ x\\ ', 'cn=x'))
  t.notOk(sameDn('cn=a\\,ou=b', 'cn=a,ou=b'))
  t.notOk(sameDn('cn=ab', 'cn=a b'))
  t.ok(isWithin('uid=a,ou=people,dc=org', 'DC=org') && isWithin('dc=org', 'dc=org') && isWithin('dc=org', ''))
  t.notOk(isWithin('cn=x\\,dc=org', 'dc=org'), 'an escaped comma ends no RDN')
  t.notOk(isWithin('dc=myorg', 'dc=org') || isWithin('dc=org', 'cn=x,dc=org'))
  t.equal(parentDn('cn=a\\,b,dc=x,dc=org'), 'dc=x,dc=org')
  t.equal(parentDn('uid=a,dc=org'), 'dc=org')
  t.equal(parentDn('dc=org'), '')
  t.equal(parentDn(''), '')
  t.equal(matchingKey('  Anna\u00a0 Ｂ  '), 'anna b')
  t.equal(matchingKey('ΟΔΟΣ'), matchingKey('οδος'))
  for (const name of hostileNames) t.equal(matchingKey(matchingKey(name)), matchingKey(name), JSON.stringify(name))
})

/** Control and format characters: after RFC 4518 they do not count, to slapd they do. */
const invisible = /[\p{Cc}\p{Cf}]/u

t.test('a real slapd keeps every name and agrees on which are the same', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const directory = openDirectory({ ...slapd, ca: null, startTls: false, timeout: 10_000, log: quiet })
  t.teardown(() => directory.close())
  const dnOf = (name: string): string => `${rdn('cn', name)},${slapd.baseDn}`
  const random = seeded(4)
  const names = [...hostileNames, ...Array.from({ length: 300 }, () => randomName(random))]

  // slapd decides what is the same name: an add of one that is there already is refused with 68.
  const kept = new Map<string, string>()
  for (const name of names) {
    const outcome = await directory
      .write({ kind: 'add', dn: dnOf(name), attributes: { objectClass: ['device'], cn: [name], description: [name] } })
      .catch((error: { code: number }) => error.code)
    if (outcome === undefined) {
      const joined = kept.get(matchingKey(name))
      t.ok(joined === undefined || invisible.test(joined + name), `slapd tells ${JSON.stringify(name)} from the rest`)
      kept.set(matchingKey(name), name)
    } else {
      t.equal(outcome, 68, `only a duplicate is refused: ${JSON.stringify(name)}`)
      t.ok(kept.has(matchingKey(name)), `${JSON.stringify(name)} has the key of what slapd takes it for`)
    }
  }

  for (const name of kept.values()) {
    const entry = await directory.read(dnOf(name), ['cn', 'description'])
    t.strictSame(entry?.attributes, { cn: [name], description: [name] })
    t.ok(entry && sameDn(entry.dn, dnOf(name)), `${entry?.dn} is ${dnOf(name)}`)
    t.equal(parseDn(entry?.dn ?? '')[0]?.[0]?.value, name)
  }
  let found = 0
  for await (const page of directory.search(slapd.baseDn, {
    scope: 'one',
    filter: present('cn'),
    attributes: ['cn'],
  })) {
    for (const entry of page) if (sameDn(entry.dn, dnOf(entry.attributes.cn?.[0] ?? ''))) found++
  }
  t.ok(found >= kept.size, 'every DN of a search is the one its name makes')
  const [one] = kept.values()
  for await (const page of directory.search(slapd.baseDn, {
    scope: 'one',
    filter: equals('description', one ?? ''),
    attributes: [],
  })) {
    t.ok(
      page.some((entry) => sameDn(entry.dn, dnOf(one ?? ''))),
      'a filter takes the name as it is',
    )
  }
})

t.test('a member whose name we could not write ourselves is compared all the same', async (t) => {
  const strange = '2.5.4.45=#03020101,dc=o'
  t.throws(() => normalizeDn(strange), DnSyntaxError)
  const entry = { dn: 'cn=Team,dc=o', attributes: { member: ['uid=Ada,dc=o', strange] } }
  t.same(difference(entry, { member: ['uid=ada,dc=o', strange] }), [])
  const removal = { operation: 'delete', attribute: 'member', values: [strange] }
  t.same(difference(entry, { member: ['uid=ada,dc=o'] }), [[removal]])
})

t.test('the names of a long list are read only where one is written in another way', (t) => {
  const names = Array.from({ length: 20_000 }, (_, n) => `uid=ann${n}\\,x,ou=people,dc=o`)
  const team = (member: string[]) => ({ dn: 'cn=Team,dc=o', attributes: { member } })
  /** Microseconds of the processor. */
  const taken = (work: () => void): number => {
    const before = process.cpuUsage()
    work()
    return process.cpuUsage(before).user
  }
  const toRead = taken(() => names.map(keyOfAny))
  const toCompare = taken(() => t.same(difference(team([...names]), { member: names }), []))
  t.ok(toCompare < toRead / 2, `${toCompare} of ${toRead}`)

  const [first = '', second = '', ...rest] = names
  const respelled = [first.toUpperCase(), second.replace('dc=o', 'DC = O'), ...rest]
  t.same(difference(team(respelled), { member: names }), [], 'one that is spelled in another way is there')
  const [joins, leaves] = ['uid=joins,dc=o', 'uid=leaves,dc=o']
  t.same(difference(team([...respelled, leaves]), { member: [joins, ...names] }), [
    [
      { operation: 'add', attribute: 'member', values: [joins] },
      { operation: 'delete', attribute: 'member', values: [leaves] },
    ],
  ])
  t.end()
})

t.test('an entry moves with the nearest entry above it that moved, and with the moves of that one', async (t) => {
  const moves = [
    { from: 'cn=X,dc=o', to: 'cn=X2,dc=o' },
    { from: 'cn=A,cn=X,dc=o', to: 'cn=A,cn=Y,dc=o' },
    { from: 'cn=B,cn=Z,dc=o', to: 'cn=B,cn=X,dc=o' },
  ]
  for (const order of [moves, moves.toReversed(), [moves[1], moves[0], moves[2]]] as (typeof moves)[]) {
    t.equal(carriedAlong('cn=D,cn=A,cn=X,dc=o', order), 'cn=D,cn=A,cn=Y,dc=o')
    t.equal(carriedAlong('cn=D,cn=B,cn=Z,dc=o', order), 'cn=D,cn=B,cn=X2,dc=o')
    t.equal(carriedAlong('cn=A3,cn=X,dc=o', order), 'cn=A3,cn=X2,dc=o')
    for (const dn of ['cn=X,dc=o', 'cn=D,cn=XX,dc=o']) t.equal(carriedAlong(dn, order), dn, 'it did not move')
  }
})
