import { Select } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import type { InputProps } from '../../ui/form-layout.ts'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { withBelow } from './menu-order.ts'
import { allMenus, type MenuNode } from './menu-tree.ts'

const options = (menus: readonly MenuNode[], above = ''): { value: string; label: string }[] =>
  menus.flatMap(({ id, title, children }) => {
    const label = above === '' ? title : `${above} / ${title}`
    return [{ value: String(id), label }, ...options(children, label)]
  })

/** A menu to stand below; 0 is the top. A menu cannot stand below itself, nor below what is below it. */
export const MenuParentInput = ({ value, onChange, label, error, disabled }: InputProps) => {
  const { permissions } = usePageTexts('permissions')
  const [search] = useAddress()
  const tree = useReading('getMenuTree', {})
  const open = numberOf(search.menu)
  const own = allMenus(tree.data ?? []).find(({ id }) => id === open)
  const excluded = new Set((own === undefined ? [] : withBelow(own)).map(String))
  return (
    <Select
      label={label}
      {...(error !== undefined && { error })}
      disabled={disabled}
      data={[
        { value: '0', label: permissions.menus.top },
        ...options(tree.data ?? []).filter((each) => !excluded.has(each.value)),
      ]}
      value={typeof value === 'number' ? String(value) : '0'}
      onChange={(next) => onChange(Number(next ?? 0))}
      searchable
      // What is typed replaces the name that stands there.
      onClick={(event) => event.currentTarget.select()}
      onFocus={(event) => event.currentTarget.select()}
      allowDeselect={false}
    />
  )
}
