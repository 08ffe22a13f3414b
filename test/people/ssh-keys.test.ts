import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { openDirectory } from '../../src/ldap/directory.ts'
import { readSshKey } from '../../src/text/ssh-key.ts'
import { silent } from '../database.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { person } from './console.ts'

const fixture = (name: string): string[] =>
  readFileSync(new URL(`../fixtures/ssh-keys/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

const lines = fixture('keys.pub')
const [first = '', second = '', third = ''] = lines
const plain = (line: string): string => line.split(' ').slice(0, 2).join(' ')

t.test('keys are read as ssh-keygen reads them', async (t) => {
  for (const [index, shown] of fixture('keys.fingerprints').entries()) {
    const [bits, fingerprint] = shown.split(' ')
    const key = readSshKey(lines[index] ?? '')
    if (bits === '1024') t.equal(key, 'short')
    else t.match(key, { bits: Number(bits), fingerprint })
  }
})

t.test('what is not one public key is refused, and why is said', async (t) => {
  const [type = '', blob = ''] = first.split(' ')
  const octets = Buffer.from(blob, 'base64')
  const withOctets = (change: (copy: Buffer) => Buffer) => `${type} ${change(Buffer.from(octets)).toString('base64')}`
  const wrong: [string, string][] = [
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nabc', 'private'],
    [`command="rm -rf /" ${first}`, 'options'],
    [`no-pty,restrict ${first}`, 'options'],
    ['ssh-dss AAAAB3NzaC1kc3M=', 'type'],
    ['ssh-ed25519-cert-v01@openssh.com AAAA', 'type'],
    ['__proto__ AAAA', 'type'],
    ['', 'type'],
    [type, 'broken'],
    [`${type} ${blob.slice(0, -8)}`, 'broken'],
    [`${type} ${blob}!`, 'broken'],
    [`ssh-rsa ${blob}`, 'broken'],
    [withOctets((copy) => Buffer.concat([copy, Buffer.from([0, 0, 0, 0])])), 'broken'],
    [withOctets((copy) => copy.subarray(0, copy.length - 1)), 'broken'],
    [withOctets((copy) => Buffer.concat([Buffer.from([0x80, 0, 0, 0]), copy.subarray(4)])), 'broken'],
    [`sk-ssh-ed25519@openssh.com ${blob}`, 'broken'],
  ]
  for (const [text, problem] of wrong) t.equal(readSshKey(text), problem, text.slice(0, 60))
  t.match(readSshKey(`  ${first}\n`), { type }, 'spaces and the comment mean nothing')
})

t.test('keys are in the directory while the person is enabled', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { opensshLpk: true })
  const s = await steward(t, { directory: slapd })
  const directory = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  const entry = async (rdn: string) => {
    const found = await directory.read(`${rdn},${slapd.baseDn}`, ['sshPublicKey', 'objectClass'])
    const { objectClass = [], sshPublicKey = [] } = found?.attributes ?? {}
    return [objectClass.includes('ldapPublicKey'), ...sshPublicKey.sort()]
  }
  const { id: roleId } =
    (await s.db.execute<{ id: number }>(sql`select id::int from roles where keyword = 'user'`))[0] ?? {}
  const ann = await s.person('ann', { roleIds: [roleId ?? 0] })
  const add = (key: string, name = 'Laptop') => s.call('addMySshKey', { body: { name, key }, token: ann.token })

  const added = await add(first, '  My laptop ')
  t.match(added, { code: 200, data: { name: 'My laptop', type: 'ssh-ed25519', bits: 256 } })
  t.same(await entry('uid=ann,ou=people'), [true, plain(first)])
  t.match(await add(`${plain(first)} other comment`), { code: 409, reason: 'people.ssh_key_known' })
  const refused = await add('-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n')
  t.match(refused, { code: 400, reason: 'people.ssh_key_private', data: [{ field: 'key' }] })
  t.notMatch(refused.body + s.logs.join(''), /c2VjcmV0/, 'a private key that was sent by mistake is repeated nowhere')
  t.equal((await s.ask('addPersonSshKey', { params: { id: ann.id }, body: { name: 'Desk', key: second } })).code, 200)
  t.same(await entry('uid=ann,ou=people'), [true, plain(second), plain(first)])

  await s.take('changeUserStatus', { body: { id: ann.id, status: 2 } })
  t.same(await entry('uid=ann,ou=disabled'), [false], 'a disabled person has no keys in the directory')
  const { fingerprint } = added.data
  t.equal((await s.ask('removePersonSshKey', { params: { id: ann.id }, body: { fingerprint } })).code, 200)
  await s.take('changeUserStatus', { body: { id: ann.id, status: 1 } })
  t.same(await entry('uid=ann,ou=people'), [true, plain(second)], 'a key that was removed meanwhile does not come back')

  const [left] = (await s.take('listPersonSshKeys', { params: { id: ann.id } })).keys
  t.match(left, { name: 'Desk', type: 'ecdsa-sha2-nistp256', bits: 256 })
  const gone = { params: { id: ann.id }, body: { fingerprint: left?.fingerprint ?? '' } }
  t.equal((await s.ask('removePersonSshKey', gone)).code, 200)
  t.same(await entry('uid=ann,ou=people'), [false])
  t.match(await s.ask('removePersonSshKey', gone), { code: 404, reason: 'people.ssh_key_not_found' })

  // Another tool's keys, before the person has one here.
  const { id } = await s.take('addUser', { body: person('bo') })
  const theirs = (rdn: string, values: string[]) =>
    directory.write({
      kind: 'modify',
      dn: `${rdn},${slapd.baseDn}`,
      changes: [
        { operation: 'add', attribute: 'objectClass', values: ['ldapPublicKey'] },
        { operation: 'add', attribute: 'sshPublicKey', values },
      ],
    })
  await theirs('uid=bo,ou=people', [third])
  await s.take('syncSqlUsers', { body: { userIds: [id] } })
  t.same(await entry('uid=bo,ou=people'), [true, third], 'they stay as they are')
  await s.take('changeUserStatus', { body: { id, status: 2 } })
  t.same(await entry('uid=bo,ou=disabled'), [false])
  t.equal((await s.ask('addPersonSshKey', { params: { id }, body: { name: 'New', key: first } })).code, 200)
  await s.take('changeUserStatus', { body: { id, status: 1 } })
  t.same(await entry('uid=bo,ou=people'), [true, ...[plain(third), plain(first)].sort()], 'they are taken over')
  t.match((await s.take('listPersonSshKeys', { params: { id } })).keys, [{ name: 'New' }, { bits: 384 }])
})

t.test('a server without the class says so', { skip: skipWithoutSlapd }, async (t) => {
  const s = await steward(t, { directory: await testSlapd(t) })
  const { id } = await s.take('addUser', { body: person('cy') })
  t.equal((await s.ask('addPersonSshKey', { params: { id }, body: { name: 'x', key: first } })).code, 200)
  const [cy] = (await s.take('listUsers', { query: { username: 'cy' } })).users
  t.match(cy, { syncState: 1, syncError: /no such attribute or auxiliary class: sshPublicKey/ })
})
