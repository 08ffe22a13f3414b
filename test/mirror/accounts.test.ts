import t from 'tap'
import { capabilities, sentDn, sentWrite } from '../../src/ldap/active-directory.ts'
import type { Change, Directory, DirectoryError, Write } from '../../src/ldap/directory.ts'
import { outcomeError, resultCodes } from '../../src/ldap/result-code.ts'
import { statements as ldap } from '../../src/ldap/statements.ts'
import { accountName, domainOf } from '../../src/mirror/entry/active-directory.ts'
import { misfitOf } from '../../src/mirror/entry/active-directory-fit.ts'
import { freshPasswords } from '../../src/mirror/passwords/fresh-passwords.ts'
import type { PasswordTerms } from '../../src/mirror/passwords/password-merge.ts'
import { secretWritten, withAccount } from '../../src/mirror/plan/account.ts'
import type { Item } from '../../src/mirror/plan/item.ts'
import { outcomeOf } from '../../src/mirror/plan/outcome.ts'
import { mainWrite, type Plan, writesFor } from '../../src/mirror/plan/plan.ts'
import { statements } from '../../src/mirror/statements.ts'
import { despiteRefusal } from '../../src/mirror/writing/despite-refusal.ts'
import { eventually } from '../eventually.ts'

// What is decided about names and accounts in Active Directory; active-directory.test.ts asks a server.

