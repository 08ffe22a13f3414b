import { useMemo } from 'react'
import { useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useChange, useReading } from '../../app/queries.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { GrantEditor } from './GrantEditor.tsx'
import { operationsTree } from './operations-tree.ts'
import type { Role } from './role-access.ts'
import { useRoleGrants } from './use-role-grants.ts'

/** The operations that a role grants. */
export const OperationsTab = ({ role }: { role: Role }) => {
  const { permissions } = usePageTexts('permissions')
  const texts = useOperationTexts()
  const tree = useReading('getApiTree', {})
  const { query, draft, lockOf, refusal, readNow } = useRoleGrants(role, {
    read: 'getRoleApis',
    update: 'updateRoleApis',
  })
  const change = useChange('updateRoleApis', ['getRoleApis', 'listApiHolders', 'getMyGrants'])
  const nodes = useMemo(() => {
    if (tree.data === undefined || lockOf === undefined) return undefined
    const entries = tree.data.flatMap(({ children }) => children)
    return operationsTree(entries, permissions, texts, lockOf)
  }, [tree.data, lockOf, permissions, texts])

  const failed = [tree, query].find(({ isError, data }) => isError && data === undefined)
  if (failed !== undefined) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  if (nodes === undefined || draft === null) return <Loading />
  return (
    <GrantEditor
      roleId={role.id}
      label={permissions.roles.operations}
      searchLabel={permissions.roles.searchOperations}
      {...{ nodes, draft, refusal }}
      read={readNow}
      save={(chosen, version) =>
        change.mutateAsync({
          body: { roleId: role.id, apiIds: [...chosen], ...(version !== undefined && { version }) },
        })
      }
    />
  )
}
