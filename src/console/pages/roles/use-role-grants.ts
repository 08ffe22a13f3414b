import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePageTexts } from '../../app/page-texts.ts'
import { reading, useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import type { Checked } from '../../ui/check-tree.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { administratorKeyword, type Role, useRoleRefusal } from './role-access.ts'
import { isHeld, useHeld } from './use-held.ts'

interface GrantOperations {
  read: 'getRoleApis' | 'getRoleMenus'
  update: 'updateRoleApis' | 'updateRoleMenus'
}

/** What a role grants of one kind, while it is changed. */
export const useRoleGrants = (role: Role, { read, update }: GrantOperations) => {
  const { permissions } = usePageTexts('permissions')
  const client = useQueryClient()
  const asked = { query: { roleId: role.id } }
  const granted = useReading(read, asked)
  const held = useHeld(read)
  const now = useMemo(() => granted.data && idsOf(granted.data), [granted.data])
  const draft = useDraft(now)
  const mayChange = useMay(update)
  const refusalOf = useRoleRefusal()
  const base = draft?.base
  const lockOf = useMemo(() => {
    if (held === undefined || base === undefined) return undefined
    return (id: number) => (isHeld(held, id) || base.has(id) ? undefined : permissions.refused.notHeld)
  }, [held, base, permissions])
  return {
    query: granted,
    draft,
    /** Why the caller may not grant one of them, in words; undefined: they may. Absent while that is not known. */
    lockOf,
    /** Why the caller may not change any of them; null: they may. */
    refusal:
      role.keyword === administratorKeyword
        ? permissions.refused.administrator
        : (refusalOf(role) ?? (mayChange ? null : permissions.refused.notGranted)),
    /** What the role grants now. */
    readNow: async () => idsOf(await client.fetchQuery({ ...reading(read, asked), staleTime: 0 })),
  }
}

const idsOf = (records: readonly { id: number }[]): Checked => new Set(records.map(({ id }) => id))