t.test('the name of an account', async (t) => {
  for (const name of ['ann', 'two words', '王小明', "o'neill", 'a@b', 'x#y'])
    t.equal(accountName('user', name, 7), name)
  for (const name of ['a,b', 'a+b', 'DOMAIN\\joe', 'x'.repeat(21), 'ends.', '.begins', '12345', '<>', 'tab\tbed']) {
    const account = accountName('user', name, 7)
    t.match(account, /^[^"/\\[\]:;|=,+*?<>\t]{1,11}-[0-9a-f]{8}$/u, name)
    t.equal(accountName('user', name, 7), account, 'it is the same again')
    t.not(accountName('user', name, 8), account, 'no two people have the same')
    t.not(accountName('group', name, 7), account, 'nor has a group')
  }
  t.equal(accountName('group', 'x'.repeat(64), 7), 'x'.repeat(64))
  t.equal(accountName('group', 'x'.repeat(65), 7).length, 64)
  t.equal(
    accountName('user', '🚀'.repeat(20), 7).replace(/-[0-9a-f]{8}$/, ''),
    '🚀'.repeat(5),
    'no half of a character',
  )
  t.equal(domainOf('ou=Steward,dc=example,dc=org'), 'example.org')
})

t.test('a DN as Active Directory takes it', async (t) => {
  for (const [dn, sent] of [
    ['cn=ann,ou=people,dc=example', 'cn=ann,ou=people,dc=example'],
    ['cn=a=b\\2cc=d,ou=x=y,dc=z', 'cn=a\\3db\\2cc\\3dd,ou=x\\3dy,dc=z'],
    ['cn=a\\=b\\\\=c\\,d=e,dc=z', 'cn=a\\3db\\\\\\3dc\\,d\\3de,dc=z'],
    ['', ''],
  ] as const) {
    t.equal(sentDn(dn), sent)
    t.equal(sentDn(sent), sent)
  }
  const member = ['cn=a=b,dc=z']
  t.match(sentWrite({ kind: 'add', dn: 'cn=g,dc=z', attributes: { member, sn: ['a=b'] } }), {
    attributes: { member: ['cn=a\\3db,dc=z'], sn: ['a=b'] },
  })
})

const uuid = '0b3cbe52-0000-4000-8000-000000000000'
const item = (more: Partial<Item> = {}): Item => ({
  ...{
    id: 7,
    version: 1,
    changed: true,
    deleted: false,
    dn: 'cn=ann',
    targetDn: null,
    entryUuid: uuid,
    addDigest: null,
    untried: false,
    held: false,
  },
  ...{
    hasKept: false,
    attempts: 0,
    waitedForPlace: false,
    due: true,
    passwordDigest: null,
    passwordId: null,
    formerPasswords: null,
    repairDigest: null,
    repairs: 0,
    name: 'ann',
  },
  ...{
    extras: [],
    note: null,
    notedOnly: false,
    parks: false,
    enabled: true,
    secret: 'hash',
    secretId: 'present',
    lacks: null,
    password: null,
    waiting: null,
  },
  wanted: { dn: 'cn=ann', attributes: {} },
  ...more,
})
const terms = (fresh: string | null = null) =>
  ({ digest: (value: string) => `#${value}`, fresh: () => fresh }) as unknown as PasswordTerms
const entry = (control: number, id = uuid) => ({
  dn: 'CN=ann',
  attributes: { userAccountControl: [String(control)], entryUUID: [id] },
})
const expired = (control: number) => {
  const { dn, attributes } = entry(control)
  return { dn, attributes: { ...attributes, 'msDS-User-Account-Control-Computed': [String(0x800000)] } }
}
const decided = (one: Item, there: ReturnType<typeof entry> | null, fresh: string | null = null) => {
  const { wanted, password, secretWrite } = withAccount(one, there, terms(fresh))
  return {
    control: Number(wanted?.attributes.userAccountControl?.[0]),
    settled: password?.settled,
    waits: password?.note?.code ?? null,
    secret: secretWrite ?? null,
  }
}

t.test('an account is enabled if the directory has the present password, and only then', async (t) => {
  const held = item({ passwordDigest: 'held #hash' })
  t.match(decided(held, entry(512)), { control: 512, settled: 'held #hash', waits: null, secret: null })
  t.match(decided(held, entry(514)), { control: 512 }, 'someone has disabled it')
  t.match(decided(held, entry(66048 | 32)), { control: 66048 }, 'bits of others stay, but it needs a password')
  const waits = { control: 514, settled: 'withheld #hash', waits: 'mirror.password_waits', secret: null }
  t.match(decided(item(), null), waits, 'a new one')
  t.match(decided(item({ passwordDigest: 'held #other' }), entry(512)), waits, 'the password was changed')
  t.match(decided(held, entry(512, 'another')), waits, 'another entry has its place')
  t.match(decided(item({ secret: null }), entry(512)), { control: 514, settled: null, waits: null })
  t.match(decided(item({ passwordDigest: 'refused #hash' }), entry(512)), {
    ...{ control: 514, settled: 'refused #hash', waits: 'mirror.password_refused_before' },
  })
  t.match(decided(item({ passwordDigest: 'found' }), entry(512)), { control: 512, settled: 'found' }, 'it was adopted')
  const imported = item({ secret: null, passwordDigest: 'found' })
  t.match(decided(imported, entry(512)), { control: 512, settled: 'found' }, 'and the record has no password')
  t.match(decided(imported, entry(514)), { control: 514, settled: 'found' })
  t.match(decided(item({ enabled: false, passwordDigest: 'held #hash' }), entry(512)), {
    ...{ control: 514, settled: 'held #hash' },
  })
})

t.test('another hash of the same password is not written, nor does it disable the account', async (t) => {
  const renewed = item({ passwordDigest: 'held #other', passwordId: 'present' })
  t.match(decided(renewed, entry(512)), { control: 512, settled: 'held #hash', waits: null, secret: null })
  t.equal(decided(renewed, entry(512), 'clear').secret, null)
  t.equal(withAccount(renewed, entry(512), terms()).password?.passwordId, 'present')
  t.match(decided(item({ passwordDigest: 'refused #other', passwordId: 'present' }), entry(512)), { control: 514 })
  t.match(decided({ ...renewed, passwordId: 'former' }, entry(512)), { control: 514, settled: 'withheld #hash' })
  const parked = withAccount({ ...renewed, passwordId: 'former', enabled: false }, entry(514), terms()).password
  t.match(parked, { settled: 'held #other', passwordId: 'former' }, 'it is known what the entry has')
})

t.test('what a deleted record leaves where it is not at its DN is emptied, if it is that of a person', async (t) => {
  const emptied = async (objectClass: string, attributes: Record<string, string[]>): Promise<Write[]> => {
    const written: Write[] = []
    const found = {
      dn: 'cn=ann,ou=elsewhere',
      entry: { dn: '', attributes: { objectClass: [objectClass], ...attributes } },
    }
    const deleted = { ...item({ dn: 'cn=ann', deleted: true, enabled: null }), wanted: null }
    const planned: Plan = { item: deleted, found, writes: [], foreign: null, obstacle: null }
    const directory = { baseDn: 'dc=example', write: async (one: Write) => void written.push(one) }
    const left: Write[] = [{ kind: 'delete', dn: found.dn }]
    await despiteRefusal(directory, planned, left, { ...outcomeOf(deleted, 'parked', 'failed'), dn: found.dn })
    return written
  }
  const changes = [{ operation: 'replace', attribute: 'userPassword', values: [] }]
  t.match(await emptied('inetOrgPerson', { userPassword: ['{SSHA}x'] }), [{ dn: 'cn=ann,ou=elsewhere', changes }])
  // It is moved back first: see despite-refusal.ts.
  t.strictSame(await emptied('groupOfNames', { member: ['uid=ann'] }), [])
})

t.test('a password that is known is written, and enables the account', async (t) => {
  const secret = { password: 'clear', enabled: '512', disabled: '514', refused: 'refused #hash' }
  const added = { control: 514, settled: 'held #hash', waits: null, secret: { ...secret, replaces: false } }
  t.match(decided(item(), null, 'clear'), added)
  t.match(decided(item(), entry(514), 'clear'), { ...added, secret: { ...secret, replaces: true } })
  t.match(decided(item({ passwordDigest: 'held #other' }), entry(512), 'clear'), { control: 512, secret })
  t.match(decided(item({ passwordDigest: 'refused #hash' }), entry(514), 'clear'), { secret }, 'once more on request')
  t.equal(decided(item({ passwordDigest: 'held #hash' }), entry(512), 'clear').secret, null, 'not twice')
  t.equal(decided(item({ enabled: false }), entry(514), 'clear').secret, null)
})

/** A directory that answers each write with the next code, then with success; and what it got. */
const answering = (...codes: number[]) => {
  const got: string[] = []
  const write = async (one: Write): Promise<void> => {
    const code = codes.shift() ?? 0
    const changes = one.kind === 'modify' ? one.changes : []
    const told = changes.map(({ attribute, values }) =>
      attribute === 'unicodePwd' ? attribute : `${attribute} ${values}`,
    )
    got.push(`${told.join(', ')}: ${code}`)
    if (code !== 0) throw outcomeError({ code, message: '' }, ldap.write({ kind: one.kind, dn: 'cn=ann' }))
  }
  return { directory: { baseDn: 'dc=example', write }, got }
}
/** What is written for a person whose new password is known, and what the record then says. */
const changed = (more: Partial<Item> = {}): Plan => {
  const there = entry(512)
  const one = withAccount(item({ passwordDigest: 'held #other', passwordId: 'former', ...more }), there, terms('clear'))
  return { item: one, found: { dn: 'cn=ann', entry: there }, writes: [], foreign: null, obstacle: null }
}
const setting = (code: number) => `unicodePwd: ${code}`
const enabling = (code: number) => `unicodePwd, userAccountControl 512: ${code}`
const disabling = (code: number) => `userAccountControl 514: ${code}`

t.test('a refused password disables the account, whatever the reason', async (t) => {
  const written = async (planned: Plan, ...codes: number[]) => {
    const { directory, got } = answering(...codes)
    const done = { ...outcomeOf(planned.item, 'in_sync', 'updated'), dn: 'cn=ann' }
    const end = await secretWritten(directory, planned, done).catch((error: DirectoryError) => error)
    return { got, end }
  }
  const accepted = await written(changed())
  t.strictSame(accepted.got, [setting(0), enabling(0)])
  // The policy of the domain.
  const policy = await written(changed(), resultCodes.constraintViolation)
  t.strictSame(policy.got, [setting(19), disabling(0)])
  t.match(policy.end, { result: 'in_sync', passwordDigest: 'refused #hash', passwordId: 'present' })
  t.match(policy.end, { error: { code: 'mirror.password_refused' } })
  const second = await written(changed(), 0, resultCodes.constraintViolation)
  t.strictSame(second.got, [setting(0), enabling(19), disabling(0)])
  for (const code of [resultCodes.insufficientAccessRights, resultCodes.unwillingToPerform, resultCodes.referral]) {
    const { got, end } = await written(changed(), code)
    t.strictSame(got, [setting(code), disabling(0)])
    t.match(end, { name: 'DirectoryError', code }, 'it is tried again')
    const adopted = await written(changed({ passwordDigest: 'found' }), code)
    t.strictSame(adopted.got, [setting(code)], 'an adopted account goes on')
  }
  // It may take the password a moment later.
  const busy = await written(changed(), resultCodes.busy)
  t.strictSame(busy.got, [setting(51)])
  t.match(busy.end, { kind: 'unavailable', code: 51 })
  for (const code of [resultCodes.constraintViolation, resultCodes.unwillingToPerform]) {
    const { got, end } = await written(changed(), code, resultCodes.insufficientAccessRights)
    t.strictSame(got, [setting(code), disabling(50)])
    t.match(end, { code: 50, message: /insufficientAccessRights.*the former password goes on working/ })
  }
})

t.test('a new password is written where another value of the person is refused', async (t) => {
  const despite = async (planned: Plan, change: Change, ...codes: number[]) => {
    const { directory, got } = answering(...codes)
    const left: Write[] = [{ kind: 'modify', dn: 'cn=ann', changes: [change] }]
    const refusal = statements.name_held()
    const outcome = { ...outcomeOf(planned.item, 'parked', 'failed'), dn: 'cn=ann', error: refusal }
    return { got, end: await despiteRefusal(directory, planned, left, outcome) }
  }
  const key: Change = { operation: 'replace', attribute: 'sshPublicKey', values: ['1'] }
  const planned = changed()
  Object.assign(planned.found?.entry.attributes ?? {}, { sshPublicKey: ['0'] })
  const replaced = await despite(planned, key)
  t.strictSame(replaced.got, ['sshPublicKey : 0', setting(0), enabling(0)])
  t.match(replaced.end, { result: 'parked', passwordDigest: 'held #hash', error: { code: 'mirror.name_held' } })
  const added = await despite(planned, { ...key, operation: 'add' }, resultCodes.constraintViolation)
  t.strictSame(added.got, [setting(19), disabling(0)], 'nothing of a key is taken away')
  t.match(added.end, { passwordDigest: 'refused #hash', error: { text: /the account is disabled there/ } })
  const failing = [resultCodes.unwillingToPerform, resultCodes.insufficientAccessRights]
  const kept = await despite(planned, { ...key, operation: 'add' }, ...failing)
  t.strictSame(kept.got, [setting(53), disabling(50)])
  t.match(kept.end, { result: 'retry', error: { text: /former password goes on working/ } }, 'and soon again')
  // An account that is to be disabled and cannot be is not taken for disabled.
  const waiting = { ...planned, item: withAccount(item({ passwordDigest: 'held #other' }), entry(512), terms()) }
  const control: Change = { operation: 'replace', attribute: 'userAccountControl', values: ['514'] }
  t.notOk('passwordDigest' in (await despite(waiting, control)).end)
})

t.test('a password that has expired there is said, and set anew', async (t) => {
  const said = { control: 512, settled: 'expired #hash', waits: 'mirror.password_expired', secret: null }
  for (const passwordDigest of ['held #hash', 'expired #hash'])
    t.match(decided(item({ passwordDigest }), expired(512)), said)
  const isExpired = item({ passwordDigest: 'expired #hash' })
  t.match(decided(isExpired, expired(512), 'clear'), {
    settled: 'held #hash',
    waits: null,
    secret: { password: 'clear' },
  })
  t.match(decided(isExpired, entry(512)), { control: 512, settled: 'held #hash', waits: null }, 'it was changed there')
  t.match(decided(item({ passwordDigest: 'held #other' }), expired(512)), { control: 514, settled: 'withheld #hash' })
})

t.test('an account is disabled before its entry is moved or deleted, which may be refused', async (t) => {
  const there = (control: number) => ({ dn: 'cn=ann', entry: entry(control) })
  const parked = item({
    parks: true,
    wanted: { dn: 'cn=ann,ou=disabled', attributes: { userAccountControl: ['514'] } },
  })
  const [first, second] = writesFor(parked, there(512))
  t.match(first, { kind: 'modify', dn: 'cn=ann', changes: [{ attribute: 'userAccountControl', values: ['514'] }] })
  t.match(second, { kind: 'rename', dn: 'cn=ann' })
  t.match(writesFor(parked, there(514))[0], { kind: 'rename' }, 'it is disabled already')
  const kinds = (control: number) => writesFor(item({ wanted: null }), there(control)).map(({ kind }) => kind)
  t.same(kinds(512), ['modify', 'delete'])
  t.same(kinds(514), ['delete'])
  t.equal(mainWrite(writesFor(parked, there(512)))?.kind, 'rename')
})

t.test('passwords in clear text are kept for a moment, and only where a directory needs them', async (t) => {
  const none = freshPasswords({ wanted: false, db: null })
  await none.keep('hash', 'clear')
  t.equal(none.of('hash'), null)
  const some = freshPasswords({ wanted: true, db: null })
  for (let n = 0; n < 2001; n++) await some.keep(String(n), 'clear')
  t.equal(some.of('0'), null, 'so many at once')
  t.equal(some.of('2000'), 'clear')
  t.equal(some.of('another hash'), null)
  const short = freshPasswords({ wanted: true, db: null, keptFor: 1 })
  await short.keep('hash', 'clear')
  await eventually(() => short.of('hash') === null, 'it is forgotten')
})

t.test('what a server has to be', async (t) => {
  const place = {
    objectClass: ['organizationalUnit'],
    allowedChildClassesEffective: ['organizationalUnit', 'user', 'group'],
  }
  const controller = {
    supportedCapabilities: [capabilities.activeDirectory as string],
    defaultNamingContext: ['DC=example,DC=org'],
    forestFunctionality: ['4'],
  }
  const said = (root: Record<string, string[]>, base: Record<string, string[]> = place, isActiveDirectory = true) => {
    const read = async (dn: string) => ({ dn, attributes: dn === '' ? root : base })
    return misfitOf({ baseDn: 'ou=Steward,dc=example,dc=org', isActiveDirectory, read } as unknown as Directory)
  }
  t.equal(await said(controller), null)
  t.equal(await said({}, place, false), null, 'any other server')
  t.match(await said({}), /^LDAP_KIND: the server is not an Active Directory/)
  t.match(await said(controller, place, false), /^LDAP_KIND: the server is an Active Directory/)
  const readOnly = [...controller.supportedCapabilities, capabilities.readOnly]
  t.match(await said({ ...controller, supportedCapabilities: readOnly }), /^LDAP_URL: .* read-only domain controller/)
  t.match(await said({ ...controller, forestFunctionality: ['0'] }), /^LDAP_URL: the functional level/)
  t.match(
    await said({ ...controller, defaultNamingContext: ['DC=other'] }),
    /^LDAP_BASE_DN: expected .* domain DC=other/,
  )
  t.match(await said(controller, { ...place, isCriticalSystemObject: ['TRUE'] }), /^LDAP_BASE_DN: .* directory itself/)
  t.match(
    await said(controller, { ...place, allowedChildClassesEffective: ['user'] }),
    /^LDAP_BIND_DN: may not add organizationalUnit, group below/,
  )
})
