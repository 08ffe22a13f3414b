import t from 'tap'
import { membershipTest } from '../../src/collections/sorted-numbers.ts'
import { countedRecords } from '../../src/mirror/comparison/counted-records.ts'
import { openKnownEntries } from '../../src/mirror/comparison/known-entries.ts'

const dnOf = (id: number): string => `uid=person ${id},ou=people,dc=example,dc=org`
const csnOf = (id: number): string => `20261125${id}.000000Z#000000#000#000000`

/** Ids with gaps, more than the arrays have room for at first. */
const ids = Array.from({ length: 5000 }, (_, n) => 3 * n + 1).concat(2 ** 40, 2 ** 52)

const filled = () => {
  const known = openKnownEntries()
  for (const id of ids) known.add(id, dnOf(id), id % 10 === 0 ? null : csnOf(id))
  return known
}

t.test('entries are found by their DN in the order of their records, and in any other', async (t) => {
  const orders = [ids, ids.toReversed(), ids.toSorted((a, b) => (a % 97) - (b % 97))]
  for (const order of orders) {
    const known = filled()
    const places = order.map((id) => known.at(dnOf(id)))
    t.same(
      places,
      order.map((id) => known.placeOf(id)),
    )
    t.equal(new Set(places).size, ids.length)
    for (const id of [0, 2, 3, 15_000, 2 ** 41]) {
      t.equal(known.at(dnOf(id)), undefined)
      t.equal(known.placeOf(id), undefined)
    }
  }
})

t.test('an entry is unchanged where it has the change number that the record was last seen with', async (t) => {
  const known = filled()
  t.same(known.suspects(), ids, 'before the directory was read all are suspects')
  const note = (id: number, entryCsn: string | undefined) => {
    const place = known.at(dnOf(id)) ?? -1
    t.equal(known.found(place), 'nothing')
    known.note(place, entryCsn)
    return known.found(place)
  }
  t.equal(note(4, csnOf(4)), 'unchanged')
  t.equal(note(7, csnOf(8)), 'changed')
  t.equal(note(10, csnOf(10)), 'changed', 'it was not seen since it was written')
  t.equal(note(13, undefined), 'changed', 'a server without change numbers')
  t.equal(note(2 ** 52, csnOf(2 ** 52)), 'unchanged')
  t.same(
    known.suspects(),
    ids.filter((id) => id !== 4 && id !== 2 ** 52),
  )
})

t.test('no two of many DNs are taken for each other', async (t) => {
  const known = openKnownEntries()
  for (let id = 1; id <= 200_000; id++) known.add(id, `uid=u${id}`, `${id}`)
  for (let id = 200_000; id >= 1; id--) {
    if (known.at(`uid=u${id}`) !== id - 1) t.equal(known.at(`uid=u${id}`), id - 1)
    known.note(id - 1, `${id}`)
  }
  t.same(known.suspects(), [])
})

t.test('records are counted whatever their ids are, and a set of numbers knows its own', async (t) => {
  const counted = countedRecords()
  const kinds = ['added', 'updated', 'moved', 'unchanged', 'failed'] as const
  for (const [n, id] of ids.entries()) counted.set(id, kinds[n % kinds.length] ?? 'failed')
  for (const [n, id] of ids.entries()) if (counted.of(id) !== kinds[n % kinds.length]) t.fail(`${id}`)
  t.equal(counted.of(2), undefined)
  t.equal(counted.of(2 ** 45), undefined)
  counted.set(1, 'failed')
  t.equal(counted.of(1), 'failed')
  const isAmong = membershipTest([5, 3, 2 ** 50, 11])
  t.same([3, 4, 5, 11, 12, 2 ** 50].map(isAmong), [true, false, true, true, false, true])
  t.equal(membershipTest([])(1), false)
})
