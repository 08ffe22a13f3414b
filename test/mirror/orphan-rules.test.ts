import t from 'tap'
import type { Claimant } from '../../src/mirror/comparison/orphan-records.ts'
import { entryForm } from '../../src/mirror/entry/entry-form.ts'
import { hashOf, isIn, type Orphan } from '../../src/mirror/orphans/orphan.ts'
import { unfitness } from '../../src/mirror/orphans/orphan-search.ts'
import { statements } from '../../src/mirror/statements.ts'

const orphan = (changes: Partial<Orphan> = {}): Orphan => ({
  dn: 'uid=ada,ou=people,dc=example,dc=org',
  kind: 'user',
  objectClasses: ['inetOrgPerson'],
  record: { id: 7, name: 'ada' },
  obstacle: null,
  ignored: false,
  uuid: '0b3cbe52-0000-4000-8000-000000000000',
  place: 'uid=ada,ou=people,dc=example,dc=org',
  ...changes,
})

t.test('the hash of a preview is that of its entries and whom they would belong to', async (t) => {
  const [ada, ben] = [orphan(), orphan({ dn: 'uid=ben,ou=people,dc=example,dc=org', record: null })]
  const hash = hashOf('adopt', [ada, ben])
  t.equal(hashOf('adopt', [ben, ada]), hash, 'in any order')
  t.equal(hashOf('adopt', [orphan({ dn: 'UID=Ada, ou=People, dc=example,dc=org' }), ben]), hash, 'in any spelling')
  t.not(hashOf('ignore', [ada, ben]), hash, 'not for another action')
  t.not(hashOf('adopt', [ada]), hash, 'not with an entry less')
  t.not(hashOf('adopt', [orphan({ record: { id: 8, name: 'ada' } }), ben]), hash, 'not for another record')
  t.not(hashOf('adopt', [orphan({ uuid: null }), ben]), hash, 'not for an entry that was replaced')
})

t.test('the lists that an orphan is in', async (t) => {
  const lists = (one: Orphan) => (['open', 'adoptable', 'ignored', 'all'] as const).filter((state) => isIn(state, one))
  t.same(lists(orphan()), ['open', 'adoptable', 'all'])
  t.same(lists(orphan({ obstacle: statements.unclaimed() })), ['open', 'all'])
  t.same(lists(orphan({ ignored: true })), ['ignored', 'all'])
})

t.test('an entry that has the name and place of a record is adoptable, unless the record has one', async (t) => {
  const entry = (...objectClass: string[]) => ({ dn: orphan().dn, attributes: { objectClass } })
  const ada: Claimant = { kind: 'user', id: 7, name: 'ada', groupType: null, place: orphan().dn, dn: null }
  const groups = entryForm('dc=example,dc=org', 'groupOfNames')
  t.match(unfitness(entry('inetOrgPerson'), null, groups), { code: 'mirror.unclaimed', text: /no person or group/ })
  t.match(unfitness(entry('inetOrgPerson'), { ...ada, dn: 'uid=ada,dc=old' }, groups), {
    text: /of its own at uid=ada,dc=old/,
  })
  t.match(unfitness(entry('device'), ada, groups), { code: 'mirror.foreign_classes' }, 'a person cannot be a device')
  const classes = ['top', 'person', 'organizationalPerson', 'inetOrgPerson']
  t.equal(unfitness(entry(...classes), ada, groups), null)
})
