import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { checkDirectory } from '../../src/commands/doctor/servers.ts'
import { parseConfig } from '../../src/config/config.ts'
import { schemaOf } from '../../src/mirror/entry/directory-schema.ts'
import { lackingIn } from '../../src/mirror/entry/schema-needs.ts'
import { directorySettings, type SlapdOptions, skipWithoutSlapd, testSlapd } from '../slapd.ts'

// steward doctor: a directory whose schema lacks what entries need. Nothing is refused before the first person is written.

const cases: [options: SlapdOptions, settings: Record<string, string>, found: RegExp | null][] = [
  [{}, {}, null],
  [{ rfc2307bis: true }, { POSIX_ACCOUNTS: 'all', LDAP_GROUP_CLASS: 'groupOfNames posixGroup' }, null],
  [
    { without: ['inetorgperson'] },
    {},
    /^LDAP_URL: ldap:\S+: the schema lacks what entries need: inetOrgPerson, displayName, employeeNumber, departmentNumber$/,
  ],
  [{ lacks: 'departmentNumber' }, {}, /^LDAP_URL: .* need: departmentNumber$/],
  [{ lacks: 'departmentNumber' }, { LDAP_ATTRIBUTES: 'displayName mail' }, null],
  [{ without: ['nis'] }, { POSIX_ACCOUNTS: 'all' }, /^POSIX_ACCOUNTS: .* has no posixAccount, posixGroup, so/],
  [
    { without: ['nis'] },
    { LDAP_GROUP_CLASS: 'groupOfNames posixGroup' },
    /^LDAP_GROUP_CLASS: .* has no posixGroup, so/,
  ],
  [{}, { LDAP_GROUP_CLASS: 'groupOfNames posixGroup' }, /^LDAP_GROUP_CLASS: .* could not be POSIX groups$/],
]

for (const [options, settings, found] of cases) {
  const name = `${JSON.stringify(options)} ${JSON.stringify(settings)}`
  t.test(name, { skip: skipWithoutSlapd }, async (t) => {
    const slapd = await testSlapd(t, options)
    const dataDir = join(tmpdir(), 'steward-no-data')
    const config = parseConfig({ DATA_DIR: dataDir, PORT: '0', ...directorySettings(slapd), ...settings })
    const problems = (await checkDirectory(config)).filter(({ state }) => state === 'problem')
    t.equal(problems.length, found === null ? 0 : 1)
    if (found !== null) t.match(problems, [{ text: found, advice: /schema/ }])
  })
}

t.test('a server that refuses to show its schema', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  let refusals = 0
  const relay = createServer((client) => {
    const server = connect(Number(new URL(slapd.url).port), '127.0.0.1')
    client.on('data', (chunk) => {
      if (!/cn=subschema/i.test(chunk.toString('latin1'))) return void server.write(chunk)
      refusals += 1
      // The end of a search with `other` (80), for the number of this request, which is below 128.
      const number = chunk[(chunk[1] ?? 0) > 0x80 ? (chunk[1] ?? 0) - 0x80 + 4 : 4] ?? 0
      client.write(Buffer.from([0x30, 0x0c, 0x02, 0x01, number, 0x65, 0x07, 0x0a, 0x01, 80, 0x04, 0, 0x04, 0]))
    })
    server.pipe(client)
    for (const side of [client, server]) side.on('error', () => {})
    client.on('close', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  t.teardown(() => void relay.close())
  const url = `ldap://127.0.0.1:${(relay.address() as AddressInfo).port}`
  const dataDir = join(tmpdir(), 'steward-no-data')
  const settings = { ...directorySettings(slapd), LDAP_URL: url }
  const findings = await checkDirectory(parseConfig({ DATA_DIR: dataDir, PORT: '0', ...settings }))
  t.ok(refusals > 0)
  t.same(
    findings.filter(({ state }) => state === 'problem'),
    [],
    'a start goes on, too',
  )
})

t.test('a server that does not publish what each server has', (t) => {
  const types = ['uid', 'cn', 'sn', 'displayName', 'userPassword', 'member', 'ou', 'description']
  const schema = schemaOf(
    types.map((name, index) => `( 1.1.1.${index} NAME '${name}' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )`),
    [
      "( 1.1.2.1 NAME 'person' SUP top STRUCTURAL MUST ( sn $ cn ) MAY ( userPassword ) )",
      "( 1.1.2.2 NAME 'organizationalPerson' SUP person STRUCTURAL MAY ou )",
      "( 1.1.2.3 NAME 'inetOrgPerson' SUP organizationalPerson STRUCTURAL MAY ( uid $ displayName ) )",
      "( 1.1.2.4 NAME 'groupOfNames' SUP top STRUCTURAL MUST ( member $ cn ) )",
      "( 1.1.2.5 NAME 'organizationalUnit' SUP top STRUCTURAL MUST ou )",
    ],
  )
  const needs = { groupClass: 'groupOfNames', posix: null } as const
  t.same(lackingIn(schema, { ...needs, attributes: ['displayName'] }), [])
  t.same(lackingIn(schema, { ...needs, attributes: ['displayName', 'mail'] }), ['mail'])
  t.end()
})
