import t from 'tap'
import { addUser } from '../../src/console/generated/forms/addUser.ts'
import { type Layout, layoutOf } from '../../src/console/ui/form-layout.ts'

// What must not compile is checked by `npm run check:types`: an expected error that does not occur fails there.
const wrong = (): Layout[] => [
  layoutOf(addUser)({
    // @ts-expect-error a field that the operation does not have
    shown: ['nickname', 'shoeSize'],
    given: ['username', 'mail', 'mobile', 'jobNumber', 'departmentId', 'roleIds'],
  }),
  // @ts-expect-error a required field that no form shows and no page gives: roleIds
  layoutOf(addUser)({
    shown: ['username', ['nickname', 'mail'], 'mobile', 'jobNumber'],
    given: ['departmentId'],
  }),
  layoutOf(addUser)({
    shown: ['username', ['nickname', 'mail'], 'mobile', 'jobNumber'],
    given: ['departmentId', 'roleIds'],
    // @ts-expect-error a widget for a field that the operation does not have
    widgets: { shoeSize: 'textarea' },
  }),
]

t.test('a layout shows every required field that the page does not give', async (t) => {
  const layout = layoutOf(addUser)({
    shown: ['username', ['nickname', 'mail'], ['mobile', 'jobNumber']],
    given: ['departmentId', 'roleIds'],
  })
  t.same(layout.shown.flat(), ['username', 'nickname', 'mail', 'mobile', 'jobNumber'])
  t.equal(wrong().length, 3)
})
