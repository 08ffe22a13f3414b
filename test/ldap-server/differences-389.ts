// What 389 Directory Server 2.3 answers otherwise than slapd and the embedded directory, and why. conformance.test.ts
// fails on a row that it did not need. It does not ask 389 which values each attribute takes: 389 checks the syntax of
// few of them.

/** By what is asked: the answer, and its reason. A number in place of what a filter finds is a result code. */
export type Differences = Readonly<Record<string, readonly [answer: unknown, because: string]>>

const everyEntry = [
  'ou=people',
  'uid=ann',
  'uid=bob',
  'uid=cid',
  'uid=\\E7\\8E\\8B',
  'ou=deep',
  'cn=team',
  'dc=example',
]

const noOrder = 'numbers of POSIX accounts have no ordering rule in its schema'
const anyOrder = 'it also orders texts whose attribute has no ordering rule'
const twoValued = 'a condition that is undefined counts as false, so its negation finds every entry'
const noRfc4526 = 'it does not know (&) and (|) of RFC 4526'
const fewRules = 'it does not know this matching rule, and refuses the whole search'
const oneChain = 'it does not check that structural classes are in one chain'
const optionalMember = 'its groupOfNames may be without members'
const classViolation = 'what the schema does not know or allow is an objectClassViolation, without a closer code'
const noSuchObject = 'what is outside of its suffixes does not exist'
const noSuchAttribute = 'it does not check whether the schema has what is compared'
const notAllowedOnRdn = 'the code that RFC 4511 has for it'
const computed = 'it compares only what it stores, and not what it makes up of its own entries'
const schemaOf = (what: string): string => `schema: ${what}`
const asText = 'it compares DNs whose characters are escaped in another way as texts'
const notThere = 'it has no such attribute, or not as an operational one'
const access = 'it does not ask for a bind, but applies its access rules to the anonymous user'

const filters: Differences = {
  '(uidNumber>=999)': [[], noOrder],
  '(gidNumber<=10)': [[], noOrder],
  '(cn>=a)': [['cn=team', 'uid=\\E7\\8E\\8B', 'uid=ann', 'uid=bob', 'uid=cid'], anyOrder],
  '(!(sn>=a))': [['cn=team', 'dc=example', 'ou=deep', 'ou=people'], anyOrder],
  '(manager=*ann*)': [['uid=bob'], 'it finds parts of DNs'],
  '(&)': [2, noRfc4526],
  '(|)': [2, noRfc4526],
  '(name=ann lee)': [[], 'an attribute type does not stand for those below it'],
  '(:caseExactMatch:=Ann)': [12, fewRules],
  '(!(cn:nosuchMatch:=x))': [12, fewRules],
  '(!(nosuch=x))': [everyEntry, twoValued],
  '(!(objectClass=nosuch))': [everyEntry, twoValued],
  '(!(jpegPhoto=x))': [everyEntry, twoValued],
  '(!(mail=\\c3\\bc))': [everyEntry, twoValued],
  '(!(mail=*\\c3\\bc*))': [everyEntry, twoValued],
  '(!(telephoneNumber=*\\c3\\bc*))': [everyEntry, twoValued],
  '(structuralObjectClass=groupOfNames)': [[], notThere],
}

