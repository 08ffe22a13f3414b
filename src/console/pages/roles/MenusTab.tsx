import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import type { Checked, CheckNode } from '../../ui/check-tree.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import { GrantEditor } from './GrantEditor.tsx'
import { administratorKeyword, type Role, useRoleRefusal } from './role-access.ts'
import { isHeld, useHeld } from './use-held.ts'

type MenuTree = Data<'getMenuTree'>

const idsOf = (records: readonly { id: number }[]): Checked => new Set(records.map(({ id }) => id))

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
  const client = useQueryClient()
  const asked = { query: { roleId: role.id } }
  const tree = useReading('getMenuTree', {})
  const granted = useReading('getRoleMenus', asked)
  const held = useHeld('getRoleMenus')
  const now = useMemo(() => granted.data && idsOf(granted.data), [granted.data])
  const draft = useDraft(now)
  const change = useChange('updateRoleMenus', ['getRoleMenus', 'getMyGrants'])
  const mayChange = useMay('updateRoleMenus')
  const refusalOf = useRoleRefusal()
  const base = draft?.base
  const nodes = useMemo(() => {
    if (tree.data === undefined || held === undefined || base === undefined) return undefined
    return menuNodes(tree.data, (id) => (isHeld(held, id) || base.has(id) ? undefined : permissions.refused.notHeld))
  }, [tree.data, held, base, permissions])

  const failed = [tree, granted].find(({ isError, data }) => isError && data === undefined)
  if (failed !== undefined) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  if (nodes === undefined || draft === null) return <Loading />
  const isAdministrator = role.keyword === administratorKeyword
  const refusal = isAdministrator
    ? permissions.refused.administrator
    : (refusalOf(role) ?? (mayChange ? null : permissions.refused.notGranted))
  return (
    <GrantEditor
      roleId={role.id}
      label={permissions.roles.menus}
      searchLabel={permissions.roles.searchMenus}
      nodes={nodes}
      draft={draft}
      refusal={refusal}
      read={async () => idsOf(await client.fetchQuery({ ...reading('getRoleMenus', asked), staleTime: 0 }))}
      save={(chosen, version) =>
        change.mutateAsync({
          body: { roleId: role.id, menuIds: [...chosen], ...(version !== undefined && { version }) },
        })
      }
    />
  )
}
