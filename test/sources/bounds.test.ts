import t from 'tap'
import { maxEmptyPages, maxPlaces, maxRecords } from '../../src/sources/bounds.ts'
import { readMembers } from '../../src/sources/ldap/members.ts'
import { createMemberships } from '../../src/sources/ldap/memberships.ts'
import { presets } from '../../src/sources/ldap/presets.ts'
import type { LdapReader } from '../../src/sources/ldap/reader.ts'
import { readSubject } from '../../src/sources/ldap/settings.ts'
import { readSubtree, type Sight } from '../../src/sources/ldap/subtree.ts'
import { inBatches } from '../../src/sources/platform/batches.ts'
import { readTogether } from '../../src/sources/platform/together.ts'
import { SourceError } from '../../src/sources/source.ts'

// Whatever a source lists, and however long it goes on.

const many = Array.from({ length: 100_000 }, (_, index) => index)

/** What a reading ends with. */
const endOf = async (reading: AsyncIterable<unknown>): Promise<unknown> => {
  try {
    for await (const _ of reading);
    return 'its end'
  } catch (error) {
    return error instanceof SourceError ? [error.stated.code, error.stated.params, error.advised?.code] : error
  }
}

const failure = (code: string, limit: number) => [`sources.${code}`, { limit: String(limit) }, 'sources.narrow_or_tell']

/** A directory that answers each search with pages of these entries for ever. */
const endlessDirectory = (...entries: unknown[]): Sight => {
  async function* pages() {
    for (;;) yield { entries, references: [] }
  }
  return {
    reader: { pages, entry: async () => null, close: () => {} } as unknown as LdapReader,
    subject: readSubject({
      ...{ url: '', bindDn: '', bindPassword: '', baseDn: 'dc=x', userFilter: '', groupFilter: '' },
      ...{ preset: 'openldap', ca: null, startTls: false, timeout: 1000 },
    }),
    isOwn: async () => new Set(),
    gap: () => {},
  }
}

t.test('records that do not end fail the reading', async (t) => {
  async function* records() {
    for (;;) yield many
  }
  t.strictSame(await endOf(inBatches(records())), failure('endless', maxRecords))
})

t.test('departments that do not end fail the reading', async (t) => {
  let places = 0
  const reading = readTogether<number, never>([places], {
    keyOf: String,
    max: 4,
    signal: new AbortController().signal,
    async *read(_, found) {
      yield []
      for (const _ of many) {
        places += 1
        found(places)
      }
    },
  })
  t.strictSame(await endOf(reading), failure('endless_places', maxPlaces))
})

t.test('pages of a directory that do not end fail the reading', async (t) => {
  const located = { dn: 'cn=x', key: 'cn=x', id: 'x' }
  const entries = many.map(() => located)
  const wanted = { filter: readSubject, attributes: [] } as never
  const read = (sight: Sight) => endOf(readSubtree(sight, wanted, {} as never))
  t.strictSame(await read(endlessDirectory(...entries)), failure('endless', maxRecords))
  t.strictSame(await read(endlessDirectory()), failure('endless_pages', maxEmptyPages))
})

t.test('members of a group that do not end fail the reading', async (t) => {
  const values = many.map(String)
  let start = 0
  const next = () => {
    const part = { attribute: 'member', values, start, next: start + values.length }
    start = part.next
    return part
  }
  const reader = { entry: async () => ({ parts: [next()] }) } as unknown as LdapReader
  const group = { dn: 'cn=g', key: 'cn=g', id: 'g', number: '', parts: [next()] }
  const [attribute = ''] = presets.ad.memberDns
  t.strictSame(await endOf(readMembers(reader, {} as never, group, attribute)), failure('endless', maxRecords))
})

t.test('members in parts that have nothing, or end before they begin, fail the reading', async (t) => {
  const [attribute = ''] = presets.ad.memberDns
  const first = { attribute, values: ['cn=a'], start: 0, next: 1 }
  const group = { dn: 'cn=g', key: 'cn=g', id: 'g', number: '', parts: [first] }
  for (const part of [
    { values: [], step: 1 },
    { values: ['cn=b'], step: 0 },
  ]) {
    let asked = 0
    const entry = async () => {
      asked += 1
      if (asked > 100) throw new Error('it was asked for ever')
      const start = 1 + (asked - 1) * part.step
      return { parts: [{ attribute, values: part.values, start, next: start + part.step }] }
    }
    const reading = readMembers({ entry } as unknown as LdapReader, {} as never, group, attribute)
    t.match(await endOf(reading), ['sources.members_changed'])
  }
})

t.test('a person whom very many departments list is read in a moment', async (t) => {
  const memberships = createMemberships()
  const departments = Array.from({ length: 50_000 }, (_, index) => `department ${index}`)
  for (const department of departments) memberships.add('cn=bob', department)
  const ids = new Set(['base'])
  const began = performance.now()
  memberships.addTo(ids, 'cn=bob')
  t.ok(performance.now() - began < 2000)
  t.equal(ids.size, departments.length + 1)
})
