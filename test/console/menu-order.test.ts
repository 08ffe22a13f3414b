import t from 'tap'
import { movedSorts, withBelow } from '../../src/console/pages/menus/menu-order.ts'

interface Menu {
  id: number
  sort: number
  children: Menu[]
}

const menu = (id: number, sort: number, children: Menu[] = []): Menu => ({ id, sort, children })

/** The order after a move: by `sort`, and equal ones by id. */
const orderAfter = (siblings: readonly Menu[], id: number, by: -1 | 1): number[] => {
  const sorts = movedSorts(siblings, id, by)
  return siblings
    .map((each) => ({ id: each.id, sort: sorts.get(each.id) ?? each.sort }))
    .sort((one, other) => one.sort - other.sort || one.id - other.id)
    .map((each) => each.id)
}

t.test('a menu comes one place later or earlier', (t) => {
  const siblings = [menu(1, 10), menu(2, 20), menu(3, 30)]
  t.same(orderAfter(siblings, 1, 1), [2, 1, 3])
  t.same(orderAfter(siblings, 3, -1), [1, 3, 2])
  t.equal(movedSorts(siblings, 1, 1).size, 2, 'and the third is not written')
  t.end()
})

t.test('menus of the same place in the order are told apart', (t) => {
  const siblings = [menu(1, 999), menu(2, 999), menu(3, 999)]
  t.same(orderAfter(siblings, 2, -1), [2, 1, 3])
  for (const sort of movedSorts(siblings, 2, -1).values()) t.ok(sort >= 1 && sort <= 999)
  t.end()
})

t.test('the first cannot come earlier, nor the last later', (t) => {
  const siblings = [menu(1, 1), menu(2, 2)]
  t.equal(movedSorts(siblings, 1, -1).size, 0)
  t.equal(movedSorts(siblings, 2, 1).size, 0)
  t.end()
})

t.test('what is below a menu is known, so that it is not moved there', (t) => {
  t.same(withBelow(menu(1, 1, [menu(2, 1, [menu(3, 1)])])), [1, 2, 3])
  t.end()
})
