import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useChange, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import type { Checked } from '../../ui/check-tree.ts'
import { Failed, Loading } from '../../ui/states.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import { GrantEditor } from './GrantEditor.tsx'
import { operationsTree } from './operations-tree.ts'
import { administratorKeyword, type Role, useRoleRefusal } from './role-access.ts'
import { isHeld, useHeld } from './use-held.ts'

const idsOf = (records: readonly { id: number }[]): Checked => new Set(records.map(({ id }) => id))

/** The operations that a role grants. */
export const OperationsTab = ({ role }: { role: Role }) => {
  const { permissions } = usePageTexts('permissions')
  const texts = useOperationTexts()
  const client = useQueryClient()
  const asked = { query: { roleId: role.id } }
  const tree = useReading('getApiTree', {})
  const granted = useReading('getRoleApis', asked)
  const held = useHeld('getRoleApis')
  const now = useMemo(() => granted.data && idsOf(granted.data), [granted.data])
  const draft = useDraft(now)
  const change = useChange('updateRoleApis', ['getRoleApis', 'listApiHolders', 'getMyGrants'])
  const mayChange = useMay('updateRoleApis')
  const refusalOf = useRoleRefusal()
  const base = draft?.base
  const nodes = useMemo(() => {
    if (tree.data === undefined || held === undefined || base === undefined) return undefined
    const entries = tree.data.flatMap(({ children }) => children)
    return operationsTree(entries, permissions, texts, (id) =>
      isHeld(held, id) || base.has(id) ? undefined : permissions.refused.notHeld,
    )
  }, [tree.data, held, base, permissions, texts])

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
      label={permissions.roles.operations}
      searchLabel={permissions.roles.searchOperations}
      nodes={nodes}
      draft={draft}
      refusal={refusal}
      read={async () => idsOf(await client.fetchQuery({ ...reading('getRoleApis', asked), staleTime: 0 }))}
      save={(chosen, version) =>
        change.mutateAsync({
          body: { roleId: role.id, apiIds: [...chosen], ...(version !== undefined && { version }) },
        })
      }
    />
  )
}
