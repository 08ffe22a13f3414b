import { useMemo } from 'react'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import type { CheckNode } from '../../ui/check-tree.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { GrantEditor } from './GrantEditor.tsx'
import type { Role } from './role-access.ts'
import { useRoleGrants } from './use-role-grants.ts'

type MenuTree = Data<'getMenuTree'>

const menuNodes = (menus: MenuTree, lockOf: (id: number) => string | undefined): CheckNode[] =>
  menus.map(({ id, title, path, children }) => {
    const locked = lockOf(id)
    return {
      key: String(id),
      value: id,
      label: title,
      detail: path,
      ...(locked !== undefined && { locked }),
      ...(children.length > 0 && { children: menuNodes(children, lockOf) }),
    }
  })

/** The menus that a role shows. */
export const MenusTab = ({ role }: { role: Role }) => {
  const { permissions } = usePageTexts('permissions')
  const tree = useReading('getMenuTree', {})
  const { query, draft, lockOf, refusal, readNow } = useRoleGrants(role, {
    read: 'getRoleMenus',
    update: 'updateRoleMenus',
  })
  const change = useChange('updateRoleMenus', ['getRoleMenus', 'getMyGrants'])
  const nodes = useMemo(
    () => (tree.data === undefined || lockOf === undefined ? undefined : menuNodes(tree.data, lockOf)),
    [tree.data, lockOf],
  )

  const failed = [tree, query].find(({ isError, data }) => isError && data === undefined)
  if (failed !== undefined) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  if (nodes === undefined || draft === null) return <Loading />
  return (
    <GrantEditor
      roleId={role.id}
      label={permissions.roles.menus}
      searchLabel={permissions.roles.searchMenus}
      {...{ nodes, draft, refusal }}
      read={readNow}
      save={(chosen, version) =>
        change.mutateAsync({
          body: { roleId: role.id, menuIds: [...chosen], ...(version !== undefined && { version }) },
        })
      }
    />
  )
}
