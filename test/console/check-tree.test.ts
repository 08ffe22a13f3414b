import t from 'tap'
import {
  type CheckNode,
  canToggle,
  filtered,
  rowsOf,
  stateOf,
  toggled,
  valued,
} from '../../src/console/ui/check-tree.ts'

const leaf = (value: number, label: string, locked?: string): CheckNode => ({
  key: String(value),
  value,
  label,
  detail: `GET /${label}`,
  ...(locked !== undefined && { locked }),
})
const users: CheckNode = {
  key: 'users',
  label: 'Users',
  children: [leaf(1, 'list'), leaf(2, 'add'), leaf(3, 'delete')],
}
const roles: CheckNode = { key: 'roles', label: 'Roles', children: [leaf(4, 'rename'), leaf(5, 'grant', 'not yours')] }
const top: CheckNode = { key: 'top', label: 'Directory', children: [users, roles] }

t.test('a box above others says whether none, some or all below it are ticked', (t) => {
  t.equal(stateOf(users, new Set()), false)
  t.equal(stateOf(users, new Set([2])), 'mixed')
  t.equal(stateOf(users, new Set([1, 2, 3])), true)
  t.equal(stateOf(top, new Set([1, 2, 3])), 'mixed')
  t.end()
})

t.test('it ticks all below it, and then unticks all', (t) => {
  const all = toggled(users, new Set([2]))
  t.same([...all].sort(), [1, 2, 3])
  t.same([...toggled(users, all)], [])
  t.end()
})

t.test('what the caller does not hold is never ticked, and can be unticked', (t) => {
  t.same([...toggled(roles, new Set())], [4])
  t.equal(canToggle(leaf(5, 'grant', 'not yours'), new Set()), false)
  t.equal(canToggle(leaf(5, 'grant', 'not yours'), new Set([5])), true)
  t.same([...toggled(roles, new Set([4, 5]))], [])
  t.end()
})

t.test('a search shows what contains the text, and a box stands for what is shown', (t) => {
  const [found] = filtered([top], 'GET /add')
  t.same(found && valued(found).map(({ value }) => value), [2])
  t.same(found && [...toggled(found, new Set([1]))].sort(), [1, 2])
  t.same(filtered([top], 'nothing'), [])
  t.same(
    filtered([top], 'roles')[0]?.children?.map(({ key }) => key),
    ['roles'],
  )
  t.end()
})

t.test('rows know their place, and what is closed hides what is below', (t) => {
  const rows = rowsOf([top], new Set(['users']))
  t.same(
    rows.map(({ node, level, position, siblings, expanded }) => [node.key, level, position, siblings, expanded]),
    [
      ['top', 1, 1, 1, true],
      ['users', 2, 1, 2, false],
      ['roles', 2, 2, 2, true],
      ['4', 3, 1, 2, undefined],
      ['5', 3, 2, 2, undefined],
    ],
  )
  t.end()
})
