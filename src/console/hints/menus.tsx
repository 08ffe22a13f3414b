import { addMenu } from '../generated/forms/addMenu.ts'
import { updateMenu } from '../generated/forms/updateMenu.ts'
import { MenuParentInput } from '../pages/menus/MenuParentInput.tsx'
import { type InputProps, layoutOf, valuesIn } from '../ui/form-layout.ts'

const yesNo = valuesIn('permissions', ({ permissions }) => permissions.menus.switch)

/** The texts of their values say it all. */
const numbers = ['status', 'hidden', 'alwaysShow', 'noCache', 'breadcrumb'] as const

const widgets = {
  status: valuesIn('permissions', ({ permissions }) => permissions.menus.statusValues),
  hidden: yesNo,
  alwaysShow: yesNo,
  noCache: yesNo,
  breadcrumb: yesNo,
  parentId: { input: (props: InputProps) => <MenuParentInput {...props} /> },
}

export const addMenuLayout = layoutOf(addMenu)({
  shown: [
    ['title', 'name'],
    ['path', 'component'],
    ['parentId', 'sort'],
    ['status', 'icon'],
    ['redirect', 'activeMenu'],
    ['hidden', 'alwaysShow'],
    ['noCache', 'breadcrumb'],
  ],
  widgets,
  unexplained: numbers,
})

export const updateMenuLayout = layoutOf(updateMenu)({
  shown: [
    ['title', 'name'],
    ['path', 'component'],
    ['parentId', 'sort'],
    ['status', 'icon'],
    ['redirect', 'activeMenu'],
    ['hidden', 'alwaysShow'],
    ['noCache', 'breadcrumb'],
  ],
  given: ['id'],
  widgets,
  unexplained: numbers,
})