const refusals: Differences = {
  'add: outside': [32, noSuchObject],
  'add: group without member': [0, optionalMember],
  'add: impossible attribute name': [65, classViolation],
  'add: entryUUID': [0, notThere],
  'add: unknown attribute': [65, classViolation],
  'add: unknown object class': [65, classViolation],
  'add: unknown name': [65, classViolation],
  'add: two structural chains': [0, oneChain],
  'add: auxiliary only': [0, oneChain],
  'add: two values of one': [65, classViolation],
  'add: certificate as text': [0, 'it does not ask for the option binary'],
  'add: no certificate': [0, 'it does not look into certificates'],
  'add: unknown option': [0, 'it takes any option'],
  'modify: outside': [32, noSuchObject],
  'modify: naming value deleted': [67, notAllowedOnRdn],
  'modify: naming value replaced': [67, notAllowedOnRdn],
  'modify: last member deleted': [0, optionalMember],
  'modify: server attribute': [53, 'unwillingToPerform is its code for attributes that it maintains'],
  'modify: unknown attribute': [65, classViolation],
  'modify: unknown object class': [65, classViolation],
  'modify: class there by its number': [0, 'it does not know that both name one class'],
  'modify: a second structural chain': [0, oneChain],
  'modify: another structural class': [65, classViolation],
  'modify: a class above': [65, classViolation],
  'modify: two values of one': [65, classViolation],
  'modify: delete of what is not compared': [0, 'it compares pictures byte by byte'],
  'modify: the schema': [32, noSuchObject],
  'rename: unknown attribute': [65, classViolation],
  'search: a name too long': [32, 'a name may be of any length'],
  'compare: unknown attribute': [16, noSuchAttribute],
  'compare: not compared': [16, noSuchAttribute],
  'compare: no such value': [16, noSuchAttribute],
  ...Object.fromEntries(
    [
      ...['root DSE: a value', 'root DSE: another value', 'root DSE: not compared', 'root DSE: unknown attribute'],
      ...['a type by its name', 'a type by its number', 'a class by its name', 'a rule by its name'].map(schemaOf),
      ...['a name that no type has', 'not a name', 'unknown attribute'].map(schemaOf),
    ].map((what) => [`compare: ${what}`, [16, computed]]),
  ),
  'modify: memberOf': [20, 'clients may write it; here the value exists'],
  'rename: suffix': [68, 'it says that the suffix exists'],
  'delete: outside': [32, noSuchObject],
  'search: no DN': [32, noSuchObject],
  'bind: no DN': [49, 'a bind says nothing about the name'],
  'bind: password without name': [0, 'a bind without a name is anonymous, whatever the password'],
  'anonymous add': [50, access],
  'anonymous delete': [50, access],
}

const names: Differences = Object.fromEntries(
  ['a+b', 'say "hi"', 'back\\slash', '#hash', ' leading', 'trailing ', 'a;b', '<tag>', 'x\\2cy'].map((name) => [
    `a member compared: ${name}`,
    [false, asText],
  ]),
)

export const differences389: Differences = {
  ...filters,
  ...refusals,
  ...names,
  'a name as it comes back: trailing ': ['trailing', 'it drops spaces at the end of a name that is moved'],
  'the scope children': [[], 'it does not know this scope, and finds nothing'],
  'attributes by other names': [['MAIL', 'commonName', 'dn'], 'it answers with the names that were asked for'],
  'an attribute by another spelling, after a write': ['CN', 'it answers with the names that were asked for'],
  'more operational attributes': [[], notThere],
  'who am I, as the administrator': ['dn: cn=directory manager', 'it writes a space, and DNs in small letters'],
  'who am I, as a user': ['dn: uid=eve,ou=people,dc=example,dc=org', 'it writes a space'],
  'an anonymous search': [0, 'it answers with the entries that the anonymous user may see: no entry'],
  'the name of the schema': ['cn=schema', 'its own name'],
  'a search for a type of the schema': [0, computed],
  'attributes of all users': [
    [
      ...['cn', 'dn', 'employeeNumber', 'mail', 'manager', 'memberOf'],
      ...['objectClass', 'objectClass', 'objectClass', 'objectClass', 'objectClass', 'sn', 'uid'],
    ],
    'it also shows memberOf, which is no operational attribute there, and every class above',
  ],
  'a name by numbers and aliases': ['cn=both + uid=NAMED', 'it knows the names of types in a DN only'],
  'a hash after a sign-in': [/^\{PBKDF2-SHA512\}/, 'at a sign-in it hashes the password again in its own scheme'],
  entryCSN: [false, notThere],
  'entryCSN grows': [false, notThere],
  'sorted by a rule': ['12345', 'it does not sort by this rule, though the control is critical'],
  'sorted backwards by a rule': ['12345', 'the same'],
  'sorted by two rules': ['12345', 'the same'],
  'sorted by pictures': [53, 'another code'],
  'sorted by an unknown attribute': [53, 'another code'],
  'a hash that it verifies': [false, 'it does not know argon2, and would take the text of the hash as the password'],
  'a password in ARGON2': [49, 'it does not know argon2'],
  'several passwords': [
    { right: ['second', '{NOSUCH}x'], wrong: ['x'] },
    'a scheme that it does not know is clear text',
  ],
}
